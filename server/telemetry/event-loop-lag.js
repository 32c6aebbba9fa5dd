/**
 * How late the event loop comes to what is due, in sum since the start: two readings tell of the time between them, and
 * nothing has to be kept here.
 *
 * A tick is due every 10 ms after the last; its lag is by how much it came later. The mean between two readings is the
 * difference of lagTotalMs over that of lagCount. A loop that is blocked misses ticks, which are one with a
 * long lag. An idle loop reads about 0.1 ms.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Node makes the ticks beneath JavaScript. */
export const TICK_MS = 10;

/**
 * @typedef {object} EventLoopLag
 * @property {number} lagCount ticks so far
 * @property {number} lagTotalMs their lags, added up
 */

/** @returns {() => EventLoopLag} */
export function createEventLoopLag() {
  const ticks = monitorEventLoopDelay({ resolution: TICK_MS });
  ticks.enable();
  return () => {
    const { count, mean } = ticks;
    // What Node records is the whole time from tick to tick, in ns. Before the first its mean is NaN.
    return { lagCount: count, lagTotalMs: count === 0 ? 0 : round((mean / 1e6 - TICK_MS) * count) };
  };
}

/** @param {number} ms */
function round(ms) {
  return Math.round(ms * 1000) / 1000;
}
