import { probe } from '../../core/net/probe.js';
import { UsageError } from '../program/errors.js';

/** @import { Transport } from '../../core/net/echo/index.js' */

/**
 * @param {Transport} transport
 * @param {{ origin: string, payloadBytes: number, signal: AbortSignal }} options
 * @returns {Promise<number | undefined>} what a message takes, about, in ms; absent where it was cancelled
 * @throws {UsageError} where the server does not answer
 */
export async function lookAround(transport, { origin, payloadBytes, signal }) {
  try {
    return await probe(transport, () => performance.now(), { payloadBytes, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    const { message } = /** @type {Error} */ (error);
    throw new UsageError(`--url: expected a SockShootout at ${origin}, got no echo from there: ${message}`);
  }
}
