/**
 * What only the page of polling or push has: users as a browser has them, their jobs live, and the capacity estimate.
 */
import { measureRoundTrips, WARM_UP_ROUNDS } from '../../../core/experiments/jobs/measure.js';
import { reachServer } from '../../../core/net/http.js';
import { labelOfDelivery } from '../../../core/net/labels.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { createJobClient } from '../run/job-client.js';
import { createSocketQueue } from '../run/socket-queue.js';
import { createJobsLiveView } from '../ui/jobs/jobs-live-view.js';
import { createCapacityEstimate } from '../ui/jobs/capacity-estimate.js';
import { nextPaint } from '../ui/frames.js';
import { followTrials } from '../ui/run/follow-trials.js';
import { jobs } from '../../../core/experiments/jobs/index.js';

/**
 * @import { Now } from '../../../core/base/clock.js'
 * @import { JobsProgress } from '../../../core/experiments/jobs/follow.js'
 * @import { PlannedTrial } from '../../../core/experiments/jobs/plan.js'
 * @import { MeasureOptions, PageRun } from '../experiment-page.js'
 * @import { JobState } from '../ui/jobs/job-cells.js'
 */

export const createDetails = createCapacityEstimate;

/**
 * @param {MeasureOptions} options
 * @returns {PageRun}
 */
export function prepareRun({ plan, transports, SockJS, now, signal, progress }) {
  const queue = createSocketQueue();
  const liveView = createJobsLiveView();
  const { onTrialStart } = followTrials(jobs, { plan, progress, lookMs: liveView.lookMs });
  progress.say('Warming up');
  return {
    warmUpRounds: WARM_UP_ROUNDS,
    createClient: () => createJobClient({ SockJS, queue }),
    reach: () => reachServer(fetch, '/status', signal),
    readTraffic: (/** @type {string} */ trialId) => readTraffic(fetch, `/traffic/${trialId}`, signal),
    readRoundTrips: () => measureRoundTrips({ transport: transports.fetch, now, signal }),
    onTrialStart(/** @type {PlannedTrial} */ planned, /** @type {JobsProgress} */ state) {
      const label = labelOfDelivery(planned.way, planned.intervalMs);
      liveView.follow({ label, jobCount: plan.users * plan.jobs, stateOf: createStateOf(state, now) });
      onTrialStart(planned, state);
    },
    onTrialEnd: nextPaint,
    close: liveView.stop,
  };
}

/**
 * @param {JobsProgress} progress
 * @param {Now} now
 * @returns {(job: number) => JobState} by the page's own clock: the server may have created a job a little before its
 *   answer came
 */
function createStateOf({ durationMs, createdAtMs, notifiedAtMs, failed }, now) {
  return (job) => {
    if (failed[job]) return 'failed';
    if (notifiedAtMs[job] > 0) return 'notified';
    // Before it is created this is NaN, which is no more than anything.
    return now() >= createdAtMs[job] + durationMs[job] ? 'done' : 'waiting';
  };
}
