/**
 * Follows a stream until its last piece: where the connection breaks, asks for the rest a second later.
 * @param {(rest: { id: string, since: number } | undefined, onPieces: (pieces: any[]) => void) => Promise<void>} ask for a new stream, or
 *   for the rest of one @param {(pieces: any[]) => void} onPieces
 * @param {{ wait: (ms: number) => Promise<void>, onLost: () => void, isFinal: (error: unknown) => boolean }} options `isFinal`: would it
 *   be in vain to ask again?
 * @returns {Promise<void>} rejects if nothing came at all, or with a final error
 */
export async function streamResuming(ask, onPieces, { wait, onLost, isFinal }) {
  /** @type {{ id: string, since: number } | undefined} */
  let rest;
  let isOver = false;
  const take = (/** @type {any[]} */ pieces) => {
    onPieces(pieces);
    const { n, last } = pieces[pieces.length - 1];
    rest = { id: rest?.id ?? pieces[0].id, since: n + 1 };
    isOver = last === true;
  };
  for (;;) {
    const error = await ask(rest, take).catch((reason) => reason);
    if (isOver) return;
    if (error && (!rest || isFinal(error))) throw error;
    onLost();
    await wait(1000);
  }
}
