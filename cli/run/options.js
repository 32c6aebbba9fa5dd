/**
 * The arguments of `sockshootout run NAME`, checked one by one: those that all experiments have, the fields of the plan, and
 * those of one experiment alone.
 */
import { createSeed } from '../../core/base/random.js';
import { UsageError } from '../program/errors.js';
import { FLAG, readArgs, TEXT } from '../program/read-args.js';
import { parseCondition, slugOf } from './conditions.js';
import { givenOf, optionsOf, readPlan } from './plan-options.js';
import { readPlanQuery } from './plan-query.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Condition } from './conditions.js'
 * @import { Only } from './only/index.js'
 */

const FORMATS = /** @type {const} */ (['json', 'csv', 'markdown']);

const COMMON = /** @type {const} */ ({
  url: TEXT,
  plan: TEXT,
  browser: FLAG,
  json: FLAG,
  csv: FLAG,
  markdown: FLAG,
  out: TEXT,
  'fail-if': { ...TEXT, multiple: true },
  quiet: { ...FLAG, short: 'q' },
  help: { ...FLAG, short: 'h' },
});

/**
 * @typedef {Record<string, any>} Values by option, as they stood on the command line
 *
 * @typedef {object} RunOptions
 * @property {string} [origin] of the site; absent for a server of its own
 * @property {any} plan whole, unless the experiment has to look at the way to the server first
 * @property {any} own what the experiment's own options say
 * @property {typeof FORMATS[number] | 'text'} format
 * @property {string} [out] a file's name
 * @property {boolean} isInBrowser
 * @property {{ text: string, condition: Condition }[]} conditions
 * @property {boolean} isQuiet
 */

/**
 * @param {string[]} args
 * @param {{ experiment: Experiment, only: Only }} what
 * @returns {Promise<RunOptions | undefined>} absent where help was asked for
 * @throws {UsageError | RangeError} what, expected, got
 */
export async function parseRunOptions(args, { experiment, only }) {
  const presets = presetsOf(experiment, only);
  const hasPresets = Object.keys(presets).length > 0;
  /** @type {Values} */
  const values = readArgs(args, {
    ...optionsOf(experiment.fields),
    ...only.options,
    ...(hasPresets && { preset: TEXT }),
    ...COMMON,
  });
  if (values.help) return undefined;
  const isInBrowser = Boolean(values.browser || only.needsPage);
  return {
    origin: values.url === undefined ? undefined : parseOrigin(values.url),
    plan: await parsePlan(values, { experiment, only, presets, isInBrowser }),
    own: only.parseOwn?.(values),
    format: parseFormat(values),
    out: values.out,
    isInBrowser,
    conditions: (values['fail-if'] ?? []).map((/** @type {string} */ text) => ({
      text,
      condition: only.parseCondition?.(text) ?? parseCondition(text),
    })),
    isQuiet: values.quiet ?? false,
  };
}

/**
 * @param {Experiment} experiment
 * @param {Only} only
 * @returns {Record<string, string>} a link's query by name
 */
export function presetsOf({ presets = [] }, only) {
  return { ...Object.fromEntries(presets.map(({ label, plan }) => [slugOf(label), plan])), ...only.presets };
}

/**
 * @param {Values} values
 * @param {{ experiment: Experiment, only: Only, presets: Record<string, string>, isInBrowser: boolean }} options
 * @returns {Promise<any>}
 */
async function parsePlan({ plan: link, preset, ...values }, { experiment, only, presets, isInBrowser }) {
  const { fields } = experiment;
  const seed = createSeed();
  const isRepeated = link !== undefined;
  if (isRepeated && preset !== undefined) throw new UsageError('--preset: expected none with --plan, got both');
  const query = isRepeated
    ? await readPlanQuery(link, { experiment, queryOf: only.queryOf })
    : new URLSearchParams(preset === undefined ? '' : queryOfPreset(preset, presets));
  if (isRepeated && !experiment.parsePlan(query, { seed })) {
    throw new UsageError(`--plan: expected a link with a plan of ${experiment.name}, got one without`);
  }
  const given = givenOf(values, fields);
  if (!isRepeated && !isInBrowser && only.defaultTransports && !query.has('transports')) {
    given.transports ??= only.defaultTransports.join(',');
  }
  const parse = only.parsePlan ?? parseWhole(experiment);
  const plan = readPlan(given, { query, fields, parsePlan: (whole) => parse(whole, { seed, isRepeated }) });
  if (!isInBrowser) checkNode(plan, only);
  return plan;
}

/**
 * @param {Experiment} experiment
 * @returns {NonNullable<Only['parsePlan']>}
 */
function parseWhole({ fields, parsePlan: parse }) {
  return (query, { seed }) => {
    const [{ parameter, default: value }] = Object.values(fields);
    // A link that says nothing is about no plan.
    const whole = query.size === 0 ? new URLSearchParams({ [parameter]: String(value) }) : query;
    return parse(whole, { seed });
  };
}

/**
 * @param {string} preset
 * @param {Record<string, string>} presets
 */
function queryOfPreset(preset, presets) {
  if (Object.hasOwn(presets, preset)) return presets[preset];
  throw new UsageError(`--preset: expected one of ${Object.keys(presets).join(', ')}, got “${preset}”`);
}

/**
 * @param {{ transports?: readonly string[] }} plan
 * @param {Only} only
 */
function checkNode({ transports = [] }, { transports: known = transports }) {
  const others = transports.filter((name) => !known.includes(name));
  if (others.length === 0) return;
  throw new UsageError(
    `transports: expected ${known.join(', ')} without --browser, got ${others.join(', ')}; add --browser, or select others with --transports`,
  );
}

/** @param {string} text */
function parseOrigin(text) {
  const wrong = new UsageError(
    `--url: expected http://HOST:PORT or https://HOST without a path, got ${text ? `“${text}”` : 'nothing'}`,
  );
  if (!URL.canParse(text)) throw wrong;
  const { protocol, origin, href } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || href !== `${origin}/`) throw wrong;
  return origin;
}

/** @param {Values} values */
function parseFormat(values) {
  const chosen = FORMATS.filter((format) => values[format]);
  if (chosen.length <= 1) return chosen[0] ?? 'text';
  throw new UsageError(
    `Expected at most one of --json, --csv and --markdown, got ${chosen.map((format) => `--${format}`).join(' and ')}`,
  );
}
