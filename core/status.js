const LIMIT_MS = 5000;

/**
 * What the server says of itself, before and after a run.
 *
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url of `/status`
 * @returns {Promise<import('./result.js').Status | undefined>} absent where it could not be asked
 */
export async function readStatus(fetch, url) {
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MS) });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
