/** The options of a stress test, in addition to those of the experiment whose jobs it creates. */
import { integer, parseField } from '../../core/experiment/fields.js';
import { FLAG, TEXT, UsageError } from '../program/program.js';

const MAX_USERS = integer({ parameter: '--max-users', label: '', min: 1, max: 100_000, default: 3200 });

export const STRESS_ARGS = { stress: FLAG, 'max-users': TEXT };

export const STRESS_HELP = `  --stress              measure instead how many users each delivery method supports: add users until more than 1% of
                        the jobs are late or fail
  --max-users N         maximum number of users with --stress; default: ${MAX_USERS.default}`;

/**
 * @param {Record<string, any>} values @returns {number | undefined} the maximum of users; absent without a stress test
 */
export function parseStress({ stress: isStress = false, csv, markdown, browser, ...values }) {
  const [name, other] = ['max-users', 'most-users'].filter((one) => values[one] !== undefined);
  if (other) throw new UsageError(`Use only one of --${name} and --${other}`);
  if (!isStress && name) throw new UsageError(`--${name} needs --stress`);
  if (!isStress) return undefined;
  const given = [csv && '--csv', markdown && '--markdown', browser && '--browser', values['fail-if'] && '--fail-if'];
  const wrong = given.find(Boolean);
  if (wrong) throw new UsageError(`--stress cannot be used with ${wrong}`);
  return parseField(values[name] ?? null, MAX_USERS);
}
