/**
 * Asks for a stream with an EventSource. It connects again by itself, and tells the server the last event that it has got.
 * @param {string} url @param {(pieces: any[]) => void} onPieces gets one at a time
 * @param {{ EventSource?: typeof globalThis.EventSource, signal?: AbortSignal, onLost?: () => void }} [options] `onLost`: it connects again
 * @returns {Promise<void>} when the last piece has come; rejects if the server refused it
 */
export function streamByEventSource(url, onPieces, { EventSource = globalThis.EventSource, signal, onLost } = {}) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(url);
    const end = (/** @type {() => void} */ settle) => {
      source.close();
      settle();
    };
    source.onmessage = ({ data }) => {
      try {
        const piece = JSON.parse(data);
        onPieces([piece]);
        // Without this, it would ask for the stream again.
        if (piece.last) end(resolve);
      } catch (error) {
        end(() => reject(error));
      }
    };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) onLost?.();
      else end(() => reject(new Error('The server refused the event stream.', { cause: 'refused' })));
    };
    signal?.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true });
  });
}
