/** Defines the plan of a test of 2012: one transport, and runs with given numbers of messages. */
import { choice, integer, integers, parseField } from '../../experiment/plan/fields.js';
import { listOf } from '../../base/format.js';
import { MAX_RECORDS } from '../../experiment/documents/lone-trials.js';
import { labelOf } from '../../experiment/answer/labels.js';

/**
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @typedef {PlanOf<typeof FIELDS>} ClassicPlan
 */

/** The page of each transport. @type {Readonly<Record<string, string>>} */
export const PATHS = Object.freeze({ ajax: '/ajaxtest', sockjs: '/socktest' });

const ITERATIONS = integer({ parameter: 'Iterations', label: 'Iterations', min: 1, max: 100_000 });

export const FIELDS = Object.freeze({
  transport: choice({
    parameter: 'transport',
    label: 'Transport',
    choices: Object.fromEntries(Object.keys(PATHS).map((name) => [name, labelOf(name)])),
    default: 'ajax',
  }),
  iterations: integers({
    ...ITERATIONS,
    parameter: 'iterations',
    help: 'messages per run, one run for each number',
    maxCount: MAX_RECORDS,
    isSequence: true,
    default: [10, 100, 1000],
  }),
});

/**
 * Parses the number of iterations, typed or from a link.
 * @param {string} text @returns {number} @throws {InvalidInputError} what, expected, got
 */
export const parseIterations = (text) => parseField(text, ITERATIONS);

/** Describes the runs that were made. @param {ClassicPlan} plan @returns {string} a sentence */
export const describePlan = ({ transport, iterations }) =>
  `${listOf(iterations.map((one) => one.toLocaleString('en')))} messages by ${labelOf(transport)}, one at a time, as in 2012.`;

/** @param {ClassicPlan} plan @returns {string} path and query of the page that makes its runs at once */
export const linkPath = ({ transport, iterations }) => `${PATHS[transport]}?iterations=${iterations}&autostart=1`;
