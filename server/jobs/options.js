/**
 * What a client may ask of a job: by the same names in a query and in a message.
 */
import { DURATION_MS } from '../../core/net/delivery/job.js';
import { RefusalError } from '../http/answer.js';
import { checkNumber, parseFields, parseMessage, show, toNumber } from '../http/input.js';
import { EXPECTED_RUN, isRun } from '../telemetry/traffic.js';

/** What each may be at most. */
const NUMBERS = /** @type {const} */ ({ seed: 0xffff_ffff, least: DURATION_MS.max, most: DURATION_MS.max });

/**
 * @typedef {object} JobOptions
 * @property {string} [run] the trial that its traffic is recorded for
 * @property {number} [seed] absent: any
 * @property {number} leastMs
 * @property {number} mostMs
 */

/** @param {string} query what follows the `?` of a URL @returns {JobOptions} @throws {RefusalError} */
export function parseJobQuery(query) {
  const { run, ...numbers } = parseFields('option', query, ['run', 'seed', 'least', 'most']);
  return { ...checkNumbers(numbers, toNumber), run: checkRun(run) };
}

/** @param {string} query @returns {{ run?: string }} @throws {RefusalError} */
export function parseRunQuery(query) {
  return { run: checkRun(parseFields('option', query, ['run']).run) };
}

/**
 * @param {string} text of a message, JSON
 * @returns {JobOptions} without a run: that is the connection's
 * @throws {RefusalError}
 */
export function parseJobMessage(text) {
  return checkNumbers(parseMessage('option', text, ['seed', 'least', 'most']), (value) => value);
}

/** @param {string | undefined} text @returns {string | undefined} absent where there is none @throws {RefusalError} */
export function checkRun(text) {
  if (text === undefined || isRun(text)) return text;
  throw new RefusalError('bad-option', `run: expected ${EXPECTED_RUN}, got ${show(text)}`);
}

/** @param {Record<string, unknown>} fields @param {(value: unknown) => unknown} read @returns {JobOptions} */
function checkNumbers(fields, read) {
  /** @param {keyof typeof NUMBERS} name */
  const check = (name) =>
    fields[name] === undefined ? undefined : checkNumber('option', name, read(fields[name]), 0, NUMBERS[name]);
  const leastMs = check('least') ?? DURATION_MS.defaultMin;
  const mostMs = check('most') ?? DURATION_MS.defaultMax;
  if (leastMs <= mostMs) return { seed: check('seed'), leastMs, mostMs };
  throw new RefusalError('bad-option', `least: expected at most ${mostMs}, which is most, got ${leastMs}`);
}
