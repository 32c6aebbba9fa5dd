/** The schemas of documents: what they may contain. */
import { schemaOfFields } from '../plan/fields.js';
import { schemasOf } from '../run/open-run.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { Experiment } from '../contract.js'
 * @import { Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from './document-fields.js'
 */

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
