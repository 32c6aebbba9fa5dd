/**
 * Sockets that sent more than is handled at once wait here. In each turn of the event loop some of them get theirs, first
 * come, first served; what all of them together do in a turn is bounded, so that everybody else is served in between.
 *
 * @typedef {object} Waiting
 * @property {() => number} takeTurn gives the work that was done. Whoever needs another turn asks for it.
 *
 * @typedef {ReturnType<typeof createTurnQueue>} TurnQueue
 */

/** @param {number} workPerTurn once as much is done, the others wait for the next turn */
export function createTurnQueue(workPerTurn) {
  /** @type {Waiting[]} */
  let waiting = [];
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(runTurn);
  };

  const runTurn = () => {
    isScheduled = false;
    const due = waiting;
    waiting = [];
    let servedCount = 0;
    for (let work = 0; servedCount < due.length && work < workPerTurn; servedCount++) {
      work += due[servedCount].takeTurn();
    }
    if (servedCount < due.length) waiting = due.slice(servedCount).concat(waiting);
    if (waiting.length > 0) schedule();
  };

  return {
    /** @param {Waiting} socket that does not wait yet */
    add(socket) {
      waiting.push(socket);
      schedule();
    },
  };
}
