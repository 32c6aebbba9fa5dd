/** Sends numbered messages over one connection, each when it is due. */
import { guard } from '../http/boundary.js';
import { FRAME_WORK } from '../http/turns.js';

/**
 * @import { Owned } from '../http/boundary.js'
 * @import { TurnQueue } from '../http/turns.js'
 * @typedef {object} Schedule
 * @property {number} count of all messages
 * @property {number} [next] the first to send; 0 by default
 * @property {(n: number) => number} dueAtMs by the clock of `now`; not before that of the message before
 * @property {() => number | undefined} [heldForMs] for how long all is kept back now, if it is
 * @property {(n: number) => void} say
 * @property {() => void} finish called after the last message
 * @property {Owned} owned ends where a listener throws
 * @property {() => number} now ms
 * @property {TurnQueue} turns
 */

const MESSAGES_PER_TURN = 16;

/**
 * Sends messages as they are due; many that are due at once, some per turn of the event loop. What is kept back is made after it,
 * so that it takes no memory. The first is not sent before this returns.
 * @param {Schedule} schedule @returns {() => number} stops it, and gives the next message
 */
export function sendOnSchedule({ count, next = 0, dueAtMs, heldForMs, say, finish, owned, now, turns }) {
  let isStopped = false;
  const takeTurn = () => {
    if (isStopped) return 0;
    const heldMs = heldForMs?.();
    if (heldMs !== undefined) {
      // Many that were held wake at the same moment.
      timer = setTimeout(join, heldMs);
      return 0;
    }
    const first = next;
    const end = Math.min(count, next + MESSAGES_PER_TURN);
    // What it says may end it.
    for (; next < end && dueAtMs(next) <= now() && !isStopped; next++) say(next);
    if (isStopped) return (next - first) * FRAME_WORK;
    const waitMs = next < count ? dueAtMs(next) - now() : undefined;
    if (waitMs === undefined) finish();
    else if (waitMs > 0) timer = setTimeout(send, waitMs);
    else join();
    return (next - first) * FRAME_WORK;
  };
  const join = guard(owned, () => turns.add({ connection: owned, takeTurn }));
  const send = guard(owned, takeTurn);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  join();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return next;
  };
}
