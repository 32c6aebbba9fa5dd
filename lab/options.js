/**
 * The words of `npm run lab`, checked one by one.
 */
import { parseArgs } from 'node:util';
import { UsageError } from '../cli/program/errors.js';
import { parseIterations } from '../core/experiments/classic/measure.js';
import { formatConditions } from './format-conditions.js';
import { rangesOf } from './link.js';
import { PROFILES } from './profiles.js';

/** @import { Conditions } from './link.js' */

const DEFAULT_ITERATIONS = '10,100,1000';

export const HELP = `usage: sudo npm run lab -- --rtt MS [options]
       sudo npm run lab -- --profile NAME [options]

Makes the tables of 2012 on this machine: the site's own /ajaxtest and /socktest, opened in a Chromium, first with no
distance between it and the server, then with the one asked for; the published figures beside them. It needs root, for
its network namespaces, and the dev dependencies.

  --rtt MS              the round trip, half of it each way
  --jitter MS           the round trip varies by up to this in either direction; by default 0
  --loss PERCENT        of the packets, each way; by default 0
  --rate MBIT           Mbit/s each way; by default no limit
  --profile NAME        in place of these:
${formatProfiles()}
  --iterations A,B,...  messages of each run; by default ${DEFAULT_ITERATIONS} (1000 of them at 230 ms take about 4 minutes,
                        by each of the two pages)
  --json                prints JSON, every sample included, instead of Markdown
  --out FILE            writes it there instead
  --help

Ends with 0 when every run came to its end; with 1 where one did not; with 2 where it could not begin. Ctrl-C takes down
all that was started, and prints nothing.
`;

function formatProfiles() {
  return Object.entries(PROFILES)
    .map(([name, { conditions, source }]) => `    ${name}: ${formatConditions(conditions)}\n      (${source})`)
    .join('\n');
}

/** Which condition each option gives; the round trip first, as the jitter's range depends on it. */
const CONDITION_OPTIONS = /** @type {const} */ ({
  rtt: 'rttMs',
  jitter: 'jitterMs',
  loss: 'lossPercent',
  rate: 'mbitPerSecond',
});

/**
 * @typedef {object} Options
 * @property {boolean} isHelp
 * @property {Conditions} conditions
 * @property {string} [profile] its name, where the conditions are those of one
 * @property {number[]} iterations
 * @property {'markdown' | 'json'} format
 * @property {string} [out] a file's name
 */

/**
 * @param {string[]} words
 * @returns {Options}
 * @throws {UsageError | RangeError} what, expected, got
 */
export function parseOptions(words) {
  const values = parseWords(words);
  if (values.help) return { isHelp: true, conditions: { rttMs: 0 }, iterations: [], format: 'markdown' };
  return {
    isHelp: false,
    conditions: values.profile === undefined ? parseConditions(values) : parseProfile(values),
    profile: values.profile,
    iterations: (values.iterations ?? DEFAULT_ITERATIONS).split(',').map(parseIterations),
    format: values.json ? 'json' : 'markdown',
    out: values.out,
  };
}

/** @typedef {Partial<Record<keyof typeof CONDITION_OPTIONS | 'profile', string>>} Values */

/** @param {string[]} words */
function parseWords(words) {
  try {
    return parseArgs({
      args: words,
      options: {
        rtt: { type: 'string' },
        jitter: { type: 'string' },
        loss: { type: 'string' },
        rate: { type: 'string' },
        profile: { type: 'string' },
        iterations: { type: 'string' },
        json: { type: 'boolean' },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}

/** @param {Values} values */
function parseConditions(values) {
  if (values.rtt === undefined) throw new UsageError('--rtt: expected milliseconds, or --profile NAME, got nothing');
  /** @type {Conditions} */
  const conditions = { rttMs: 0 };
  for (const [option, name] of Object.entries(CONDITION_OPTIONS)) {
    const text = values[/** @type {keyof typeof CONDITION_OPTIONS} */ (option)];
    if (text !== undefined) conditions[name] = parseNumber(text, { option, ...rangesOf(conditions)[name] });
  }
  return conditions;
}

/**
 * @param {string} text
 * @param {{ option: string, least: number, most: number }} range
 */
function parseNumber(text, { option, least, most }) {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${option}: expected a number from ${least} to ${most}, got “${text}”`);
}

/** @param {Values} values */
function parseProfile({ profile = '', ...values }) {
  const own = Object.keys(CONDITION_OPTIONS).filter((option) => option in values);
  if (own.length > 0) {
    throw new UsageError(
      `--profile: expected no condition beside it, as it fixes them all, got --${own.join(' and --')}`,
    );
  }
  if (Object.hasOwn(PROFILES, profile)) return PROFILES[profile].conditions;
  throw new UsageError(`--profile: expected one of ${Object.keys(PROFILES).join(', ')}, got “${profile}”`);
}
