/** Adds the parts that only the page of cuts has: a browser's connections, and the remaining time. */
import { formatSeconds } from '../../../core/base/format.js';
import { feedsOf, KINDS, secondsOf } from '../../../core/experiments/cuts/plan.js';
import { lengthMsOf } from '../../../core/net/feed/feed.js';
import { createJobClient } from '../run/job-client.js';
import { createSocketQueue } from '../run/socket-queue.js';
import { siteUrl } from '../site-url.js';

/**
 * @import { PlannedTrial } from '../../../core/experiments/cuts/plan.js'
 * @import { RunMeans } from '../../../core/experiment/contract.js'
 * @import { FeedClient, Followed } from '../../../core/net/feed/index.js'
 * @import { PageClient, PageRun } from './contract.js'
 */

const LOOK_MS = 1000;

/** @param {PageRun} run @returns {RunMeans} */
function prepareRun({ plan, libraries, now, progress }) {
  const feeds = feedsOf(plan);
  let cutCount = 0;
  const startedAtMs = now();
  const wholeSeconds = secondsOf(plan);
  const followed = createJobClient({ libraries, queue: createSocketQueue(), path: '/feed' });
  /** @type {FeedClient} */
  const client = {
    ...followed,
    baseUrl: siteUrl,
    io: libraries['socket.io-client'],
    followEvents: (path, on) => followEvents(path, on, followed.protocol),
  };
  return {
    createClient: () => client,
    onTrialStart(/** @type {PlannedTrial} */ planned) {
      // The methods of a cut are measured side by side, in the trial of the first.
      if (planned.delivery !== plan.deliveries[0]) return;
      const begunAtMs = now();
      const feed = feeds[cutCount++];
      progress.followTrial({
        trialCount: feeds.length,
        lookMs: LOOK_MS,
        hasTimeLeft: false,
        share: () => Math.min(1, (now() - begunAtMs) / lengthMsOf(feed.options)),
        words(trial) {
          const seconds = Math.ceil(wholeSeconds - (now() - startedAtMs) / 1000);
          const left = seconds > 0 ? `, about ${formatSeconds(seconds)} left` : '';
          return `Cut ${trial} of ${feeds.length}: ${KINDS[planned.cut].toLowerCase()}${left}`;
        },
      });
    },
  };
}

/**
 * Follows a feed as browsers do, which connect again by themselves.
 * @param {string} path @param {Followed} followed @param {() => string | undefined} protocol of requests
 */
function followEvents(path, followed, protocol) {
  const source = new EventSource(siteUrl + path);
  source.onopen = () => followed.onOpen(protocol());
  source.onmessage = ({ data }) => void followed.onMessage(data);
  source.onerror = () => followed.onLost('the event stream was interrupted');
  return () => source.close();
}

/** @type {PageClient} */
export const client = { prepareRun };
