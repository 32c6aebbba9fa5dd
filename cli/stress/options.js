/** The options of a stress test, in addition to those of the experiment whose jobs it creates. */
import { Option } from 'commander';
import { integerOption } from '../program/command.js';
import { UsageError } from '../program/program.js';

/** @import { Values } from '../program/command.js' */

const MAX_USERS = 100_000;
const DEFAULT_USERS = 3200;

export const STRESS_OPTIONS = [
  new Option(
    '--stress',
    'measure instead how many users each delivery method supports: add users until more than 1% of the jobs are late or fail',
  ).conflicts(['csv', 'markdown', 'browser', 'failIf']),
  integerOption('max-users', `maximum number of users with --stress; default: ${DEFAULT_USERS}`, { max: MAX_USERS }),
];

/**
 * @param {Values} values @returns {number | undefined} the maximum of users; absent without a stress test
 * @throws {UsageError} if it is given without one
 */
export function parseStress({ stress: isStress = false, maxUsers }) {
  if (isStress) return maxUsers ?? DEFAULT_USERS;
  if (maxUsers !== undefined) throw new UsageError('--max-users needs --stress');
  return undefined;
}
