/** The arguments of `sockshootout run NAME`: options of all, the fields of the plan, those of one client alone. */
import { readFile } from 'node:fs/promises';
import { InvalidInputError, parseJson } from '../../core/base/foreign-text.js';
import { createSeed } from '../../core/base/random.js';
import { formatIssue, parseDocument } from '../../core/experiment/documents/check.js';
import { schemaOfLink } from '../../core/experiment/emulated-link.js';
import { hasFields, quote } from '../../core/experiment/fields.js';
import { defaultTransportsOn } from '../../core/net/echo/index.js';
import { nodeTransportsOf } from '../net/transports.js';
import { FLAG, readArgs, TEXT, UsageError } from '../program/program.js';
import { parseCondition, slugOf } from './conditions.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { EmulatedLink } from '../../core/experiment/emulated-link.js'
 * @import { Field } from '../../core/experiment/fields.js'
 * @import { NodeClient } from '../clients/index.js'
 */

const FORMATS = /** @type {const} */ (['json', 'csv', 'markdown']);

const COMMON = /** @type {const} */ ({
  ...{ url: TEXT, link: TEXT, plan: TEXT, out: TEXT, browser: FLAG, json: FLAG, csv: FLAG, markdown: FLAG },
  'fail-if': { ...TEXT, multiple: true },
  quiet: { ...FLAG, short: 'q' },
  help: { ...FLAG, short: 'h' },
});

/**
 * @typedef {Record<string, any>} Values by option, as they stood on the command line
 * @typedef {NonNullable<Awaited<ReturnType<typeof parseRunOptions>>>} RunOptions `origin`: absent for a local server;
 *   `plan`: whole, unless the experiment has to probe the server first; `own`: the values of its own options
 */

/**
 * @param {string[]} args @param {{ experiment: Experiment, client: NodeClient }} what
 * @returns absent if help was requested @throws {InvalidInputError} what, expected, got
 */
export async function parseRunOptions(args, { experiment, client }) {
  const presets = presetsOf(experiment);
  const optionNames = [
    ...Object.values(experiment.fields).flatMap(namesOf),
    ...(Object.keys(presets)[0] ? ['preset'] : []),
  ];
  /** @type {Values} */
  const values = readArgs(args, {
    ...Object.fromEntries(optionNames.map((name) => [name, TEXT])),
    ...client.options?.args,
    ...COMMON,
  });
  if (values.help) return undefined;
  const isInBrowser = Boolean(values.browser || experiment.needsPage);
  return {
    origin: values.url === undefined ? undefined : parseOrigin(values.url),
    link: values.link === undefined ? undefined : await parseLink(values.link),
    plan: await parsePlan(values, { experiment, client, presets, isInBrowser }),
    own: client.options?.parse(values),
    format: parseFormat(values),
    out: values.out,
    isInBrowser,
    conditions: /** @type {string[]} */ (values['fail-if'] ?? []).map((text) => {
      return { text, condition: parseCondition(text, experiment) };
    }),
    isQuiet: values.quiet ?? false,
  };
}

/** @param {Field} field @returns its option's name */
export const optionOf = ({ option, parameter }) => option ?? parameter;

/**
 * @param {Field} field
 * @returns {string[]} its option's name, and the one that earlier releases had, which the help leaves out
 */
const namesOf = (field) => [optionOf(field), field.formerParameter].filter((name) => name !== undefined);

/**
 * @param {Values} values @param {Field} field
 * @returns {string | undefined} the option's value, as it stood on the command line @throws {UsageError} if it has two
 */
function givenOf(values, field) {
  const given = namesOf(field).filter((name) => values[name] !== undefined);
  if (given.length > 1) throw new UsageError(`Use only one of ${given.map((name) => `--${name}`).join(' and ')}`);
  return values[given[0]];
}

/** @param {Experiment} experiment @returns {Record<string, string>} a link's query by name */
export const presetsOf = ({ presets = [] }) =>
  Object.fromEntries(presets.map(({ label, plan }) => [slugOf(label), plan]));

/**
 * @param {Values} values
 * @param {{ experiment: Experiment, client: NodeClient, presets: any, isInBrowser: boolean }} options
 */
async function parsePlan({ plan: link, preset, ...values }, { experiment, client, presets, isInBrowser }) {
  const { fields } = experiment;
  const seed = createSeed();
  const isRepeated = link !== undefined;
  if (isRepeated && preset !== undefined) throw new UsageError('Use only one of --preset and --plan');
  if (preset !== undefined && !Object.hasOwn(presets, preset)) {
    throw new UsageError(`--preset: expected one of ${Object.keys(presets).join(', ')}, got “${preset}”`);
  }
  const query = isRepeated ? await readPlanQuery(link, experiment) : new URLSearchParams(presets[preset]);
  if (isRepeated && !experiment.parsePlan(query, { seed })) {
    throw new UsageError(`--plan: expected a link with a plan of ${experiment.name}, got a link without one`);
  }
  if (!isRepeated && !isInBrowser && fields.transports && !query.has('transports')) {
    query.set('transports', defaultTransportsOn('node', experiment.transportRows).join(','));
  }
  const given = Object.values(fields).filter((field) => givenOf(values, field) !== undefined);
  for (const field of given) {
    query.delete(field.formerParameter ?? '');
    query.set(field.parameter, String(givenOf(values, field)));
  }
  try {
    const parse = (!isRepeated && client.parseRequest) || parseWhole(experiment);
    const plan = parse(query, { seed });
    if (!isInBrowser) checkNode(plan, experiment);
    return plan;
  } catch (error) {
    // A UsageError already names an option.
    const isNameless = error instanceof InvalidInputError && !(error instanceof UsageError);
    throw isNameless ? nameOption(error, given) : error;
  }
}

/** @param {Experiment} experiment @returns {NonNullable<NodeClient['parseRequest']>} */
function parseWhole({ fields, parsePlan: parse }) {
  return (query, { seed }) => {
    const [{ parameter, default: value }] = Object.values(fields);
    // A link without a query has no plan.
    const whole = query.size === 0 ? new URLSearchParams({ [parameter]: String(value) }) : query;
    return parse(whole, { seed });
  };
}

/**
 * @param {Error} error that begins with a parameter
 * @param {Field[]} given on the command line, whose option it is to name
 */
function nameOption({ message }, given) {
  const [parameter] = message.split(':', 1);
  const field = given.find((one) => one.parameter === parameter);
  return new InvalidInputError(field ? `--${optionOf(field)}${message.slice(parameter.length)}` : message);
}

/** @param {string} text @param {Experiment} experiment @returns {Promise<URLSearchParams>} */
async function readPlanQuery(text, experiment) {
  const { queryOf = ({ searchParams }) => searchParams } = experiment;
  if (/^https?:/.test(text) && URL.canParse(text)) return queryOf(new URL(text));
  const query = new URLSearchParams(text);
  if (text.startsWith('?') || hasFields(query, experiment.fields) || query.has('preset')) return query;
  const json = await readFile(text, 'utf8').catch(({ message }) => {
    throw new UsageError(`--plan: expected a link, its query or a readable file, got “${text}”: ${message}`);
  });
  const valibot = await import('valibot');
  return queryOf(new URL(experiment.planPath(parseDocument(json, valibot, experiment)), 'http://localhost'));
}

/** @param {{ transports?: readonly string[] }} plan @param {Experiment} experiment */
function checkNode({ transports = [] }, experiment) {
  const known = nodeTransportsOf(experiment);
  const others = transports.filter((name) => !known.includes(name));
  if (others.length === 0) return;
  throw new UsageError(
    `transports: expected ${known.join(', ')} without --browser, got ${others.join(', ')}; add --browser, or select others with --transports`,
  );
}

/** @param {string} text of --url @returns {string} a site's origin @throws {UsageError} if it is another address */
export function parseOrigin(text) {
  const { protocol, origin, href } = URL.canParse(text) ? new URL(text) : { protocol: '', origin: '', href: '' };
  if (['http:', 'https:'].includes(protocol) && href === `${origin}/`) return origin;
  throw new UsageError(`--url: expected http://HOST:PORT or https://HOST without a path, got ${quote(text)}`);
}

/** @param {string} text JSON @returns {Promise<EmulatedLink>} for the document */
async function parseLink(text) {
  const valibot = await import('valibot');
  const { output, issues } = valibot.safeParse(schemaOfLink(valibot), parseJson(text) ?? text, { abortEarly: true });
  if (!issues) return output;
  const path = valibot.getDotPath(issues[0]);
  throw new UsageError(`--link: ${path ? `${path}: ` : ''}${formatIssue(issues[0])}`);
}

/** @param {Values} values @returns {typeof FORMATS[number] | 'text'} */
function parseFormat(values) {
  const chosen = FORMATS.filter((format) => values[format]);
  if (chosen.length <= 1) return chosen[0] ?? 'text';
  throw new UsageError(`Use only one of ${chosen.map((format) => `--${format}`).join(', ')}`);
}
