/** Reads what a client may ask of a job, in a query or in a message. */
import { DURATION_MS } from '../../core/net/delivery/job.js';
import { RefusalError, checkNumber, parseFields, parseMessage, show, toNumber } from '../http/exchange.js';
import { EXPECTED_TRIAL_ID, isTrialId } from '../telemetry/traffic.js';

/**
 * @typedef {{ trialId?: string, seed?: number, minMs: number, maxMs: number }} JobOptions what a client may ask of a job; `seed`
 *   is absent for any
 */

/** The maximum of each number. */
const MAXIMA = /** @type {const} */ ({ seed: 0xffff_ffff, min: DURATION_MS.max, max: DURATION_MS.max });
const NUMBER_NAMES = /** @type {(keyof typeof MAXIMA)[]} */ (Object.keys(MAXIMA));

/** @param {string} query what follows the `?` of a URL @returns {JobOptions} @throws {RefusalError} */
export function parseJobQuery(query) {
  const { trial, ...numbers } = parseFields('option', query, ['trial', ...NUMBER_NAMES]);
  return { ...checkNumbers(numbers, toNumber), trialId: checkTrialId(trial) };
}

/** @param {string} text JSON @returns {JobOptions} without a trial: that is the connection's @throws {RefusalError} */
export function parseJobMessage(text) {
  const numbers = parseMessage('option', text, NUMBER_NAMES);
  return checkNumbers(numbers, (value) => value);
}

/**
 * Reads the trial of a connection for many jobs.
 * @param {string} query what follows the `?` of a URL @param {{ mayHaveOthers?: boolean }} [options] as of parseFields
 * @returns {string | undefined} absent if the query has none @throws {RefusalError}
 */
export const parseTrialId = (query, options) => checkTrialId(parseFields('option', query, ['trial'], options).trial);

/** @param {string} [text] @throws {RefusalError} */
function checkTrialId(text) {
  if (text === undefined || isTrialId(text)) return text;
  throw new RefusalError('bad-option', `trial: expected ${EXPECTED_TRIAL_ID}, got ${show(text)}`);
}

/**
 * @param {Partial<Record<keyof typeof MAXIMA, unknown>>} fields @param {(value: unknown) => unknown} convert
 * @returns {JobOptions} @throws {RefusalError}
 */
function checkNumbers(fields, convert) {
  /** @param {keyof typeof MAXIMA} name */
  const check = (name) =>
    fields[name] === undefined ? undefined : checkNumber('option', name, convert(fields[name]), 0, MAXIMA[name]);
  const minMs = check('min') ?? DURATION_MS.defaultMin;
  const maxMs = check('max') ?? DURATION_MS.defaultMax;
  if (minMs <= maxMs) return { seed: check('seed'), minMs, maxMs };
  throw new RefusalError('bad-option', `min: expected at most \`max\` (${maxMs}), got ${minMs}`);
}
