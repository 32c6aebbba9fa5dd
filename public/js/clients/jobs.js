/**
 * Adds the parts that only the page of polling or push has: users with browser connections, their jobs live, and the
 * capacity estimate.
 */
import * as capacity from '../../../core/experiments/jobs/capacity.js';
import { jobs } from '../../../core/experiments/jobs/index.js';
import { measureRoundTrips } from '../../../core/experiments/jobs/measure.js';
import { WARM_UP_ROUNDS } from '../../../core/experiments/jobs/plan.js';
import { labelOfDelivery } from '../../../core/experiment/labels.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { reachServer } from '../../../core/net/http.js';
import { createJobClient } from '../run/job-client.js';
import { createSocketQueue } from '../run/socket-queue.js';
import { element, inputs, onSubmit, markFaults, tryOrSay } from '../base/page.js';
import { createJobsLiveView, hasJobsLiveView } from '../ui/jobs-live-view.js';
import { followTrials } from '../ui/progress.js';
import { fillTable } from '../ui/table.js';
import { at } from '../site-url.js';

/** @import { JobsProgress } from '../../../core/experiments/jobs/follow.js' */
/** @import { PlannedTrial } from '../../../core/experiments/jobs/plan.js' */
/** @import { JobsDocument } from '../../../core/experiments/jobs/schema.js' */
/** @import { RunMeans, TrialProgress } from '../../../core/experiment/contract.js' */
/** @import { PageClient, PageRun } from './contract.js' */

/** @param {PageRun} run @returns {RunMeans} */
function prepareRun({ plan, transports, libraries, now, signal, progress }) {
  const queue = createSocketQueue();
  // A full test's page has no place for them.
  const liveView = hasJobsLiveView() ? createJobsLiveView() : undefined;
  const { onTrialStart } = followTrials(jobs.trialsOf(plan), {
    progress,
    lookMs: liveView?.lookMs,
    mayEndEarly: plan.looks !== undefined,
  });
  progress.say('Warming up');
  return {
    warmUpRounds: WARM_UP_ROUNDS,
    createClient: () => createJobClient({ libraries, queue }),
    reach: () => reachServer(fetch, at('/status'), signal),
    readTraffic: (/** @type {string} */ trialId) => readTraffic(fetch, at(`/traffic/${trialId}`), signal),
    readRoundTrips: () => measureRoundTrips({ transport: transports.fetch, now, signal }),
    onTrialStart(/** @type {PlannedTrial} */ planned, /** @type {JobsProgress & TrialProgress} */ state) {
      const { durationMs, createdAtMs, notifiedAtMs, failed } = state;
      liveView?.follow({
        label: labelOfDelivery(planned.delivery, planned.intervalMs),
        jobCount: plan.users * plan.jobs,
        // The page's own clock decides: the server may have created a job a little before its answer came.
        stateOf(job) {
          if (failed[job]) return 'failed';
          if (notifiedAtMs[job] > 0) return 'notified';
          // The time is NaN until the job is created, and a comparison with NaN is false.
          return now() >= createdAtMs[job] + durationMs[job] ? 'done' : 'waiting';
        },
      });
      onTrialStart(planned, state);
    },
    close: liveView?.stop,
  };
}

/** Shows the estimated cost of the visitor's own users by each delivery method, calculated at each input. */
function createDetails() {
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
      () => capacity.parseNeeds(query),
      (_, error) => (element('#capacity-error').textContent = markFaults(fields, error)),
    );
    fillTable(table, {
      columns: capacity.CAPACITY_COLUMNS,
      rows: needs ? capacity.estimateCapacity(shown, needs) : [],
    });
  };

  element('#capacity').addEventListener('input', show);
  onSubmit('#capacity', () => {});
  return {
    show(/** @type {JobsDocument} */ document) {
      shown = document;
      // A run that ended early gives no estimate.
      const estimates = capacity.estimateCapacity(document, capacity.parseNeeds(new URLSearchParams()));
      section.hidden = estimates.length === 0;
      if (section.hidden) return;
      const hasPolling = estimates.some(({ delivery }) => delivery === 'poll');
      for (const field of fields)
        field.disabled = field.name === capacity.CAPACITY_FIELDS.intervalMs.parameter && !hasPolling;
      element('#capacity-note').textContent = capacity.describeCapacity(document);
      show();
    },
  };
}

/** @type {PageClient} */
export const client = { prepareRun, createDetails };
