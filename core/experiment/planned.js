/**
 * What follows from the description of an experiment whose plan comes from a form and from a link.
 */
import { InvalidInputError, formatCsvLine } from '../base/foreign-text.js';
import { digestOfRun, problemOfRun, schemaOfRun } from './documents/run-document.js';
import { formatFields, hasFields, parseFields, quote, schemaOfFields } from './fields.js';
import { formatMarkdown, reportOf, sentencesOf } from './report.js';

/**
 * @import { Described, Digest, Experiment, PlanLink, PlannedParts, Problem } from './contract.js'
 * @import { Fields as DocumentFields, Valibot } from './documents/fields.js'
 * @import { Fields } from './fields.js'
 */

/**
 * @typedef {Pick<PlanLink, 'parsePlan' | 'formatPlan' | 'linkPath'> & Pick<Described, 'planPath' | 'formatMarkdown' |
 *   'formatCsv' | 'schemaOf' | 'problemOf' | 'digest'>} Following what follows
 * @typedef {PlannedParts & Omit<Experiment, keyof Following> & Partial<Following>} Parts
 */

/**
 * @template {Parts} E
 * @param {E} parts its parts, which go before what follows
 * @returns {E & Following}
 */
export function planned(parts) {
  const { fields, path, checkPlan } = parts;
  /** @type {Following} */
  const following = {
    parsePlan: (query, { seed }) => parsePlan(query, { fields, seed, checkPlan }),
    formatPlan: (plan) => formatFields(plan, fields),
    linkPath: (plan) => `${path}?${experiment.formatPlan(plan)}`,
    planPath: ({ plan }) => experiment.linkPath(plan),
    formatMarkdown: (document) => formatMarkdown(experiment, document),
    formatCsv: (/** @type {{ plan: any, trials: any[] }} */ { plan, trials }) =>
      [parts.sampleColumns, ...trials.flatMap((trial, i) => parts.sampleRows(trial, i, plan))]
        .map(formatCsvLine)
        .join(''),
    schemaOf: (v, ofDocuments) => schemaOf(parts, v, ofDocuments),
    problemOf: (document) => problemOfPlan(parts, document) ?? problemOfTrials(parts, document),
    digest: (document) => digest(parts, document),
  };
  const experiment = Object.freeze({ ...following, ...parts });
  return experiment;
}

/**
 * @param {URLSearchParams} query
 * @param {{ fields: Fields, seed: number, checkPlan?: (plan: any) => void }} options
 * @returns {any} a plan; absent where the query is about none
 * @throws {InvalidInputError} what, expected, got
 */
function parsePlan(query, { fields, seed, checkPlan }) {
  // As if nothing had been asked for: a command's option has another name than the link's parameter.
  const misnamed = Object.values(fields).find(
    ({ option, parameter }) => option !== parameter && query.has(option ?? ''),
  );
  if (misnamed) {
    const { option = '', parameter } = misnamed;
    throw new InvalidInputError(`${option}: expected ${parameter}, got ${option} ${quote(query.get(option))}`);
  }
  if (!hasFields(query, fields)) return undefined;
  const plan = parseFields(query, fields, { seed });
  checkPlan?.(plan);
  return plan;
}

/**
 * @param {Parts} parts
 * @param {Valibot} v
 * @param {DocumentFields} ofDocuments
 */
function schemaOf({ schema, fields, planSchema, trialSchema, moreSchema }, v, ofDocuments) {
  return schemaOfRun(v, ofDocuments, {
    schema,
    plan: planSchema?.(v) ?? v.strictObject(schemaOfFields(v, fields)),
    trial: trialSchema(v, ofDocuments),
    more: moreSchema?.(v, ofDocuments),
  });
}

/** @param {Parts} parts @param {any} document @returns {Problem | undefined} */
function problemOfPlan({ checkPlan }, { plan }) {
  try {
    checkPlan?.(plan);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { path: 'plan', message: error.message };
  }
}

/** @param {Parts} parts @param {any} document @returns {Problem | undefined} */
function problemOfTrials(parts, document) {
  const { trialKeys, faultOf } = parts;
  const { plan } = document;
  return problemOfRun(parts, document, {
    by: trialKeys,
    faultOf: (trial, isCut) => faultOf?.(trial, { plan, isCut }),
  });
}

/** @param {Parts} parts @param {any} document @returns {Digest} */
function digest(parts, document) {
  const { plan, ending } = document;
  const report = ending ? undefined : reportOf(parts, document);
  return digestOfRun(document, {
    transports: parts.transportsOf?.(plan),
    headline: () => report?.answer ?? parts.headlineOf?.(plan) ?? parts.label,
    detail: () => (report ? sentencesOf({ ...report, answer: undefined }).join(' ') : ''),
  });
}
