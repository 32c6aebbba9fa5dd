/**
 * Shows the jobs during a trial: a cell for each, or a bar for each state if there are too many. The timed part only
 * records times; this view reads them a few times a second, in a frame of its own, and updates only what has changed.
 */
import { create, element } from '../base/page.js';

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
export const hasJobsLiveView = () => document.querySelector('#live-legend') !== null;

/** @returns {{ lookMs: number, follow(trial: LiveTrial): void, stop(): void }} */
export function createJobsLiveView() {
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
