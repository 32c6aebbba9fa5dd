/**
 * Notices that time passed in which nothing could be measured: the device slept, or stopped the program, or a clock was set. A
 * message that waited then looks like a slow one, and no mean or percentile shows it.
 */

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 * @import { Ending } from '../contract.js'
 */

const TICK_MS = 250;
const LIMIT_MS = 1000;
/** Nobody works for as long as that without looking at timers. */
const SURE_MS = 5000;

/**
 * @param {{ now?: Now, wallNow?: () => number, idle?: () => number, timers?: Timers }} [clocks] ms; `idle`: how long the program
 *   has waited so far, if that is known. On a busy device its own work makes timers late, but no wait lasts longer than its timer
 * @returns {{ signal: AbortSignal, stop(): void }} `signal` has an Ending as its reason; `stop` to be called when the run is over
 */
export function watchGaps({ now = () => performance.now(), wallNow = Date.now, idle, timers = globalThis } = {}) {
  const controller = new AbortController();
  /** @type {any} */
  let timer;
  const setNext = () => {
    const dueAtMs = now() + TICK_MS;
    const dueAtWallMs = wallNow() + TICK_MS;
    const idleBeforeMs = idle?.();
    timer = timers.setTimeout(() => {
      const lateMs = now() - dueAtMs;
      const idleMs = idleBeforeMs === undefined ? Infinity : Number(idle?.()) - idleBeforeMs;
      const isAsleep = lateMs > SURE_MS || idleMs > TICK_MS + LIMIT_MS;
      const reason = describeGap({ lateMs, isAsleep, lateByWallMs: wallNow() - dueAtWallMs });
      if (reason) controller.abort(/** @type {Ending} */ ({ kind: 'invalid', reason }));
      else setNext();
    }, TICK_MS);
  };
  setNext();
  return { signal: controller.signal, stop: () => timers.clearTimeout(timer) };
}

/**
 * @param {{ lateMs: number, isAsleep: boolean, lateByWallMs: number }} timer how late it fired, by the monotonic clock, which
 *   stands still while some systems sleep, and by the system's @returns {string | undefined} absent if there is no gap
 */
function describeGap({ lateMs, isAsleep, lateByWallMs }) {
  const setMs = lateByWallMs - lateMs;
  if (lateMs > LIMIT_MS && isAsleep) return `This device slept for ${inSeconds(lateMs)}, or was too busy to measure.`;
  if (setMs > LIMIT_MS) return `This device slept for ${inSeconds(setMs)}, or its clock was set forward.`;
  return setMs < -LIMIT_MS ? `This device’s clock was set back by ${inSeconds(-setMs)}.` : undefined;
}

/** @param {number} ms @returns {string} */
const inSeconds = (ms) => `${Math.round(ms / 1000)} s`;
