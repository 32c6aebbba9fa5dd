/**
 * What a run over sizes will cost, and which of its sizes one can afford: large ones take most of the bytes and of the time,
 * and a visitor may pay for either.
 *
 * Counted are the messages themselves. Headers, frames and packets come on top: some hundred bytes a message.
 */
import { integer } from '../../experiment/fields.js';
import { isWarmedUp, messageCountOf } from './plan.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadPlan } from './plan.js'
 * @import { Speed } from './speed.js'
 */

/** How often a message crosses the way with all its bytes. */
const CROSSINGS = Object.freeze({ up: { up: 1, down: 0 }, down: { up: 0, down: 1 }, echo: { up: 1, down: 1 } });

/** What a run may cost, as fields have it; both are the visitor's, so no link says them. */
export const BUDGETS = Object.freeze({
  seconds: integer({ parameter: 'seconds', label: 'Time budget', unit: 's', min: 1, max: 3600, default: 60 }),
  megabytes: integer({ parameter: 'megabytes', label: 'Byte budget', unit: 'MB', min: 1, max: 100_000, default: 200 }),
});

/** The look that the time is reckoned by is short, and may be wrong by as much: only what clearly takes longer is struck out. */
export const TIME_DOUBT = 2;

/** What is usual where bytes may be dear, as on a phone. */
export const SPARING_MEGABYTES = 20;

/**
 * @typedef {{ size: number, byteCount: number, durationMs: number }} Cost of a size: both ways, all transports, warm-up
 *   included
 */

/**
 * @param {Direction} direction
 * @param {number} size
 * @returns {number} bytes of a message that cross the way, to and fro
 */
export function movedBytesOf(direction, size) {
  return (CROSSINGS[direction].up + CROSSINGS[direction].down) * size;
}

/**
 * @param {PayloadPlan} plan
 * @param {Speed} speed
 * @returns {Cost[]} for each size
 */
export function costsOf(plan, speed) {
  const { directions, sizes } = plan;
  return sizes.map((size) => {
    const count = madeCountOf(plan, size);
    return {
      size,
      byteCount: count * sum(directions.map((direction) => movedBytesOf(direction, size))),
      durationMs: count * sum(directions.map((direction) => messageMs({ direction, size, speed }))),
    };
  });
}

/**
 * @param {PayloadPlan} plan
 * @param {Speed} speed
 * @returns {number} milliseconds, about
 */
export function estimateDurationMs(plan, speed) {
  return sum(costsOf(plan, speed).map(({ durationMs }) => durationMs));
}

/**
 * @typedef {object} Fit
 * @property {number[]} sizes that stay, rising; none where not even the smallest fits
 * @property {{ size: number, why: ('time' | 'bytes')[], byteCount: number, durationMs: number }[]} struckOut the others,
 *   rising, each with what it does not fit, and what a run up to it would cost in all
 * @property {number} byteCount of those that stay
 * @property {number} durationMs about
 */

/**
 * Keeps the smallest sizes that fit both budgets together. All above the first that does not fit is struck out, too: of a
 * sweep with a gap nobody could say where the winner changes.
 *
 * @param {PayloadPlan} plan
 * @param {{ speed: Speed, budgetBytes: number, budgetMs: number }} options
 * @returns {Fit}
 */
export function fitBudget(plan, { speed, budgetBytes, budgetMs }) {
  /** @type {Fit} */
  const fit = { sizes: [], struckOut: [], byteCount: 0, durationMs: 0 };
  let bytes = 0;
  let ms = 0;
  for (const { size, byteCount, durationMs } of costsOf(plan, speed)) {
    // With those that were struck out, so that what does not fit once does not fit again.
    bytes += byteCount;
    ms += durationMs;
    const why = /** @type {('time' | 'bytes')[]} */ ([
      ...(ms > TIME_DOUBT * budgetMs ? ['time'] : []),
      ...(bytes > budgetBytes ? ['bytes'] : []),
    ]);
    if (why.length > 0) {
      fit.struckOut.push({ size, why, byteCount: bytes, durationMs: ms });
    } else {
      fit.sizes.push(size);
      fit.byteCount = bytes;
      fit.durationMs = ms;
    }
  }
  return fit;
}

/** @param {PayloadPlan} plan @param {number} size @returns {number} messages in each direction, warm-up included */
function madeCountOf(plan, size) {
  return plan.transports.length * (messageCountOf(plan, size) + (isWarmedUp(plan, size) ? 1 : 0));
}

/** @param {{ direction: Direction, size: number, speed: Speed }} options */
function messageMs({ direction, size, speed: { roundTripMs, upBytesPerSecond, downBytesPerSecond } }) {
  const { up, down } = CROSSINGS[direction];
  return roundTripMs + 1000 * ((up * size) / upBytesPerSecond + (down * size) / downBytesPerSecond);
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
