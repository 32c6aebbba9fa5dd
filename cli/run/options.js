/** The arguments of `sockshootout run NAME`: options of all, the fields of the plan, those of one client alone. */
import { readFile } from 'node:fs/promises';
import { readBaseUrl } from '../../core/base/base-url.js';
import { decodeJsonFile, InvalidInputError, parseJson } from '../../core/base/foreign-text.js';
import { createSeed } from '../../core/base/random.js';
import { formatIssue, parseDocument } from '../../core/experiment/documents/check.js';
import { schemaOfLink } from '../../core/experiment/emulated-link.js';
import { hasFields, quote } from '../../core/experiment/fields.js';
import { defaultTransportsOn } from '../../core/net/echo/index.js';
import { nodeTransportsOf } from '../net/transports.js';
import { FLAG, readArgs, TEXT, UsageError } from '../program/program.js';
import { parseCondition, slugOf } from './conditions.js';
import { parseShared } from './share.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { EmulatedLink } from '../../core/experiment/emulated-link.js'
 * @import { Field, Fields } from '../../core/experiment/fields.js'
 * @import { NodeClient } from '../clients/index.js'
 * @import { ArgOptions } from '../program/program.js'
 */

const FORMATS = /** @type {const} */ (['json', 'csv', 'markdown']);

/** The options of all runs. */
export const COMMON = /** @type {const} */ ({
  ...{
    url: TEXT,
    link: TEXT,
    plan: TEXT,
    out: TEXT,
    label: TEXT,
    place: TEXT,
    browser: FLAG,
    json: FLAG,
    csv: FLAG,
    markdown: FLAG,
  },
  'fail-if': { ...TEXT, multiple: true },
  quiet: { ...FLAG, short: 'q' },
  help: { ...FLAG, short: 'h' },
});

/** The site of links that have none. */
const ANY_SITE = 'http://localhost';

/**
 * @typedef {Record<string, any>} Values by option, as they stood on the command line
 * @typedef {Awaited<ReturnType<typeof parseCommon>>} CommonOptions `baseUrl`: absent for a local server
 * @typedef {NonNullable<Awaited<ReturnType<typeof parseRunOptions>>>} RunOptions `plan`: whole, unless the experiment
 *   has to probe the server first; `own`: the values of its own options
 */

/**
 * @param {string[]} args @param {{ experiment: Experiment, client: NodeClient }} what
 * @returns absent if help was requested @throws {InvalidInputError} what, expected, got
 */
export async function parseRunOptions(args, { experiment, client }) {
  const presets = presetsOf(experiment);
  /** @type {Values} */
  const values = readArgs(args, {
    ...argsOf(experiment.fields),
    ...(Object.keys(presets)[0] && { preset: TEXT }),
    ...client.options?.args,
    ...COMMON,
  });
  if (values.help) return undefined;
  const isInBrowser = Boolean(values.browser || experiment.needsPage);
  return {
    ...(await parseCommon(values, experiment)),
    plan: await parsePlan(values, { experiment, client, presets, isInBrowser }),
    own: client.options?.parse(values),
    isInBrowser,
  };
}

/** @param {Values} values @param {Experiment} experiment */
export async function parseCommon({ url, link, out, quiet, label, place, ...values }, experiment) {
  return {
    shared: parseShared({ url, label, place }),
    baseUrl: url === undefined ? undefined : parseBaseUrl(url),
    link: link === undefined ? undefined : await parseLink(link),
    format: parseFormat(values),
    out: /** @type {string | undefined} */ (out),
    conditions: /** @type {string[]} */ (values['fail-if'] ?? []).map((text) => {
      return { text, condition: parseCondition(text, experiment) };
    }),
    isQuiet: Boolean(quiet),
  };
}

/** @param {Field} field @returns its option's name */
export const optionOf = ({ option, parameter }) => option ?? parameter;

/** @param {Fields} fields @returns {ArgOptions} their options */
export const argsOf = (fields) => Object.fromEntries(Object.values(fields).map((field) => [optionOf(field), TEXT]));

/**
 * Sets in a query what stood on the command line.
 * @param {URLSearchParams} query @param {Values} values @param {Fields} fields
 * @returns {Field[]} those that did
 */
export function setGiven(query, values, fields) {
  const given = Object.values(fields).filter((field) => values[optionOf(field)] !== undefined);
  for (const field of given) query.set(field.parameter, String(values[optionOf(field)]));
  return given;
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
  const isPlan = (/** @type {URLSearchParams} */ one) => hasFields(one, fields) || one.has('preset');
  const query = isRepeated ? await readPlanQuery(link, experiment, isPlan) : new URLSearchParams(presets[preset]);
  if (isRepeated && !experiment.parsePlan(query, { seed })) {
    throw new UsageError(`--plan: expected a link with a plan of ${experiment.name}, got a link without one`);
  }
  if (!isRepeated && !isInBrowser && fields.transports && !query.has('transports')) {
    query.set('transports', defaultTransportsOn('node', experiment.transportRows).join(','));
  }
  const given = setGiven(query, values, fields);
  return namingOptions(given, () => {
    const parse = (!isRepeated && client.parseRequest) || parseWhole(experiment);
    const plan = parse(query, { seed });
    if (!isInBrowser) checkTransports(plan, experiment);
    return plan;
  });
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
 * @template T @param {Field[]} given on the command line, whose options an error is to name @param {() => T} parse
 * @returns {T}
 */
export function namingOptions(given, parse) {
  try {
    return parse();
  } catch (error) {
    // A UsageError already names an option.
    const isNameless = error instanceof InvalidInputError && !(error instanceof UsageError);
    throw isNameless ? nameOption(error, given) : error;
  }
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

/**
 * Reads a plan of an experiment, or of a full test.
 * @param {string} text a link, its path and query, its query alone, or the name of a file
 * @param {Experiment} experiment @param {(query: URLSearchParams) => boolean} isPlan
 * @returns {Promise<URLSearchParams>} @throws {InvalidInputError}
 */
export async function readPlanQuery(text, experiment, isPlan) {
  const { queryOf = ({ searchParams }) => searchParams } = experiment;
  if (/^(https?:|\/[\w.~/-]*\?)/.test(text) && URL.canParse(text, ANY_SITE)) return queryOf(new URL(text, ANY_SITE));
  const query = new URLSearchParams(text);
  if (text.startsWith('?') || isPlan(query)) return query;
  const json = await readFile(text).catch(({ message }) => {
    throw new UsageError(`--plan: expected a link, its query or a readable file, got “${text}”: ${message}`);
  });
  const valibot = await import('valibot');
  return queryOf(new URL(experiment.planPath(parseDocument(decodeJsonFile(json), valibot, experiment)), ANY_SITE));
}

/** @param {{ transports?: readonly string[] }} plan @param {Experiment} experiment */
const checkTransports = ({ transports = [] }, experiment) =>
  checkNode(transports, { parameter: 'transports', known: nodeTransportsOf(experiment), option: 'transports' });

/**
 * @param {readonly string[]} names
 * @param {{ parameter: string, known: readonly string[], option?: string }} options `known`: what Node.js can measure;
 *   `option`: that selects others
 * @throws {UsageError} if Node.js cannot measure one of them
 */
export function checkNode(names, { parameter, known, option }) {
  const others = names.filter((name) => !known.includes(name));
  if (others.length === 0) return;
  const hint = option ? `, or select others with --${option}` : '';
  throw new UsageError(
    `${parameter}: expected ${known.join(', ')} without --browser, got ${others.join(', ')}; add --browser${hint}`,
  );
}

/**
 * @param {string} text of --url @returns {string} a site's URL, without a slash at its end: paths follow it
 * @throws {UsageError} if it is another address
 */
export function parseBaseUrl(text) {
  const baseUrl = readBaseUrl(text);
  if (baseUrl !== undefined) return baseUrl;
  throw new UsageError(
    `--url: expected the URL of a site, like http://HOST:PORT or https://HOST/PATH, got ${quote(text)}`,
  );
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
