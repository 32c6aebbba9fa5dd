/**
 * Turns for runs that go on side by side, to several servers: one works at a time, and whoever has had a turn waits until
 * all others that ask have had theirs. So a drift of the network meets all of them alike, and none disturbs another.
 *
 * @typedef {<T>(work: () => Promise<T>) => Promise<T>} TakeTurn gives what the work gives
 */

/** For one that has nobody to wait for. @type {TakeTurn} */
export const AT_ONCE = (work) => work();

/** @returns {TakeTurn} for all of them to share */
export function createTurns() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    // One that fails does not keep the others from theirs.
    last = turn.catch(() => {});
    return turn;
  };
}
