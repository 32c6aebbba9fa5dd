/**
 * What a run over sizes will cost in bytes and time, and which of its sizes fit a budget.
 *
 * It counts the messages themselves. Headers, frames and packets add some hundred bytes per message.
 */
import { integer } from '../../experiment/fields.js';
import { isWarmedUp, messageCountOf } from './plan.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadPlan } from './plan.js'
 * @import { Speed } from './speed.js'
 */

/** How often the bytes of a message cross the network. */
const CROSSINGS = Object.freeze({ up: { up: 1, down: 0 }, down: { up: 0, down: 1 }, echo: { up: 1, down: 1 } });

/** The limits of a run. They are the visitor's own, so no link contains them. */
export const BUDGETS = Object.freeze({
  seconds: integer({ parameter: 'seconds', label: 'Time budget', unit: 's', min: 1, max: 3600, default: 60 }),
  megabytes: integer({ parameter: 'megabytes', label: 'Byte budget', unit: 'MB', min: 1, max: 100_000, default: 200 }),
});

/** The time is estimated from a short test, and may be wrong by this factor: a size is left out only above it. */
export const TIME_DOUBT = 2;

/** The default where bytes may be expensive, as on a phone. */
export const SPARING_MEGABYTES = 20;

/**
 * @typedef {{ size: number, byteCount: number, durationMs: number }} Cost of a size: all directions and transports, with the
 *   warm-up
 */

/**
 * @param {Direction} direction
 * @param {number} size
 * @returns {number} bytes that cross the network, in both directions together
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
 * @returns {number} milliseconds, estimated
 */
export function estimateDurationMs(plan, speed) {
  return sum(costsOf(plan, speed).map(({ durationMs }) => durationMs));
}

/**
 * @typedef {object} Fit
 * @property {number[]} sizes that fit, rising; none if not even the smallest fits
 * @property {{ size: number, why: ('time' | 'bytes')[], byteCount: number, durationMs: number }[]} struckOut the others,
 *   rising, with the budgets exceeded, and the total cost of a run up to this size
 * @property {number} byteCount of those that fit
 * @property {number} durationMs estimated
 */

/**
 * Keeps the smallest sizes that fit both budgets together, without gaps: all above the first that does not fit are left out.
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
    // With those left out, so that no larger one fits.
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
