/**
 * Limits the work per turn of the event loop for all connections together, so that all other visitors are served in
 * between.
 */
import { guard } from './boundary.js';

/**
 * @import { Owned } from './boundary.js'
 * @typedef {{ connection: Owned, takeTurn(): number }} Waiting `takeTurn` returns the work done, in bytes, and asks for another
 *   turn if it needs one
 * @typedef {{ add: (one: Waiting) => void }} TurnQueue `add`: one that does not wait yet
 */

/** Handling a frame, however short, takes about as long as handling this many bytes of payload. */
export const FRAME_WORK = 8192;

/**
 * Creates a queue for connections that sent more than is handled at once: first come, first served.
 * @param {number} workPerTurn once as much is done, the others wait for the next turn
 * @returns {TurnQueue}
 */
export function createTurnQueue(workPerTurn) {
  /** @type {Waiting[]} */
  let waiting = [];
  let isScheduled = false;

  const schedule = () => {
    if (!isScheduled) setImmediate(runTurn);
    isScheduled = true;
  };
  const runTurn = () => {
    isScheduled = false;
    const due = waiting;
    waiting = [];
    let servedCount = 0;
    for (let work = 0; servedCount < due.length && work < workPerTurn; servedCount++) {
      const one = due[servedCount];
      work += guard(one.connection, () => one.takeTurn())() ?? 0;
    }
    waiting = due.slice(servedCount).concat(waiting);
    if (waiting.length > 0) schedule();
  };

  return {
    add(one) {
      waiting.push(one);
      schedule();
    },
  };
}
