/**
 * Adds the parts that only the page of polling or push has: users with browser connections, their jobs live, and the
 * capacity estimate.
 */
import * as capacity from '../../../core/experiments/jobs/capacity.js';
import { jobs } from '../../../core/experiments/jobs/index.js';
import { measureRoundTrips } from '../../../core/experiments/jobs/measure.js';
import { WARM_UP_ROUNDS } from '../../../core/experiments/jobs/plan.js';
import { labelOfDelivery } from '../../../core/experiment/answer/labels.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { reachServer } from '../../../core/net/http.js';
import { createJobClient } from '../run/job-client.js';
import { createSocketQueue } from '../run/socket-queue.js';
import { element, inputs, onSubmit, keepTogether, markFaults, tryOrSay, create } from '../base/page.js';
import { followTrials } from '../ui/progress.js';
import { fillTable } from '../ui/table.js';
import { at } from '../site-url.js';

/**
 * @import { JobsProgress } from '../../../core/experiments/jobs/follow.js'
 * @import { PlannedTrial } from '../../../core/experiments/jobs/plan.js'
 * @import { JobsDocument } from '../../../core/experiments/jobs/schema.js'
 * @import { RunMeans, TrialProgress } from '../../../core/experiment/contract.js'
 * @import { PageClient, PageRun } from './contract.js'
 */

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
      element('#capacity-note').replaceChildren(...keepTogether(capacity.describeCapacity(document)));
      show();
    },
  };
}

/** @type {PageClient} */
export const client = { prepareRun, createDetails };

/** The maximum number of cells, which fill about half of a phone's screen. */
const MAX_CELLS = 400;
const LOOK_MS = 250;
/** The interval of updates for visitors who prefer reduced motion. */
const CALM_LOOK_MS = 1000;

/**
 * The states of jobs. A job is done after its duration, even if its client was not notified yet. public/css/tests.css
 * has their colours and shapes.
 */
const LABELS = { waiting: 'waiting', done: 'done, not yet notified', notified: 'notified', failed: 'failed or late' };

/**
 * @typedef {keyof typeof LABELS} JobState
 * @typedef {{ label: string, jobCount: number, stateOf(job: number): JobState }} LiveTrial `label` of its delivery
 *   method
 */

const STATES = /** @type {JobState[]} */ (Object.keys(LABELS));

/** @returns {boolean} whether the page has a place for it */
const hasJobsLiveView = () => document.querySelector('#live-legend') !== null;

/**
 * Shows the jobs during a trial: a cell for each, or a bar for each state if there are too many. The timed part only records times;
 * this view reads them a few times a second, in a frame of its own, and updates only what has changed.
 * @returns {{ lookMs: number, follow(trial: LiveTrial): void, stop(): void }}
 */
function createJobsLiveView() {
  const place = element('#live-jobs');
  const lookMs = matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_LOOK_MS : LOOK_MS;
  const legend = STATES.map((state) => {
    const count = create('strong');
    const bar = create('span', { class: 'bar', 'data-job': state });
    const item = create('li', {}, createCell(state), count, ` ${LABELS[state]}`, bar);
    return { state, count, bar, item };
  });
  element('#live-legend').replaceChildren(...legend.map(({ item }) => item));
  let frame = 0;
  let timer = 0;
  const pause = () => {
    clearInterval(timer);
    cancelAnimationFrame(frame);
  };

  return {
    lookMs,
    follow(trial) {
      pause();
      place.hidden = false;
      const look = show(trial, legend);
      look();
      timer = window.setInterval(() => (frame = requestAnimationFrame(look)), lookMs);
    },
    stop() {
      pause();
      place.hidden = true;
    },
  };
}

/** @param {JobState} state */
const createCell = (state) => create('i', { class: 'job', 'data-job': state });

/**
 * @param {LiveTrial} trial @param {{ state: JobState, count: HTMLElement, bar: HTMLElement }[]} legend
 * @returns {() => void} looks at the jobs
 */
function show({ label, jobCount, stateOf }, legend) {
  const place = element('#live-cells');
  const isDrawn = jobCount <= MAX_CELLS;
  const cells = Array.from({ length: isDrawn ? jobCount : 0 }, () => createCell('waiting'));
  place.replaceChildren(...cells);
  place.hidden = !isDrawn;
  element('#live-title').textContent = label;
  return () => {
    const counts = { waiting: 0, done: 0, notified: 0, failed: 0 };
    for (let job = 0; job < jobCount; job++) {
      const state = stateOf(job);
      counts[state]++;
      if (isDrawn && cells[job].dataset.job !== state) cells[job].dataset.job = state;
    }
    for (const { state, count, bar } of legend) {
      count.textContent = String(counts[state]);
      bar.hidden = isDrawn;
      bar.style.inlineSize = `${(100 * counts[state]) / jobCount}%`;
    }
    const words = STATES.map((state) => `${counts[state]} ${LABELS[state]}`).join(', ');
    place.setAttribute('aria-label', `${label}: of ${jobCount} jobs, ${words}.`);
  };
}
