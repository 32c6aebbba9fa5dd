/**
 * Follows a stream until its last piece: where the connection breaks, asks for the rest a second later.
 * @param {(rest: { id: string, since: number } | undefined, onPieces: (pieces: any[]) => void) => Promise<void>} ask for a new stream, or
 *   for the rest of one @param {(pieces: any[]) => void} onPieces
 * @param {{ wait: (ms: number) => Promise<void>, onLost: () => void, signal?: AbortSignal }} options
 * @returns {Promise<void>} rejects if nothing came at all, or the signal's reason
 */
export async function streamResuming(ask, onPieces, { wait, onLost, signal }) {
  /** @type {{ id: string, since: number } | undefined} */
  let rest;
  let isOver = false;
  const take = (/** @type {any[]} */ pieces) => {
    const { n, last } = pieces[pieces.length - 1];
    rest = { id: rest?.id ?? pieces[0].id, since: n + 1 };
    isOver = last === true;
    onPieces(pieces);
  };
  while (!isOver) {
    const failure = await ask(rest, take).catch((error) => error);
    if (isOver) return;
    if (signal?.aborted || !rest) throw failure;
    onLost();
    await wait(1000);
  }
}
