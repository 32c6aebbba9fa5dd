/** What to do about a poll: the first rule that holds says it, with its reason. */
import { capitalize, formatBytes, formatCount } from '../base/format.js';
import { HEARTBEAT_MS } from '../net/delivery/index.js';
import { HOUR_MS } from '../net/delivery/model.js';
import { nothingNewOf } from './costs.js';
import { openOrigins } from './lasting.js';
import { tellsNews } from './polls.js';
import { describeGain, fewer, formatEvery, formatRhythm, formatShare } from './words.js';

/**
 * @import { Costs } from './costs.js'
 * @import { Poll, Recording } from './recording.js'
 * @typedef {'leave' | 'interval' | 'conditional' | 'event-stream' | 'socket'} Word
 * @typedef {{ poll: Poll, recording: Recording }} Asked
 * @typedef {{ now: Costs, then: Costs, isShared: boolean }} Both `isShared`: over a connection that is there already?
 * @typedef {object} Rule
 * @property {string} name
 * @property {Word} word
 * @property {string} [label] instead of that of its word
 * @property {(asked: Asked) => boolean} holds
 * @property {(asked: Asked, costs: Both) => string} reason
 */

/** News that may be this late has nobody who waits for it. */
const SLOW_MS = 10_000;
/** Bytes per hour that conditional requests have to save. */
const MANY_BYTES = 1_000_000;
/** Where fewer answers hold nothing new, push sends nearly as many messages. */
const ALWAYS_NEW_SHARE = 0.1;
/** So long without news, and the page may ask less often. */
const LONG_MS = 600_000;
/** The interval that then takes the place of a shorter one. */
export const LONGER_MS = 10_000;
/** Users who send so often gain from a connection that goes both ways. */
const MANY_SENDS_PER_HOUR = 360;

/** @type {readonly Rule[]} */
export const RULES = Object.freeze([
  {
    name: 'few-answers',
    word: 'leave',
    label: 'Record for longer',
    holds: ({ poll }) => !tellsNews(poll),
    reason: ({ poll }) => `${formatCount(poll.count - poll.failedCount, 'answer')} cannot tell what is new.`,
  },
  {
    name: 'reports',
    word: 'leave',
    holds: ({ poll }) => poll.isReport,
    reason: () => 'It sends data, and its answers are empty, so there is nothing to push.',
  },
  {
    name: 'heavy',
    word: 'conditional',
    holds: ({ poll }) => poll.periodMs >= SLOW_MS && repeatedBytesPerHour(poll) >= MANY_BYTES,
    reason: (_, { now, then }) =>
      `The interval is short enough, but answers repeat themselves: 304 saves ${formatBytes(now.bytesPerHour - then.bytesPerHour)} per hour.`,
  },
  {
    name: 'seldom',
    word: 'leave',
    holds: ({ poll }) => poll.periodMs >= HEARTBEAT_MS,
    reason: (_, { now }) =>
      `It costs ${formatBytes(now.bytesPerHour)} per hour, and push would send a heartbeat as often.`,
  },
  {
    name: 'always-new',
    word: 'leave',
    holds: ({ poll }) => nothingNewOf(poll) < ALWAYS_NEW_SHARE,
    reason: ({ poll }) =>
      `${formatShare(1 - nothingNewOf(poll))} of its answers hold something new, so push would send as many messages.`,
  },
  {
    name: 'no-news',
    word: 'interval',
    holds: ({ poll }) => poll.nothingNewShare === 1 && poll.observedMs >= LONG_MS && poll.periodMs < LONGER_MS,
    reason: ({ poll }, { now, then }) =>
      `There was no news in ${formatEvery(poll.observedMs)}. ${capitalize(formatRhythm({ by: poll.by, everyMs: LONGER_MS }))}, it sends ${fewer(now, then)} requests.`,
  },
  {
    name: 'socket-open',
    word: 'socket',
    holds: ({ poll, recording }) => openOrigins(recording.webSockets).has(poll.origin),
    reason: (_, costs) => `The page has a WebSocket open: send the news over it. ${describeGain(costs)}`,
  },
  {
    name: 'sends',
    word: 'socket',
    holds: ({ poll, recording }) => poll.sendsData || sendsPerHour(recording) >= MANY_SENDS_PER_HOUR,
    reason: (_, costs) => `The page also sends often, so one WebSocket serves both. ${describeGain(costs)}`,
  },
  {
    name: 'push',
    word: 'event-stream',
    holds: () => true,
    reason: ({ poll }, costs) => describeGain(costs) + (costs.isShared ? '' : describeConnection(poll)),
  },
]);

/** @param {Poll} poll @returns {string} a sentence, or none */
const describeConnection = ({ httpVersion }) =>
  httpVersion.startsWith('HTTP/1') ? ` Over ${httpVersion}, an event stream holds one of six connections.` : '';

/** @param {Poll} poll @returns {number} of answers that held nothing new */
const repeatedBytesPerHour = (poll) => poll.perHour * nothingNewOf(poll) * poll.sameBodyBytes;

/** @param {Recording} recording @returns {number} */
const sendsPerHour = ({ rest, seconds }) => (rest.sends * HOUR_MS) / 1000 / Math.max(1, seconds);
