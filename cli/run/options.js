/** The values of the options of `sockshootout run NAME`, checked. */
import { readFile } from 'node:fs/promises';
import { pagePathOf, parseUrl, readBaseUrl } from '../../core/base/base-url.js';
import { decodeJsonFile, InvalidInputError, parseJson } from '../../core/base/foreign-text.js';
import { createSeed } from '../../core/base/random.js';
import { formatIssue, parseDocument } from '../../core/experiment/documents/check.js';
import { schemaOfLink } from '../../core/experiment/run/emulated-link.js';
import { hasFields, quote } from '../../core/experiment/plan/fields.js';
import { linkPath, parsePlan } from '../../core/experiment/plan/plan-link.js';
import { planPath } from '../../core/experiment/run/open-run.js';
import { transportRowsOf } from '../../core/experiment/plan/packages.js';
import { defaultTransportsOn } from '../../core/net/echo/index.js';
import { nodeTransportsOf } from '../net/transports.js';
import { attributeOf, optionOf, parseArguments } from '../program/command.js';
import { UsageError } from '../program/program.js';
import { createRunCommand, presetsOf } from './command.js';
import { parseCondition } from './conditions.js';
import { parseShared } from './share.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { EmulatedLink } from '../../core/experiment/run/emulated-link.js'
 * @import { Field, Fields } from '../../core/experiment/plan/fields.js'
 * @import { NodeClient } from '../clients/index.js'
 * @import { Values } from '../program/command.js'
 * @import { Condition } from './conditions.js'
 */

const FORMATS = /** @type {const} */ (['json', 'csv', 'markdown']);

/** The site of links that have none. */
const ANY_SITE = 'http://localhost';

/**
 * @typedef {object} CommonOptions
 * @property {{ label: string, place?: string }} [shared]
 * @property {string} [baseUrl] absent for a local server
 * @property {EmulatedLink} [link]
 * @property {'text' | typeof FORMATS[number]} format
 * @property {string} [out]
 * @property {{ text: string, condition: Condition }[]} conditions
 * @property {boolean} isQuiet
 * @typedef {object} ExperimentOptions
 * @property {any} plan whole, unless the experiment has to probe the server first
 * @property {any} own the values of its own options
 * @property {boolean} isInBrowser
 * @typedef {CommonOptions & ExperimentOptions} RunOptions
 */

/**
 * @param {string[]} args @param {{ experiment: Experiment, client: NodeClient }} what
 * @returns {Promise<RunOptions>}
 * @throws {InvalidInputError | CommanderError} what, expected, got; the latter if the help was printed
 */
export async function parseRunOptions(args, { experiment, client }) {
  const values = parseArguments(createRunCommand(experiment, client), args);
  const isInBrowser = Boolean(values.browser || client.needsPage);
  return {
    ...(await parseCommon(values, experiment)),
    plan: await parseAsked(values, { experiment, client, isInBrowser }),
    own: client.options?.parse(values),
    isInBrowser,
  };
}

/** @param {Values} values @param {Experiment} experiment @returns {Promise<CommonOptions>} */
export async function parseCommon({ url, link, out, quiet, label, place, ...values }, experiment) {
  return {
    shared: parseShared({ url, label, place }),
    baseUrl: url === undefined ? undefined : parseBaseUrl(url),
    link: link === undefined ? undefined : await parseLink(link),
    format: FORMATS.find((format) => values[format]) ?? 'text',
    out: /** @type {string | undefined} */ (out),
    conditions: /** @type {string[]} */ (values.failIf ?? []).map((text) => {
      return { text, condition: parseCondition(text, experiment) };
    }),
    isQuiet: Boolean(quiet),
  };
}

/**
 * Sets in a query what stood on the command line.
 * @param {URLSearchParams} query @param {Values} values @param {Fields} fields
 * @returns {Field[]} those that did
 */
export function setGiven(query, values, fields) {
  const valueOf = (/** @type {Field} */ field) => values[attributeOf(field)];
  const given = Object.values(fields).filter((field) => valueOf(field) !== undefined);
  for (const field of given) query.set(field.parameter, String(valueOf(field)));
  return given;
}

/** @param {Values} values @param {{ experiment: Experiment, client: NodeClient, isInBrowser: boolean }} options */
async function parseAsked({ plan: link, preset, ...values }, { experiment, client, isInBrowser }) {
  const { fields } = experiment;
  const seed = createSeed();
  const isRepeated = link !== undefined;
  const isPlan = (/** @type {URLSearchParams} */ one) => hasFields(one, fields) || one.has('preset');
  const query = isRepeated
    ? await readPlanQuery(link, experiment, isPlan)
    : new URLSearchParams(presetsOf(experiment)[preset]);
  if (isRepeated && !parsePlan(experiment, query, { seed })) {
    throw new UsageError(`--plan: expected a link with a plan of ${experiment.name}, got a link without one`);
  }
  if (!isRepeated && !isInBrowser && fields.transports && !query.has('transports')) {
    query.set('transports', defaultTransportsOn('node', transportRowsOf(experiment)).join(','));
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
function parseWhole(experiment) {
  return (query, { seed }) => {
    const [{ parameter, default: value }] = Object.values(experiment.fields);
    // A link without a query has no plan.
    const whole = query.size === 0 ? new URLSearchParams({ [parameter]: String(value) }) : query;
    return parsePlan(experiment, whole, { seed });
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

/** @param {InvalidInputError} error @param {Field[]} given on the command line @returns {InvalidInputError} which names the option */
function nameOption(error, given) {
  const { fields, reason } = error;
  const field = fields.length === 1 ? given.find(({ parameter }) => parameter === fields[0]) : undefined;
  return field ? new InvalidInputError(reason, { fields: [`--${optionOf(field)}`] }) : error;
}

/**
 * Reads a plan of an experiment, or of a full test.
 * @param {string} text a link, its path and query, its query alone, or the name of a file
 * @param {Experiment} experiment @param {(query: URLSearchParams) => boolean} isPlan
 * @returns {Promise<URLSearchParams>} @throws {InvalidInputError}
 */
export async function readPlanQuery(text, experiment, isPlan) {
  if (/^(https?:|\/[\w.~/-]*\?)/.test(text) && parseUrl(text, ANY_SITE)) return queryOf(text, experiment);
  const query = new URLSearchParams(text);
  if (text.startsWith('?') || isPlan(query)) return query;
  const json = await readFile(text).catch(({ message }) => {
    throw new UsageError(`--plan: expected a link, its query or a readable file, got “${text}”: ${message}`);
  });
  const valibot = await import('valibot');
  return queryOf(planPath(experiment, parseDocument(decodeJsonFile(json), valibot, experiment)), experiment);
}

/**
 * A run with one transport may have a page for each, whose path is a part of the plan, too.
 * @param {string} link @param {Experiment} experiment
 */
function queryOf(link, experiment) {
  const { pathname, searchParams } = new URL(link, ANY_SITE);
  // A full test has the plans of its parts, and no fields.
  const transport = experiment.fields?.transport;
  const names = transport && 'choices' in transport ? Object.keys(transport.choices) : [];
  const pathBy = (/** @type {string} */ name) => new URL(linkPath(experiment, { transport: name }), ANY_SITE).pathname;
  const ofPage = names.find((name) => pathBy(name) === pagePathOf(pathname));
  return new URLSearchParams([...(ofPage ? [['transport', ofPage]] : []), ...searchParams]);
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
