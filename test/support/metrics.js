/**
 * Reads a figure of worker 0; 0 where it has none yet.
 *
 * @param {{ origin: string }} server
 * @param {string} pattern of a metric's name and its labels but the worker's
 * @returns {Promise<number>}
 */
export async function readMetric({ origin }, pattern) {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(new RegExp(`^sockshootout_${pattern},?worker="0"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

/** @param {{ origin: string }} server @param {string} transport as it is counted */
export const countOpen = (server, transport) => readMetric(server, `sessions_open\\{transport="${transport}",`);

/** @param {{ origin: string }} server @param {string} code */
export const countErrors = (server, code) => readMetric(server, `errors_total\\{code="${code}",`);
