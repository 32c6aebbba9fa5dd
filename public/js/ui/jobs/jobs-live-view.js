/**
 * The jobs during a trial: a cell for each, or a bar for each state where there are too many.
 *
 * The timed part only writes times down. This looks at them a few times a second, in a frame of its own, and draws only the
 * cells that have changed.
 */
import { create, element } from '../element.js';
import { lookInFrames } from '../frames.js';
import { drawJobCell, JOB_STATES, readCellColours } from './job-cells.js';

/** @import { JobState } from './job-cells.js' */

/** On a phone these fill about half of the screen. */
const MAX_CELLS = 400;
const CELL_PX = 12;
const GAP_PX = 4;
const LEGEND_CELL_PX = 14;

export const LOOK_MS = 250;
/** For visitors who prefer reduced motion. */
const CALM_LOOK_MS = 1000;

/** @type {Record<JobState, string>} */
const STATE_LABELS = {
  waiting: 'waiting',
  done: 'done, not yet notified',
  notified: 'notified',
  failed: 'failed or late',
};

/**
 * @typedef {object} LiveTrial
 * @property {string} label of its delivery method
 * @property {number} jobCount
 * @property {(job: number) => JobState} stateOf as it is now
 */

/** @returns {{ lookMs: number, follow(trial: LiveTrial): void, stop(): void }} */
export function createJobsLiveView() {
  const place = element('#live');
  const title = element('#live-title');
  const canvas = element('#live-cells', HTMLCanvasElement);
  const legend = createLegend(element('#live-legend'));
  const lookMs = matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_LOOK_MS : LOOK_MS;
  let pause = () => {};
  let redraw = () => {};
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw());
  new ResizeObserver(() => redraw()).observe(place);

  /** @param {LiveTrial} trial */
  const show = (trial) => {
    const { label, jobCount, stateOf } = trial;
    const cells = jobCount <= MAX_CELLS ? createCells(canvas, jobCount) : undefined;
    canvas.hidden = !cells;
    title.textContent = label;
    const look = () => {
      const counts = { waiting: 0, done: 0, notified: 0, failed: 0 };
      for (let job = 0; job < jobCount; job++) {
        const state = stateOf(job);
        counts[state]++;
        cells?.draw(job, state);
      }
      legend.show(counts, cells ? undefined : jobCount);
      const words = JOB_STATES.map((state) => `${counts[state]} ${STATE_LABELS[state]}`).join(', ');
      canvas.setAttribute('aria-label', `${label}: of ${jobCount} jobs ${words}.`);
    };
    redraw = () => {
      legend.draw();
      cells?.lay();
      look();
    };
    redraw();
    return look;
  };

  return {
    lookMs,
    follow(trial) {
      pause();
      place.hidden = false;
      pause = lookInFrames(show(trial), lookMs);
    },
    stop() {
      pause();
      redraw = () => {};
      place.hidden = true;
    },
  };
}

/**
 * @param {HTMLCanvasElement} canvas @param {number} jobCount
 * @returns {{ lay(): void, draw(job: number, state: JobState): void }} `lay` makes room for them at the canvas's width,
 *   and forgets what was drawn
 */
function createCells(canvas, jobCount) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const step = CELL_PX + GAP_PX;
  let columnCount = 1;
  /** @type {string[]} */
  let drawn = [];
  let colours = readCellColours();
  return {
    lay() {
      const widthPx = /** @type {HTMLElement} */ (canvas.parentElement).clientWidth;
      columnCount = Math.max(1, Math.floor((widthPx + GAP_PX) / step));
      const rowCount = Math.ceil(jobCount / columnCount);
      resize(canvas, context, widthPx, rowCount * step - GAP_PX);
      colours = readCellColours();
      drawn = [];
    },
    draw(job, state) {
      if (drawn[job] === state) return;
      drawn[job] = state;
      const x = (job % columnCount) * step;
      const y = Math.floor(job / columnCount) * step;
      drawJobCell(context, state, { x, y, size: CELL_PX, colours });
    },
  };
}

/**
 * As many dots as the screen has.
 * @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2D} context @param {number} widthPx
 * @param {number} heightPx
 */
function resize(canvas, context, widthPx, heightPx) {
  canvas.width = Math.round(widthPx * devicePixelRatio);
  canvas.height = Math.round(heightPx * devicePixelRatio);
  canvas.style.inlineSize = `${widthPx}px`;
  canvas.style.blockSize = `${heightPx}px`;
  context.scale(devicePixelRatio, devicePixelRatio);
}

/**
 * @param {HTMLElement} place
 * @returns {{ draw(): void, show(counts: Record<JobState, number>, barsOf: number | undefined): void }} `barsOf` is how
 *   many jobs a bar of full length stands for; absent where there are to be none
 */
function createLegend(place) {
  const entries = JOB_STATES.map((state) => {
    const cell = create('canvas', { 'aria-hidden': 'true' });
    const count = create('strong');
    const bar = create('span', { class: 'bar' });
    return { state, cell, count, bar, item: create('li', {}, cell, count, ` ${STATE_LABELS[state]}`, bar) };
  });
  place.replaceChildren(...entries.map(({ item }) => item));
  return {
    draw() {
      const colours = readCellColours();
      for (const { state, cell, bar } of entries) {
        const context = /** @type {CanvasRenderingContext2D} */ (cell.getContext('2d'));
        resize(cell, context, LEGEND_CELL_PX, LEGEND_CELL_PX);
        drawJobCell(context, state, { x: 0, y: 0, size: LEGEND_CELL_PX, colours });
        bar.style.backgroundColor = colours[state];
      }
    },
    show(counts, barsOf) {
      for (const { state, count, bar } of entries) {
        count.textContent = String(counts[state]);
        bar.hidden = barsOf === undefined;
        if (barsOf !== undefined) bar.style.inlineSize = `${(100 * counts[state]) / barsOf}%`;
      }
    },
  };
}
