/** The visitor's situation: what their page does, what it uses, and what they consider instead. A full test answers for it. */
import { formatCount, formatSpan, listOf } from '../../base/format.js';
import { NEWS_BYTES, SMALLEST_NEWS_BYTES } from '../../net/delivery/news.js';
import { transports } from '../../net/echo/index.js';
import { LABELS } from '../answer/labels.js';
import { namesOf } from '../../net/rows.js';
import { BASELINES } from '../answer/compare.js';
import { choice, integer } from './fields.js';

/**
 * @import { PlanOf } from './fields.js'
 * @typedef {Omit<PlanOf<typeof SITUATION_FIELDS>, 'newsBytes'> & { newsBytes?: number }} Situation `newsBytes`: absent: as small as
 *   can be
 * @typedef {Situation & { rttMs: number }} Placed a situation with the round-trip time to the users, ms
 */

/** What no size of news means, in whole tens. */
const SMALL_NEWS = `about ${10 * Math.round(SMALLEST_NEWS_BYTES / 10)} bytes`;

/** @param {readonly string[]} names @returns {Readonly<Record<string, string>>} their labels */
const labelled = (names) => Object.freeze(Object.fromEntries(names.map((name) => [name, LABELS[name]])));

const [FIRST_CANDIDATE] = namesOf(transports, ({ isFirstCandidate }) => isFirstCandidate);

export const SITUATION_FIELDS = Object.freeze({
  does: choice({
    parameter: 'page',
    label: 'My page',
    help: 'what the page does',
    choices: Object.freeze({
      asks: 'asks for news',
      sends: 'sends messages',
      'asks-and-sends': 'sends messages and asks for news',
    }),
    default: 'asks-and-sends',
  }),
  intervalMs: integer({
    parameter: 'every',
    label: 'It polls every',
    unit: 'ms',
    help: 'polling interval',
    min: 100,
    max: 3_600_000,
    default: 1000,
  }),
  polls: choice({
    parameter: 'polls',
    label: 'It waits',
    help: 'from one answer to the next request, or from one request to the next',
    choices: Object.freeze({ pause: 'after each answer', timer: 'after each request' }),
    default: 'pause',
    isLater: true,
  }),
  uses: choice({
    parameter: 'uses',
    label: 'with',
    help: 'what the page uses now',
    choices: labelled(BASELINES),
    default: BASELINES[0],
  }),
  considers: choice({
    parameter: 'considers',
    label: 'I consider',
    help: 'what the page might use instead',
    choices: labelled(namesOf(transports, ({ isCandidate }) => isCandidate)),
    default: FIRST_CANDIDATE,
  }),
  newsMs: integer({
    parameter: 'news',
    label: 'There is news every',
    unit: 'ms',
    help: 'mean time between two pieces of news, which come at random',
    min: 100,
    max: 86_400_000,
    default: 30_000,
  }),
  newsBytes: integer({
    ...NEWS_BYTES,
    parameter: 'news-bytes',
    label: 'Size of news',
    unit: 'bytes',
    empty: SMALL_NEWS,
    help: `size of a piece of news: of the message, or of the answer’s body; default: ${SMALL_NEWS}`,
    isLater: true,
  }),
  lateMs: integer({
    parameter: 'late',
    label: 'News may be',
    unit: 'ms',
    help: 'longest delay that is soon enough; 0: as soon as possible',
    min: 0,
    max: 3_600_000,
    default: 0,
  }),
  device: choice({
    parameter: 'device',
    label: 'Users’ devices',
    help: 'how fast your users’ devices are, compared with the measuring one',
    choices: Object.freeze({
      'like-this': 'like this one',
      '4x-slower': 'four times slower',
      '6x-slower': 'six times slower',
    }),
    default: 'like-this',
    isLater: true,
  }),
  messageMattersMs: integer({
    parameter: 'message-matters',
    label: 'Gain per message',
    unit: 'ms',
    help: 'how much faster a message has to be for users to notice',
    min: 0,
    max: 60_000,
    default: 20,
    isLater: true,
  }),
  newsMattersMs: integer({
    parameter: 'news-matters',
    label: 'Gain for news',
    unit: 'ms',
    help: 'how much sooner news has to come for users to notice',
    min: 0,
    max: 3_600_000,
    default: 100,
    isLater: true,
  }),
});

/**
 * The differences that users notice.
 * @param {Partial<Situation>} situation an older one has none @returns {{ messageMs: number, newsMs: number }}
 */
export function mattersIn({ messageMattersMs, newsMattersMs }) {
  const { messageMattersMs: message, newsMattersMs: news } = SITUATION_FIELDS;
  return {
    messageMs: messageMattersMs ?? Number(message.default),
    newsMs: newsMattersMs ?? Number(news.default),
  };
}

/**
 * How many times slower the users’ devices are than the measuring one.
 * @param {{ device?: string }} situation an older one has none @returns {number}
 */
export const slownessIn = ({ device }) => Number.parseInt(device ?? '', 10) || 1;

/** @param {{ device?: string }} situation @returns {string} behind “devices” */
export function describeDevice({ device = 'like-this' }) {
  const compared = SITUATION_FIELDS.device.choices[device];
  return slownessIn({ device }) > 1 ? `${compared} than the measuring one` : 'like the measuring one';
}

/** @param {{ newsBytes?: number }} situation @returns {string} with its size, where it has one */
export const describeNews = ({ newsBytes }) =>
  newsBytes === undefined ? 'news' : `news of ${formatCount(newsBytes, 'byte')}`;

/** @param {Situation} situation @returns {string} what its users need: sentences, the last without its full stop */
export function describeNeeds(situation) {
  const { newsMs, lateMs, device } = situation;
  const notices = mattersIn(situation);
  const howSoon = lateMs > 0 ? `may see it up to ${formatSpan(lateMs)} late` : 'should see it as soon as possible';
  const [asks, sends] = [asksForNews(situation), sendsMessages(situation)];
  const gains = [
    ...(asks ? [`news that is ${notices.newsMs} ms sooner`] : []),
    ...(sends ? [`messages that are ${notices.messageMs} ms faster`] : []),
  ];
  return [
    ...(asks ? [`There is ${describeNews(situation)} every ${formatSpan(newsMs)}; your users ${howSoon}`] : []),
    `${asks ? 'They' : 'Your users'} notice ${listOf(gains)}`,
    ...(sends ? [`Their devices are ${SITUATION_FIELDS.device.choices[device]}`] : []),
  ].join('. ');
}

/** A shorter polling interval is no advice: push needs less. */
const MIN_ADVISED_INTERVAL_MS = 1000;

/** Is there no polling interval that is soon enough and long enough? @param {{ intervalMs: number, lateMs: number }} situation */
export const needsPush = ({ intervalMs, lateMs }) => lateMs < Math.min(intervalMs, MIN_ADVISED_INTERVAL_MS);

/** Is there news that users wait for? @param {{ does: Situation['does'] }} situation */
export const asksForNews = ({ does }) => does !== 'sends';

/** Are there messages whose answers users wait for? @param {{ does: Situation['does'] }} situation */
export const sendsMessages = ({ does }) => does !== 'asks';

/** @param {{ uses: string, considers: string }} situation @returns {string[]} its transports, in the order of tables */
export const transportsIn = ({ uses, considers }) => [
  ...namesOf(transports, ({ name }) => name === uses || name === considers),
];
