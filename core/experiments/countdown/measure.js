/** Makes the tests of a count-down: a number is sent, comes back one lower, and is sent again until it is 0. */
import { totalMs } from '../../base/statistics.js';
import { endingOf } from '../../experiment/documents/lone-trials.js';
import { runTrial } from '../../net/echo/trial.js';
import { KINDS } from './plan.js';
import { SCHEMA } from './schema.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Measurement } from '../../experiment/contract.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Trial } from '../../net/echo/trial.js'
 * @import { Choice, CountdownTransport } from './plan.js'
 * @import { CountdownTest } from './schema.js'
 * @typedef {Omit<CountdownTest, 'startedAt' | 'wasHidden'>} Countdown `elapsedMs`: absent if it did not reach 0
 * @typedef {{ plan: Choice, transports: Record<string, Transport>, now: Now, timeoutMs?: number, signal?: AbortSignal
 *   }} Options `transports`: at the {@link ENDPOINTS}; `timeoutMs`: limit of one answer
 */

/**
 * The first failure ends a test, but only a cancel keeps the next one from being made.
 * @type {Measurement<Options, { transport: CountdownTransport, iterations: number }, Countdown>}
 */
export const measurement = {
  schema: SCHEMA,
  trialsOf({ iterations, kind }) {
    const { transports, rounds } = KINDS[kind];
    return Array.from({ length: rounds }, () => transports.map((transport) => ({ transport, iterations }))).flat();
  },
  async runTrial({ transport: name, iterations }, { transports, now, timeoutMs, progress, signal }) {
    const options = { now, iterations, timeoutMs, progress, signal, maxFailuresInARow: 1 };
    const trial = await runTrial({ ...options, transport: transports[name], step: -1 });
    return { trial, elapsedMs: elapsedOf(trial), ending: endingOf(trial, signal) };
  },
  watchFaults: () => ({ look: () => undefined }),
};

/**
 * Returns the time from the first message to the last answer; absent if it did not reach 0.
 * @param {Trial} trial @returns {number | undefined}
 */
export const elapsedOf = ({ samples, iterations }) =>
  samples.iteration.length < iterations ? undefined : totalMs(samples);
