/**
 * The jobs during a trial: a cell for each, or a bar for each state where there are too many. The timed part only writes
 * times down; this looks at them a few times a second, in a frame of its own, and draws only the cells that have changed.
 */
import { colour } from '../charts/chart.js';
import { create, element } from './element.js';
import { lookInFrames } from './frames.js';

/** On a phone these fill about half of the screen. */
const MAX_CELLS = 400;
const CELL_PX = 12;
const GAP_PX = 4;
const LEGEND_CELL_PX = 14;

const LOOK_MS = 250;
/** For visitors who prefer reduced motion. */
const CALM_LOOK_MS = 1000;

/** Done by its duration is a job whose client was not notified yet. Each state has a shape of its own besides its colour. */
const STATES = {
  waiting: { label: 'waiting', property: '--chart-text' },
  done: { label: 'done, not yet notified', property: '--job-done' },
  notified: { label: 'notified', property: '--job-notified' },
  failed: { label: 'failed or late', property: '--job-failed' },
};

/**
 * @typedef {keyof typeof STATES} JobState
 * @typedef {{ label: string, jobCount: number, stateOf(job: number): JobState }} LiveTrial `label` of its delivery method
 */

const NAMES = /** @type {JobState[]} */ (Object.keys(STATES));

/** @returns {{ lookMs: number, follow(trial: LiveTrial): void, stop(): void }} */
export function createJobsLiveView() {
  const place = element('#live');
  const canvas = element('#live-cells', HTMLCanvasElement);
  const legend = createLegend(element('#live-legend'));
  const lookMs = matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_LOOK_MS : LOOK_MS;
  let pause = () => {};
  let redraw = () => {};
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw());
  new ResizeObserver(() => redraw()).observe(place);

  /** @param {LiveTrial} trial */
  const show = ({ label, jobCount, stateOf }) => {
    const cells = jobCount <= MAX_CELLS ? createCells(canvas, jobCount) : undefined;
    canvas.hidden = !cells;
    element('#live-title').textContent = label;
    const look = () => {
      const counts = { waiting: 0, done: 0, notified: 0, failed: 0 };
      for (let job = 0; job < jobCount; job++) {
        const state = stateOf(job);
        counts[state]++;
        cells?.draw(job, state);
      }
      legend.show(counts, cells ? undefined : jobCount);
      const words = NAMES.map((state) => `${counts[state]} ${STATES[state].label}`).join(', ');
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

/** @param {HTMLCanvasElement} canvas @param {number} jobCount */
function createCells(canvas, jobCount) {
  const context = contextOf(canvas);
  const step = CELL_PX + GAP_PX;
  let columnCount = 1;
  /** @type {string[]} */
  let drawn = [];
  return {
    /** Makes room for them at the canvas's width, and forgets what was drawn. */
    lay() {
      const widthPx = /** @type {HTMLElement} */ (canvas.parentElement).clientWidth;
      columnCount = Math.max(1, Math.floor((widthPx + GAP_PX) / step));
      resize(canvas, widthPx, Math.ceil(jobCount / columnCount) * step - GAP_PX);
      drawn = [];
    },
    draw(/** @type {number} */ job, /** @type {JobState} */ state) {
      if (drawn[job] === state) return;
      drawn[job] = state;
      const [x, y] = [(job % columnCount) * step, Math.floor(job / columnCount) * step];
      drawCell(context, state, { x, y, size: CELL_PX });
    },
  };
}

/** @param {HTMLCanvasElement} canvas */
const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));

/** As many dots as the screen has. @param {HTMLCanvasElement} canvas @param {number} widthPx @param {number} heightPx */
function resize(canvas, widthPx, heightPx) {
  canvas.width = Math.round(widthPx * devicePixelRatio);
  canvas.height = Math.round(heightPx * devicePixelRatio);
  canvas.style.inlineSize = `${widthPx}px`;
  canvas.style.blockSize = `${heightPx}px`;
  contextOf(canvas).scale(devicePixelRatio, devicePixelRatio);
}

/** @param {CanvasRenderingContext2D} context @param {JobState} state @param {{ x: number, y: number, size: number }} place */
function drawCell(context, state, { x, y, size }) {
  context.clearRect(x, y, size, size);
  context.strokeStyle = context.fillStyle = colour(STATES[state].property);
  context.lineWidth = Math.max(1, size / 8);
  const inset = context.lineWidth / 2;
  const inner = size - 2 * inset;
  if (state === 'notified') context.fillRect(x, y, size, size);
  else if (state === 'failed')
    context.stroke(new Path2D(`M${x + inset} ${y + inset}l${inner} ${inner}m0 ${-inner}l${-inner} ${inner}`));
  else context.strokeRect(x + inset, y + inset, inner, inner);
  // Half full: the server knows that it is done, and the client does not.
  if (state === 'done') context.fillRect(x, y + size / 2, size, size / 2);
}

/** @param {HTMLElement} place */
function createLegend(place) {
  const entries = NAMES.map((state) => {
    const cell = create('canvas', { 'aria-hidden': 'true' });
    const count = create('strong');
    const bar = create('span', { class: 'bar' });
    return { state, cell, count, bar, item: create('li', {}, cell, count, ` ${STATES[state].label}`, bar) };
  });
  place.replaceChildren(...entries.map(({ item }) => item));
  return {
    draw() {
      for (const { state, cell, bar } of entries) {
        resize(cell, LEGEND_CELL_PX, LEGEND_CELL_PX);
        drawCell(contextOf(cell), state, { x: 0, y: 0, size: LEGEND_CELL_PX });
        bar.style.backgroundColor = colour(STATES[state].property);
      }
    },
    /** @param {Record<JobState, number>} counts @param {number | undefined} barsOf how many jobs a whole bar stands for */
    show(counts, barsOf) {
      for (const { state, count, bar } of entries) {
        count.textContent = String(counts[state]);
        bar.hidden = barsOf === undefined;
        if (barsOf !== undefined) bar.style.inlineSize = `${(100 * counts[state]) / barsOf}%`;
      }
    },
  };
}
