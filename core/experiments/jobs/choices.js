/** Lists what lies between polling as now and push, of one visible page. */
import { capitalize, formatSpan } from '../../base/format.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import {
  conditionalCosts,
  costsOf,
  delayMsAfter,
  maxPollDelayMsOf,
  pollCosts,
  pollDelayMsOf,
  pushDelayMsOf,
} from '../../net/delivery/model.js';
import { WAIT_MS } from '../../net/delivery/requests.js';
import { requestBytesOf } from './summary.js';

/**
 * @import { NewsChoice } from '../../experiment/answer/answer.js'
 * @import { Placed } from '../../experiment/plan/situation.js'
 * @import { Visited } from '../../net/delivery/model.js'
 * @import { JobsRow } from './summary.js'
 * @typedef {{ name: string, estimate: number }} Gained `estimate`: how much sooner than polling users see news, ms
 */

const INTERVALS_MS = [5000, 30_000];

/**
 * Lists the ways to get news, from polling as now to push, with the delay and the costs of each.
 * @param {{ poll: JobsRow, others: readonly { row: JobsRow, method: Gained }[] }} measured `others`: what notified of
 *   everything
 * @param {Placed} page @returns {NewsChoice[]}
 */
export function listChoices({ poll, others: methods }, page) {
  const requestBytes = requestBytesOf(poll);
  const { intervalMs: ownMs, lateMs } = page;
  const others = [...(lateMs ? [lateMs] : []), ...INTERVALS_MS].sort((a, b) => a - b);
  const intervals = [...new Set([ownMs, ...others])];
  const polls = intervals.map((intervalMs) => ({
    name: `Polling every ${formatSpan(intervalMs)}`,
    isNow: intervalMs === ownMs,
    isSoonEnough: intervalMs <= lateMs,
    by: intervalMs,
    ...pollDelays({ ...page, intervalMs }),
    ...pollCosts({ ...page, intervalMs }, requestBytes),
  }));
  const conditional = { ...polls[0], name: 'Conditional requests (ETag, 304)', by: 'conditional', isNow: false };
  const choices = [
    ...polls,
    { ...conditional, ...conditionalCosts(page, requestBytes) },
    ...methods.map(({ row, method }) => ({
      name: capitalize(method.name),
      by: row.delivery,
      isSoonEnough: false,
      ...(row.delivery === 'long-poll' ? longPollDelays(page) : pushDelays(method, page)),
      // That of long polling depends on how often there is news, which came faster here.
      ...(row.delivery !== 'long-poll' && row.lag.meanMs !== undefined && { measured: row.lag }),
      ...costsOf(row.delivery, page, requestBytes),
    })),
  ];
  // Whether it is as soon as the visitor asks, or so near to push that users notice nothing.
  return choices.map((choice) => ({
    ...choice,
    wouldDo: choice.isSoonEnough || choice.meanMs - pushDelayMsOf(page) < mattersIn(page).newsMs,
  }));
}

/** Uniform over a period. @param {Visited} page */
const pollDelays = (page) => ({
  meanMs: pollDelayMsOf(page),
  p90Ms: pushDelayMsOf(page) + 0.9 * (maxPollDelayMsOf(page) - pushDelayMsOf(page)),
});

/** As late as the gain of the answer says. @param {Gained} method @param {Placed} page */
function pushDelays({ estimate }, page) {
  const meanMs = delayMsAfter(estimate, page);
  return { meanMs, p90Ms: meanMs };
}

/** News that comes while an answer and the next request are under way waits for that request. @param {Visited} page */
function longPollDelays(page) {
  const { rttMs, newsMs } = page;
  const least = pushDelayMsOf(page);
  const underWay = rttMs / (rttMs + newsMs * (1 - Math.exp(-WAIT_MS / newsMs)));
  return { meanMs: least + (underWay * rttMs) / 2, p90Ms: least + Math.max(0, 1 - 0.1 / underWay) * rttMs };
}
