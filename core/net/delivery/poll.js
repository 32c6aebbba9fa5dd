/** Polling: the first request one interval after the job was made, each next one an interval after the last answer. */
import { createAsking } from './asking.js';

/**
 * @import { Pause } from './asking.js'
 * @import { Timers } from '../../base/sleep.js'
 * @import { WayOptions, WayUser } from './index.js'
 */

/** @param {WayOptions} options @returns {WayUser} */
export function createPoll({ intervalMs = 0, timers = globalThis, ...options }) {
  return createAsking(options, { openPause: (signal) => createPause(timers, intervalMs, signal) });
}

/**
 * Pauses of one job, one after the other. It listens to the signal once, not at each of them: thousands of jobs pause some
 * ten thousand times.
 * @param {Timers} timers @param {number} ms of each @param {AbortSignal} [signal] ends them, with its reason
 * @returns {Pause}
 */
function createPause(timers, ms, signal) {
  /** @type {any} */
  let timer;
  /** @type {(reason: unknown) => void} */
  let reject = () => {};
  const onAbort = () => {
    timers.clearTimeout(timer);
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort);

  return {
    wait: () =>
      new Promise((resolve, giveUp) => {
        if (signal?.aborted) throw signal.reason;
        reject = giveUp;
        timer = timers.setTimeout(resolve, ms);
      }),
    close: () => signal?.removeEventListener('abort', onAbort),
  };
}
