/**
 * Saved runs from places with a known truth: so much distance, and so much that each transport adds to it.
 */
import { shootout } from '../../core/experiments/shootout/index.js';
import { createResult, createTrial, inTurn } from './results.js';

/**
 * @import { Ending } from '../../core/experiment/contract.js'
 * @import { ClassicDocument } from '../../core/experiments/classic/schema.js'
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { Result } from '../../core/experiments/shootout/index.js'
 */

const PLAN = { blocks: 6, iterations: 9, warmUpCount: 0, payloadBytes: 0, seed: 1 };
const VERSION = '1.0.0';
const USER_AGENT = 'Mozilla/5.0 Chrome/147';

/**
 * A shootout whose smallest round trip is the distance, and whose other ones are the distance and what their transport
 * adds. What AJAX adds goes up and down from block to block, evenly around the truth.
 *
 * @param {object} place
 * @param {number} place.distanceMs
 * @param {Record<string, number>} [place.addsMs] by transport, those of the plan
 * @param {Partial<Plan>} [place.plan]
 * @param {string} [place.origin]
 * @param {string} [place.server] its name
 * @param {string} [place.location]
 * @param {string} [place.version]
 * @param {string} [place.userAgent]
 * @param {Ending} [place.ending]
 * @returns {Result}
 */
export function createPlaceRun({ distanceMs, addsMs = { ajax: 2.4, sockjs: 0.4 }, plan, origin, ending, ...others }) {
  const { server = 'fra-1', location = 'Frankfurt', version = VERSION, userAgent = USER_AGENT } = others;
  const whole = { transports: Object.keys(addsMs), ...PLAN, ...plan };
  const statusBefore = { server, location, version, worker: 0, workers: [], silentWorkerCount: 0 };
  /** @param {string} transport @param {number} block */
  const roundTripsOf = (transport, block) => {
    const drift = transport === 'ajax' ? (block - (whole.blocks - 1) / 2) * 0.02 : 0;
    const usual = distanceMs + addsMs[transport] + drift;
    return Array.from({ length: whole.iterations }, (_, i) => (i === 0 ? distanceMs : usual));
  };
  return createResult({
    plan: whole,
    trials: inTurn(
      shootout
        .trialsOf(whole)
        .map(({ transport, block }) => createTrial(transport, block, roundTripsOf(transport, block))),
    ),
    environment: {
      url: `${origin ?? 'https://fra.example.org'}/`,
      userAgent,
      stepMs: 0.005,
      isCrossOriginIsolated: true,
    },
    statusBefore,
    // A run that ended early does not ask again.
    statusAfter: ending ? undefined : statusBefore,
    ending,
  });
}

/**
 * A classic page's runs, whose line says so many messages per second.
 *
 * @param {object} page
 * @param {'ajax' | 'sockjs'} page.transport
 * @param {readonly (readonly [iterations: number, elapsedMs: number])[]} page.runs
 * @param {string} [page.origin]
 * @param {string} [page.server] its name
 * @param {string} [page.location]
 * @param {boolean} [page.wasHidden]
 * @returns {ClassicDocument}
 */
export function createClassicDocument({
  transport,
  runs,
  origin = 'http://localhost:8000',
  wasHidden = false,
  ...others
}) {
  const { server = 'fra-1', location = '' } = others;
  const startedAt = '2026-11-21T07:00:00.000Z';
  return {
    schema: 'sockshootout/classic/2',
    transport,
    environment: {
      url: `${origin}/${transport}test`,
      userAgent: USER_AGENT,
      stepMs: 0.005,
      isCrossOriginIsolated: true,
    },
    runs: runs.map(([iterations, elapsedMs], index) => {
      const startedAtMs = runs.slice(0, index).reduce((sum, [, ms]) => sum + 1 + ms, 0);
      // As a trial that stands by itself, it is of no block.
      const {
        transport: name,
        protocol,
        samples,
        failures,
      } = createTrial(transport, 0, Array(iterations).fill(elapsedMs / iterations));
      const measured = {
        warmUpCount: 0,
        payloadBytes: 0,
        server: { server, location, version: VERSION, worker: 0, startedAt },
      };
      return {
        startedAt,
        wasHidden,
        clickedAtMs: startedAtMs,
        trial: { transport: name, protocol, samples, failures, ...measured, iterations, startedAtMs },
      };
    }),
  };
}
