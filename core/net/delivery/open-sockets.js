/**
 * @import { Timers } from '../../base/sleep.js'
 * @import { JobSocket } from './index.js'
 */

/** A server that is gone says no more that a socket is closed. */
const CLOSE_LIMIT_MS = 2000;

/**
 * A user's sockets, so that none is left open behind a trial.
 *
 * @param {Timers} timers
 * @returns {{ add(socket: JobSocket): void, delete(socket: JobSocket): void, close(): Promise<void> }} `delete` to be
 *   called when one is closed; `close` closes all, and resolves when they are, or after a limit
 */
export function createOpenSockets(timers) {
  /** @type {Set<JobSocket>} */
  const sockets = new Set();
  /** @type {(() => void) | undefined} */
  let onEmpty;

  return {
    add: (socket) => sockets.add(socket),
    delete(socket) {
      sockets.delete(socket);
      if (sockets.size === 0) onEmpty?.();
    },
    close: () =>
      new Promise((resolve) => {
        if (sockets.size === 0) {
          resolve();
          return;
        }
        const timer = timers.setTimeout(resolve, CLOSE_LIMIT_MS);
        onEmpty = () => {
          timers.clearTimeout(timer);
          resolve();
        };
        for (const socket of [...sockets]) socket.close();
      }),
  };
}
