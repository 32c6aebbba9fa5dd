/**
 * What the study says of its users: how many got a WebSocket, what the others got, and so what a page needs. The first rule that
 * holds says it; none says more than was counted.
 */
import { formatCount, listOf } from '../base/format.js';
import { wilsonInterval } from '../base/statistics.js';
import { SAME_PERCENT } from '../experiment/answer/verdict.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { Share, Users } from './find.js'
 * @typedef {{ holds: (users: Users) => boolean, say: (users: Users) => string }} Rule `say`: a sentence or two
 */

/** With fewer, an interval of a share that is 98% is wider than what is decided by it. */
export const MIN_ADVISED = 100;
/** Of fewer, a share is said by counts. */
const MIN_PERCENT_OF = 10;
/** A share that may be larger is no reason to leave its users without news. */
const MAX_LEFT_OUT = 0.01;

/** @param {number} count @returns {string} like '1,204 browsers' */
export const formatBrowsers = (count) => formatCount(count, 'browser');

/** @param {number} count @returns {string} like '1,204' */
export const withCommas = (count) => count.toLocaleString('en');

/** @param {number} share @returns {string} like '97.8%', and never 100% or 0% for what is not all or none */
export function formatShare(share) {
  const text = formatPercent(share);
  if (text === '100' && share < 1) return 'over 99.9%';
  return text === '0' && share > 0 ? 'under 0.1%' : `${text}%`;
}

/** @param {Interval} interval of a share @returns {string} like '95% CI 96.8–98.5%' */
const formatShareRange = ({ low, high }) => `95% CI ${formatPercent(low)}–${formatPercent(high)}%`;

/** @param {number} share @returns {string} like '98.5' */
const formatPercent = (share) => (100 * share).toFixed(1).replace(/\.0$/, '');

/** @param {Share} share @returns {string} like '97.8% (95% CI 96.8–98.5%)', or '1 of 3' of a few, of whom a percentage says no more */
export function formatShareWithRange({ share, count, of }) {
  if (!share) return '–';
  return of < MIN_PERCENT_OF ? `${count} of ${of}` : `${formatShare(share.estimate)} (${formatShareRange(share)})`;
}

/** @param {Users} users @returns {number} that got neither a WebSocket nor an event stream as it is sent */
const leftOut = ({ got }) => got.batched.count + got.requests.count;

/** @param {Users} users @returns {number} that are said to have got something */
const known = ({ got }) => got.opened.of;

/** @type {readonly Rule[]} */
const NEEDS = [
  {
    holds: (users) => known(users) < MIN_ADVISED,
    say: (users) => `That is too few to say what your page needs: at least ${MIN_ADVISED - known(users)} more.`,
  },
  {
    holds: ({ got }) => got.opened.count === got.opened.of && maxOthers(got.opened) <= MAX_LEFT_OUT,
    say: ({ got }) => `No fallback was needed; ${formatMost(maxOthers(got.opened))} of your users may need one.`,
  },
  {
    holds: ({ got }) => got.opened.count === got.opened.of,
    say: ({ got }) =>
      `Keep an event stream as its fallback until more are counted: ${formatMost(maxOthers(got.opened))} of your users may get no WebSocket.`,
  },
  {
    holds: (users) => leftOut(users) === 0,
    say: (users) =>
      `You need both: they were enough for all ${withCommas(known(users))}; ${formatMost(Number(wilsonInterval(leftOut(users), known(users))?.high))} of your users may need polling instead.`,
  },
  {
    holds: ({ got }) => got.requests.count === 0,
    say: ({ got }) =>
      `You need a WebSocket and an event stream, and long polling where events arrive together: for ${formatShareWithRange(got.batched)}.`,
  },
  {
    holds: () => true,
    say: (users) =>
      `You need a WebSocket, an event stream and a fallback to requests, as by SockJS: ${formatBrowsers(leftOut(users))} got neither.`,
  },
];

/** @param {number} share the end of an interval @returns {string} like 'at most 0.2%', or 'under 0.1%' */
const formatMost = (share) => (formatPercent(share) === '0' ? formatShare(share) : `at most ${formatShare(share)}`);

/** @param {Share} opened @returns {number} the largest share that may have got none, by the interval of 95% */
const maxOthers = ({ share }) => (share ? 1 - share.low : 1);

/** @param {Users} users @returns {string} one or more sentences */
export function summarizeUsers(users) {
  if (users.count === 0) return 'No browser has measured yet.';
  const { say } = /** @type {Rule} */ (NEEDS.find(({ holds }) => holds(users)));
  return `${describeGot(users)} ${say(users)}`;
}

/** @param {Users} users @returns {string} a sentence */
function describeGot({ got }) {
  const { opened } = got;
  if (opened.of === 0) return 'No browser could say what it got.';
  if (opened.of === 1 && opened.count === 1) return 'The only browser got a WebSocket.';
  const isFew = opened.of < MIN_PERCENT_OF;
  const range = isFew || !opened.share ? '' : ` (${formatShareRange(opened.share)})`;
  const who = `${formatBrowsers(opened.of)}${range} got a WebSocket`;
  if (opened.count === opened.of) return `All ${who}${describeRest(got)}.`;
  const share = isFew ? String(opened.count) : formatShare(opened.count / opened.of);
  return `${share} of ${who}${describeRest(got)}.`;
}

/** What those without a WebSocket got, by the name of what they got. */
const OTHERS = /** @type {const} */ ([
  ['stream', 'an event stream'],
  ['batched', 'an event stream in batches'],
  ['requests', 'only requests'],
]);

/** @param {Users['got']} got @returns {string} a clause, or none */
function describeRest(got) {
  const others = OTHERS.filter(([name]) => got[name].count > 0);
  if (others.length === 0) return '';
  if (others.length === 1 && others[0][0] === 'stream') return ', and the rest an event stream';
  return `; others got ${describeOthers(got)}`;
}

/** @param {Users['got']} got @returns {string} like 'an event stream (40) and only requests (14)'; empty for none */
export function describeOthers(got) {
  const others = OTHERS.filter(([name]) => got[name].count > 0);
  return others.length === 0 ? '' : listOf(others.map(([name, label]) => `${label} (${withCommas(got[name].count)})`));
}

/** @param {Users} users @returns {string} a sentence on speed, or none where few measured it */
export function summarizeSpeed({ verdicts }) {
  const { faster, same, unclear } = verdicts;
  if (faster.of < MIN_PERCENT_OF) return '';
  const little = verdicts['little-faster'].count;
  return (
    `A message over a WebSocket is more than ${SAME_PERCENT}% faster for ${amongAll(faster)} of ` +
    `${formatBrowsers(faster.of)}${inBrackets(faster)}, the same within ${SAME_PERCENT}% for ${amongAll(same)}${inBrackets(same)}` +
    `${little > 0 ? `, a little faster for ${withCommas(little)}` : ''}` +
    `${unclear.count > 0 ? `, and not clear for ${withCommas(unclear.count)}` : ''}.`
  );
}

/** @param {Share} share @returns {string} such as 'none', '1,204' or 'all' */
const amongAll = ({ count, of }) => (count === 0 ? 'none' : count === of ? 'all' : withCommas(count));

/** @param {Share} share @returns {string} its percentage, where it is neither none nor all, and interval, to follow a count */
function inBrackets({ count, of, share }) {
  if (!share) return '';
  const percent = count > 0 && count < of ? `${formatPercent(share.estimate)}%, ` : '';
  return ` (${percent}${formatShareRange(share)})`;
}
