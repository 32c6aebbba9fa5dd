/** The schemas of documents: which experiment reads a document, and what the document may contain. */
import { schemaOfFields } from './fields.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { Experiment } from './contract.js'
 * @import { DocumentFields, Valibot } from './document-fields.js'
 * @typedef {{ schema: string | readonly string[] }} Schemas of an experiment's documents
 */

/** @param {Schemas} experiment @returns {string[]} the schemas of all documents that it reads */
export const schemasOf = ({ schema }) => [schema].flat();

/** @param {Schemas} experiment @param {{ schema?: any }} document @returns {boolean} does it read such a document? */
export const isDocumentOf = (experiment, { schema }) => schemasOf(experiment).includes(schema);

/**
 * @param {Experiment} experiment @param {Valibot} v @param {DocumentFields} ofDocuments
 * @returns {GenericSchema} of its documents
 */
export function schemaOf(experiment, v, ofDocuments) {
  const { time, environment, status, ending } = ofDocuments;
  const ofRun = (/** @type {Record<string, GenericSchema>} */ more) =>
    v.strictObject({
      schema: v.literal(schemasOf(experiment)[0]),
      startedAt: time,
      plan: v.strictObject(schemaOfFields(v, experiment.fields)),
      environment,
      statusBefore: v.optional(status),
      statusAfter: v.optional(status),
      trials: v.array(experiment.trialSchema(v, ofDocuments)),
      ...more,
      ending: v.optional(ending),
    });
  return experiment.schemaOf ? experiment.schemaOf(v, ofDocuments, ofRun) : ofRun({});
}
