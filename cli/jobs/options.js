/**
 * The words of `npm run jobs`, checked one by one.
 */
import {
  formatJobsPlan,
  NUMBERS,
  parseJobsPlan,
  USUAL_INTERVALS,
  USUAL_WAYS,
} from '../../core/experiments/jobs/plan.js';
import { parseNumber } from '../../core/experiment/plan-link.js';
import { WAY_LABELS } from '../../core/net/delivery/labels.js';
import { UsageError } from '../program/errors.js';
import { parseFormat, parseOrigin } from '../shootout/options.js';
import { readPlan } from '../program/plan-options.js';
import { FLAG, readWords, TEXT } from '../program/read-words.js';

/** @import { JobsPlan } from '../../core/experiments/jobs/plan.js' */

const { users, jobs, leastMs, mostMs, limitMs } = NUMBERS;

export const HELP = `usage: npm run jobs -- [options]

Measures how users learn that their jobs are done, by polling or by being told: how late, for how many requests and bytes,
and for how much of the server's CPU. Prints the answer in words, with all that it rests on.

  --url URL             the site: http://HOST:PORT or https://HOST; without it a server of its own, on this machine
  --users N             each with connections of its own; by default ${users.usual}
  --jobs N              of each user, all at once; by default ${jobs.usual}
  --least MS            that a job takes; by default ${leastMs.usual}
  --most MS             by default ${mostMs.usual}; between the two at random
  --interval MS,...     of polling, each a trial of its own; by default ${USUAL_INTERVALS.join(',')}
  --ways A,B,...        of ${Object.keys(WAY_LABELS).join(', ')};
                        by default ${USUAL_WAYS.join(',')}
  --limit MS            a job that is not told of so long after it was made is late; by default ${limitMs.usual}
  --seed N              of the durations, and of the order of the trials
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
const MOST_USERS = Object.freeze({ parameter: '--most-users', least: 1, most: 100_000, usual: 3200 });

/** As what the parameters of a plan's link stand here. */
const PLAN_OPTIONS = Object.freeze({
  users: 'users',
  jobs: 'jobs',
  least: 'least',
  most: 'most',
  intervals: 'interval',
  ways: 'ways',
  limit: 'limit',
  seed: 'seed',
});

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
 * @throws {UsageError | RangeError} what, expected, got
 */
export async function parseJobsOptions(words) {
  const values = parseWords(words);
  if (values.help) return undefined;
  const format = parseFormat(values);
  return {
    origin: values.url === undefined ? undefined : parseOrigin(values.url),
    plan: await parsePlan(values),
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
    users: TEXT,
    jobs: TEXT,
    least: TEXT,
    most: TEXT,
    interval: TEXT,
    ways: TEXT,
    limit: TEXT,
    seed: TEXT,
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
 * @returns {Promise<JobsPlan>}
 */
function parsePlan(values) {
  const given = Object.entries(PLAN_OPTIONS).map(([parameter, option]) => [
    parameter,
    values[/** @type {keyof Values} */ (option)],
  ]);
  return readPlan(Object.fromEntries(given), {
    plan: values.plan,
    subject: 'jobs',
    names: PLAN_OPTIONS,
    parsePlan: parseJobsPlan,
    queryOf,
  });
}

/** @param {string} json of a run */
async function queryOf(json) {
  const [valibot, { parseDocument }, { jobs }] = await Promise.all([
    import('valibot'),
    import('../../core/experiment/documents/parse-document.js'),
    import('../../core/experiments/jobs/index.js'),
  ]);
  return formatJobsPlan(parseDocument(json, valibot, jobs).plan);
}

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
  return parseNumber(text ?? null, MOST_USERS);
}
