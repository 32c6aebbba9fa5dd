/**
 * What a client may ask of a job: by the same names in a query and in a message.
 */
import { DURATION_MS } from '../../core/net/delivery/job-duration.js';
import { parseObject } from '../echo/parse-object.js';
import { EXPECTED_RUN, isRun } from '../telemetry/traffic.js';

const MAX_SEED = 0xffff_ffff;
const DIGITS = /^\d{1,10}$/;
const SHOWN_CHARACTERS = 40;

/**
 * @typedef {object} JobOptions
 * @property {string} [run] what its traffic is booked to
 * @property {number} [seed] absent: any
 * @property {number} leastMs
 * @property {number} mostMs
 */

/** What was asked for is wrong; the message says what was expected. */
export class JobOptionError extends RangeError {
  /**
   * @param {string} code for programs
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const NUMBERS = /** @type {const} */ ({ seed: MAX_SEED, least: DURATION_MS.most, most: DURATION_MS.most });

/**
 * @param {string} query what follows the `?` of a URL
 * @returns {JobOptions}
 * @throws {JobOptionError}
 */
export function parseJobQuery(query) {
  const { run, ...numbers } = parseFields(query, ['run', 'seed', 'least', 'most']);
  return { ...parseJobNumbers(numbers, toNumber), run: checkRun(run) };
}

/**
 * @param {string} query
 * @returns {string | undefined}
 * @throws {JobOptionError}
 */
export function parseRunQuery(query) {
  return checkRun(parseFields(query, ['run']).run);
}

/**
 * @param {string} text of a message, JSON
 * @returns {JobOptions} without a run: that is the connection's
 * @throws {JobOptionError}
 */
export function parseJobMessage(text) {
  const fields = parseObject(text);
  if (!fields) throw new JobOptionError('bad-json', `message: expected a JSON object, got ${show(text)}`);
  refuseOthers(Object.keys(fields), ['seed', 'least', 'most']);
  return parseJobNumbers(fields, (value) => value);
}

/**
 * The fields of a query, each of which may be given once.
 *
 * @template {string} Name
 * @param {string} query
 * @param {readonly Name[]} names those that there are
 * @returns {Partial<Record<Name, string>>}
 * @throws {JobOptionError}
 */
export function parseFields(query, names) {
  if (query === '') return {};
  const fields = [...new URLSearchParams(query)];
  const given = fields.map(([name]) => name);
  refuseOthers(given, names);
  const twice = given.find((name, index) => given.indexOf(name) < index);
  if (twice !== undefined) throw wrong(`${twice}: expected it once, got it ${given.length} times`);
  return /** @type {any} */ (Object.fromEntries(fields));
}

/**
 * @param {string | undefined} text
 * @returns {string | undefined} absent where there is none
 * @throws {JobOptionError}
 */
export function checkRun(text) {
  if (text !== undefined && !isRun(text)) throw wrong(`run: expected ${EXPECTED_RUN}, got ${show(text)}`);
  return text;
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 * @returns {number}
 * @throws {JobOptionError}
 */
export function checkNumber(name, value, least, most) {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw wrong(`${name}: expected a whole number from ${least} to ${most}, got ${show(value)}`);
}

/**
 * @param {unknown} text
 * @returns {unknown} the number that its digits are; what has none as it is
 */
export function toNumber(text) {
  return typeof text === 'string' && DIGITS.test(text) ? Number(text) : text;
}

/**
 * @param {Record<string, unknown>} fields
 * @param {(value: unknown) => unknown} read
 * @returns {JobOptions}
 */
function parseJobNumbers(fields, read) {
  /** @param {keyof typeof NUMBERS} name */
  const parse = (name) =>
    fields[name] === undefined ? undefined : checkNumber(name, read(fields[name]), 0, NUMBERS[name]);
  const leastMs = parse('least') ?? DURATION_MS.usualLeast;
  const mostMs = parse('most') ?? DURATION_MS.usualMost;
  if (leastMs > mostMs) throw wrong(`least: expected at most ${mostMs}, which is most, got ${leastMs}`);
  return { seed: parse('seed'), leastMs, mostMs };
}

/** @param {string[]} given @param {readonly string[]} names */
function refuseOthers(given, names) {
  const other = given.find((name) => !names.includes(name));
  if (other !== undefined) throw wrong(`option: expected ${names.join(', ')}, got ${show(other)}`);
}

/** @param {string} message */
function wrong(message) {
  return new JobOptionError('bad-option', message);
}

/** @param {unknown} value */
function show(value) {
  const text = typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : value;
  if (text !== value || typeof value !== 'string') return String(text);
  return `'${value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value}'`;
}
