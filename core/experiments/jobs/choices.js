/** “Which interval would do?”: what lies between polling as now and push, of one visible page. */
import { capitalize, DASH, formatSpan } from '../../base/format.js';
import { words } from '../../experiment/table.js';
import { WAIT_MS } from '../../net/delivery/requests.js';
import * as costs from './costs.js';
import { maxPollDelayMsOf, pollDelayMsOf, pushDelayMsOf } from './prediction.js';

/**
 * @import { NewsChoice } from '../../experiment/answer.js'
 * @import { Table, TableLook } from '../../experiment/contract.js'
 * @import { Visited } from './costs.js'
 * @import { JobsRow } from './summary.js'
 */

const NOTE = 'Calculated, unless marked as measured. Bytes use the size of a request here.';
const INTERVALS_MS = [5000, 30_000];

/**
 * @param {{ poll: JobsRow, others: readonly { row: JobsRow, name: string }[] }} measured @param {Visited} page @returns {NewsChoice[]}
 */
export function listChoices({ poll, others }, page) {
  const requestBytes = costs.requestBytesOf(poll);
  const intervals = [page.intervalMs, ...INTERVALS_MS.filter((ms) => ms !== page.intervalMs)];
  const polls = intervals.map((intervalMs) => ({
    name: `Polling every ${formatSpan(intervalMs)}`,
    isNow: intervalMs === page.intervalMs,
    ...pollDelays({ ...page, intervalMs }),
    ...costs.pollCosts({ ...page, intervalMs }, requestBytes),
  }));
  const conditional = { ...polls[0], name: 'Conditional requests (ETag, 304)', isNow: false };
  return [
    ...polls,
    { ...conditional, ...costs.conditionalCosts(page, requestBytes) },
    ...others.map(({ row, name }) => ({
      name: capitalize(name),
      ...(row.delivery === 'long-poll'
        ? longPollDelays(page)
        : { meanMs: pushDelayMsOf(page), p90Ms: pushDelayMsOf(page) }),
      // That of long polling depends on how often there is news, which came faster here.
      ...(row.delivery !== 'long-poll' && row.lag.meanMs !== undefined && { measured: row.lag }),
      ...costs.costsOf(row.delivery, page, requestBytes),
    })),
  ];
}

/** Uniform over a period. @param {Visited} page */
const pollDelays = (page) => ({
  meanMs: pollDelayMsOf(page),
  p90Ms: pushDelayMsOf(page) + 0.9 * (maxPollDelayMsOf(page) - pushDelayMsOf(page)),
});

/** News that comes while an answer and the next request are under way waits for that request. @param {Visited} page */
function longPollDelays(page) {
  const { rttMs, newsMs } = page;
  const least = pushDelayMsOf(page);
  const underWay = rttMs / (rttMs + newsMs * (1 - Math.exp(-WAIT_MS / newsMs)));
  return { meanMs: least + (underWay * rttMs) / 2, p90Ms: least + Math.max(0, 1 - 0.1 / underWay) * rttMs };
}

/** @param {number} [ms] */
const inSeconds = (ms) => (ms === undefined ? DASH : `${(ms / 1000).toFixed(ms < 995 ? 2 : 1)} s`);

/** @param {number} bytes */
const formatBytes = (bytes) =>
  bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`;

/**
 * @param {readonly NewsChoice[]} choices @param {{ newsMs: number, isHere: boolean }} about `isHere`: for users where it was measured
 * @returns {Table<NewsChoice> & TableLook}
 */
export function tabulateChoices(choices, { newsMs, isHere }) {
  /** @param {NewsChoice} choice @returns {string} such as '0.60 s (1.0 s)' */
  const delayOf = ({ measured, ...predicted }) => {
    const { meanMs, p90Ms } = isHere && measured ? measured : predicted;
    return `${inSeconds(meanMs)} (${inSeconds(p90Ms)})${isHere && measured ? ', measured' : ''}`;
  };
  return {
    heading: 'Which interval would do?',
    note: `For one visible page, with news every ${formatSpan(newsMs)}. ${NOTE}`,
    columns: [
      { ...words('Delivery', ({ name, isNow }) => `${name}${isNow ? ' (now)' : ''}`), isKey: true },
      { title: 'Mean delay of news (9 in 10 within)', value: delayOf },
      {
        title: 'Requests and messages per hour',
        value: ({ count }) => count,
        format: (count) => Math.round(count).toLocaleString('en'),
      },
      { title: 'Bytes per hour', value: ({ bytes }) => bytes, format: formatBytes },
    ],
    rows: choices,
  };
}
