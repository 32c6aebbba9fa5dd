/** Finds the rhythm of requests: a timer's, which sends them at fixed times, or that of a pause after each answer. */
import { mean, median, quantile, sort } from '../base/statistics.js';

/**
 * @import { Exchange } from './exchange.js'
 * @typedef {Pick<Exchange, 'atMs' | 'endMs'>} Timed
 * @typedef {object} Rhythm
 * @property {'timer' | 'pause'} by
 * @property {number} everyMs median
 * @property {number} spreadMs the middle half of these times is within so much
 * @property {number} periodMs mean time from one request to the next
 * @property {number} timerCount of timers that take turns at the same address
 * @property {boolean} isChanging does the interval change by more than chance, as by a page that backs off?
 */

const MIN_EVERY_MS = 50;
const MAX_TIMERS = 4;
/** The median deviation of times, as a share of their median; that of independent events is above 0.6. */
const MAX_DEVIATION = 0.5;
/** Of few times, which may be alike by chance; and of several timers at once, which any times seem to be. */
const MAX_DEVIATION_OF_FEW = 0.15;
const MAX_DEVIATION_OF_TWO = 0.05;
const FEW = 5;
/** A longer time is not part of the rhythm: the page was hidden, or the device asleep. */
const BREAK_FACTOR = 5;
/** A clearly smaller spread tells the timer from the pause. */
const CLEAR_RATIO = 0.7;
const CHANGING_SPREAD = 0.4;

/** @param {readonly Timed[]} requests in their order @returns {Rhythm | undefined} absent where they have none */
export function findRhythm(requests) {
  const pauses = requests.slice(1).map(({ atMs }, i) => atMs - requests[i].endMs);
  for (let timerCount = 1; timerCount <= MAX_TIMERS && requests.length > 2 * timerCount; timerCount++) {
    const gaps = requests.slice(timerCount).map(({ atMs }, i) => atMs - requests[i].atMs);
    if (timerCount === 1 ? isSteady(gaps) || isSteady(pauses) : isSteady(gaps, MAX_DEVIATION_OF_FEW))
      return describe({ gaps, pauses, timerCount });
  }
  return undefined;
}

/**
 * @param {readonly number[]} times @param {number} [limit] @returns {boolean} are they alike, or each like the one before?
 */
function isSteady(times, limit = times.length < FEW ? MAX_DEVIATION_OF_FEW : MAX_DEVIATION) {
  const middle = Number(median(times));
  if (times.length < 2 || middle < MIN_EVERY_MS) return false;
  const from = times.map((ms) => Math.abs(ms - middle));
  const steps = times.slice(1).map((ms, i) => Math.abs(ms - times[i]));
  const deviation = Math.min(Number(median(from)), Number(median(steps))) / middle;
  return deviation <= (times.length === 2 ? MAX_DEVIATION_OF_TWO : limit);
}

/** @param {{ gaps: readonly number[], pauses: readonly number[], timerCount: number }} times @returns {Rhythm} */
function describe({ gaps, pauses, timerCount }) {
  const [ofGaps, ofPauses] = [gaps, pauses].map(withoutBreaks);
  const by = timerCount === 1 && isByPause(ofGaps, ofPauses) ? 'pause' : 'timer';
  const times = by === 'pause' ? ofPauses : ofGaps;
  const [everyMs, spreadMs] = [Number(median(times)), spreadOf(times)];
  return {
    by,
    everyMs,
    spreadMs,
    periodMs: Number(mean(ofGaps)) / timerCount,
    timerCount,
    isChanging: times.length >= FEW && spreadMs > CHANGING_SPREAD * everyMs && !isJittered(times, spreadMs),
  };
}

/** @param {readonly number[]} times @returns {number[]} */
function withoutBreaks(times) {
  const limitMs = BREAK_FACTOR * Number(median(times));
  return limitMs > 0 ? times.filter((ms) => ms <= limitMs) : [...times];
}

/** @param {readonly number[]} times @returns {number} */
function spreadOf(times) {
  const sorted = sort(times);
  return Number(quantile(sorted, 0.75)) - Number(quantile(sorted, 0.25));
}

/** @param {readonly number[]} times @param {number} spreadMs @returns {boolean} is each as far from the one before as they spread? */
function isJittered(times, spreadMs) {
  const steps = times.slice(1).map((ms, i) => Math.abs(ms - times[i]));
  return Number(median(steps)) > 0.3 * spreadMs;
}

/**
 * Answers take longer or shorter: what does not vary with them is what the page waits for. Where they take equally long, page
 * authors choose round times.
 * @param {readonly number[]} gaps @param {readonly number[]} pauses @returns {boolean}
 */
function isByPause(gaps, pauses) {
  // The next request left before the answer came.
  if (pauses.some((ms) => ms < -1)) return false;
  const [ofGaps, ofPauses] = [gaps, pauses].map(spreadOf);
  if (ofPauses < CLEAR_RATIO * ofGaps) return true;
  if (ofGaps < CLEAR_RATIO * ofPauses) return false;
  return roundness(Number(median(pauses))) < roundness(Number(median(gaps)));
}

/** @param {number} ms @returns {number} how far it is from a round time, as a share */
function roundness(ms) {
  const step = ms < 1000 ? 50 : 250;
  return Math.abs(ms - step * Math.round(ms / step)) / Math.max(ms, 1);
}
