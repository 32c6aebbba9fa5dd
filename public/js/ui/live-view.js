/**
 * Draws a run while it goes on: a dot for each message, a list of checks that fills, lanes, or arrivals that grow. It draws between
 * trials, when no clock runs; what grows within a trial, in idle time.
 */
import { formatNumber } from '../../../core/base/format.js';
import { iconOf } from '../../../core/picture/icon.js';
import { drawTimeline } from '../../../core/picture/timeline.js';
import { createMessageChart } from '../charts/round-trips.js';
import { createSvg } from '../charts/svg.js';
import { create, now, whenIdle } from '../base/page.js';
import { createArrivals } from './arrivals-view.js';
import { createLanes } from './lanes-view.js';

/** @import { LiveChecks, LiveDots, LiveItem, LivePicture, LiveRun, Planned, TrialProgress } from '../../../core/experiment/contract.js' */
/** @import { Arrivals } from '../../../core/picture/arrivals.js' */
/** @import { ReadLanes } from './lanes-view.js' */

/**
 * @typedef {Omit<LiveRun<any, any>, 'trials'>} RunBegun
 * @typedef {{ trials: LiveRun<any, any>['trials'], underWay?: LiveRun<any, any>['underWay'] }} SoFar
 * @typedef {{ show(soFar: SoFar): boolean, destroy(): void, lookMs?: number }} Picture `show` returns whether it drew; `lookMs`: the
 *   interval of drawing in idle time what a trial has so far
 * @typedef {{ begin(planned: any, progress: TrialProgress): boolean, show(trials: readonly any[]): boolean, destroy(): void }} LiveView
 *   `begin` at the start of a trial, `show` at its end: both return whether something was drawn
 */

/** The interval of drawing dots: trials may be as short as a message. */
const LOOK_MS = 500;

/** The interval of drawing what is under way. */
const TIMELINE_MS = 1000;
/** That of arrivals, of which only a row changes. */
const ARRIVALS_MS = 400;

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
 * @param {Planned} experiment @param {RunBegun} run @param {string} [server] whose run it is, if others are measured, too
 * @returns {LiveView | undefined} absent if its page has no place for a picture, or it has none
 */
export function createLiveView(experiment, run, server) {
  const place = document.querySelector('#live');
  const { live } = experiment;
  if (!(place instanceof HTMLElement)) return undefined;
  current?.destroy();
  current =
    live &&
    follow(createPicture(experiment, place, (soFar) => nameServer(live({ ...run, ...soFar }), server), run.plan));
  place.hidden = !current;
  current?.show([]);
  // On a phone, and on many desktops, it begins below what is seen; where it is in sight, nothing moves.
  if (current) place.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return current;
}

/** @param {LivePicture} picture @param {string} [server] @returns {LivePicture} */
const nameServer = (picture, server) =>
  server && 'lanes' in picture ? { ...picture, note: `${server}: ${picture.note}` } : picture;

/** Ends the picture of a run that is over. */
export function endLiveView() {
  current?.destroy();
  current = undefined;
  const place = document.querySelector('#live');
  if (!(place instanceof HTMLElement)) return;
  place.hidden = true;
  place.replaceChildren();
}

/** Shows the trials of a run, and what the one under way has so far. @param {Picture} picture @returns {LiveView} */
function follow({ show, destroy, lookMs }) {
  /** @type {readonly any[]} */
  let trials = [];
  /** @type {{ planned: any, progress: TrialProgress } | undefined} */
  let begun;
  const draw = () =>
    show({ trials, ...(begun && { underWay: { planned: begun.planned, soFar: begun.progress.soFar?.() } }) });
  // Other trials have nothing to show before their end, and time what drawing would delay.
  const timer = lookMs && window.setInterval(() => begun?.progress.soFar && whenIdle(draw), lookMs);
  return {
    begin(planned, progress) {
      begun = { planned, progress };
      return draw();
    },
    show(made) {
      trials = made;
      begun = undefined;
      return draw();
    },
    destroy() {
      clearInterval(timer);
      destroy();
    },
  };
}

/**
 * @param {Planned} experiment @param {HTMLElement} place @param {(soFar: SoFar) => LivePicture} read @param {any} plan
 * @returns {Picture}
 */
function createPicture(experiment, place, read, plan) {
  const first = read({ trials: [] });
  if ('lanes' in first) return createLanes(place, /** @type {ReadLanes} */ (read));
  if ('rows' in first) return createRows(place, /** @type {(soFar: SoFar) => Arrivals} */ (read));
  if (!('dots' in first)) return createList(place, /** @type {(soFar: SoFar) => LiveItem[] | LiveChecks} */ (read));
  const transports = [...new Set(experiment.trialsOf(plan).map(({ transport }) => transport))];
  return createDots(place, transports, /** @type {(soFar: SoFar) => LiveDots} */ (read));
}

/**
 * @param {HTMLElement} place @param {readonly string[]} transports of the plan @param {(soFar: SoFar) => LiveDots} read
 * @returns {Picture}
 */
function createDots(place, transports, read) {
  const { caption, labelOf } = read({ trials: [] });
  const canvas = create('div', { class: 'chart', role: 'img' });
  place.replaceChildren(create('figcaption', {}, caption), canvas);
  const chart = createMessageChart(canvas, { transports, labelOf });
  let drawnAtMs = -Infinity;
  return {
    show(soFar) {
      if (now() - drawnAtMs < LOOK_MS) return false;
      drawnAtMs = now();
      const messages = thin(read(soFar).dots);
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

/** @param {HTMLElement} place @param {(soFar: SoFar) => Arrivals} read @returns {Picture} */
function createRows(place, read) {
  const { show, destroy } = createArrivals(place);
  return {
    lookMs: ARRIVALS_MS,
    show(soFar) {
      show(read(soFar));
      return true;
    },
    destroy,
  };
}

/**
 * Lists what a run does, and draws over time what is under way.
 * @param {HTMLElement} place @param {(soFar: SoFar) => LiveItem[] | LiveChecks} read @returns {Picture}
 */
function createList(place, read) {
  /** @type {readonly LiveItem[]} */
  let shown = [];
  const timelinePlace = create('div', { class: 'live-timeline' });
  const list = create('ul', { class: 'checks', 'aria-label': 'Results so far' });
  place.replaceChildren(list, timelinePlace);
  return {
    lookMs: TIMELINE_MS,
    show(soFar) {
      const picture = read(soFar);
      const { items, timeline } = Array.isArray(picture) ? { items: picture, timeline: undefined } : picture;
      const changed = items.filter(({ result, word }, i) => result !== shown[i]?.result || word !== shown[i]?.word);
      for (const item of changed) {
        const i = items.indexOf(item);
        const made = createItem(item);
        if (list.children[i]) list.children[i].replaceWith(made);
        else list.append(made);
      }
      shown = items;
      const width = timelinePlace.clientWidth;
      if (timeline && width > 0) timelinePlace.replaceChildren(createSvg(drawTimeline(timeline, { width })));
      // Between two trials nothing is under way; its room stays, so that the page does not move.
      timelinePlace.style.visibility = timeline ? 'visible' : 'hidden';
      return changed.length > 0 || timeline !== undefined;
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
