/** How busy this program is: one that cannot keep up notices late what came in time. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/**
 * @typedef {ReturnType<ReturnType<typeof watchClientLoad>>} ClientLoad `busiest`: the part of its busiest half second that the
 *   event loop worked, 0 to 1; `timerLateMs`: how late its own timers were, 99 of 100 of them at most
 */

const WINDOW_MS = 500;
const RESOLUTION_MS = 10;
const NS_PER_MS = 1e6;
/** Above this part of its time there is no telling whose limit it was. */
export const BUSY = 0.9;

/** What it gives is to be called at the end. */
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
    // What is left of a window says little by itself, unless it is all there was.
    if (busiest === 0) look();
    delays.disable();
    const lateMs = delays.percentile(99) / NS_PER_MS - RESOLUTION_MS;
    return { busiest, timerLateMs: Math.max(0, lateMs), isBusy: busiest > BUSY };
  };
}
