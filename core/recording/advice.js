/** Advises on what a page polls: what to do about each poll, what that changes, and what of it is counted or predicted. */
import { capitalize, formatBytes, formatCount } from '../base/format.js';
import { integer } from '../experiment/plan/fields.js';
import { costsAt, costsConditional, costsNow, costsOfPush } from './costs.js';
import { isOpened, openOrigins } from './lasting.js';
import { LONGER_MS, RULES } from './rules.js';
import { fewer, fewerAndLess, formatEvery, formatRhythm, formatShare, isPush, sooner } from './words.js';

/**
 * @import { Costs } from './costs.js'
 * @import { Poll, Recording } from './recording.js'
 * @import { Word } from './rules.js'
 * @typedef {object} PollAdvice
 * @property {Poll} poll
 * @property {Word} word
 * @property {string} rule the name of the rule that says it
 * @property {string} label what to do, in words for a button or a mark
 * @property {string} reason in a sentence or two
 * @property {Costs} now
 * @property {Costs} then as now where the poll stays as it is
 * @property {true} predicted `then` is a prediction
 * @property {boolean} isDelayMeasured but for its delay, where a run has measured that
 * @typedef {object} Totals of all polls
 * @property {number} users
 * @property {Pick<Costs, 'requestsPerHour' | 'bytesPerHour'> & { requestsPerSecond: number }} now per hour of one user, and per
 *   second of all
 * @property {Totals['now']} then
 * @typedef {{ figure: string, by: 'counted' | 'predicted', text: string }} Basis where a figure comes from, in a sentence
 * @typedef {object} Advice
 * @property {string} headline
 * @property {readonly PollAdvice[]} polls in the order of the recording
 * @property {PollAdvice} [main] what the headline is about; absent for a page that does not poll
 * @property {Totals} totals
 * @property {readonly Basis[]} basis
 */

export const DEFAULT_USERS = 100;
/** How many users have the page open. */
export const USERS = integer({
  parameter: 'users',
  label: 'Users with the page open',
  min: 1,
  max: 100_000_000,
  default: DEFAULT_USERS,
});
const HOUR_SECONDS = 3600;

/** @type {Readonly<Record<Word, string>>} */
const LABELS = Object.freeze({
  leave: 'Keep polling',
  interval: 'Poll less often',
  conditional: 'Answer 304',
  'event-stream': 'Push it',
  socket: 'Push it over a WebSocket',
});
const SAME_STREAM = 'Send it over the same stream';

/** @type {readonly Basis[]} */
const BASIS = Object.freeze([
  {
    figure: 'now.requestsPerHour',
    by: 'counted',
    text: 'Intervals, requests, bytes and answers without news are counted in the recording, per hour of use.',
  },
  {
    figure: 'now.delayMs',
    by: 'predicted',
    text: 'Delays are predicted: news comes at any moment, so a poll shows it half a period late on average, and half a round trip.',
  },
  {
    figure: 'then.requestsPerHour',
    by: 'predicted',
    text: 'Push is predicted: a message per answer with something new, a heartbeat every 25 s, and six visits per hour that open its connection.',
  },
  {
    figure: 'then.bytesPerHour',
    by: 'predicted',
    text: 'A message counts the bytes of an answer with something new, and 30 for its frame.',
  },
]);

/**
 * @param {Recording} recording
 * @param {{ users?: number, delaysMs?: Partial<Record<Word, number>> }} [options] `delaysMs`: how late news came in a run, for each
 *   advice
 * @returns {Advice}
 */
export function adviseRecording(recording, { users = DEFAULT_USERS, delaysMs = {} } = {}) {
  const open = { 'event-stream': openOrigins(recording.eventStreams), socket: openOrigins(recording.webSockets) };
  const polls = recording.polls.map((poll) => advisePoll(poll, recording, { open, delaysMs }));
  const main = polls.find(({ word }) => word !== 'leave') ?? polls[0];
  return {
    headline: main ? describeMain(main) : describeNone(recording),
    polls,
    main,
    totals: {
      users,
      now: sumUp(
        polls.map(({ now }) => now),
        users,
      ),
      then: sumUp(
        polls.map(({ then }) => then),
        users,
      ),
    },
    basis: BASIS,
  };
}

/**
 * @param {Poll} poll @param {Recording} recording
 * @param {{ open: Record<'event-stream' | 'socket', Set<string>>, delaysMs: Partial<Record<Word, number>> }} given `open`: to which
 *   origins the page has connections, to which this adds what it advises; `delaysMs`: as measured
 * @returns {PollAdvice}
 */
function advisePoll(poll, recording, { open, delaysMs }) {
  const asked = { poll, recording };
  const rule = RULES.find(({ holds }) => holds(asked));
  // The last rule always holds.
  const { name, word, reason, label = LABELS[word] } = /** @type {typeof RULES[number]} */ (rule);
  const now = costsNow(poll);
  const isShared = isPush(word) && open[word].has(poll.origin);
  const predicted = costsThen(poll, word, isShared);
  const { [word]: measuredMs } = delaysMs;
  const then = { ...predicted, delayMs: measuredMs ?? predicted.delayMs };
  if (isPush(word)) open[word].add(poll.origin);
  return {
    poll,
    word,
    rule: name,
    label: isShared && word === 'event-stream' ? SAME_STREAM : label,
    reason: reason(asked, { now, then, isShared }),
    now,
    then,
    predicted: true,
    isDelayMeasured: measuredMs !== undefined,
  };
}

/** @param {Poll} poll @param {Word} word @param {boolean} isOpen @returns {Costs} */
function costsThen(poll, word, isOpen) {
  switch (word) {
    case 'leave':
      return costsNow(poll);
    case 'interval':
      return costsAt(poll, LONGER_MS);
    case 'conditional':
      return costsConditional(poll);
    default:
      return costsOfPush(poll, { isSocket: word === 'socket', isOpen });
  }
}

/** @param {readonly Costs[]} costs @param {number} users @returns {Totals['now']} */
function sumUp(costs, users) {
  const [requestsPerHour, bytesPerHour] = /** @type {const} */ (['requestsPerHour', 'bytesPerHour']).map((name) =>
    costs.reduce((sum, one) => sum + one[name], 0),
  );
  return { requestsPerHour, bytesPerHour, requestsPerSecond: (users * requestsPerHour) / HOUR_SECONDS };
}

/** @param {PollAdvice} main @returns {string} */
function describeMain({ poll, word, label, reason, now, then }) {
  const polls = `This page polls ${pathOf(poll)} ${formatRhythm(poll)}`;
  if (word === 'leave') return `${polls}. ${label}: ${startingSmall(reason)}`;
  const found = `${polls}; ${describeShare(poll)}.`;
  if (word === 'interval')
    return `${found} ${capitalize(formatRhythm({ by: poll.by, everyMs: LONGER_MS }))}, it would send ${fewer(now, then)} requests per hour of use.`;
  if (word === 'conditional')
    return `${found} With conditional requests, it would transfer ${formatBytes(now.bytesPerHour - then.bytesPerHour)} less per hour of use.`;
  return `${found} With push, users would see news ${sooner(now, then)} sooner on average, with ${fewerAndLess(now, then)} of use.`;
}

/** @param {string} sentence @returns {string} as the second part of one */
const startingSmall = (sentence) => sentence[0].toLowerCase() + sentence.slice(1);

/** @param {{ pattern: string }} poll @returns {string} without its parameters */
export const pathOf = ({ pattern }) => pattern.split('?')[0];

/** @param {Poll} poll @returns {string} */
function describeShare({ nothingNewShare }) {
  if (nothingNewShare === 1) return 'none of the answers held anything new';
  return `${formatShare(nothingNewShare)} of the answers held nothing new`;
}

/** @param {Recording} recording @returns {string} */
function describeNone({ longPolls, eventStreams, webSockets, requests, seconds }) {
  const has = [
    longPolls.length > 0 ? 'long polls' : '',
    eventStreams.some(isOpened) ? 'an event stream' : '',
    webSockets.some(isOpened) ? 'a WebSocket' : '',
  ].filter(Boolean);
  const recorded = `${formatCount(requests, 'request')} in ${formatEvery(1000 * seconds)}`;
  if (has.length === 0) return `This page does not poll: ${recorded}, and none of them at regular times.`;
  return `This page does not poll: it gets news by ${has.join(' and ')}.`;
}
