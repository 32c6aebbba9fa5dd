/**
 * What a press on a classic page asks for: a transport, which has a page of its own, and how many messages.
 */
import { choice, formatFields, hasFields, integers, parseFields } from '../../experiment/fields.js';
import { labelOf } from '../../net/labels.js';
import { MAX_ITERATIONS, MAX_RUNS } from './measure.js';

/**
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { ClassicDocument } from './export.js'
 */

/** @type {Readonly<Record<string, string>>} by transport */
export const PATHS = Object.freeze({ ajax: '/ajaxtest', sockjs: '/socktest' });

export const FIELDS = Object.freeze({
  transport: choice({
    parameter: 'transport',
    label: 'Transport',
    choices: Object.fromEntries(Object.keys(PATHS).map((name) => [name, labelOf(name)])),
    default: 'ajax',
  }),
  iterations: integers({
    parameter: 'iterations',
    label: 'Iterations',
    help: 'messages, each number a run of its own',
    min: 1,
    max: MAX_ITERATIONS,
    maxCount: MAX_RUNS,
    isSequence: true,
    default: [10, 100, 1000],
  }),
});

/** @typedef {PlanOf<typeof FIELDS>} ClassicPlan */

/**
 * @param {URLSearchParams} query
 * @returns {ClassicPlan | undefined} absent where the query is about none
 * @throws {InvalidInputError} what, expected, got
 */
export const parsePlan = (query) => (hasFields(query, FIELDS) ? parseFields(query, FIELDS) : undefined);

/** @param {ClassicPlan} plan @returns {string} as the command line takes it */
export const formatPlan = (plan) => formatFields(plan, FIELDS);

/** @param {ClassicPlan} plan @returns {string} of the page, which starts it */
export const linkPath = ({ transport, iterations }) => `${PATHS[transport]}?iterations=${iterations}&autostart=1`;

/** @param {ClassicPlan} plan @returns {string} a sentence */
export const describePlan = ({ transport, iterations }) =>
  `${iterations.join(', ')} messages by ${labelOf(transport)}, one at a time, as in 2012.`;

/** @param {ClassicDocument} document @returns {ClassicPlan} */
export const planOf = ({ transport, runs }) => ({ transport, iterations: runs.map(({ trial }) => trial.iterations) });
