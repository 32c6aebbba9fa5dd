/**
 * Exports what a recording shows, and the advice, without origins, headers, bodies and values of parameters: JSON, Markdown, CSV, and
 * text for a terminal.
 */
import { escape, visible } from '../base/foreign-text.js';
import { formatBytes, formatCount, formatDelay } from '../base/format.js';
import { toCsv, toMarkdown, toText, words } from '../experiment/report/table.js';
import { withoutValues } from './address.js';
import { situationOf } from './situation.js';
import { withNumber } from './sites.js';
import { afterOf, countedBy, formatEvery, formatShare, isPush } from './words.js';

/**
 * @import { Column } from '../experiment/report/table.js'
 * @import { Advice, PollAdvice } from './advice.js'
 * @import { Recording, Site } from './recording.js'
 * @typedef {{ recording: Recording, advice: Advice }} Read
 */

/** @param {number} value @param {number} [digits] @returns {number} */
const rounded = (value, digits = 0) => Number(value.toFixed(digits));

/** @type {readonly Column<PollAdvice>[]} */
const CSV_COLUMNS = [
  words('method', ({ poll }) => poll.method),
  words('pattern', ({ poll }) => withNumber(poll)),
  { title: 'count', value: ({ poll }) => poll.count },
  { title: 'failed', value: ({ poll }) => poll.failedCount },
  words('by', ({ poll }) => poll.by),
  { title: 'every_ms', value: ({ poll }) => rounded(poll.everyMs) },
  { title: 'spread_ms', value: ({ poll }) => rounded(poll.spreadMs) },
  { title: 'per_hour', value: ({ poll }) => rounded(poll.perHour, 1) },
  {
    title: 'nothing_new_share',
    value: ({ poll: { nothingNewShare: share } }) => (share === undefined ? share : rounded(share, 4)),
  },
  words('nothing_new_by', ({ poll }) => poll.nothingNewBy),
  { title: 'head_bytes', value: ({ poll }) => rounded(poll.headBytes) },
  { title: 'body_bytes', value: ({ poll }) => rounded(poll.bodyBytes) },
  words('http_version', ({ poll }) => poll.httpVersion),
  words('library', ({ poll }) => poll.library),
  words('advice', ({ word }) => word),
  { title: 'delay_ms', value: ({ now }) => rounded(now.delayMs) },
  { title: 'bytes_per_hour', value: ({ now }) => rounded(now.bytesPerHour) },
  { title: 'predicted_delay_ms', value: ({ then }) => rounded(then.delayMs) },
  { title: 'predicted_requests_per_hour', value: ({ then }) => rounded(then.requestsPerHour, 1) },
  { title: 'predicted_bytes_per_hour', value: ({ then }) => rounded(then.bytesPerHour) },
];

/** @param {Read} read @returns {string} a line for each poll */
export const formatRecordingCsv = ({ advice }) => toCsv({ columns: [...CSV_COLUMNS], rows: advice.polls });

/** @param {Read} read @returns {string} for programs; the dots of polls are left out */
export function formatRecordingJson({ recording, advice }) {
  const { createdBy, seconds, requests, longPolls, eventStreams, webSockets, chains, rest, notes, problems } =
    recording;
  const polls = advice.polls.map(({ poll: { dots: _, ...poll }, word, rule, reason, now, then }) => ({
    ...forAnybody(poll),
    advice: { word, rule, reason, now, then: { ...then, predicted: true } },
  }));
  const found = {
    polls,
    longPolls: longPolls.map(forAnybody),
    eventStreams: eventStreams.map(forAnybody),
    webSockets: webSockets.map(forAnybody),
    chains: chains.map(({ steps, ms }) => ({
      patterns: steps.map(({ pattern }) => withoutValues(pattern)),
      ...(steps.every(({ site }) => site) && { origins: steps.map(({ site }) => site?.number) }),
      ms,
    })),
    rest,
  };
  const { headline, totals, basis } = advice;
  const situation = situationOf(recording, advice.main?.poll);
  const about = { createdBy, seconds, requests };
  return `${JSON.stringify({ ...about, headline, ...found, totals, basis, situation, notes, problems }, null, 1)}\n`;
}

/**
 * @template {{ pattern: string, origin?: string, site?: Site }} One @param {One} one
 * @returns {{ pattern: string } & Omit<One, 'pattern' | 'origin' | 'site'> & { origin?: number }} `origin`: its number, where there are
 *   several
 */
const forAnybody = ({ origin: _, site, pattern, ...one }) => ({
  pattern: withoutValues(pattern),
  ...one,
  ...(site && { origin: site.number }),
});

/** @type {readonly Column<PollAdvice>[]} */
const COLUMNS = [
  words('URL', ({ poll }) => `${poll.method === 'GET' ? '' : `${poll.method} `}${withNumber(poll)}`),
  words('Interval', ({ poll }) => `${formatEvery(poll.everyMs)} (${poll.by})`),
  { title: 'Per hour', value: ({ poll }) => Math.round(poll.perHour).toLocaleString('en') },
  words('Nothing new', ({ poll: { nothingNewShare: share, nothingNewBy: by } }) =>
    share === undefined ? undefined : `${formatShare(share)} (by ${by})`,
  ),
  { title: 'Headers', value: ({ poll }) => formatBytes(poll.headBytes) },
  { title: 'Body', value: ({ poll }) => formatBytes(poll.bodyBytes) },
  words('HTTP version', ({ poll }) => poll.httpVersion),
  words('Do', ({ label }) => label),
];

/** @param {Read} read @returns {string[]} a sentence for each finding beside the polls */
function listOthers({ recording: { longPolls, eventStreams, webSockets, chains, rest }, advice }) {
  return [
    ...longPolls.map(
      ({ method, count, waitMs, ...one }) =>
        `Long polls: ${method} ${withNumber(one)}, ${formatCount(count, 'request')}, answered after ${formatEvery(waitMs)}.`,
    ),
    ...eventStreams.map((one) => `Event stream: ${describeStream(one)}.`),
    ...webSockets.map((one) => `WebSocket: ${describeStream(one)}.`),
    ...chains.map(
      ({ steps, ms }) =>
        `Chain: ${formatCount(steps.length, 'request')} in ${formatDelay(ms)}, each after the answer of the one before: ${steps.slice(0, 5).map(withNumber).join(', ')}.`,
    ),
    `Other requests: ${rest.requests.toLocaleString('en')}, ${formatBytes(rest.bytes)}.`,
    ...(advice.polls.length > 0 ? [describeTotals(advice)] : []),
  ];
}

/** @param {Recording['webSockets'][number]} stream @returns {string} */
const describeStream = ({ count, receivedCount, sentCount, ...one }) =>
  [
    `${withNumber(one)}, ${formatCount(count, 'connection')}`,
    receivedCount === undefined ? 'without its messages' : `${formatCount(receivedCount, 'message')} received`,
    ...(sentCount ? [`${sentCount.toLocaleString('en')} sent`] : []),
  ].join(', ');

/** @param {Advice} advice @returns {string} */
export function describeTotals({ totals: { users, now, then }, polls }) {
  const rate = (/** @type {number} */ perSecond) => Number(perSecond.toPrecision(2)).toLocaleString('en');
  const polling = `For ${formatCount(users, 'user')}, per second: ${rate(now.requestsPerSecond)} requests by polling`;
  const words = polls.map(({ word }) => word);
  if (words.every((word) => word === 'leave')) return `${polling}.`;
  const counted = countedBy(words.find(isPush) ?? words[0]);
  const [method, ...others] = new Set(words.map(afterOf));
  const way = others.length > 0 ? 'if you follow the advice' : `by ${method.toLowerCase()}`;
  return `${polling}, ${rate(then.requestsPerSecond)} ${counted} ${way} (predicted).`;
}

/** @param {Read} read @returns {string} to paste into an issue or a wiki */
export function formatRecordingMarkdown(read) {
  const { recording, advice } = read;
  const { polls, headline, basis } = advice;
  return [
    `### SockShootout: your page`,
    `**${escape(headline)}**`,
    ...(polls.length > 0 ? [toMarkdown({ columns: [...COLUMNS], rows: polls }).join('\n')] : []),
    ...listReasons(advice).map((line) => `- ${escape(line)}`),
    ...listOthers(read).map(escape),
    ...(polls.length > 0 ? basis.map(({ text }) => escape(text)) : []),
    ...listRemarks(recording).map(escape),
    '',
  ].join('\n\n');
}

/** @param {Read} read @returns {string} for a terminal: the answer comes last */
export function formatRecordingText(read) {
  const { recording, advice } = read;
  const { polls, headline, basis } = advice;
  const { createdBy, requests, seconds } = recording;
  const lines = [
    `Recorded by ${createdBy}: ${formatCount(requests, 'request')} in ${formatEvery(1000 * seconds)}`,
    '',
    ...(polls.length > 0 ? [...toText({ columns: [...COLUMNS], rows: polls }), '', ...listReasons(advice), ''] : []),
    ...listOthers(read),
    '',
    ...(polls.length > 0 ? [...basis.map(({ text }) => text), ''] : []),
    ...listRemarks(recording),
    ...(recording.notes.length + recording.problems.length > 0 ? [''] : []),
    headline,
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

/** @param {Advice} advice @returns {string[]} */
const listReasons = ({ polls }) => polls.map(({ poll, label, reason }) => `${withNumber(poll)}: ${label}. ${reason}`);

/** @param {Recording} recording @returns {string[]} its notes, and its problems */
export const listRemarks = ({ notes, problems }) => [
  ...notes.map(({ text }) => text),
  ...problems.map(({ text, count }) => (count > 1 ? `${text} (${count.toLocaleString('en')} times)` : text)),
];
