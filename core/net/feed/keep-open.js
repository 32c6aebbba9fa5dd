/**
 * @import { Timers } from '../../base/async.js'
 * @typedef {{ onOpen(): void, onClose(): void }} Life
 */

/**
 * Keeps a connection open: opens another 1 s after a close, then after twice as long each time, up to 30 s. Chance spreads the
 * clients that a server lost at once.
 * @param {(life: Life) => () => void} open begins to connect, and returns what gives the connection up
 * @param {{ firstMs?: number, maxMs?: number, timers?: Timers, random?: () => number }} [options]
 * @returns {() => void} ends it
 */
export function keepOpen(open, { firstMs = 1000, maxMs = 30_000, timers = globalThis, random = Math.random } = {}) {
  let waitMs = firstMs;
  /** @type {any} */
  let timer;
  let giveUp = () => {};
  const connect = () => {
    giveUp = open({
      onOpen: () => (waitMs = firstMs),
      onClose() {
        timer = timers.setTimeout(connect, waitMs * (0.75 + random() / 2));
        waitMs = Math.min(2 * waitMs, maxMs);
      },
    });
  };
  connect();
  return () => {
    timers.clearTimeout(timer);
    giveUp();
  };
}
