/** What only the page of polling or push has: users as a browser has them, their jobs live, and the capacity estimate. */
import {
  CAPACITY_COLUMNS,
  CAPACITY_FIELDS,
  describeCapacity,
  estimateCapacity,
  parseNeeds,
} from '../../../core/experiments/jobs/capacity.js';
import { jobs } from '../../../core/experiments/jobs/index.js';
import { measureRoundTrips, WARM_UP_ROUNDS } from '../../../core/experiments/jobs/measure.js';
import { labelOfDelivery } from '../../../core/net/labels.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { reachServer } from '../../../core/net/http.js';
import { createJobClient, createSocketQueue } from '../run/job-client.js';
import { element, inputs, onSubmit } from '../ui/element.js';
import { markFaults, tryOrSay } from '../ui/fields.js';
import { nextPaint } from '../ui/frames.js';
import { createJobsLiveView } from '../ui/jobs-live-view.js';
import { followTrials } from '../ui/progress.js';
import { fillTable } from '../ui/table.js';

/** @import { Now } from '../../../core/base/clock.js' */
/** @import { JobsProgress } from '../../../core/experiments/jobs/measure.js' */
/** @import { PlannedTrial } from '../../../core/experiments/jobs/plan.js' */
/** @import { JobsDocument } from '../../../core/experiments/jobs/index.js' */
/** @import { MeasureOptions, PageRun } from '../experiment-page.js' */
/** @import { JobState } from '../ui/jobs-live-view.js' */

/** @param {MeasureOptions} options @returns {PageRun} */
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
 * @param {JobsProgress} progress @param {Now} now
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

/**
 * What the visitor's own users would cost by each delivery method: calculated with each input.
 * @returns {{ show(document: JobsDocument): void }}
 */
export function createDetails() {
  const section = element('#capacity-section');
  const fields = inputs('#capacity input');
  const table = element('#capacity-rows', HTMLTableElement);
  /** @type {JobsDocument | undefined} */
  let shown;

  const show = () => {
    if (!shown) return;
    const usable = fields.filter(({ disabled }) => !disabled);
    const query = new URLSearchParams(usable.map(({ name, value }) => [name, value.trim()]));
    const needs = tryOrSay(
      () => parseNeeds(query),
      (message) => (element('#capacity-error').textContent = markFaults(fields, message)),
    );
    fillTable(table, { columns: CAPACITY_COLUMNS, rows: needs ? estimateCapacity(shown, needs) : [] });
  };

  element('#capacity').addEventListener('input', show);
  onSubmit('#capacity', () => {});
  return {
    show(document) {
      shown = document;
      // A run that ended early gives no estimate, whatever the needs.
      const estimates = estimateCapacity(document, parseNeeds(new URLSearchParams()));
      section.hidden = estimates.length === 0;
      if (section.hidden) return;
      const hasPolling = estimates.some(({ delivery }) => delivery === 'poll');
      for (const field of fields) field.disabled = field.name === CAPACITY_FIELDS.intervalMs.parameter && !hasPolling;
      element('#capacity-note').textContent = describeCapacity(document);
      show();
    },
  };
}
