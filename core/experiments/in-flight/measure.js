/** Makes the trials, each with a fixed number of messages in flight: each answer sends the next one. */
import { inBlocks } from '../../base/random.js';
import { createFaultWatch } from '../../experiment/run/faults.js';
import { createDeadline, setUpLimitMs } from '../../net/deadline.js';
import { createPayload, measureRoundTrip } from '../../net/echo/round-trip.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { messagesAt } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Counts, Measurement } from '../../experiment/contract.js'
 * @import { Connection, Transport } from '../../net/echo/index.js'
 * @import { RoundTrip } from '../../net/echo/round-trip.js'
 * @import { Progress } from '../../net/echo/trial.js'
 * @import { Outcome } from '../../net/exchange-error.js'
 * @import { DepthPlan } from './plan.js'
 * @import { DepthTrial } from './schema.js'
 * @typedef {{ transport: string, depth: number, block: number }} PlannedTrial `block` counts from 0
 * @typedef {{ plan: DepthPlan, transports: Record<string, Transport>, now: Now, timeoutMs?: number, signal?:
 *   AbortSignal }} Options `timeoutMs`: without any answer
 */

/** @type {Measurement<Options, PlannedTrial, DepthTrial>} */
export const measurement = {
  schema: 'sockshootout/in-flight/1',
  trialsOf(plan) {
    const each = plan.transports.flatMap((transport) => plan.depths.map((depth) => ({ transport, depth })));
    return inBlocks(each, plan);
  },
  runTrial,
  watchFaults: ({ transports }) => createFaultWatch(transports, { countsOf }),
};

/** @param {PlannedTrial} planned @param {Options & { progress: Progress }} options @returns {Promise<DepthTrial>} */
async function runTrial({ transport: name, depth, block }, { transports, now, timeoutMs = 10_000, progress, signal }) {
  const transport = transports[name];
  const iterations = messagesAt(depth);
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  /** @type {{ endedAtMs: number[], roundTripMs: number[], failures: DepthTrial['failures'] }} */
  const { endedAtMs, roundTripMs, failures } = { endedAtMs: [], roundTripMs: [], failures: [] };
  let sentCount = 0;
  let isOver = false;
  /** @type {Connection | undefined} */
  let connection;

  /** @param {{ outcome: Outcome, message?: string }} end of an exchange without an answer */
  const endWith = ({ outcome, message = '' }) => {
    isOver = true;
    if (isFailure(outcome)) failures.push({ outcome, message });
  };
  /**
   * @param {Connection} open @param {number} end no message is sent beyond it
   * @param {(trip: RoundTrip) => void} onAnswer
   */
  const loop = async (open, end, onAnswer) => {
    while (sentCount < end && !isOver) {
      const iteration = sentCount++;
      // The counts are distinct, so that no two open requests have the same URL.
      const trip = await measureRoundTrip(open, createPayload(iteration), { now, signal: deadline.start() });
      if (trip.outcome === 'ok') onAnswer(trip);
      else endWith(trip);
    }
  };
  try {
    const open = (connection = await transport.connect({ signal: deadline.start(setUpLimitMs(transport, timeoutMs)) }));
    const together = (/** @type {number} */ end, /** @type {Parameters<typeof loop>[2]} */ onAnswer) =>
      Promise.all(Array.from({ length: depth }, () => loop(open, end, onAnswer)));
    await together(depth, () => {});
    const startedAtMs = now();
    await together(depth + iterations, ({ sentAtMs, endedAtMs: at }) => {
      endedAtMs.push(at - startedAtMs);
      roundTripMs.push(at - sentAtMs);
      progress.completedCount++;
    });
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    endWith(error);
  } finally {
    deadline.close();
    connection?.close();
  }
  const { protocol } = connection ?? {};
  return { transport: transport.name, protocol, depth, endedAtMs, roundTripMs, iterations, failures, block };
}

/** Counts the answers of a trial, and lists its failures. @param {DepthTrial} trial @returns {Counts} */
export const countsOf = ({ roundTripMs, failures }) => ({ answerCount: roundTripMs.length, failures });
