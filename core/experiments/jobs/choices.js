/** Lists what lies between polling as now and push, of one visible page. */
import { capitalize, formatSpan } from '../../base/format.js';
import { WAIT_MS } from '../../net/delivery/requests.js';
import * as costs from './costs.js';
import { maxPollDelayMsOf, pollDelayMsOf, pushDelayMsOf } from './prediction.js';

/**
 * @import { NewsChoice } from '../../experiment/answer.js'
 * @import { Visited } from './costs.js'
 * @import { JobsRow } from './summary.js'
 */

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
