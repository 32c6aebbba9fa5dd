/** The home page's run: its plan is made for the round trip to the server, unless one is repeated. */
import { parseGiven } from '../../core/experiment/plan/fields.js';
import { createPlan, estimateDurationMs, FIELDS, parsePreset } from '../../core/experiments/shootout/plan.js';
import { probeEcho } from '../net/probe.js';
import { client as echo } from './echo.js';

/**
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { NodeClient } from './index.js'
 * @typedef {Partial<Plan> & { seed: number, preset?: string }} Request `preset`: absent for a plan that is whole
 */

/** @type {NodeClient} */
export const client = {
  ...echo,
  /** @returns {Request} */
  parseRequest: (query, { seed }) => ({ seed, ...parseGiven(query, FIELDS), preset: parsePreset(query) ?? 'standard' }),
  async fitPlan(requested) {
    const roundTripMs = await probeEcho(requested);
    return roundTripMs === undefined ? undefined : completePlan(requested.plan, roundTripMs);
  },
};

/**
 * @param {Request} request @param {number} roundTripMs over HTTP
 * @returns {{ plan: Plan, text: string }} and how long it takes
 */
export function completePlan({ preset, seed, ...choices }, roundTripMs) {
  const plan = preset ? createPlan({ preset, roundTripMs, seed, choices }) : /** @type {Plan} */ ({ ...choices, seed });
  const seconds = Math.max(1, Math.round(estimateDurationMs(plan, roundTripMs) / 1000));
  return { plan, text: `About ${seconds} s.` };
}
