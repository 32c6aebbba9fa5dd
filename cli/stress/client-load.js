/** Measures how busy this program is: if it cannot keep up, it notices answers late. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/**
 * @typedef {object} ClientLoad
 * @property {number} busiest the part of its busiest half second that the event loop worked, 0 to 1
 * @property {number} timerLateMs the 99th percentile of the delay of its own timers
 * @property {boolean} isBusy may this program itself have been the limit?
 */

const WINDOW_MS = 500;
const RESOLUTION_MS = 10;
const NS_PER_MS = 1e6;
/** The part of its time above which this program itself may be the limit. */
export const BUSY = 0.9;

/** Starts to watch the event loop. @returns {() => ClientLoad} to be called at the end */
export function watchClientLoad() {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let busiest = 0;
  let last = performance.eventLoopUtilization();
  const look = () => {
    const current = performance.eventLoopUtilization();
    busiest = Math.max(busiest, performance.eventLoopUtilization(current, last).utilization);
    last = current;
  };
  const timer = setInterval(look, WINDOW_MS);

  return () => {
    clearInterval(timer);
    // The rest of a window says little by itself, unless there is nothing else.
    if (busiest === 0) look();
    delays.disable();
    const lateMs = delays.percentile(99) / NS_PER_MS - RESOLUTION_MS;
    return { busiest, timerLateMs: Math.max(0, lateMs), isBusy: busiest > BUSY };
  };
}
