/**
 * Asks for a stream by a message over an open connection, which may carry several: each has a tag.
 * @param {{ send: (message: any) => void, listeners: Map<string, (piece: any, error?: Error) => void> }} connection `listeners`: of each
 *   stream that is under way, by its tag; they get the error by which the connection ended
 * @param {{ tag: string } & Record<string, any>} ask @param {(pieces: any[]) => void} onPieces gets one at a time
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<void>} when the last piece has come; rejects if the connection broke
 */
export function streamBySocket({ send, listeners }, ask, onPieces, { signal } = {}) {
  return new Promise((resolve, reject) => {
    const end = (/** @type {() => void} */ settle) => {
      listeners.delete(ask.tag);
      settle();
    };
    send(JSON.stringify(ask));
    listeners.set(ask.tag, (piece, error) => {
      try {
        if (error) throw error;
        onPieces([piece]);
        if (piece.last) end(resolve);
      } catch (failure) {
        end(() => reject(failure));
      }
    });
    signal?.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true });
  });
}
