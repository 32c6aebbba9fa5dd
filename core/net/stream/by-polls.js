/**
 * Asks for the pieces so far, and again an interval after each answer.
 * @param {string} url of the first request, which begins the stream @param {(pieces: any[]) => void} onPieces gets those of one answer
 * @param {{ nextUrl: (id: string, since: number) => string, wait: () => Promise<void>, fetch?: typeof globalThis.fetch,
 *   signal?: AbortSignal }} options `nextUrl`: of the requests after the first; `wait`: for the interval
 * @returns {Promise<void>} when the last piece has come; rejects if a request failed
 */
export async function streamByPolls(url, onPieces, { nextUrl, wait, fetch = globalThis.fetch, signal }) {
  let since = 0;
  for (let next = url; ;) {
    const response = await fetch(next, { cache: 'no-store', signal });
    if (!response.ok) throw new Error(`The server answered ${response.status}.`, { cause: response.status });
    const { id, pieces } = await response.json();
    if (pieces.length > 0) onPieces(pieces);
    if (pieces.at(-1)?.last) return;
    since += pieces.length;
    await wait();
    signal?.throwIfAborted();
    next = nextUrl(id, since);
  }
}
