/** Looks for other work on the device of the measuring program, which makes its timers late. */
import { formatCount, formatMs } from '../../base/format.js';
import { mean, percentile, quantile, sort, sumOf } from '../../base/statistics.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 * @import { Environment, Fact } from '../contract.js'
 * @typedef {{ method: string, count: number }} TrialEnd `count`: of the samples until then
 */

/** The interval of the timers: short enough for a run of a second, and long enough to cost it nothing. */
const INTERVAL_MS = 25;

/**
 * Sets one timer after the other during a run, and notes how late each fires.
 * @param {number[]} lateMs gets them @param {{ now: Now, timers?: Timers }} options
 * @returns {() => void} ends it
 */
export function sampleLag(lateMs, { now, timers = globalThis }) {
  /** @type {any} */
  let timer;
  const setNext = () => {
    const dueAtMs = now() + INTERVAL_MS;
    timer = timers.setTimeout(() => {
      // Node.js fires some up to a millisecond early.
      lateMs.push(Math.max(0, now() - dueAtMs));
      setNext();
    }, INTERVAL_MS);
  };
  setNext();
  return () => timers.clearTimeout(timer);
}

/**
 * @param {readonly number[]} lateMs @param {readonly TrialEnd[]} [ends]
 * @returns {{ lag?: Environment['lag'] }} empty if the run was too short
 */
export function summarizeLag(lateMs, ends = []) {
  const sorted = sort(lateMs);
  const p90Ms = percentile(sorted, 90);
  if (p90Ms === undefined) return {};
  // A single long stall moves no median, of which verdicts are made.
  const capMs = Number(quantile(sorted, 0.95));
  const capped = lateMs.map((ms) => Math.min(ms, capMs));
  const betweenTrialsMs = deviationOf(capped, ends);
  const lag = { count: lateMs.length, meanMs: Number(mean(lateMs)), p90Ms };
  return { lag: betweenTrialsMs === undefined ? lag : { ...lag, betweenTrialsMs } };
}

/** The minimum number of samples per trial, on average: fewer say nothing of a single trial. */
const MIN_PER_TRIAL = 5;
/**
 * How many times its expected variance the mean of a trial may have by chance. Of runs drawn at random from the samples of
 * nine real ones, up to 0.3% had more with 6 samples per trial, and 0.03% with 66.
 */
const MAX_CHANCE = 3;

/**
 * Returns by how much the mean lag differed between trials of the same method: the square root of the variance component
 * of a one-way analysis of variance (H. Scheffé, "The Analysis of Variance" (1959), section 7.2).
 * @param {readonly number[]} lateMs @param {readonly TrialEnd[]} ends
 * @returns {number | undefined} ms, 0 if it is within chance; absent for too few samples or trials
 */
function deviationOf(lateMs, ends) {
  const trials = ends
    .map(({ method, count }, i) => ({ method, ms: lateMs.slice(ends[i - 1]?.count ?? 0, count) }))
    .filter(({ ms }) => ms.length > 0);
  const methods = [...new Set(trials.map(({ method }) => method))];
  const count = sumOf(trials, ({ ms }) => ms.length);
  const freedom = trials.length - methods.length;
  if (freedom < 1 || count < MIN_PER_TRIAL * trials.length) return undefined;
  const between = sumOf(methods, (method) => {
    const own = trials.filter((trial) => trial.method === method).map(({ ms }) => ms);
    const centre = Number(mean(own.flat()));
    return sumOf(own, (ms) => ms.length * (Number(mean(ms)) - centre) ** 2);
  });
  const within = sumOf(trials, ({ ms }) => sumOf(ms, (one) => (one - Number(mean(ms))) ** 2));
  const [betweenMs2, withinMs2] = [between / freedom, within / (count - trials.length)];
  if (betweenMs2 <= MAX_CHANCE * withinMs2) return 0;
  return Math.sqrt((betweenMs2 - withinMs2) / (count / trials.length));
}

/** The lag that may decide where no difference is known, or none was found. */
export const USUAL_DECIDING_MS = 8;
/** Timers are never exact. */
const MIN_DECIDING_MS = 1;

/**
 * Compares the lag with the difference that decides. A slow device has a large lag, which is alike in all trials, and slows
 * all of them: only what differs between trials can decide.
 * @param {{ lag?: Environment['lag'], stepMs?: number }} environment
 * @param {{ decidingMs?: number, isOwn?: boolean }} [run] `decidingMs`: the difference that decides, if it is known; `isOwn`:
 *   its own messages make the lag
 * @returns {Fact[]} none if the lag was not measured
 */
export function clientLagFacts({ lag, stepMs = 0 }, { decidingMs, isOwn = false } = {}) {
  if (!lag) return [];
  const { betweenTrialsMs, p90Ms, count } = lag;
  // Earlier releases, and short trials, do not say how much of it was the device's own.
  const reachMs = betweenTrialsMs === undefined ? p90Ms : 2 * betweenTrialsMs;
  const leastMs = betweenTrialsMs === undefined ? USUAL_DECIDING_MS : MIN_DECIDING_MS;
  // A coarse clock makes timers late by up to a step.
  const isWarning = !isOwn && reachMs > Math.max(leastMs, decidingMs ?? USUAL_DECIDING_MS) + stepMs;
  const varied = betweenTrialsMs === undefined ? '' : `: it varied by ±${formatMs(reachMs)} ms between trials`;
  const decides = decidingMs === undefined ? '' : `, and a difference of ${formatMs(decidingMs)} ms decides`;
  const busy = `; the client’s device was busy${varied}${varied && decides}`;
  const why = isOwn ? ', including this run’s own load' : isWarning ? busy : '';
  const value = `${formatMs(p90Ms)} ms at the 90th percentile, ${formatCount(count, 'sample')}${why}`;
  return [{ name: 'Client’s timer lag', value, isWarning, brief: 'the device was busy', weighs: true }];
}
