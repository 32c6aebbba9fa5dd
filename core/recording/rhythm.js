/** Finds the rhythm of requests: a timer's, which sends them at fixed times, or that of a pause after each answer. */
import { mean, median, quantile, sort, sumOf } from '../base/statistics.js';
import { SITUATION_FIELDS } from '../experiment/plan/situation.js';

/**
 * @import { Exchange } from './exchange.js'
 * @typedef {Pick<Exchange, 'atMs' | 'endMs'>} Timed
 * @typedef {object} Rhythm
 * @property {'timer' | 'pause'} by
 * @property {number} everyMs median
 * @property {number} spreadMs the middle half of these times is within so much
 * @property {number} periodMs mean time from one request to the next
 * @property {number} observedMs the time in which it was seen: breaks do not count
 * @property {number} timerCount of timers that take turns at the same address
 * @property {boolean} isChanging does the interval change by more than chance, as by a page that backs off?
 */

/*
 * A share is of the median time. Where a comment says how often chance passes, or what is found, that is counted in
 * `test/core/recording/rhythm.test.js`, which simulates recordings.
 */

/** What is sooner is part of a burst, or of a chain, whose requests leave within 30 ms. Half the shortest interval of a situation. */
const MIN_EVERY_MS = SITUATION_FIELDS.intervalMs.min / 2;
/**
 * Three of four times deviate by less from the median, or from the time before: half of the share that independent events have, 1.
 * Of these, five times pass in 14 of 100 recordings, nine in 3.
 */
const MAX_DEVIATION_SHARE = 0.5;
/** So few times may be alike by chance. */
const FEW_TIMES = 5;
/** Of three or four times: independent events pass in 2 of 100, or fewer. */
const MAX_DEVIATION_SHARE_OF_FEW = 0.15;
/** Of two times: in 5 of 100. */
const MAX_DEVIATION_SHARE_OF_TWO = 0.05;
/** From so many times on, half of them are enough: independent events then pass in 2 of 100 recordings. */
const MANY_TIMES = 12;
/** Half of the times deviate by less: about a third of the share that independent events have, 0.69. */
const MAX_DEVIATION_SHARE_OF_HALF = 0.25;
/** Tabs, or parts of a page, that poll the same address. Four are counted in 71 of 100 recordings with 20 requests of each; five in none. */
const MAX_TIMER_COUNT = 4;
/**
 * A time of so many medians is not part of the rhythm: the page was hidden, or the device asleep. A page that backs off twice has 4, and
 * Chrome wakes a hidden one once a minute: https://developer.chrome.com/blog/timer-throttling-in-chrome-88
 */
const BREAK_MEDIANS = 5;
/** The slope of a timer is 0, that of a pause 1: with this standard error, 92 of 100 slopes are on the right side of the middle. */
const MAX_SLOPE_ERROR = 0.35;
/** A request's time and the duration of its answer are rounded to 1 ms each. */
const FILE_STEP_MS = 2;
/** The middle half of the times spans more: as where half of them are half as long again, (1.5 − 1) / 1.25. */
const CHANGING_SPREAD_SHARE = 0.4;
/** Half of the least share of their spread by which independent times follow each other: 0.59, if they are uniform. */
const JITTER_STEP_SHARE = 0.3;
/** Authors choose multiples of these: where nothing else tells a timer from a pause, this is right in 96 of 100 recordings. */
const ROUND_STEPS_MS = { belowSecond: 50, fromSecond: 250 };

/** @param {readonly Timed[]} requests in their order @returns {Rhythm | undefined} absent where they have none */
export function findRhythm(requests) {
  const pauses = requests.slice(1).map(({ atMs }, i) => atMs - requests[i].endMs);
  const gapsOf = (/** @type {number} */ timerCount) =>
    requests.slice(timerCount).map(({ atMs }, i) => atMs - requests[i].atMs);
  const gaps = gapsOf(1);
  if (isSteady(gaps) || isSteady(pauses)) return describe({ gaps, pauses, timerCount: 1 });
  for (let timerCount = 2; timerCount <= MAX_TIMER_COUNT && requests.length >= FEW_TIMES * timerCount; timerCount++) {
    const ofEach = gapsOf(timerCount);
    if (isSteady(ofEach, MAX_DEVIATION_SHARE_OF_FEW)) return describe({ gaps: ofEach, pauses, timerCount });
  }
  return isMostlySteady(gaps) || isMostlySteady(pauses) ? describe({ gaps, pauses, timerCount: 1 }) : undefined;
}

/**
 * Whether half of many times are much alike: a busy device stalls the others, and makes up for it.
 * @param {readonly number[]} times @returns {boolean}
 */
function isMostlySteady(times) {
  const middle = Number(median(times));
  if (times.length < MANY_TIMES || middle < MIN_EVERY_MS) return false;
  return Number(median(times.map((ms) => Math.abs(ms - middle)))) <= MAX_DEVIATION_SHARE_OF_HALF * middle;
}

/**
 * @param {readonly number[]} times @param {number} [limit] @returns {boolean} are they alike, or each like the one before?
 */
function isSteady(times, limit = times.length < FEW_TIMES ? MAX_DEVIATION_SHARE_OF_FEW : MAX_DEVIATION_SHARE) {
  const middle = Number(median(times));
  if (times.length < 2 || middle < MIN_EVERY_MS) return false;
  const from = times.map((ms) => Math.abs(ms - middle));
  const steps = times.slice(1).map((ms, i) => Math.abs(ms - times[i]));
  const deviation = Math.min(upperOf(from), upperOf(steps)) / middle;
  return deviation <= (times.length === 2 ? MAX_DEVIATION_SHARE_OF_TWO : limit);
}

/** @param {readonly number[]} values @returns {number} their upper quartile */
const upperOf = (values) => Number(quantile(sort(values), 0.75));

/** @param {{ gaps: readonly number[], pauses: readonly number[], timerCount: number }} times @returns {Rhythm} */
function describe({ gaps, pauses, timerCount }) {
  const limitMs = BREAK_MEDIANS * Number(median(gaps));
  const isBreak = (/** @type {number} */ i) => limitMs > 0 && gaps[i] > limitMs;
  const ofGaps = gaps.filter((_, i) => !isBreak(i));
  const ofPauses = pauses.filter((_, i) => !isBreak(i));
  const by = timerCount === 1 && isByPause(ofGaps, ofPauses) ? 'pause' : 'timer';
  const times = by === 'pause' ? ofPauses : ofGaps;
  const [everyMs, spreadMs] = [Number(median(times)), spreadOf(times)];
  return {
    by,
    everyMs,
    spreadMs,
    periodMs: Number(mean(ofGaps)) / timerCount,
    observedMs: sumOf(ofGaps, (ms) => ms) / timerCount,
    timerCount,
    isChanging: times.length >= FEW_TIMES && spreadMs > CHANGING_SPREAD_SHARE * everyMs && !isJittered(times, spreadMs),
  };
}

/** @param {readonly number[]} times @returns {number} */
function spreadOf(times) {
  return upperOf(times) - Number(quantile(sort(times), 0.25));
}

/** @param {readonly number[]} times @param {number} spreadMs @returns {boolean} is each as far from the one before as they spread? */
function isJittered(times, spreadMs) {
  const steps = times.slice(1).map((ms, i) => Math.abs(ms - times[i]));
  return Number(median(steps)) > JITTER_STEP_SHARE * spreadMs;
}

/**
 * Answers take longer or shorter: a pause makes the next request later by as much, a timer does not. Where that is not clear, the
 * interval is what is closer to a round time, as authors choose these.
 * @param {readonly number[]} gaps @param {readonly number[]} pauses between the same requests @returns {boolean}
 */
function isByPause(gaps, pauses) {
  // The next request left before the answer came.
  if (pauses.some((ms) => ms < -FILE_STEP_MS)) return false;
  const { slope, error } = slopeOf(
    gaps.map((ms, i) => ms - pauses[i]),
    gaps,
  );
  if (error < MAX_SLOPE_ERROR) return slope > 0.5;
  return roundness(Number(median(pauses))) < roundness(Number(median(gaps)));
}

/**
 * Least squares: by how much one value grows with another.
 * @param {readonly number[]} xs @param {readonly number[]} ys @returns {{ slope: number, error: number }} `error`: standard error; without
 *   end, or not a number, where all x are alike
 */
function slopeOf(xs, ys) {
  const [meanX, meanY] = [Number(mean(xs)), Number(mean(ys))];
  const offX = xs.map((x) => x - meanX);
  const squares = sumOf(offX, (x) => x ** 2);
  const products = offX.map((x, i) => x * (ys[i] - meanY));
  const slope = sumOf(products, (one) => one) / squares;
  const residues = sumOf(
    ys.map((y, i) => y - meanY - slope * offX[i]),
    (one) => one ** 2,
  );
  return { slope, error: Math.sqrt(residues / Math.max(1, xs.length - 2) / squares) };
}

/** @param {number} ms @returns {number} how far it is from a round time, as a share */
function roundness(ms) {
  const step = ms < 1000 ? ROUND_STEPS_MS.belowSecond : ROUND_STEPS_MS.fromSecond;
  return Math.abs(ms - step * Math.round(ms / step)) / Math.max(ms, 1);
}
