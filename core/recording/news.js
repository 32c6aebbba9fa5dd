/** Tells which answers of a poll held something new: anything that the answer before did not hold. */
import { parseJson } from '../base/foreign-text.js';

/**
 * @import { Exchange } from './exchange.js'
 * @import { NewsSource } from './recording.js'
 * @typedef {Pick<Exchange, 'status' | 'body' | 'etag' | 'size' | 'atMs' | 'endMs'>} Answered
 * @typedef {object} News
 * @property {readonly boolean[]} isNew of each answer
 * @property {NewsSource} by the weakest source that one of them needed
 * @property {boolean} ignoresClock did all differ, until the server's time in them was left out?
 */

/** From the best to the weakest. @type {readonly NewsSource[]} */
const SOURCES = ['body', 'status', 'etag', 'size'];
/** Not modified, and no content. */
const UNCHANGED = [304, 204];
/** Longer ones are compared as text only. */
const MAX_PARSED = 200_000;
/** A server's clock in an answer is that of its sending, however wrong the visitor's clock is by a little. */
const CLOCK_TOLERANCE_MS = 5000;
/** Milliseconds or seconds since 1970, or ISO 8601. */
const TIME =
  /\b\d{13}\b|\b\d{10}(?:\.\d{1,6})?\b|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g;

/** @param {readonly Answered[]} answers of a poll, in their order @returns {News} */
export function judgeAnswers(answers) {
  const plain = judge(answers);
  const isAlwaysNew = answers.length > 2 && plain.isNew.every(Boolean) && plain.by === 'body';
  if (!isAlwaysNew) return { ...plain, ignoresClock: false };
  const timeless = answers.map(withoutClock);
  // A clock is in each answer; what is in some of them is news of that moment.
  const hasClock = timeless.every((one, i) => one.body !== answers[i].body);
  return hasClock ? { ...judge(timeless), ignoresClock: true } : { ...plain, ignoresClock: false };
}

/** @param {readonly Answered[]} answers @returns {Pick<News, 'isNew' | 'by'>} */
function judge(answers) {
  const saysUnchanged = answers.some(({ status }) => status === 304);
  let weakest = 0;
  /** @type {Answered | undefined} */
  let before;
  const isNew = answers.map((answer) => {
    const [found, source] = compare(answer, { before, saysUnchanged });
    weakest = Math.max(weakest, SOURCES.indexOf(source));
    // These say that the one before still holds.
    if (!UNCHANGED.includes(answer.status)) before = answer;
    return found;
  });
  return { isNew, by: SOURCES[weakest] };
}

/**
 * @param {Answered} answer @param {{ before?: Answered, saysUnchanged: boolean }} options `saysUnchanged`: does its server answer 304?
 * @returns {[isNew: boolean, source: NewsSource]}
 */
function compare({ status, body, etag, size }, { before, saysUnchanged }) {
  // Neither has a body that could be missing.
  if (UNCHANGED.includes(status)) return [false, 'body'];
  if (body !== undefined && (!before || before.body !== undefined)) return [isNewBody(body, before?.body), 'body'];
  if (saysUnchanged) return [true, 'status'];
  if (etag && (!before || before.etag)) return [etag !== before?.etag, 'etag'];
  return [size !== before?.size, 'size'];
}

/** @param {string} body @param {string} [before] @returns {boolean} */
function isNewBody(body, before) {
  if (body === before || isEmpty(body)) return false;
  return before === undefined || !onlyLists(body, before);
}

/** @param {string} body @returns {boolean} does it say that there is nothing? */
const isEmpty = (body) => body.length < 20 && ['', '[]', '{}', 'null', '""', 'false'].includes(body.replace(/\s/g, ''));

/**
 * Whether a body has lists that are all empty, and is otherwise as the one before, whose lists were not: news came before, and now
 * there is none.
 * @param {string} body @param {string} before @returns {boolean}
 */
function onlyLists(body, before) {
  if (body.length > MAX_PARSED || before.length > MAX_PARSED) return false;
  const [now, then] = [body, before].map(parseJson);
  if (![now, then].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))) return false;
  const names = Object.keys(now);
  const isSame = (/** @type {string} */ name) => JSON.stringify(now[name]) === JSON.stringify(then[name]);
  const lists = names.filter((name) => Array.isArray(now[name]));
  return (
    lists.length > 0 &&
    lists.every((name) => now[name].length === 0 && Array.isArray(then[name])) &&
    names.every((name) => lists.includes(name) || isSame(name)) &&
    names.length === Object.keys(then).length
  );
}

/** @param {Answered} answer @returns {Answered} its body without times that are those of the answer */
function withoutClock(answer) {
  const { body = '', atMs, endMs } = answer;
  const isOwn = (/** @type {string} */ text) => {
    const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * (text.length === 13 ? 1 : 1000) : Date.parse(text);
    return ms > atMs - CLOCK_TOLERANCE_MS && ms < endMs + CLOCK_TOLERANCE_MS;
  };
  return { ...answer, body: body.replace(TIME, (text) => (isOwn(text) ? '' : text)) };
}
