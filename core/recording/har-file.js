/**
 * Cuts a HAR file into its requests, each of which is then parsed alone: a large file needs no second copy of itself in memory, its
 * reading has a progress, and of a broken one all is read that is whole.
 */
import { formatBytes, formatCount } from '../base/format.js';
import { escapeInvisible, InvalidInputError, parseJson, visible } from '../base/foreign-text.js';

/**
 * @typedef {{ text: string, count: number }} Problem a sentence, and how often it holds
 * @typedef {{ entry: any, end: number }} Cut `entry`: as parsed; `end`: where it ends in the file
 */

/** Larger files would not fit a browser's memory beside their figures. */
const MAX_BYTES = 100_000_000;
/** Deeper than the chains of calls that browsers save with a request. */
const MAX_DEPTH = 1000;
const MAX_PROBLEMS = 20;
const MAX_QUOTED = 40;

const [QUOTE, COLON, BACKSLASH] = ['"', ':', '\\'].map((one) => one.charCodeAt(0));
const OPENING = ['{', '['].map((one) => one.charCodeAt(0));
const CLOSING = ['}', ']'].map((one) => one.charCodeAt(0));
const [, BRACKET] = OPENING;
const SPACES = [' ', '\n', '\r', '\t'].map((one) => one.charCodeAt(0));

/** Where the requests stand: in the list `entries` of the object `log`. */
const PLACE = ['log', 'entries'];

/**
 * @param {string} given the file @returns what reads it: `entries`, then `finish`
 * @throws {InvalidInputError} if it is too large, or not JSON at all
 */
export function createHarReader(given) {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given;
  if (text.length > MAX_BYTES) {
    throw new InvalidInputError(
      `Expected a HAR file of at most ${formatBytes(MAX_BYTES)}, got ${formatBytes(text.length)}: record a shorter time, or clear the list of requests first.`,
    );
  }
  if (!text.trimStart().startsWith('{')) throw notHar(text.trim() === '' ? 'an empty file' : `“${beginningOf(text)}”`);
  /** @type {Map<string, number>} */
  const problems = new Map();
  /** @param {string} problem a sentence */
  const complain = (problem) => {
    if (problems.has(problem) || problems.size < MAX_PROBLEMS) problems.set(problem, (problems.get(problem) ?? 0) + 1);
  };
  /** @type {Scan} */
  const scan = { text, at: 0, depth: 0, keys: [], isCut: false };

  return {
    complain,
    /** @returns {Problem[]} */
    problems: () => [...problems].map(([sentence, count]) => ({ text: sentence, count })),
    /** The requests that can be parsed, one by one. @returns {Generator<Cut>} */
    *entries() {
      for (const { start, end, depth } of cutEntries(scan)) {
        const entry = depth > MAX_DEPTH ? undefined : parseJson(text.slice(start, end));
        if (entry !== undefined) yield { entry, end };
        else complain(depth > MAX_DEPTH ? TOO_DEEP : 'Expected a request as JSON, got something else: it is left out.');
      }
    },
    /**
     * Checks what is around the requests, once these are read.
     * @param {number} count of requests @returns {{ createdBy: string }} @throws {InvalidInputError} if that is no HAR file
     */
    finish(count) {
      const { entriesStart, entriesEnd } = scan;
      if (count === 0 && problems.size === 0 && scan.isCut && scan.keys[1] === PLACE[0])
        throw new InvalidInputError('This file breaks off before its first request: export it again.');
      if (entriesStart === undefined) throw notHar(scan.isCut ? 'JSON that breaks off' : 'JSON without “log.entries”');
      const ofRequests = [...problems];
      if (scan.isCut) complain(`This file breaks off after ${formatCount(count, 'request')}: these were read.`);
      // Whoever has enough requests does not read to the end of the list.
      const hasEnd = !scan.isCut && entriesEnd !== undefined;
      const around = parseJson(`${text.slice(0, entriesStart)}[]${hasEnd ? text.slice(entriesEnd) : '}}'}`);
      checkVersion(around?.log?.version, complain);
      if (count === 0) throw noRequest(ofRequests);
      return { createdBy: describeCreator(around?.log) };
    },
  };
}

const TOO_DEEP = `Expected at most ${MAX_DEPTH} levels in a request, got more: it is left out.`;

/**
 * @typedef {object} Scan how far a file is read
 * @property {string} text
 * @property {number} at
 * @property {number} depth
 * @property {string[]} keys the last key of the outer two levels
 * @property {number} [entriesStart] of the list
 * @property {number} [entriesEnd] behind it
 * @property {boolean} isCut does the file end within something?
 */

/**
 * Finds the requests by counting brackets outside of texts: no part is read twice, and no depth needs a stack.
 * @param {Scan} scan @returns {Generator<{ start: number, end: number, depth: number }>} of each item of the list
 */
function* cutEntries(scan) {
  const { text } = scan;
  let [start, deepest] = [-1, 0];
  for (; scan.at < text.length; scan.at++) {
    const code = text.charCodeAt(scan.at);
    if (code === QUOTE) {
      const end = endOfText(text, scan.at);
      if (end < 0) break;
      if (scan.depth <= PLACE.length && isKey(text, end)) scan.keys[scan.depth] = text.slice(scan.at + 1, end);
      scan.at = end;
    } else if (OPENING.includes(code)) {
      if (isInList(scan) && scan.depth === PLACE.length + 1) [start, deepest] = [scan.at, scan.depth];
      if (code === BRACKET && isAtList(scan)) scan.entriesStart = scan.at;
      scan.depth++;
      deepest = Math.max(deepest, scan.depth);
    } else if (CLOSING.includes(code)) {
      scan.depth--;
      if (!isInList(scan)) continue;
      if (scan.depth === PLACE.length + 1) yield { start, end: scan.at + 1, depth: deepest - scan.depth };
      else if (scan.depth === PLACE.length) scan.entriesEnd = scan.at + 1;
    }
  }
  scan.isCut = scan.depth > 0 || scan.at < text.length;
}

/** @param {Scan} scan @returns {boolean} */
const isInList = ({ entriesStart, entriesEnd }) => entriesStart !== undefined && entriesEnd === undefined;

/** @param {Scan} scan @returns {boolean} does the list begin here? */
const isAtList = ({ depth, keys, entriesStart }) =>
  entriesStart === undefined && depth === PLACE.length && PLACE.every((key, level) => keys[level + 1] === key);

/** @param {string} text @param {number} start of its first quotation mark @returns {number} of the last one; -1 without */
function endOfText(text, start) {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    // An even number of backslashes are pairs, which escape each other.
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}

/** @param {string} text @param {number} end of a text in it @returns {boolean} is that a key? */
function isKey(text, end) {
  let at = end + 1;
  while (SPACES.includes(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === COLON;
}

/** @param {unknown} version @param {(text: string) => void} complain @throws {InvalidInputError} */
function checkVersion(version, complain) {
  if (version === undefined || version === '') return complain('Expected a HAR file that says its version, got none.');
  const isKnown = typeof version === 'string' && /^1\.\d{1,2}$/.test(version);
  if (isKnown) return;
  throw new InvalidInputError(`Expected version 1.2 of a HAR file, got “${quoted(version)}”.`);
}

/** @param {any} log @returns {string} such as 'Firefox 153.0' */
function describeCreator(log) {
  const { name, version } = log?.browser ?? log?.creator ?? {};
  const words = [name, version].filter((one) => typeof one === 'string' && one !== '').map(quoted);
  return words.join(' ') || 'an unknown program';
}

/** @param {string} got @returns {InvalidInputError} */
const notHar = (got) =>
  new InvalidInputError(`Expected a HAR file, which is JSON with a list “log.entries”, got ${got}.`);

/** @param {[string, number][]} problems of its requests @returns {InvalidInputError} which names the most frequent one */
function noRequest(problems) {
  const [[problem] = ['Expected a HAR file with requests, got one without.']] = problems.sort(([, a], [, b]) => b - a);
  return new InvalidInputError(problem.replace(': it is left out.', ': no request is left.'));
}

/** @param {string} text @returns {string} */
const beginningOf = (text) => escapeInvisible(text.trimStart().slice(0, MAX_QUOTED));

/** @param {unknown} value of JSON @returns {string} */
function quoted(value) {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? 'an object' : visible(String(value)).slice(0, MAX_QUOTED);
}
