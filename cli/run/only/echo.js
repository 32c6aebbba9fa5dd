/**
 * What all experiments have in common whose trials echo messages by a transport.
 */
import { probe } from '../../../core/net/probe.js';
import { probeServer } from '../../net/probe-server.js';
import { createTransports, NODE_TRANSPORTS, USUAL_NODE_TRANSPORTS } from '../../net/transports.js';

/** @import { Begun } from './index.js' */

/**
 * @param {{ origin: string, plan: { payloadBytes?: number }, signal: AbortSignal }} options
 * @returns {Promise<number | undefined>} what a message takes, about, in ms; absent where it was cancelled
 * @throws {UsageError} where the server does not answer
 */
export async function probeEcho({ origin, plan: { payloadBytes = 0 }, signal }) {
  const { fetch } = await createTransports(origin, ['fetch']);
  return probeServer(({ now }) => probe(fetch, now, { payloadBytes, signal }), { origin, expected: 'echo', signal });
}

export const echo = Object.freeze({
  transports: NODE_TRANSPORTS,
  defaultTransports: USUAL_NODE_TRANSPORTS,
  probe: probeEcho,
  /** @param {Pick<Begun, 'origin' | 'plan'>} run */
  createMeans: async ({ origin, plan }) => ({ transports: await createTransports(origin, plan.transports) }),
});
