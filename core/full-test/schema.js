/** Defines the document of a full test: the situation, and the documents of its parts as they are. */
import { parseUrl } from '../base/base-url.js';
import { SITUATION_FIELDS } from '../experiment/plan/situation.js';
import { problemOf as problemOfDocument } from '../experiment/documents/problem.js';
import { schemaOfFields } from '../experiment/plan/fields.js';
import { schemaOf as schemaOfDocument } from '../experiment/documents/schemas.js';
import { membersOf } from './plan.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { Environment, Experiment, Problem } from '../experiment/contract.js'
 * @import { Valibot } from '../base/valibot.js'
 * @import { DocumentFields } from '../experiment/documents/document-fields.js'
 * @import { Situation } from '../experiment/plan/situation.js'
 * @typedef {(typeof MISSING)[number]} MissingKind
 * @typedef {{ experiment: string, document?: any, missing?: { kind: MissingKind, reason: string } }} Part a run, or why
 *   there is none
 * @typedef {{ schema: string, startedAt: string, situation: Situation, environment: Environment, parts: readonly Part[] }}
 *   FullTestDocument `environment`: of its first run
 */

export const SCHEMA = 'sockshootout/full-test/1';
const MISSING = Object.freeze(/** @type {const} */ (['skipped', 'failed', 'stopped']));

/**
 * Defines the schema of a full test: each part has the schema of its experiment.
 * @param {readonly Experiment[]} experiments @returns {(v: Valibot, fields: DocumentFields) => GenericSchema}
 */
export const schemaOf = (experiments) => (v, fields) => {
  const { time, ending, environment } = fields;
  const missing = v.strictObject({ kind: v.picklist(MISSING), reason: ending.entries.reason });
  const options = membersOf(experiments).map((member) => {
    const experiment = v.literal(member.name);
    const document = schemaOfDocument(member, v, fields);
    return v.strictObject({ experiment, document: v.optional(document), missing: v.optional(missing) });
  });
  return v.strictObject({
    schema: v.literal(SCHEMA),
    startedAt: time,
    situation: v.strictObject(schemaOfFields(v, SITUATION_FIELDS)),
    environment,
    // The validation library wants a tuple.
    parts: v.array(v.variant('experiment', /** @type {any} */ (options))),
  });
};

/**
 * Finds what is wrong with a full test that its schema does not detect.
 * @param {FullTestDocument} document @param {readonly Experiment[]} experiments @returns {Problem | undefined}
 */
export function problemOf({ parts, environment }, experiments) {
  const names = parts.map(({ experiment }) => experiment);
  if (new Set(names).size < names.length) return { path: 'parts', message: 'expected each experiment once' };
  if (parts.every(({ document }) => !document)) return { path: 'parts', message: 'expected a run in one of them' };
  for (const [i, part] of parts.entries()) {
    const problem = problemOfPart(part, { environment, experiments });
    if (problem) return { ...problem, path: ['parts', i, problem.path].filter((step) => step !== '').join('.') };
  }
  return undefined;
}

/**
 * @param {Part} part @param {{ environment: FullTestDocument['environment'], experiments: readonly Experiment[] }} whole
 * @returns {Problem | undefined}
 */
function problemOfPart({ experiment: name, document, missing }, { environment, experiments }) {
  if (Boolean(document) === Boolean(missing)) return { path: '', message: 'expected a run, or why there is none' };
  if (!document) return undefined;
  const experiment = /** @type {Experiment} */ (experiments.find((one) => one.name === name));
  const problem = problemOfDocument(experiment, document);
  if (problem) return { ...problem, path: ['document', problem.path].filter(Boolean).join('.') };
  const { environment: own } = document;
  const others = SAME_IN_ALL.filter((field) => originOr(own[field]) !== originOr(environment[field]));
  if (others.length === 0) return undefined;
  return { path: ['document', 'environment', others[0]].join('.'), message: 'expected that of the whole full test' };
}

/** What one client measured from one page: its parts may have pages of their own. */
const SAME_IN_ALL = /** @type {const} */ (['userAgent', 'url']);

/** @param {string} text @returns {string} the origin of a URL */
const originOr = (text) => parseUrl(text)?.origin ?? text;
