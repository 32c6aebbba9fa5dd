/**
 * Results that were never measured, for what is computed from results.
 */
import { shootout } from '../../core/experiments/shootout/index.js';

/**
 * @import { Result } from '../../core/experiments/shootout/index.js'
 * @import { RunTrial } from '../../core/net/echo/trial.js'
 */

/**
 * @param {string} transport
 * @param {number} block
 * @param {readonly number[]} roundTripMs back-to-back
 * @param {Partial<RunTrial>} [others]
 * @returns {RunTrial}
 */
export function createTrial(transport, block, roundTripMs, others = {}) {
  let sentAt = 0;
  const sentAtMs = roundTripMs.map((ms) => (sentAt += ms) - ms);
  return {
    block,
    transport,
    protocol: ['ajax', 'xhr', 'fetch'].includes(transport) ? 'http/1.1' : 'websocket',
    startedAtMs: block * 1000,
    samples: { iteration: roundTripMs.map((_, i) => i), sentAtMs, roundTripMs: [...roundTripMs] },
    failures: [],
    ...others,
  };
}

/**
 * @template {RunTrial} T
 * @param {readonly T[]} trials
 * @returns {T[]} the same, made one after the other
 */
export function inTurn(trials) {
  let endedAtMs = 0;
  return trials.map((trial) => {
    const { sentAtMs, roundTripMs } = trial.samples;
    const startedAtMs = endedAtMs;
    endedAtMs += 1 + Math.max(0, ...sentAtMs.map((ms, i) => ms + roundTripMs[i]));
    return { ...trial, startedAtMs };
  });
}

/**
 * AJAX against SockJS, by their round trips in each block.
 *
 * @param {readonly (readonly [ajaxMs: number, sockjsMs: number])[]} blocks
 * @param {number} [iterations]
 */
export function createTrials(blocks, iterations = 20) {
  return blocks.flatMap(([ajaxMs, sockjsMs], block) => [
    createTrial('ajax', block, Array(iterations).fill(ajaxMs)),
    createTrial('sockjs', block, Array(iterations).fill(sockjsMs)),
  ]);
}

/**
 * @param {Partial<Result>} [others]
 * @returns {Result}
 */
export function createResult({ trials = [], plan, ...others } = {}) {
  const blocks = Math.max(6, ...trials.map(({ block }) => block + 1));
  const transports = ['ajax', 'sockjs'];
  return {
    schema: shootout.schema,
    startedAt: '2026-11-21T07:00:00.000Z',
    plan: plan ?? { transports, blocks, iterations: 20, warmUpCount: 3, payloadBytes: 0, seed: 7 },
    environment: { url: 'http://localhost:8000/', userAgent: 'Test/1', stepMs: 0.005, isCrossOriginIsolated: true },
    trials,
    coldSetUpMs: {},
    ...others,
  };
}
