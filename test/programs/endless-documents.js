/** In place of what reads documents in a thread: a document that is empty never ends, and others do at once. */

/** @param {{ body: Uint8Array }} given */
export function check({ body }) {
  while (body.length === 0);
  return { done: body.length };
}
