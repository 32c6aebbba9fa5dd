/**
 * Asks for a stream of events with fetch, as many SDKs do, and hands on what each event has.
 * @param {string} url @param {(pieces: any[]) => void} onPieces gets those of one read
 * @param {{ createParser: typeof import('eventsource-parser').createParser, fetch?: typeof globalThis.fetch,
 *   signal?: AbortSignal }} options `createParser`: of the package eventsource-parser
 * @returns {Promise<void>} when the stream has ended; rejects if the connection broke
 */
export async function streamByFetchEvents(url, onPieces, { createParser, fetch = globalThis.fetch, signal }) {
  const response = await fetch(url, { cache: 'no-store', headers: { Accept: 'text/event-stream' }, signal });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`, { cause: response.status });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  /** @type {any[]} */
  let pieces = [];
  const parser = createParser({ onEvent: ({ data }) => pieces.push(JSON.parse(data)) });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pieces = [];
    parser.feed(decoder.decode(value, { stream: true }));
    if (pieces.length > 0) onPieces(pieces);
  }
}
