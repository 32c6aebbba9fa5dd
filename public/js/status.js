const LIMIT_MS = 5000;

/**
 * What the server says of itself, before and after a run.
 *
 * @returns {Promise<import('../core/result.js').Status | undefined>} absent where it could not be asked
 */
export async function readStatus() {
  try {
    const response = await fetch('/status', { cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MS) });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
