/**
 * Asks for a stream with fetch, and hands on the pieces as they come: each is a line of JSON.
 * @param {string} url @param {(pieces: any[]) => void} onPieces gets those of one read
 * @param {{ fetch?: typeof globalThis.fetch, signal?: AbortSignal }} [options]
 * @returns {Promise<void>} when the stream has ended; rejects if the connection broke
 */
export async function streamByFetch(url, onPieces, { fetch = globalThis.fetch, signal } = {}) {
  const response = await fetch(url, { cache: 'no-store', signal });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`, { cause: response.status });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) onPieces(lines.map((line) => JSON.parse(line)));
  }
}
