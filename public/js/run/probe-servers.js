import { probe } from '../../../core/net/probe.js';
import { reachServer } from '../../../core/net/http.js';
import { describeError } from '../../../core/experiment/faults.js';
import { createTransports } from './page-transports.js';

/**
 * @import { Now } from '../../../core/base/clock.js'
 * @import { MeasuredServer } from './measure-here.js'
 */

/**
 * @param {readonly MeasuredServer[]} servers @param {object} options
 * @param {Now} options.now
 * @param {number} options.payloadBytes in each message
 * @param {AbortSignal} options.signal of a look that another one has made needless
 * @returns {Promise<{ roundTripsMs: number[], problems: { server: MeasuredServer, reason: string }[] }>} of those that
 *   answer; why others cannot be measured
 */
export async function probeServers(servers, { now, payloadBytes, signal }) {
  /** @type {number[]} */
  const roundTripsMs = [];
  const problems = [];
  for (const server of servers) {
    try {
      await reachServer(fetch, `${server.origin}/status`, signal);
      roundTripsMs.push(await probe(createTransports({}, server.origin).xhr, now, { payloadBytes, signal }));
    } catch (error) {
      problems.push({ server, reason: describeError(error) });
    }
  }
  return { roundTripsMs, problems };
}
