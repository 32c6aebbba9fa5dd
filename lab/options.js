/**
 * The options that all commands of the lab share, checked one by one: the conditions of a link; and links by name, each
 * with where its conditions come from.
 */
import { UsageError } from '../cli/program/program.js';
import {
  CONDITION_RANGES,
  describeConditions,
  hasIdleQueue,
  isPossible,
  LIMIT_RANGES,
  MAX_CHANGES,
  MAX_MS,
} from '../core/experiment/run/emulated-link.js';

/**
 * @import { Command } from 'commander'
 * @import { Values } from '../cli/program/command.js'
 * @import { Conditions, Constant, ServerLimits } from '../core/experiment/run/emulated-link.js'
 */

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

/** @type {Readonly<Record<string, keyof typeof CONDITION_RANGES>>} */
const CONDITIONS = {
  rtt: 'rttMs',
  'rtt-up': 'rttUpMs',
  jitter: 'jitterMs',
  loss: 'lossPercent',
  rate: 'mbitPerSecond',
  'rate-up': 'mbitPerSecondUp',
  queue: 'queueMs',
};

/**
 * Adds the options of a link and its server, and what the profiles are.
 * @param {Command} command @returns {Command} the same
 */
export const addLinkOptions = (command) =>
  command
    .optionsGroup('Link:')
    .option('--rtt <ms>', 'round-trip time')
    .option('--rtt-up <ms>', 'the part of the round-trip time towards the server; default: half')
    .option('--jitter <ms>', 'random variation of the round-trip time, plus or minus; default: 0')
    .option('--loss <percent>', 'packet loss, in each direction; default: 0')
    .option('--rate <mbit>', 'bandwidth in Mbit/s, in each direction; default: unlimited')
    .option('--rate-up <mbit>', 'bandwidth towards the server, if it differs')
    .option(
      '--queue <ms>',
      'size of the queue in each direction, as the time that sending it takes at the rate; default: never full',
    )
    .option('--then <change@time...>', 'change while the link is in use, as in rtt=100,loss=1@30s; repeatable')
    .option('--profile <name>', 'a link by name, instead of these; --then may change it')
    .optionsGroup('Server:')
    .option('--cpus <n>', 'CPU time of the server, as in 0.125 of a CPU; default: all CPUs. With --h2, nginx shares it')
    .option('--memory <mib>', 'its memory in MiB; default: unlimited')
    .addHelpText('after', `\nProfiles:\n${formatProfiles()}`);

function formatProfiles() {
  return Object.entries(PROFILES)
    .map(([name, { conditions, source }]) => `  ${name}: ${describeConditions(conditions)}\n    (${source})`)
    .join('\n');
}

/** The range of the time for which a link is cut, s. */
const CUT_SECONDS = { min: 1, max: 60 };

/** Drops for good what belongs to the connections that there are. */
export const FORGET = 'forget';

/** @typedef {number | typeof FORGET} Cut number: all packets are dropped for that time, ms */

/** @param {string} text such as '20s' @returns {Cut} @throws {UsageError} */
export function parseCut(text) {
  if (text === FORGET) return FORGET;
  const [, seconds] = /^(\d{1,3}(?:\.\d{1,3})?)s$/.exec(text) ?? [];
  const { min, max } = CUT_SECONDS;
  if (Number(seconds) >= min && Number(seconds) <= max) return Math.round(1000 * Number(seconds));
  throw new UsageError(`--cut: expected a time from ${min}s to ${max}s, as in 20s, or ${FORGET}, got “${text}”`);
}

/** @param {Values} values @returns {Conditions} @throws {UsageError} what, expected, got */
export function parseConditions({ profile, then: texts = [], cpus, memory, rttUp, rateUp, ...others }) {
  /** @type {Values} */
  const values = { ...others, 'rtt-up': rttUp, 'rate-up': rateUp };
  if (profile === undefined && values.rtt === undefined) {
    throw new UsageError('--rtt: expected milliseconds, or --profile NAME, got nothing');
  }
  const first = profile === undefined ? override({ rttMs: 0 }, values) : findProfile(profile, values);
  const changes = parseChanges(texts, first);
  return { ...first, ...parseLimits({ cpus, memory }), ...(changes.length > 0 && { changes }) };
}

/** @param {{ cpus?: string, memory?: string }} texts @returns {ServerLimits} */
const parseLimits = ({ cpus, memory }) => ({
  ...(cpus !== undefined && { cpus: parseNumber('--cpus', cpus, LIMIT_RANGES.cpus) }),
  ...(memory !== undefined && { memoryMib: parseNumber('--memory', memory, LIMIT_RANGES.memoryMib) }),
});

/** @param {Constant} base @param {Values} values that go before it @param {string} [where] they stand @returns {Constant} */
function override(base, values, where = '') {
  const given = Object.entries(CONDITIONS).filter(([option]) => values[option] !== undefined);
  const conditions = {
    ...base,
    ...Object.fromEntries(
      given.map(([option, name]) => [name, parseNumber(`${where}--${option}`, values[option], CONDITION_RANGES[name])]),
    ),
  };
  if (hasIdleQueue(conditions)) throw new UsageError(`${where}--queue: expected --rate beside it, got none`);
  if (isPossible(conditions)) return conditions;
  const { rttMs, rttUpMs = 0 } = conditions;
  const [option, value] = rttUpMs > rttMs ? ['rtt-up', rttUpMs] : ['jitter', conditions.jitterMs];
  throw new UsageError(`${where}--${option}: expected a number from 0 to ${rttMs}, the round trip, got “${value}”`);
}

/**
 * @param {string} name of the option @param {string} text @param {{ min: number, max: number }} range @returns {number}
 * @throws {UsageError}
 */
export function parseNumber(name, text, { min, max }) {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${name}: expected a number from ${min} to ${max}, got “${text}”`);
}

/** @param {string[]} texts @param {Constant} first @returns {NonNullable<Conditions['changes']>} */
function parseChanges(texts, first) {
  /** @type {NonNullable<Conditions['changes']>} */
  const changes = [];
  if (texts.length > MAX_CHANGES) {
    throw new UsageError(`--then: expected up to ${MAX_CHANGES} changes, got ${texts.length}`);
  }
  for (const text of texts) {
    const [, list = '', seconds] = /^(.+)@(\d{1,5}(?:\.\d{1,3})?)s$/.exec(text) ?? [];
    const pairs = list.split(',').map((pair) => pair.split('='));
    if (pairs.some(([option, value]) => !Object.hasOwn(CONDITIONS, option) || !value)) {
      const names = Object.keys(CONDITIONS).join(', ');
      throw new UsageError(`--then: expected values of ${names} and a time, as in rtt=100,loss=1@30s, got “${text}”`);
    }
    const { afterMs: previousMs, ...base } = changes.at(-1) ?? { ...first, afterMs: -1 };
    const afterMs = Math.round(1000 * Number(seconds));
    if (afterMs <= previousMs) throw new UsageError(`--then: expected a later time than the one before, got “${text}”`);
    if (afterMs > MAX_MS) throw new UsageError(`--then: expected up to ${MAX_MS / 1000} s, got “${text}”`);
    changes.push({ afterMs, ...override(base, Object.fromEntries(pairs), `--then ${text}: `) });
  }
  return changes;
}

/** @param {string} name @param {Values} values */
function findProfile(name, values) {
  const got = Object.keys(CONDITIONS)
    .filter((option) => values[option] !== undefined)
    .join(' and --');
  if (got) throw new UsageError(`--profile: expected no condition beside it, as it fixes them all, got --${got}`);
  if (Object.hasOwn(PROFILES, name)) return PROFILES[name].conditions;
  throw new UsageError(`--profile: expected one of ${Object.keys(PROFILES).join(', ')}, got “${name}”`);
}
