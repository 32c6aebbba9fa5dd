/**
 * Adds the parts that only the page of the reachability test has: the browser's functions for the checks, and the
 * remaining time.
 */
import { describeCheck, expectedMs, searchMs, SOCKJS_ORDER, trialsOf } from '../../../core/experiments/reach/plan.js';
import { formatSeconds } from '../../../core/base/format.js';
import { openWebSocket } from '../../../core/net/channel/web-socket.js';
import { createTransport } from '../../../core/net/echo/index.js';
import { siteUrl } from '../site-url.js';

/** @import { PlannedTrial } from '../../../core/experiments/reach/plan.js' */
/** @import { RunMeans } from '../../../core/experiment/contract.js' */
/** @import { PageClient, PageRun } from './contract.js' */

const LOOK_MS = 1000;

/** @param {PageRun} run @returns {RunMeans} */
function prepareRun({ plan, libraries, now, progress }) {
  const trials = trialsOf(plan);
  // One check of several trials is one of the result.
  const checks = [...new Set(trials.map(describeCheck))];
  const startedAtMs = now();
  const wholeMs = expectedMs(plan) + searchMs(plan);
  return {
    baseUrl: siteUrl,
    fetch: (/** @type {Parameters<typeof fetch>} */ ...args) => fetch(...args),
    sockjsNames: SOCKJS_ORDER,
    createSockjs: (/** @type {object} */ options) =>
      createTransport('sockjs', { library: libraries['sockjs-client'], url: `${siteUrl}/echo`, ...options }),
    openSocket: (/** @type {string} */ path) => openWebSocket(WebSocket, siteUrl + path),
    onTrialStart(/** @type {PlannedTrial} */ planned) {
      progress.followTrial({
        trialCount: trials.length,
        lookMs: LOOK_MS,
        hasTimeLeft: false,
        share: () => 0,
        words() {
          const seconds = Math.ceil((wholeMs - (now() - startedAtMs)) / 1000);
          const left = seconds > 0 ? `, about ${formatSeconds(seconds)} left` : '';
          const check = describeCheck(planned);
          return `Check ${checks.indexOf(check) + 1} of ${checks.length}: ${check}${left}`;
        },
      });
    },
  };
}

/** @type {PageClient} */
export const client = { prepareRun };
