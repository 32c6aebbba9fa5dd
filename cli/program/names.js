/** Names on the command line: what is meant by one that is wrong, and the experiments by the names in their addresses. */
import { closestMatch } from 'leven';
import { quote } from '../../core/experiment/fields.js';
import { LOADERS } from '../../core/experiments/index.js';
import { UsageError } from './program.js';

/** The most letters by which a name that was meant differs. */
const MAX_DISTANCE = 3;

/**
 * @param {string} command @param {string | undefined} given @param {readonly string[]} names that there are
 * @returns {UsageError} what was expected, what was given, and which was meant
 */
export function wrongName(command, given, names) {
  const near = given && closestMatch(given, names, { maxDistance: MAX_DISTANCE });
  const hint = near ? `. Did you mean “${near}”?` : '';
  return new UsageError(`${command}: expected one of ${names.join(', ')}, got ${quote(given ?? null)}${hint}`);
}

/**
 * Finds an experiment by its name, or by its page's.
 * @param {string} given such as 'in-flight' or 'inflight' @returns {Promise<string | undefined>} its name
 */
export async function findExperimentName(given) {
  if (Object.hasOwn(LOADERS, given)) return given;
  // Only its description has its address.
  const { EXPERIMENTS } = await import('../../core/experiments/all.js');
  return EXPERIMENTS.find(({ path }) => given !== '' && path === `/${given}`)?.name;
}
