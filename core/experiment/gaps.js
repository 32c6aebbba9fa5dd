/**
 * Notices that time passed in which nothing could be measured: the device slept, or stopped the program, or a clock was set. A
 * message that waited then looks like a slow one, and no mean or percentile shows it.
 */

/**
 * @import { Now } from '../base/clock.js'
 * @import { Timers } from '../base/async.js'
 * @import { Ending } from './contract.js'
 */

const TICK_MS = 250;
/** A busy device is late, too, but by less. */
const LIMIT_MS = 1000;

/**
 * @param {{ now?: Now, wallNow?: () => number, timers?: Timers }} [clocks] ms
 * @returns {{ signal: AbortSignal, stop(): void }} `signal` has an Ending as its reason; `stop` to be called when the run is over
 */
export function watchGaps({ now = () => performance.now(), wallNow = Date.now, timers = globalThis } = {}) {
  const controller = new AbortController();
  /** @type {any} */
  let timer;
  const setNext = () => {
    const dueAtMs = now() + TICK_MS;
    const dueAtWallMs = wallNow() + TICK_MS;
    timer = timers.setTimeout(() => {
      const reason = describeGap({ lateMs: now() - dueAtMs, lateByWallMs: wallNow() - dueAtWallMs });
      if (reason) controller.abort(/** @type {Ending} */ ({ kind: 'invalid', reason }));
      else setNext();
    }, TICK_MS);
  };
  setNext();
  return { signal: controller.signal, stop: () => timers.clearTimeout(timer) };
}

/**
 * @param {{ lateMs: number, lateByWallMs: number }} timer how late it fired, by the monotonic clock, which stands still while some
 *   systems sleep, and by the system's @returns {string | undefined} absent if there is no gap
 */
function describeGap({ lateMs, lateByWallMs }) {
  const setMs = lateByWallMs - lateMs;
  if (lateMs > LIMIT_MS) return `This device slept for ${inSeconds(lateMs)}, or was too busy to measure.`;
  if (setMs > LIMIT_MS) return `This device slept for ${inSeconds(setMs)}, or its clock was set forward.`;
  return setMs < -LIMIT_MS ? `This device’s clock was set back by ${inSeconds(-setMs)}.` : undefined;
}

/** @param {number} ms @returns {string} */
const inSeconds = (ms) => `${Math.round(ms / 1000)} s`;
