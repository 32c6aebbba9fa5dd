/**
 * The words of `npm run payload`, checked one by one.
 */
import { BUDGETS } from '../../core/experiments/payload/budget.js';
import { names, parseField } from '../../core/experiment/fields.js';
import { FIELDS, parsePayloadPlan, PUBLISHED } from '../../core/experiments/payload/plan.js';
import { NODE_CARRIERS } from '../net/carriers.js';
import { UsageError } from '../program/errors.js';
import { parseFormat, parseOrigin } from '../shootout/options.js';
import { formatOptions, givenOf, optionsOf, readPlan } from '../program/plan-options.js';
import { FLAG, readWords, TEXT } from '../program/read-words.js';

/** @import { PayloadPlan } from '../../core/experiments/payload/plan.js' */

const transports = names({ ...FIELDS.transports, help: 'ajax with --browser only' });

export const HELP = `usage: npm run payload -- [options]

Measures how long a message takes, by its size: up, down and both ways, by each of several transports. Prints in words
where the winner changes, with all that it rests on.

  --url URL             the site: http://HOST:PORT or https://HOST; without it a server of its own, on this machine
${formatOptions({ ...FIELDS, transports })}
  --published           as the published figures were made, instead: few messages, back-to-back, twice, the better taken
  --budget-mb N         sizes that take more than this many megabytes, to and fro, are struck out, the largest first;
  --budget-s N          or more than about this many seconds. By default ${BUDGETS.megabytes.default} and ${BUDGETS.seconds.default} with --url and without --plan, else
                        without a limit
  --plan LINK|FILE      repeats the plan of a link, of a link's query, or of a run's JSON; the options above go before it
  --browser             measures in a Chromium, on the site's own page, AJAX included
  --json, --csv, --markdown
                        prints that instead of a text
  --out FILE            writes it there instead
  --quiet               no progress
  --help

Ends with 0 when every message was answered; with 1 where one was not, or the run was cancelled; with 2 where it could not
begin. Ctrl-C ends the run and keeps what was measured.
`;

/** Of a sweep alone. */
const SWEEP_OPTIONS = /** @type {const} */ (['repeats', 'seed']);

/**
 * @typedef {object} Budget what a run may cost; no limit where one is absent
 * @property {number} [bytes]
 * @property {number} [ms]
 *
 * @typedef {object} PayloadOptions
 * @property {string} [origin] of the site; absent for a server of its own
 * @property {PayloadPlan} plan
 * @property {Budget} budget
 * @property {'text' | 'json' | 'csv' | 'markdown'} format
 * @property {string} [out] a file's name
 * @property {boolean} isInBrowser
 * @property {boolean} isQuiet
 */

/**
 * @param {string[]} words
 * @returns {Promise<PayloadOptions | undefined>} absent where help was asked for
 * @throws {UsageError | InvalidInputError} what, expected, got
 */
export async function parsePayloadOptions(words) {
  const values = parseWords(words);
  if (values.help) return undefined;
  return {
    origin: values.url === undefined ? undefined : parseOrigin(values.url),
    plan: await parsePlan(values),
    budget: parseBudget(values),
    format: parseFormat(values),
    out: values.out,
    isInBrowser: values.browser ?? false,
    isQuiet: values.quiet ?? false,
  };
}

/** @param {string[]} words */
function parseWords(words) {
  return readWords(words, {
    url: TEXT,
    ...optionsOf(FIELDS),
    published: FLAG,
    'budget-mb': TEXT,
    'budget-s': TEXT,
    plan: TEXT,
    browser: FLAG,
    json: FLAG,
    csv: FLAG,
    markdown: FLAG,
    out: TEXT,
    quiet: { ...FLAG, short: 'q' },
    help: { ...FLAG, short: 'h' },
  });
}

/** @typedef {ReturnType<typeof parseWords>} Values */

/** @param {Values} values */
async function parsePlan(values) {
  const { published = false, browser = false } = values;
  const usualTransports = values.plan === undefined && !browser ? NODE_CARRIERS.join(',') : undefined;
  const given = givenOf(values, FIELDS);
  given.transports ??= usualTransports;
  if (published) given.preset = PUBLISHED;
  const plan = await readPlan(given, {
    plan: values.plan,
    subject: 'sizes',
    experiment: 'payload',
    fields: FIELDS,
    parsePlan: parsePayloadPlan,
  });
  if (!browser) checkNode(plan);
  const superfluous = plan.preset && SWEEP_OPTIONS.find((name) => given[name] !== undefined);
  if (superfluous) {
    throw new UsageError(`--${superfluous}: expected none for a run as published, which has its own, got one`);
  }
  return plan;
}

/** @param {{ transports: readonly string[] }} plan */
function checkNode({ transports }) {
  const others = transports.filter((name) => !NODE_CARRIERS.includes(name));
  if (others.length === 0) return;
  throw new UsageError(
    `transports: expected only ${NODE_CARRIERS.join(', ')} without --browser, got ${others.join(', ')}; add --browser, or choose others by --transports`,
  );
}

/**
 * @param {Values} values
 * @returns {Budget}
 */
function parseBudget({ url, plan, 'budget-mb': megabytes, 'budget-s': seconds }) {
  const isOpen = url === undefined || plan !== undefined;
  /** @type {(text: string | undefined, field: typeof BUDGETS.seconds) => number | undefined} */
  const parse = (text, field) => (text === undefined && isOpen ? undefined : parseField(text ?? null, field));
  const most = {
    megabytes: parse(megabytes, { ...BUDGETS.megabytes, parameter: '--budget-mb' }),
    seconds: parse(seconds, { ...BUDGETS.seconds, parameter: '--budget-s' }),
  };
  return {
    bytes: most.megabytes && 1e6 * most.megabytes,
    ms: most.seconds && 1000 * most.seconds,
  };
}
