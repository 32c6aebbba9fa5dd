/**
 * Asks for a stream by a message over an open connection, which may carry several: each has a tag.
 * @param {{ send: (message: any) => void, isOpen: boolean, listeners: Map<string, (piece: any, error?: Error) => void> }} connection `listeners`: of each
 *   stream that is under way, by its tag; they get the error by which the connection ended
 * @param {{ tag: string } & Record<string, any>} ask @param {(pieces: any[]) => void} onPieces gets one at a time
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<void>} when the last piece has come; rejects if the connection broke. Where its reader gives up, it asks the server to stop
 */
export function streamBySocket(connection, ask, onPieces, { signal } = {}) {
  const { send, listeners } = connection;
  return new Promise((resolve, reject) => {
    const end = (/** @type {() => void} */ settle) => {
      listeners.delete(ask.tag);
      settle();
    };
    const giveUp = (/** @type {unknown} */ reason) => {
      if (!listeners.has(ask.tag)) return;
      end(() => reject(reason));
      if (connection.isOpen) send(JSON.stringify({ stop: ask.tag }));
    };
    send(JSON.stringify(ask));
    listeners.set(ask.tag, (piece, error) => {
      if (error) return end(() => reject(error));
      try {
        onPieces([piece]);
      } catch (failure) {
        return giveUp(failure);
      }
      return piece.last && end(resolve);
    });
    signal?.addEventListener('abort', () => giveUp(signal.reason), { once: true });
  });
}
