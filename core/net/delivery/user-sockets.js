import { sleep } from '../../base/async.js';
import { watchSocket } from '../sockets.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { ExchangeError } from '../exchange-error.js'
 * @import { Socket } from '../sockets.js'
 */

/** A server that is gone says no more that a socket is closed. */
const CLOSE_LIMIT_MS = 2000;

/**
 * A user's sockets, so that none is left open behind a trial.
 *
 * @param {Timers} timers
 * @returns {{ add(socket: Socket, listeners: { onOpen: () => void, onEnd: (reason: ExchangeError) => void }): void, close():
 *   Promise<void> }} `add` takes one that begins to connect; `close` closes all, and resolves when they are, or after a
 *   limit
 */
export function createUserSockets(timers) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  let onEmpty = () => {};

  return {
    add(socket, { onOpen, onEnd }) {
      sockets.add(socket);
      watchSocket(socket, {
        onOpen,
        onEnd(reason) {
          sockets.delete(socket);
          if (sockets.size === 0) onEmpty();
          onEnd(reason);
        },
      });
    },
    async close() {
      if (sockets.size === 0) return;
      const allClosed = new AbortController();
      onEmpty = () => allClosed.abort();
      const wait = sleep(CLOSE_LIMIT_MS, { signal: allClosed.signal, timers });
      for (const socket of [...sockets]) socket.close();
      await wait;
    },
  };
}
