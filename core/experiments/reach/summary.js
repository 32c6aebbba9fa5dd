/** What the checks come to: each passed or failed, the cost of the fallback, and how events arrived. */
import { median, ratioInterval } from '../../base/statistics.js';
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { trialsOf } from './plan.js';
import { bracketOf } from './socket-checks.js';

/**
 * @import { ReachTrial } from './index.js'
 * @import { PlannedTrial, ReachPlan } from './plan.js'
 *
 * @typedef {'pass' | 'fail' | 'untested'} Result
 * @typedef {{ planned: PlannedTrial, result: Result, trial?: ReachTrial, lumps?: Lumps }} Checked `trial` absent where the run
 *   ended before
 * @typedef {NonNullable<ReturnType<typeof lumpsOf>>} Lumps
 * @typedef {ReturnType<typeof summarize>} ReachSummary
 */

/** Of the events that follow another, the share that come with it although they were sent after it. */
const LUMPY_SHARE = 0.5;
/** They come together that are closer than this share of the time between their sending. */
const TOGETHER_SHARE = 0.25;

/** @param {{ plan: ReachPlan, trials: readonly ReachTrial[] }} document */
export function summarize({ plan, trials }) {
  const all = trialsOf(plan).map((planned, i) => checkedOf(planned, trials[i]));
  const checks = all.filter(({ planned }) => planned.check !== 'latency');
  const find = (/** @type {string} */ name) => checks.find(({ planned }) => planned.check === name);
  const text = find('text');
  return {
    plan,
    checks,
    find,
    /** Do messages come back over a WebSocket? Absent where the run ended before that was known. */
    works: text?.trial ? text.result === 'pass' : find('upgrade')?.result === 'fail' ? false : undefined,
    idle: idleOf(checks),
    latency: latencyOf(trials),
  };
}

/** @param {PlannedTrial} planned @param {ReachTrial} [trial] @returns {Checked} */
function checkedOf(planned, trial) {
  if (!trial || trial.untested !== undefined) return { planned, result: 'untested', trial };
  const lumps = lumpsOf(trial);
  return { planned, result: trial.failure || lumps?.isLumpy ? 'fail' : 'pass', trial, lumps };
}

/**
 * How late events came, beyond the one that came soonest: the two clocks need not agree.
 * @param {Pick<ReachTrial, 'sentMs' | 'arrivedMs'>} trial
 */
export function lumpsOf({ sentMs = [], arrivedMs = [] }) {
  if (sentMs.length < 2) return undefined;
  const takenMs = sentMs.map((sent, i) => arrivedMs[i] - sent);
  const leastMs = Math.min(...takenMs);
  const delayMs = takenMs.map((ms) => ms - leastMs);
  const togetherCount = sentMs.filter(
    (sent, i) => i > 0 && arrivedMs[i] - arrivedMs[i - 1] < TOGETHER_SHARE * (sent - sentMs[i - 1]),
  ).length;
  return {
    delayMs,
    largestMs: Math.max(...delayMs),
    /** In how many pieces the events came. */
    pieceCount: sentMs.length - togetherCount,
    isLumpy: togetherCount >= LUMPY_SHARE * (sentMs.length - 1),
  };
}

/** What is known of the path's idle timeout. @param {readonly Checked[]} checks */
function idleOf(checks) {
  const silences = checks.flatMap(({ planned: { check, silenceMs = 0 }, result, trial }) =>
    check === 'silence' && trial && result !== 'untested' ? [{ found: trial, silenceMs }] : [],
  );
  if (silences.length === 0) return undefined;
  const { livedMs = 0, cutMs } = bracketOf(silences);
  const search = checks.find(({ planned, result }) => planned.check === 'idle' && result === 'pass')?.trial;
  const known = search ? { livedMs: search.livedMs ?? livedMs, cutMs: search.cutMs } : { livedMs, cutMs };
  // Was the end of a connection told?
  const isToldAt = silences.some(
    ({ found, silenceMs }) => found.failure && found.livedMs !== undefined && found.livedMs < silenceMs,
  );
  const isSearched = search !== undefined;
  return { ...known, isSearched, isExact: isToldAt || (isSearched && search.cutMs === search.livedMs) };
}

/** The fallback beside WebSocket, or beside a request where there is none. @param {readonly ReachTrial[]} trials */
function latencyOf(trials) {
  const compared = trials.filter(({ check, roundTripMs = [] }) => check === 'latency' && roundTripMs.length > 0);
  const of = (/** @type {string} */ name) => compared.filter(({ transport }) => transport === name);
  const [sockets, fallbacks] = [of('websocket'), of('fallback')];
  const baseline = sockets.length > 0 ? 'websocket' : 'fetch';
  const ratios = fallbacks.flatMap(({ block, roundTripMs = [] }) => {
    const beside = of(baseline).find((one) => one.block === block);
    const [ms, otherMs] = [median(roundTripMs), median(beside?.roundTripMs ?? [])];
    return ms && otherMs ? [ms / otherMs] : [];
  });
  return {
    baseline,
    protocol: fallbacks[0]?.protocol,
    ratio: ratios.length >= MIN_BLOCKS ? ratioInterval(ratios) : undefined,
    medianMs: median(fallbacks.flatMap(({ roundTripMs = [] }) => roundTripMs)),
    baselineMs: median(of(baseline).flatMap(({ roundTripMs = [] }) => roundTripMs)),
    blockCount: ratios.length,
  };
}
