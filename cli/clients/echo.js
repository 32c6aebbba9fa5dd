/** The client of experiments that echo messages and have no client of their own. */
import { probeEcho } from '../net/probe.js';
import { createTransports } from '../net/transports.js';

/** @import { NodeClient, Requested } from './index.js' */

/** Leaves the plan as it is, once the server has answered. @param {Requested} requested */
async function fitPlan(requested) {
  const roundTripMs = await probeEcho(requested);
  return roundTripMs === undefined ? undefined : { plan: requested.plan, roundTripMs };
}

/** @param {{ baseUrl: string, plan: any }} run */
const prepareRun = async ({ baseUrl, plan }) => ({ transports: await createTransports(baseUrl, plan.transports) });

/** @type {NodeClient} */
export const client = { fitPlan, prepareRun };
