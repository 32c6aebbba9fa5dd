/**
 * An experiment's plan from the command line: that of `--plan`, where there is one; the options beside it go before it.
 */
import { createSeed } from '../../core/base/random.js';
import { UsageError } from './errors.js';
import { readPlanQuery } from './plan-query.js';

/**
 * @template P
 * @param {Record<string, string | undefined>} given what stood on the command line, by parameter of a plan's link
 * @param {object} options
 * @param {string} [options.plan] what stood after `--plan`
 * @param {string} options.subject what the plan is of
 * @param {Readonly<Record<string, string>>} options.names as what the parameters stand on the command line
 * @param {(query: URLSearchParams, options: { seed: number }) => P | undefined} options.parsePlan absent where the query is
 *   about no plan; throws a RangeError that begins with the parameter
 * @param {(json: string) => Promise<string>} options.queryOf a run's; rejects with a RangeError where it is none
 * @returns {Promise<P>}
 * @throws {UsageError | RangeError} what, expected, got
 */
export async function readPlan(given, { plan, subject, names, parsePlan, queryOf }) {
  const seed = createSeed();
  const query =
    plan === undefined ? new URLSearchParams() : await readPlanQuery(plan, { parameters: Object.keys(names), queryOf });
  if (plan !== undefined && !parsePlan(query, { seed })) {
    throw new UsageError(`--plan: expected a link with a plan of ${subject}, got one without`);
  }
  for (const [parameter, text] of Object.entries(given)) if (text !== undefined) query.set(parameter, text);
  // A link that says nothing is about no plan.
  if (!query.has('seed')) query.set('seed', String(seed));
  try {
    return /** @type {P} */ (parsePlan(query, { seed }));
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new RangeError(nameOption(message, { given, names }), { cause: error });
  }
}

/**
 * @param {string} message that begins with a parameter
 * @param {{ given: Record<string, string | undefined>, names: Readonly<Record<string, string>> }} options
 * @returns {string} with the option in its place, where it stood on the command line
 */
function nameOption(message, { given, names }) {
  const [parameter] = message.split(':', 1);
  if (given[parameter] === undefined) return message;
  return `--${names[parameter]}${message.slice(parameter.length)}`;
}
