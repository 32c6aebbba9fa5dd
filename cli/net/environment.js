/**
 * With what a run from Node is made.
 *
 * @param {{ origin: string }} site
 */
export function environmentOf({ origin }) {
  return { url: `${origin}/`, userAgent: `Node.js ${process.version}`, isCrossOriginIsolated: false };
}
