/** Computes the times of a count-down's tests, and their means by transport. */
import { mean } from '../../base/statistics.js';
import { elapsedOf } from './measure.js';
import { ENDPOINTS } from './plan.js';

/**
 * @import { Countdown } from './measure.js'
 * @import { CountdownResult, CountdownTest, CountdownTrial } from './schema.js'
 * @typedef {{ transport: string, meanMs?: number, finishedCount: number, unfinishedCount: number }} TransportMean
 */

/** @param {any} part as open-run.js opens a document @returns {CountdownResult} */
export function summarize({ plan: choice, environment, coldSetUpMs, trials }) {
  return { environment, choice, coldSetUpMs, tests: trials.map(toRecord) };
}

/** @param {CountdownTrial} opened @returns {CountdownTest} */
function toRecord({ startedAt, wasHidden, ending, elapsedMs, ...trial }) {
  const test = { startedAt, wasHidden, trial };
  return { ...test, ...(ending && { ending }), elapsedMs: elapsedMs ?? elapsedOf(trial) };
}

/**
 * Computes the means; each test has the same weight, so that the means can be checked with the table.
 * @param {readonly Countdown[]} tests @returns {TransportMean[]}
 */
export function meansOf(tests) {
  return transportsOf(tests).map((transport) => {
    const own = testsBy(tests, transport);
    const finished = own.flatMap((test) => msPerIteration(test) ?? []);
    const meanMs = mean(finished);
    return { transport, meanMs, finishedCount: finished.length, unfinishedCount: own.length - finished.length };
  });
}

/** Returns the countdowns by one transport. @param {readonly Countdown[]} tests @param {string} transport */
export const testsBy = (tests, transport) => tests.filter(({ trial }) => trial.transport === transport);

/**
 * Lists both transports, and others that a client of 2019 named.
 * @param {readonly Countdown[]} tests @returns {string[]}
 */
export const transportsOf = (tests) => [
  ...new Set([...Object.keys(ENDPOINTS), ...tests.map(({ trial }) => trial.transport)]),
];

/**
 * Returns the time per iteration; absent if it did not reach 0.
 * @param {Countdown} test @returns {number | undefined}
 */
export const msPerIteration = ({ trial: { iterations }, elapsedMs }) =>
  elapsedMs === undefined ? undefined : elapsedMs / iterations;
