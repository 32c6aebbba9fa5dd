/**
 * The arguments of `npm run lab`, checked one by one; and distances by name, each with where its conditions come from.
 */
import { UsageError, FLAG, readArgs, TEXT } from '../cli/program/program.js';
import { parseIterations } from '../core/experiments/classic/measure.js';

/** @import { Conditions } from './link.js' */

/** @type {Readonly<Record<string, { conditions: Conditions, source: string }>>} */
export const PROFILES = {
  lan: {
    conditions: { rttMs: 2, jitterMs: 1, mbitPerSecond: 100 },
    source: 'ours: another machine in the same building, by good Wi-Fi or an old cable',
  },
  wan: {
    conditions: { rttMs: 40, jitterMs: 5, mbitPerSecond: 20 },
    source: 'ours: a server in the same part of the world, from a connection at home',
  },
  'london-california': {
    conditions: { rttMs: 227 },
    source: 'from the published figures: at 4.391 messages/s a message took 227.7 ms, nearly all of it distance',
  },
  hspa: {
    conditions: { rttMs: 150, jitterMs: 50, mbitPerSecond: 1.6 },
    // https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
    source:
      'round trip and rate (downwards) of Lighthouse’s “Mobile 3G - Fast”; the jitter, and that rate upwards, are ours',
  },
  'hsdpa-plus': {
    conditions: { rttMs: 100, jitterMs: 30, mbitPerSecond: 5 },
    source: 'ours: what a phone gets of the 21 Mbit/s of that name where others are in its cell, too',
  },
};

const DEFAULT_ITERATIONS = '10,100,1000';

export const HELP = `usage: sudo npm run lab -- --rtt MS [options]
       sudo npm run lab -- --profile NAME [options]

Repeats the tests of 2012 on this machine: opens /ajaxtest and /socktest in Chromium, first without and then with the
given link between browser and server. Prints the results beside the published figures. Needs root, for network
namespaces, and the dev dependencies.

  --rtt MS              round-trip time
  --jitter MS           random variation of the round-trip time, plus or minus; default: 0
  --loss PERCENT        packet loss, each way; default: 0
  --rate MBIT           bandwidth in Mbit/s, each way; default: unlimited
  --profile NAME        one of these instead:
${formatProfiles()}
  --iterations A,B,...  messages per run; default: ${DEFAULT_ITERATIONS} (1000 messages at 230 ms take about 4 minutes per page)
  --json                print JSON with every sample instead of Markdown
  --out FILE            write to a file
  --help                print this text

Exit codes
  0  every run is complete
  1  a run is not complete
  2  the lab could not start
Ctrl-C stops everything and prints nothing.
`;

function formatProfiles() {
  return Object.entries(PROFILES)
    .map(([name, { conditions, source }]) => `    ${name}: ${formatConditions(conditions)}\n      (${source})`)
    .join('\n');
}

/**
 * @param {Conditions} conditions
 * @returns {string} in words
 * @example formatConditions({ rttMs: 150, jitterMs: 50 }) // '150 ms round trip, ±50 ms jitter, no loss, no limit of rate'
 */
export function formatConditions({ rttMs, jitterMs = 0, lossPercent = 0, mbitPerSecond }) {
  return [
    `${rttMs} ms round trip`,
    jitterMs > 0 ? `±${jitterMs} ms jitter` : 'no jitter',
    lossPercent > 0 ? `${lossPercent} % loss each way` : 'no loss',
    mbitPerSecond === undefined ? 'no limit of rate' : `${mbitPerSecond} Mbit/s each way`,
  ].join(', ');
}

/** Which condition each option gives; the round trip first, as the jitter is at most all of it. */
const CONDITIONS = /** @type {const} */ ({
  rtt: { name: 'rttMs', least: 0, most: 10_000 },
  jitter: { name: 'jitterMs', least: 0, most: undefined },
  loss: { name: 'lossPercent', least: 0, most: 100 },
  rate: { name: 'mbitPerSecond', least: 0.01, most: 10_000 },
});

const OPTIONS = {
  ...{ rtt: TEXT, jitter: TEXT, loss: TEXT, rate: TEXT, profile: TEXT, iterations: TEXT, out: TEXT },
  json: FLAG,
  help: { ...FLAG, short: 'h' },
};

/** @typedef {ReturnType<typeof readArgs<typeof OPTIONS>>} Values */

/** @typedef {NonNullable<ReturnType<typeof parseOptions>>} Options */

/** Absent where help was asked for. @param {string[]} words @throws {UsageError | RangeError} what, expected, got */
export function parseOptions(words) {
  const values = readArgs(words, OPTIONS);
  if (values.help) return undefined;
  const { profile, iterations = DEFAULT_ITERATIONS, json, out } = values;
  return {
    conditions: profile === undefined ? parseConditions(values) : findProfile(profile, values),
    profile,
    iterations: iterations.split(',').map(parseIterations),
    format: /** @type {'json' | 'markdown'} */ (json ? 'json' : 'markdown'),
    out,
  };
}

/** @param {Values} values */
function parseConditions(values) {
  if (values.rtt === undefined) throw new UsageError('--rtt: expected milliseconds, or --profile NAME, got nothing');
  /** @type {Conditions} */
  const conditions = { rttMs: 0 };
  for (const option of /** @type {(keyof typeof CONDITIONS)[]} */ (Object.keys(CONDITIONS))) {
    const text = values[option];
    if (text === undefined) continue;
    const { name, least, most = conditions.rttMs } = CONDITIONS[option];
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most)) {
      throw new UsageError(`--${option}: expected a number from ${least} to ${most}, got “${text}”`);
    }
    conditions[name] = value;
  }
  return conditions;
}

/** @param {string} name @param {Values} values */
function findProfile(name, values) {
  const own = Object.keys(CONDITIONS).filter((option) => option in values);
  const got = own.join(' and --');
  if (got) throw new UsageError(`--profile: expected no condition beside it, as it fixes them all, got --${got}`);
  if (Object.hasOwn(PROFILES, name)) return PROFILES[name].conditions;
  throw new UsageError(`--profile: expected one of ${Object.keys(PROFILES).join(', ')}, got “${name}”`);
}
