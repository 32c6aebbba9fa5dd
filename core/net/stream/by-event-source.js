/**
 * Asks for a stream with an EventSource. It connects again by itself, and tells the server the last event that it has got.
 * @param {string} url @param {(pieces: any[]) => void} onPieces gets one at a time
 * @param {{ EventSource?: typeof globalThis.EventSource, signal?: AbortSignal, onLost?: (isOver: boolean) => void }} [options]
 *   `onLost`: the connection broke; `isOver`: for good
 * @returns {Promise<void>} when the last piece has come; rejects if it does not connect again
 */
export function streamByEventSource(url, onPieces, { EventSource = globalThis.EventSource, signal, onLost } = {}) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(url);
    const end = (/** @type {() => void} */ settle) => {
      source.close();
      settle();
    };
    source.onmessage = ({ data }) => {
      const piece = JSON.parse(data);
      onPieces([piece]);
      // Without this, it would ask for the stream again.
      if (piece.last) end(resolve);
    };
    source.onerror = () => {
      const isOver = source.readyState === EventSource.CLOSED;
      onLost?.(isOver);
      if (isOver) end(() => reject(new Error('The event stream was refused.')));
    };
    signal?.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true });
  });
}
