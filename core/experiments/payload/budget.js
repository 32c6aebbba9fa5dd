/** Estimates the duration of a run over sizes, by the speed of its connection, and selects the sizes that fit a time budget. */
import { sumOf } from '../../base/statistics.js';
import { integer } from '../../experiment/plan/fields.js';
import { FAST_BYTES_PER_SECOND, slowStartOf } from '../../net/rate.js';
import { bytesOf, DEFAULT_SIZES, FIELDS, messageCountsOf, splitSizes } from './plan.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadPlan } from './plan.js'
 * @import { Speed } from './speed.js'
 * @typedef {{ plan: PayloadPlan, byteCount: number, durationMs: number, tooSlow: { size: number, durationMs: number
 *   }[] }} Fit `plan`: what remains; `tooSlow`: the sizes left out for their time, with the duration of a run up to
 *   each
 */

/** The limit on a sweep's time. It is the visitor's own, so no link contains it. */
export const TIME_BUDGET = integer({
  parameter: 'seconds',
  label: 'Time budget',
  unit: 's',
  min: 1,
  max: 3600,
  default: 60,
});

/** The time is estimated from a short test, and may be wrong by this factor: a size is left out only above it. */
const TIME_DOUBT = 2;

/** @param {number} budget s @returns {number | undefined} the longest that a run may take; absent for the largest budget, that of links, which bounds nothing */
export const maxSecondsOf = (budget) => (budget < TIME_BUDGET.max ? TIME_DOUBT * budget : undefined);

/** The defaults if bytes may be expensive, as on a phone: all messages of these sizes are 16 MB. */
export const SPARING_FIELDS = Object.freeze({
  sizes: { ...FIELDS.sizes, default: DEFAULT_SIZES.filter((size) => size <= 100_000) },
  budget: { ...FIELDS.budget, default: 20 },
});
/** The round trips of opening a connection, and of closing the one before it. */
const SET_UP_ROUND_TRIPS = 4;

/**
 * Estimates the time of a plan that nothing was left out of, before its connection is tested.
 * @param {PayloadPlan} plan @param {number} roundTripMs @param {{ bytesPerSecond?: number }} [path] @returns {number}
 */
export function expectedMs(plan, roundTripMs, { bytesPerSecond = FAST_BYTES_PER_SECOND } = {}) {
  const speed = { roundTripMs, upBytesPerSecond: bytesPerSecond, downBytesPerSecond: bytesPerSecond };
  const messagesMs = sumOf(costsOf(plan, speed), ({ durationMs }) => durationMs);
  // Each transport keeps a connection for each direction, whose window grows once.
  const openCount = plan.transports.length * plan.directions.length;
  const openMs = (SET_UP_ROUND_TRIPS + slowStartOf(Math.max(...plan.sizes))) * roundTripMs;
  return messagesMs + openCount * openMs;
}

/**
 * @param {PayloadPlan} plan @param {Speed} speed
 * @returns {{ size: number, durationMs: number }[]} for each size, with the warm-up
 */
export const costsOf = (plan, speed) =>
  plan.sizes.map((size) => {
    const { kept, anew } = messageCountsOf(plan, size);
    const eachMs = sumOf(plan.directions, (direction) => messageMs(direction, size, speed));
    const setUpMs = anew * plan.directions.length * SET_UP_ROUND_TRIPS * speed.roundTripMs;
    return { size, durationMs: (kept + anew) * eachMs + setUpMs };
  });

/** @param {Direction} direction @param {number} size @param {Speed} speed */
function messageMs(direction, size, { roundTripMs, upBytesPerSecond, downBytesPerSecond }) {
  const upSeconds = direction === 'down' ? 0 : size / upBytesPerSecond;
  const downSeconds = direction === 'up' ? 0 : size / downBytesPerSecond;
  return roundTripMs + 1000 * (upSeconds + downSeconds);
}

/** @param {PayloadPlan} plan @param {{ speed: Speed, budgetMs?: number }} options default: any time @returns {Fit} */
export function fitTime(plan, { speed, budgetMs = Infinity }) {
  let sumMs = 0;
  const upTo = costsOf(plan, speed).map(({ size, durationMs }) => ({ size, durationMs: (sumMs += durationMs) }));
  const { sizes } = splitSizes(plan);
  const isTooSlow = (/** @type {{ durationMs: number }} */ { durationMs }) => durationMs > TIME_DOUBT * budgetMs;
  const kept = upTo.slice(0, sizes.length).filter((one) => !isTooSlow(one));
  // The link keeps the sizes that only the byte budget leaves out.
  const isCut = kept.length < sizes.length;
  return {
    plan: isCut ? { ...plan, sizes: kept.map(({ size }) => size) } : plan,
    byteCount: sumOf(kept, ({ size }) => bytesOf(plan, size)),
    durationMs: kept.at(-1)?.durationMs ?? 0,
    tooSlow: isCut ? upTo.filter(isTooSlow) : [],
  };
}
