/**
 * Draws a run while it goes on: a dot for each message, a list of checks that fills, or lanes. It draws between trials, when
 * no clock runs.
 */
import { formatNumber } from '../../../core/base/format.js';
import { iconOf } from '../../../core/full-test/icons.js';
import { createMessageChart } from '../charts/round-trips.js';
import { createSvg } from '../charts/svg.js';
import { create, now } from '../base/page.js';
import { createLanes } from './lanes-view.js';

/** @import { LiveDots, LiveItem, LivePicture, LiveRun, Planned } from '../../../core/experiment/contract.js' */
/** @import { ReadLanes } from './lanes-view.js' */

/** @typedef {{ show(trials: readonly any[]): boolean, destroy(): void }} LiveView `show` returns whether it drew */

/** The interval of drawing dots: trials may be as short as a message. */
const LOOK_MS = 500;

/** The maximum number of dots: more would only take time to draw. */
const MAX_DOTS = 5000;

/** @type {Readonly<Record<LiveItem['result'], { mark: Parameters<typeof iconOf>[0], word: string }>>} */
const RESULTS = Object.freeze({
  pass: { mark: 'better', word: 'passed' },
  fail: { mark: 'worse', word: 'failed' },
  untested: { mark: 'unclear', word: 'not tested' },
  waiting: { mark: 'none', word: 'waiting' },
});

/** What is drawn in the page's place. @type {LiveView | undefined} */
let current;

/**
 * Draws a part of a run, in place of the part before it.
 * @param {Planned} experiment @param {Omit<LiveRun<any, any>, 'trials'>} run
 * @returns {LiveView | undefined} absent if its page has no place for a picture, or it has none
 */
export function createLiveView(experiment, run) {
  const place = document.querySelector('#live');
  const { live } = experiment;
  if (!(place instanceof HTMLElement)) return undefined;
  current?.destroy();
  current = live && createView(experiment, place, (trials) => live({ ...run, trials }), run.plan);
  current?.show([]);
  place.hidden = !current;
  return current;
}

/** Ends the picture of a run that is over. */
export function endLiveView() {
  current?.destroy();
  current = undefined;
  const place = document.querySelector('#live');
  if (!(place instanceof HTMLElement)) return;
  place.hidden = true;
  place.replaceChildren();
}

/**
 * @param {Planned} experiment @param {HTMLElement} place @param {(trials: readonly any[]) => LivePicture} read @param {any} plan
 * @returns {LiveView}
 */
function createView(experiment, place, read, plan) {
  const first = read([]);
  if (Array.isArray(first)) return createList(place, /** @type {(trials: readonly any[]) => LiveItem[]} */ (read));
  if ('lanes' in first) return createLanes(place, /** @type {ReadLanes} */ (read));
  const transports = [...new Set(experiment.trialsOf(plan).map(({ transport }) => transport))];
  return createDots(place, transports, /** @type {(trials: readonly any[]) => LiveDots} */ (read));
}

/** @param {HTMLElement} place @param {readonly string[]} transports of the plan @param {(trials: readonly any[]) => LiveDots} read */
function createDots(place, transports, read) {
  const { caption, labelOf } = read([]);
  const canvas = create('div', { class: 'chart', role: 'img' });
  place.replaceChildren(create('figcaption', {}, caption), canvas);
  const chart = createMessageChart(canvas, { transports, labelOf });
  let drawnAtMs = -Infinity;
  return {
    /** @param {readonly any[]} trials */
    show(trials) {
      if (now() - drawnAtMs < LOOK_MS) return false;
      drawnAtMs = now();
      const messages = thin(read(trials).dots);
      // A time of 0, which the clock did not see, has no logarithm.
      chart.show(transports.map((name) => messages.map(({ transport, ms }) => (transport === name && ms) || null)));
      const words = transports.map((name) => {
        const own = messages.filter(({ transport }) => transport === name).map(({ ms }) => ms);
        if (own.length === 0) return `${labelOf(name)}: none`;
        const [min, max] = [Math.min(...own), Math.max(...own)].map((ms) => formatNumber(ms, 2));
        return `${labelOf(name)}: from ${min} to ${max} ms`;
      });
      canvas.setAttribute('aria-label', `Chart. ${caption}. ${words.join('; ')}.`);
      return true;
    },
    destroy: chart.destroy,
  };
}

/** @template T @param {readonly T[]} values @returns {readonly T[]} */
function thin(values) {
  const every = Math.ceil(values.length / MAX_DOTS);
  return every > 1 ? values.filter((_, i) => i % every === 0) : values;
}

/** @param {HTMLElement} place @param {(trials: readonly any[]) => LiveItem[]} read */
function createList(place, read) {
  /** @type {readonly LiveItem[]} */
  let shown = [];
  const list = create('ul', { class: 'checks', 'aria-label': 'Results so far' });
  place.replaceChildren(list);
  return {
    /** @param {readonly any[]} trials */
    show(trials) {
      const items = read(trials);
      for (const [i, item] of items.entries()) {
        if (item.result === shown[i]?.result) continue;
        const made = createItem(item);
        if (list.children[i]) list.children[i].replaceWith(made);
        else list.append(made);
      }
      shown = items;
      return true;
    },
    destroy() {},
  };
}

/** @param {LiveItem} item */
function createItem({ label, result, word }) {
  const { mark, word: usual } = RESULTS[result];
  const words = create('small', {}, word ?? usual);
  return create('li', { 'data-mark': mark }, createSvg(iconOf(mark)), create('span', {}, label), words);
}
