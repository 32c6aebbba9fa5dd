import { UsageError } from '../program/errors.js';

/**
 * @template T
 * @param {(options: { now: () => number, signal: AbortSignal }) => Promise<T>} probe asks the server for something
 * @param {{ origin: string, expected: string, signal: AbortSignal }} options `expected`: what it answers with
 * @returns {Promise<T | undefined>} absent where it was cancelled
 * @throws {UsageError} where the server does not answer
 */
export async function probeServer(probe, { origin, expected, signal }) {
  try {
    return await probe({ now: () => performance.now(), signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    const { message } = /** @type {Error} */ (error);
    throw new UsageError(`--url: expected a SockShootout at ${origin}, got no ${expected} from there: ${message}`);
  }
}
