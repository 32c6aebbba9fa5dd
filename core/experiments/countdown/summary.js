/** Computes the times of a count-down's tests, and their means by transport. */
import { mean } from '../../base/statistics.js';
import { elapsedOf } from './measure.js';
import { ENDPOINTS } from './plan.js';
import { fromSubmission, isSubmission } from './submission.js';

/**
 * @import { Countdown } from './measure.js'
 * @import { CountdownDocument, CountdownResult } from './schema.js'
 * @import { Submission } from './submission.js'
 * @typedef {ReturnType<typeof meansOf>[0]} TransportMean
 */

/** @param {CountdownDocument | Submission} document @returns {CountdownResult} */
export const summarize = (document) => (isSubmission(document) ? fromSubmission(document) : fromOwn(document));

/** @param {CountdownDocument} document */
function fromOwn({ schema: _, tests, ...others }) {
  return { ...others, tests: tests.map((test) => ({ ...test, elapsedMs: elapsedOf(test.trial) })) };
}

/**
 * Computes the means; each test has the same weight, so that the means can be checked with the table.
 * @param {readonly Countdown[]} tests
 */
export function meansOf(tests) {
  return transportsOf(tests).map((transport) => {
    const own = testsBy(tests, transport);
    const finished = own.flatMap((test) => msPerIteration(test) ?? []);
    const meanMs = mean(finished);
    return { transport, meanMs, finishedCount: finished.length, unfinishedCount: own.length - finished.length };
  });
}

/** @param {readonly Countdown[]} tests @param {string} transport */
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
