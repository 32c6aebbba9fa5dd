/** Sends a large message in chunks, two at a time: a small message on the same socket waits for no more than these. */

/** One is on its way while the acknowledgement of the other comes back. */
const CHUNKS_UNDER_WAY = 2;

/**
 * @example
 * const chunks = createChunkWindow({ bytes: data.byteLength, chunkBytes: 65_536 }, (from, bytes) =>
 *   socket.send(data.slice(from, from + bytes)),
 * );
 * socket.onmessage = (event) => chunks.onArrival(JSON.parse(event.data).received);
 * chunks.begin(() => console.log('All has arrived.'));
 * // The receiver, of each chunk:
 * socket.send(JSON.stringify({ received: chunk.byteLength }));
 *
 * @param {{ bytes: number, chunkBytes: number, isEnough?: () => boolean }} options `isEnough`: may the rest stay unsent?
 * @param {(from: number, bytes: number) => void} send sends, or requests, the chunk of so many bytes that begins at `from`
 */
export function createChunkWindow({ bytes, chunkBytes, isEnough = () => false }, send) {
  let sentBytes = 0;
  let arrivedBytes = 0;
  let onEnd = () => {};
  const sendNext = () => {
    if (sentBytes >= bytes || (sentBytes > 0 && isEnough())) return;
    const from = sentBytes;
    sentBytes += Math.min(chunkBytes, bytes - from);
    send(from, sentBytes - from);
  };
  return {
    sentBytes: () => sentBytes,
    arrivedBytes: () => arrivedBytes,
    /** @param {() => void} onArrived is called when all that was sent has arrived */
    begin(onArrived) {
      onEnd = onArrived;
      for (let i = 0; i < CHUNKS_UNDER_WAY; i++) sendNext();
    },
    /** @param {number} count bytes that the receiver has, by its acknowledgement or because they were requested */
    onArrival(count) {
      arrivedBytes += count;
      sendNext();
      if (arrivedBytes >= sentBytes) onEnd();
    },
  };
}
