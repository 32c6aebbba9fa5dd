/**
 * Requests that have to share few connections: what waits for one of them is in the lag, and is no fault of the way.
 */
import { HTTP1_CONNECTION_COUNT } from '../../net/http1-connections.js';
import { labelOfWay } from '../../net/delivery/labels.js';

/** @import { JobsRow, Measured } from './summary.js' */

/** More is not what timers and answers come late by. */
const KEPT_RATIO = 1.05;

/**
 * Polls that waited for one another were asked for less often than the plan says, and knew later.
 *
 * @param {readonly JobsRow[]} rows
 * @param {{ plan: { users: number, jobs: number }, roundTripMs?: number, userAgent?: string }} run
 * @returns {string[]} a sentence for each interval that was not kept
 */
export function describePeriods(rows, { plan, roundTripMs = 0, userAgent }) {
  return rows.flatMap((row) => {
    const { intervalMs = 0, periodMs, protocol } = row;
    if (periodMs === undefined || periodMs <= (intervalMs + roundTripMs) * KEPT_RATIO) return [];
    const isPage = userAgent !== undefined && !isNode(userAgent);
    const atOnceCount = (isPage ? plan.users : 1) * plan.jobs;
    const isShared = protocol === 'http/1.1' && atOnceCount > HTTP1_CONNECTION_COUNT;
    const why = isShared ? 'as requests waited for one another' : 'as timers or answers came late';
    const others =
      isShared && isPage ? ' Users with their own browsers would poll more often, and find out sooner.' : '';
    const name = labelOfWay(row.way, intervalMs);
    return [`${name}: polled every ${Math.round(periodMs)} ms on average, not every ${intervalMs}, ${why}.${others}`];
  });
}

/** @param {string} userAgent */
const isNode = (userAgent) => userAgent.startsWith('Node.js ');

/**
 * @param {Pick<Measured, 'plan' | 'trials'> & { environment: { userAgent: string } }} measured
 * @returns {string[]} a sentence; none where no request had to wait for another
 */
export function describeSharing({ plan: { users, jobs }, trials, environment }) {
  const isPage = !isNode(environment.userAgent);
  // A page's users are all in one browser.
  const sharing = isPage ? users : 1;
  /** @type {Record<string, number>} how many requests are open at once */
  const openCounts = { 'long-poll': sharing * jobs, sse: sharing };
  const shared = trials.filter(
    ({ way, protocol }) => protocol === 'http/1.1' && openCounts[way] > HTTP1_CONNECTION_COUNT,
  );
  if (shared.length === 0) return [];
  const names = shared.map(({ way }) => labelOfWay(way)).join(' and ');
  return [
    isPage
      ? `${names}: all users of this page shared the ${HTTP1_CONNECTION_COUNT} connections that a browser holds to a server over HTTP/1.1, and waiting for one of them is in the lag. Users with browsers of their own would share them only among their own jobs; HTTP/2 would not have that.`
      : `${names}: the jobs of each user shared ${HTTP1_CONNECTION_COUNT} connections, as a browser holds to a server over HTTP/1.1, and waiting for one of them is in the lag. HTTP/2 would not have that.`,
  ];
}
