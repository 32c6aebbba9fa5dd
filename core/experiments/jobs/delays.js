/** Draws how long news takes to reach users, over the polling interval: by polling as the model predicts, by push as the answer says. */
import { formatSpan } from '../../base/format.js';
import { logStops } from '../../picture/plot-scale.js';
import { drawLogChart } from '../../picture/log-chart.js';
import { beyondWayMsOf, maxPollDelayMsOf, pollDelayMsOf, pushDelayMsOf } from '../../net/delivery/model.js';

/**
 * @import { Chart } from '../../picture/plot.js'
 * @import { Page } from '../../net/delivery/model.js'
 * @typedef {{ delivery: string, name: string, gainMs: number, rttMs: number, intervalMs: number, polls?: string }} Asked
 *   `delivery`: the push; `name` of what carries it; `gainMs`: how much sooner users see news, as the answer says; `polls`: as in a
 *   situation
 */

const STEP_COUNT = 40;
const RANGE_MS = { low: 100, high: 60_000 };
/** Shorter times have too many zeros in seconds. */
const MIN_SECONDS_MS = 5;
/** The share of news within the band. */
const BAND = 0.9;

/** The polling intervals that a visitor can choose. @param {number} intervalMs that of the page @returns {{ low: number, high: number }} */
const intervalRange = (intervalMs) => ({ low: RANGE_MS.low, high: Math.max(RANGE_MS.high, intervalMs) });

/** @param {number} intervalMs that is kept @returns {number[]} the stops of its slider, rising */
export const intervalStops = (intervalMs) =>
  logStops(intervalRange(intervalMs), { exact: [intervalMs], format: formatSpan });

/** @param {Asked & { ownIntervalMs: number, width: number, height: number }} options `ownIntervalMs`: that the range has */
export const drawDelays = ({ width, height, ...asked }) =>
  drawLogChart(chartOf(asked), { width, height, askedX: asked.intervalMs });

/** @param {Asked & { ownIntervalMs: number }} asked @returns {Omit<Chart, 'caption'>} in milliseconds */
function chartOf({ delivery, name, gainMs, rttMs, intervalMs, polls, ownIntervalMs }) {
  const { low, high } = intervalRange(ownIntervalMs);
  const values = Array.from({ length: STEP_COUNT + 1 }, (_, step) => low * (high / low) ** (step / STEP_COUNT));
  const pages = values.map((ms) => ({ intervalMs: ms, rttMs, polls }));
  const here = { intervalMs, rttMs, polls };
  const beyondMs = beyondWayMsOf(gainMs, here);
  const pushMsOf = (/** @type {{ rttMs: number }} */ page) => pushDelayMsOf(page) + beyondMs;
  const pushMs = pushMsOf(here);
  const dots = [
    { colour: 'delivery-poll', y: pollDelayMsOf(here) },
    { colour: `delivery-${delivery}`, y: pushMs },
  ];
  return {
    x: { title: 'Polling interval', logBase: 10, range: [low, high], format: inSeconds },
    y: {
      title: 'How late users see news (band: 9 in 10)',
      logBase: 10,
      range: [pushMs / 4, maxPollDelayMsOf({ intervalMs: high, rttMs, polls }) * 2],
      format: inSeconds,
    },
    values,
    lines: [
      {
        label: 'Polling',
        colour: 'delivery-poll',
        values: pages.map(pollDelayMsOf),
        band: pages.map((page) => bandOf(page)),
      },
      { label: `Push with ${name}`, colour: `delivery-${delivery}`, values: pages.map(pushMsOf) },
    ],
    dots: dots.map((dot) => ({ ...dot, x: intervalMs, label: inSeconds(dot.y) })),
  };
}

/** @param {number} ms @returns {string} two digits, so that all can be compared at a glance; in ms only what is very short */
const inSeconds = (ms) =>
  ms < MIN_SECONDS_MS ? `${Number(ms.toPrecision(2))} ms` : `${Number((ms / 1000).toPrecision(2))} s`;

/**
 * The delays of most news by polling: they are uniform from the answer's way to a whole period more.
 * @param {Page} page
 */
function bandOf(page) {
  const [least, most] = [pushDelayMsOf(page), maxPollDelayMsOf(page)];
  const margin = ((1 - BAND) / 2) * (most - least);
  return { low: least + margin, high: most - margin };
}
