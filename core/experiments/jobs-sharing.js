/**
 * Requests that are open for as long as a job takes, and have to share few connections: what waits for one of them is in the
 * lag, and is no fault of the way.
 */
import { labelOfWay } from '../ways/labels.js';

/** Of one browser, and of a user at the command line, to one server over HTTP/1.1. */
const HTTP1_CONNECTION_COUNT = 6;

/**
 * @param {Pick<import('./jobs-summary.js').Measured, 'plan' | 'trials'> & { environment: { userAgent: string } }} measured
 * @returns {string[]} a sentence; none where no request had to wait for another
 */
export function describeSharing({ plan: { users, jobs }, trials, environment }) {
  const isPage = !environment.userAgent.startsWith('Node.js ');
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
      ? `${names}: all users of this page shared the six connections that a browser holds to a server over HTTP/1.1, and waiting for one of them is in the lag. Users with browsers of their own would share them only among their own jobs; HTTP/2 would not have that.`
      : `${names}: the jobs of each user shared six connections, as a browser holds to a server over HTTP/1.1, and waiting for one of them is in the lag. HTTP/2 would not have that.`,
  ];
}
