/** The timers of clients that wait for jobs. */
import { guard } from '../http/boundary.js';
import { Pool } from '../http/pool.js';
import { steadyNow } from '../steady-clock.js';

/** @import { Owned } from '../http/boundary.js' */

/** A longer wait would overflow Node's timer, and end at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * @typedef {{ visitor: string, owned: Owned }} Waiter `visitor`: the address; `owned` ends where the call throws
 * @typedef {object} Alarms throw a RefusalError where too many wait
 * @property {() => number} waitingCount
 * @property {(waiter: Waiter, dueMs: number, act: () => void) => () => void} at calls `act` when it is due, and never before by the clock
 *   that jobs are made with: Node's timers use another one, and may fire a millisecond early; what it returns ends the wait, without
 *   effect after the call
 * @property {(waiter: Waiter, waits: { dueMs: number, act: () => void }[]) => () => void} atAll waits for several jobs, or for none
 */

/**
 * Creates the timers of clients that wait for jobs.
 * @param {{ limit: number, now?: () => number }} options how many may wait; ms @returns {Alarms}
 */
export function createAlarms({ limit, now = steadyNow }) {
  const places = new Pool({ limit, noun: 'waiting jobs' });

  /** @param {Owned} owned @param {number} dueMs @param {() => void} act @param {() => void} leave gives the place back */
  const start = (owned, dueMs, act, leave) => {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const giveUp = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      leave();
    };
    const wait = () => {
      timer = setTimeout(look, Math.min(Math.max(dueMs - now(), 0), MAX_DELAY_MS));
    };
    const look = guard(owned, () => {
      if (now() < dueMs) return wait();
      giveUp();
      return act();
    });
    wait();
    return giveUp;
  };

  return {
    waitingCount: () => places.takenCount,

    at: ({ visitor, owned }, dueMs, act) => start(owned, dueMs, act, places.take(visitor)),

    atAll({ visitor, owned }, waits) {
      const leaves = places.takeMany(visitor, waits.length);
      const giveUps = waits.map(({ dueMs, act }, i) => start(owned, dueMs, act, leaves[i]));
      return () => giveUps.forEach((giveUp) => giveUp());
    },
  };
}
