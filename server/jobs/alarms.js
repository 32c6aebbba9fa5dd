/**
 * Who waits for a job has a timer here. All of them together are bounded.
 */

/** @import { Refusal } from '../http/gate.js' */

/** A longer wait would overflow Node's timer, and end at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Why nobody may wait any more just now. @type {Refusal} */
export const NO_ROOM = Object.freeze({
  status: 503,
  code: 'busy',
  message: 'This server has too many jobs that somebody waits for',
});

/** @typedef {ReturnType<typeof createAlarms>} Alarms */

/** @param {{ limit: number, now?: () => number }} options how many may wait, and ms since 1970 */
export function createAlarms({ limit, now = Date.now }) {
  let waitingCount = 0;
  return {
    waitingCount: () => waitingCount,

    /** @param {number} [count] how many more want to wait */
    hasRoom: (count = 1) => waitingCount + count <= limit,

    /**
     * Calls when it is due, and never before by the clock that jobs are made with: Node's timers go by another one, and
     * may fire a millisecond early.
     *
     * @param {number} dueMs
     * @param {() => void} act
     * @returns {() => void} gives up the wait; without effect after the call
     */
    at(dueMs, act) {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const wait = () => {
        timer = setTimeout(look, Math.min(Math.max(dueMs - now(), 0), MAX_DELAY_MS));
      };
      const look = () => {
        if (now() < dueMs) {
          wait();
          return;
        }
        timer = undefined;
        waitingCount--;
        act();
      };
      waitingCount++;
      wait();
      return () => {
        if (timer === undefined) return;
        clearTimeout(timer);
        timer = undefined;
        waitingCount--;
      };
    },
  };
}
