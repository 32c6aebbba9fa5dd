/** Summarizes the checks: each passed or failed, the cost of the fallback, and how events arrived. */
import { median } from '../../base/statistics.js';
import { judgeTimes } from '../../experiment/answer/compare.js';
import { trialsOf } from './plan.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { VerdictName } from '../../experiment/answer/verdict.js'
 * @import { ReachTrial } from './schema.js'
 * @import { PlannedTrial, ReachPlan } from './plan.js'
 *
 * @typedef {'pass' | 'fail' | 'untested'} Result
 * @typedef {{ planned: PlannedTrial, result: Result, trial?: ReachTrial, arrival?: Arrival }} Checked `trial` absent
 *   if the run ended before
 * @typedef {{ delayMs: number[], maxDelayMs: number, batchCount: number, isBatched: boolean }} Arrival of events
 * @typedef {object} Idle the range of the path's idle timeout
 * @property {number} livedMs
 * @property {number} [cutMs]
 * @property {boolean} isSearched
 * @property {boolean} isExact
 * @typedef {object} Latency of the fallback, compared with a WebSocket, or with a request if there is none
 * @property {Result} result it counts as a check
 * @property {string} baseline
 * @property {string} [protocol]
 * @property {number} [medianMs]
 * @property {number} [baselineMs]
 * @property {VerdictName} [verdict] on the fallback's speed; absent if the blocks are too few
 * @property {Interval} [timeRatio] the fallback's time as a multiple of the baseline's
 * @typedef {object} ReachSummary
 * @property {ReachPlan} plan
 * @property {Checked[]} checks
 * @property {(name: string) => Checked | undefined} find
 * @property {boolean} [works] are messages echoed over a WebSocket? Absent if the run ended before that was known
 * @property {string[]} lost the kinds of messages that do not come back over a WebSocket
 * @property {Idle} [idle]
 * @property {Latency} latency
 */

/** The share of the events after the first that arrive with the event before, although they were sent after it. */
const BATCHED_SHARE = 0.5;
/** Events arrive together if less than this share of the time between their sending is between their arrivals. */
const TOGETHER_SHARE = 0.25;

/**
 * Judges each check, and finds how long idle connections live.
 * @param {{ plan: ReachPlan, trials: readonly ReachTrial[] }} document @returns {ReachSummary}
 */
export function summarize({ plan, trials }) {
  const all = trialsOf(plan).map((planned, i) => checkedOf(planned, trials[i]));
  const checks = all.filter(({ planned }) => planned.check !== 'latency');
  const find = (/** @type {string} */ name) => checks.find(({ planned }) => planned.check === name);
  const text = find('text');
  const isLost = (/** @type {string} */ name) => find(name)?.result === 'fail';
  return {
    plan,
    checks,
    find,
    works: text?.trial ? text.result === 'pass' : find('upgrade')?.result === 'fail' ? false : undefined,
    lost: [...(isLost('binary') ? ['binary'] : []), ...(isLost('size-64k') || isLost('size-1m') ? ['large'] : [])],
    idle: idleOf(checks),
    latency: latencyOf(trials),
  };
}

/** @param {Pick<ReachPlan, 'idleMs'>} plan @returns {boolean} does it search for the idle timeout of the path? */
export const hasSearch = ({ idleMs }) => idleMs > 0;

/** @param {ReachSummary} summary @returns {Record<Result, number>} of all checks that its report lists */
export function countResults({ plan, checks, latency }) {
  const results = [...checks, latency].map(({ result }) => result);
  const countOf = (/** @type {Result} */ result) => results.filter((one) => one === result).length;
  return { pass: countOf('pass'), fail: countOf('fail'), untested: countOf('untested') + (hasSearch(plan) ? 0 : 1) };
}

/** @param {PlannedTrial} planned @param {ReachTrial} [trial] @returns {Checked} */
function checkedOf(planned, trial) {
  if (!trial || trial.untested !== undefined) return { planned, result: 'untested', trial };
  const arrival = arrivalOf(trial);
  return { planned, result: trial.failure || arrival?.isBatched ? 'fail' : 'pass', trial, arrival };
}

/**
 * Computes how events arrived. A delay is relative to the fastest event, because the two clocks may differ.
 * @param {{ sentMs?: number[], arrivedMs?: number[] }} trial
 * @returns {Arrival | undefined} absent for fewer than two
 */
export function arrivalOf({ sentMs = [], arrivedMs = [] }) {
  if (sentMs.length < 2) return undefined;
  const takenMs = sentMs.map((sent, i) => arrivedMs[i] - sent);
  const fastestMs = Math.min(...takenMs);
  const delayMs = takenMs.map((ms) => ms - fastestMs);
  const togetherCount = sentMs.filter(
    (sent, i) => i > 0 && arrivedMs[i] - arrivedMs[i - 1] < TOGETHER_SHARE * (sent - sentMs[i - 1]),
  ).length;
  return {
    delayMs,
    maxDelayMs: Math.max(...delayMs),
    batchCount: sentMs.length - togetherCount,
    isBatched: togetherCount >= BATCHED_SHARE * (sentMs.length - 1),
  };
}

/** @param {readonly Checked[]} checks @returns {Idle | undefined} absent without a silence */
function idleOf(checks) {
  const silences = checks.flatMap(({ planned: { check, silenceMs = 0 }, result, trial }) =>
    check === 'silence' && trial && result !== 'untested' ? [{ found: trial, silenceMs }] : [],
  );
  if (silences.length === 0) return undefined;
  const { livedMs = 0, cutMs } = bracketOf(silences);
  const search = checks.find(({ planned, result }) => planned.check === 'idle' && result === 'pass')?.trial;
  const known = search ? { livedMs: search.livedMs ?? livedMs, cutMs: search.cutMs } : { livedMs, cutMs };
  const isCloseSeen = silences.some(
    ({ found, silenceMs }) => found.failure && found.livedMs !== undefined && found.livedMs < silenceMs,
  );
  const isSearched = search !== undefined;
  return { ...known, isSearched, isExact: isCloseSeen || (isSearched && search.cutMs === search.livedMs) };
}

/**
 * Returns the range of the idle timeout that the silences of a plan show.
 * @param {readonly { found: Pick<ReachTrial, 'failure' | 'livedMs'>, silenceMs: number }[]} silences
 */
export function bracketOf(silences) {
  const lived = silences.filter(({ found }) => !found.failure).map(({ silenceMs }) => silenceMs);
  const failed = silences.flatMap(({ found: { failure, livedMs }, silenceMs }) =>
    failure ? [Math.min(livedMs ?? silenceMs, silenceMs)] : [],
  );
  const cutMs = failed.length > 0 ? Math.min(...failed) : undefined;
  return { livedMs: Math.max(0, ...lived.filter((ms) => cutMs === undefined || ms < cutMs)), cutMs };
}

/** @param {readonly ReachTrial[]} trials @returns {Latency} */
function latencyOf(trials) {
  const measured = /** @type {(ReachTrial & { block: number, roundTripMs: number[] })[]} */ (
    trials.filter(({ check, roundTripMs = [] }) => check === 'latency' && roundTripMs.length > 0)
  );
  const trialsBy = (/** @type {string} */ name) => measured.filter(({ transport }) => transport === name);
  const medianOf = (/** @type {{ roundTripMs: number[] }[]} */ some) => median(some.flatMap((one) => one.roundTripMs));
  const baseline = trialsBy('websocket').length > 0 ? 'websocket' : 'fetch';
  const [fallbacks, others] = [trialsBy('fallback'), trialsBy(baseline)];
  const { ratio: speedRatio, verdict } = judgeTimes(fallbacks, others, ({ roundTripMs }) => median(roundTripMs));
  const [medianMs, baselineMs] = [medianOf(fallbacks), medianOf(others)];
  return {
    result: medianMs && baselineMs ? 'pass' : 'untested',
    baseline,
    protocol: fallbacks[0]?.protocol,
    medianMs,
    baselineMs,
    verdict,
    timeRatio: speedRatio && invert(speedRatio),
  };
}

/** @param {Interval} ratio @returns {Interval} */
const invert = ({ estimate, low, high }) => ({ estimate: 1 / estimate, low: 1 / high, high: 1 / low });
