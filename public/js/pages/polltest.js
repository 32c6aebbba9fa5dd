/**
 * The page of poll or push.
 */
import { eachTrial } from '../../../core/experiments/jobs/plan.js';
import { measureRoundTrips, WARM_UP_ROUNDS } from '../../../core/experiments/jobs/measure.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { labelOfWay } from '../../../core/net/delivery/labels.js';
import { openExperimentPage } from '../experiment-page.js';
import { jobs } from '../experiments/jobs.js';
import { createJobClient } from '../run/job-client.js';
import { createSocketQueue } from '../run/socket-queue.js';
import { nextPaint } from '../ui/frames.js';
import { createJobsLiveView } from '../ui/jobs/jobs-live-view.js';

/**
 * @import { Now } from '../../../core/base/clock.js'
 * @import { JobsProgress } from '../../../core/experiments/jobs/measure.js'
 * @import { JobState } from '../ui/jobs/job-cells.js'
 */

const liveView = createJobsLiveView();

await openExperimentPage(jobs, {
  prepareRun({ plan, transports, SockJS, now, signal, progress }) {
    const trialCount = eachTrial(plan).length;
    const queue = createSocketQueue();
    const jobCount = plan.users * plan.jobs;
    progress.say('Warming up, and looking how far away the server is and what it does by itself');
    return {
      warmUpRounds: WARM_UP_ROUNDS,
      createClient: () => createJobClient({ SockJS, queue }),
      readTraffic: (/** @type {string} */ run) => readTraffic(fetch, `/traffic/${run}`, signal),
      readRoundTrips: () => measureRoundTrips({ transport: transports.fetch, now, signal }),
      onTrialStart({ way, intervalMs }, state) {
        const label = labelOfWay(way, intervalMs);
        const stateOf = createStateOf(state, now);
        liveView.follow({ label, jobCount, stateOf });
        progress.followTrial({
          trialCount,
          share: () => state.completedCount / jobCount,
          words: (trial) => `Trial ${trial} of ${trialCount}: ${label}, ${countTold(state)} of ${jobCount} told of`,
          lookMs: liveView.lookMs,
        });
      },
      onTrialEnd: nextPaint,
      close: liveView.stop,
    };
  },
});

/**
 * @param {JobsProgress} progress
 * @param {Now} now
 * @returns {(job: number) => JobState} by the page's own clock: the server may have made a job a little earlier than it
 *   said so
 */
function createStateOf({ durationMs, createdAtMs, toldAtMs, failed }, now) {
  return (job) => {
    if (failed[job]) return 'failed';
    if (toldAtMs[job] > 0) return 'told';
    // Of one that is not made yet this is NaN, which is no more than anything.
    return now() >= createdAtMs[job] + durationMs[job] ? 'done' : 'waiting';
  };
}

/** @param {JobsProgress} progress */
function countTold({ toldAtMs }) {
  let count = 0;
  for (const ms of toldAtMs) if (ms > 0) count++;
  return count;
}
