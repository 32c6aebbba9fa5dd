/** What is asked of a server before a run: does it answer as one of ours, and how long does that take? */
import { probe } from '../../core/net/probe.js';
import { UsageError } from '../program/program.js';
import { createTransports } from './transports.js';

/** @import { Now } from '../../core/base/clock.js' */

const now = () => performance.now();

/**
 * @template T @param {(options: { now: Now, signal: AbortSignal }) => Promise<T>} ask asks the server for something
 * @param {{ origin: string, expected: string, signal: AbortSignal }} options `expected`: what it answers with
 * @returns {Promise<T | undefined>} absent where it was cancelled @throws {UsageError} where the server does not answer
 */
export async function probeServer(ask, { origin, expected, signal }) {
  try {
    return await ask({ now, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    const { message } = /** @type {Error} */ (error);
    throw new UsageError(`--url: expected a SockShootout server at ${origin}, got no ${expected}: ${message}`);
  }
}

/**
 * @param {{ origin: string, plan: { payloadBytes?: number }, signal: AbortSignal }} options
 * @returns {Promise<number | undefined>} what a message takes, about, in ms; absent where it was cancelled
 * @throws {UsageError} where the server does not answer
 */
export async function probeEcho({ origin, plan: { payloadBytes = 0 }, signal }) {
  const { fetch } = await createTransports(origin, ['fetch']);
  return probeServer(() => probe(fetch, now, { payloadBytes, signal }), { origin, expected: 'echo', signal });
}
