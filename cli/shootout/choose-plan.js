/**
 * The plan of a run: one that is repeated, or one made for the way to the server.
 */
import { parseField } from '../../core/experiment/fields.js';
import { createPlan, FIELDS, parsePlan, USUAL_TRANSPORTS } from '../../core/experiments/shootout/plan.js';
import { createSeed } from '../../core/base/random.js';
import { NODE_TRANSPORTS, USUAL_NODE_TRANSPORTS } from '../net/transports.js';
import { UsageError } from '../program/errors.js';
import { readPlanQuery } from '../program/plan-query.js';

/**
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { Options } from './options.js'
 */

/** @typedef {(roundTripMs: number) => Plan} PlanMaker */

/**
 * Reads and checks all that can be before the server is asked.
 *
 * @param {Options} options
 * @returns {Promise<PlanMaker>}
 * @throws {UsageError | RangeError} what, expected, got
 */
export async function choosePlan(options) {
  const { isInBrowser, payloadBytes, preset } = options;
  const transports = chooseTransports(options);
  if (options.plan === undefined) {
    const seed = options.seed ?? createSeed();
    const chosen = transports ?? (isInBrowser ? USUAL_TRANSPORTS : USUAL_NODE_TRANSPORTS);
    return (roundTripMs) =>
      createPlan({ preset, roundTripMs, seed, choices: { payloadBytes, transports: [...chosen] } });
  }
  const query = await readPlanQuery(options.plan, { fields: FIELDS, experiment: 'shootout' });
  if (transports) query.set('transports', transports.join(','));
  if (payloadBytes !== undefined) query.set('payload', String(payloadBytes));
  if (options.seed !== undefined) query.set('seed', String(options.seed));
  const plan = parseQuery(query);
  if (!isInBrowser) checkNode(plan);
  return () => plan;
}

/** @param {Options} options */
function chooseTransports({ transports, isInBrowser }) {
  if (transports === undefined) return undefined;
  const all = parseField(transports, { ...FIELDS.transports, parameter: '--transports' });
  if (!isInBrowser) checkNode({ transports: all });
  return all;
}

/** @param {URLSearchParams} query */
function parseQuery(query) {
  const plan = parsePlan(query);
  if (plan) return plan;
  throw new UsageError('--plan: expected a link with a plan, got one without');
}

/** @param {{ transports: readonly string[] }} plan */
function checkNode({ transports }) {
  const others = transports.filter((name) => !NODE_TRANSPORTS.includes(name));
  if (others.length === 0) return;
  throw new UsageError(
    `transports: expected only ${NODE_TRANSPORTS.join(', ')} without --browser, got ${others.join(', ')}; add --browser, or choose others by --transports`,
  );
}
