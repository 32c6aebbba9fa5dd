/** Probes a server before a run: whether it is a SockShootout server, and how long a message takes. */
import { probe } from '../../core/net/echo/probe.js';
import { UsageError } from '../program/program.js';
import { findObstacle } from './obstacle.js';
import { createTransports } from './transports.js';

/** @import { Now } from '../../core/base/clock.js' */

const now = () => performance.now();

/**
 * Sends the first request of a run, and explains why a server does not answer it as expected.
 * @template T @param {(options: { now: Now, signal: AbortSignal }) => Promise<T>} ask sends a request to the server
 * @param {{ baseUrl: string, expected: string, signal: AbortSignal }} options `expected`: its answer
 * @returns {Promise<T | undefined>} absent if it was cancelled @throws {UsageError} if the server does not answer
 */
export async function probeServer(ask, { baseUrl, expected, signal }) {
  try {
    return await ask({ now, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    const reason = (await findObstacle(baseUrl)) ?? /** @type {Error} */ (error).message;
    throw new UsageError(`--url: expected a SockShootout server at ${baseUrl}, got no ${expected}: ${reason}`);
  }
}

/**
 * @param {{ baseUrl: string, plan: { payloadBytes?: number }, signal: AbortSignal }} options
 * @returns {Promise<number | undefined>} the approximate time of a message in ms; absent if it was cancelled
 * @throws {UsageError} if the server does not answer
 */
export async function probeEcho({ baseUrl, plan: { payloadBytes = 0 }, signal }) {
  const { fetch } = await createTransports(baseUrl, ['fetch']);
  return probeServer(() => probe(fetch, now, { payloadBytes, signal }), { baseUrl, expected: 'echo', signal });
}
