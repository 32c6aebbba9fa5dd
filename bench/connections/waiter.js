/** @import { EventEmitter } from 'node:events' */

/**
 * One answer at a time, for a connection that has one message under way.
 *
 * @param {EventEmitter} socket once it has failed or was closed, every further answer is rejected
 * @returns {{ next(): Promise<number>, resolve(count: number): void }}
 */
export function createWaiter(socket) {
  /** @type {{ resolve: (count: number) => void, reject: (error: Error) => void } | undefined} */
  let waiting;
  /** @type {Error | undefined} */
  let failure;
  const fail = (/** @type {Error} */ error) => {
    failure ??= error;
    waiting?.reject(failure);
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection')));

  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure);
        else waiting = { resolve, reject };
      }),
    resolve: (count) => waiting?.resolve(count),
  };
}
