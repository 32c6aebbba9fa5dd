/**
 * The words of `npm run jobs`, checked one by one.
 */
import { integer, parseField } from '../../core/experiment/fields.js';
import { FIELDS, parseJobsPlan } from '../../core/experiments/jobs/plan.js';
import { UsageError } from '../program/errors.js';
import { parseFormat, parseOrigin } from '../shootout/options.js';
import { formatOptions, givenOf, optionsOf, readPlan } from '../program/plan-options.js';
import { FLAG, readWords, TEXT } from '../program/read-words.js';

/** @import { JobsPlan } from '../../core/experiments/jobs/plan.js' */

export const HELP = `usage: npm run jobs -- [options]

Measures how users learn that their jobs are done, by polling or by being told: how late, for how many requests and bytes,
and for how much of the server's CPU. Prints the answer in words, with all that it rests on.

  --url URL             the site: http://HOST:PORT or https://HOST; without it a server of its own, on this machine
${formatOptions(FIELDS)}
  --plan LINK|FILE      repeats the plan of a link, of a link's query, or of a run's JSON; the options above go before it
  --json, --csv, --markdown
                        prints that instead of a text
  --out FILE            writes it there instead
  --quiet               no progress
  --stress              how many users each way carries, instead: ever more, until more than 1 % of the jobs are late or
                        fail
  --most-users N        where --stress ends; by default 3200
  --help

Ends with 0 when all was measured; with 1 where no job was told of by some way, where the run is not valid, or where Ctrl-C
ended it (what was measured is printed all the same); with 2 where it could not begin. Jobs that were late or failed are in
the result, and are no reason for another code. With --stress it ends with 0 when every way was tried.
`;

/** With --stress. */
const MOST_USERS = integer({ parameter: '--most-users', label: '', min: 1, max: 100_000, default: 3200 });

/**
 * @typedef {object} JobsOptions
 * @property {string} [origin] of the site; absent for a server of its own
 * @property {JobsPlan} plan
 * @property {'text' | 'json' | 'csv' | 'markdown'} format
 * @property {string} [out] a file's name
 * @property {boolean} isQuiet
 * @property {number} [mostUsers] where the stress test ends; absent where there is none
 */

/**
 * @param {string[]} words
 * @returns {Promise<JobsOptions | undefined>} absent where help was asked for
 * @throws {UsageError | InvalidInputError} what, expected, got
 */
export async function parseJobsOptions(words) {
  const values = parseWords(words);
  if (values.help) return undefined;
  const format = parseFormat(values);
  return {
    origin: values.url === undefined ? undefined : parseOrigin(values.url),
    plan: await readPlan(givenOf(values, FIELDS), {
      plan: values.plan,
      subject: 'jobs',
      experiment: 'jobs',
      fields: FIELDS,
      parsePlan: parseJobsPlan,
    }),
    format,
    out: values.out,
    isQuiet: values.quiet ?? false,
    mostUsers: parseMostUsers(values, format),
  };
}

/** @param {string[]} words */
function parseWords(words) {
  return readWords(words, {
    url: TEXT,
    ...optionsOf(FIELDS),
    plan: TEXT,
    json: FLAG,
    csv: FLAG,
    markdown: FLAG,
    out: TEXT,
    stress: FLAG,
    'most-users': TEXT,
    quiet: { ...FLAG, short: 'q' },
    help: { ...FLAG, short: 'h' },
  });
}

/** @typedef {ReturnType<typeof parseWords>} Values */

/**
 * @param {Values} values
 * @param {JobsOptions['format']} format
 */
function parseMostUsers({ stress = false, 'most-users': text }, format) {
  if (!stress && text !== undefined) throw new UsageError('--most-users: expected it beside --stress, got it alone');
  if (!stress) return undefined;
  if (format === 'csv' || format === 'markdown') {
    throw new UsageError(`--stress: expected a text or --json, got --${format}`);
  }
  return parseField(text ?? null, MOST_USERS);
}
