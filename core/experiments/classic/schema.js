/** Defines the schema of a saved test of 2012. */
import { schemaOfRecord, schemaOfRecords } from '../../experiment/documents/lone-trials.js';
import { openRecords } from '../../experiment/run/open-run.js';
import { PATHS } from './plan.js';

/**
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { LoneTrial } from '../../experiment/documents/lone-trials.js'
 * @typedef {OutputOf<typeof headSchema> & { schema: string, runs: OutputOf<typeof
 *   trialSchema>[] }} ClassicDocument `coldSetUpMs`: if the runs reused a connection
 * @typedef {LoneTrial & { clickedAtMs: number }} ClassicTrial
 * @typedef {Omit<ClassicDocument, 'schema' | 'runs'> & { runs: ClassicRecord[] }} ClassicResult
 * @typedef {ClassicDocument['runs'][0] & { elapsedMs?: number }} ClassicRecord `elapsedMs`: whole milliseconds, at
 *   least 1
 */

export const SCHEMA = 'sockshootout/classic/2';

/** @param {Valibot} v @param {DocumentFields} fields */
const headSchema = (v, { ms, environment }) =>
  v.strictObject({ transport: v.picklist(Object.keys(PATHS)), coldSetUpMs: v.optional(ms), environment });

/** @param {Valibot} v @param {DocumentFields} fields */
export const trialSchema = (v, fields) => schemaOfRecord(v, fields, { clickedAtMs: fields.reading });

/** @param {Valibot} v @param {DocumentFields} fields */
export const schemaOf = (v, fields) =>
  schemaOfRecords(v, {
    schema: SCHEMA,
    head: headSchema(v, fields).entries,
    list: 'runs',
    record: trialSchema(v, fields),
  });

/** Opens a document: its plan repeats its runs. @param {ClassicDocument} document */
export const openStored = ({ schema: _, transport, runs, ...others }) => ({
  ...others,
  plan: { transport, iterations: runs.map(({ trial }) => trial.iterations) },
  ...openRecords('runs', runs),
});

/** Makes the document that is saved. @param {ClassicResult} result @returns {ClassicDocument} */
export function toDocument({ runs, ...others }) {
  return { schema: SCHEMA, ...others, runs: runs.map(({ elapsedMs: _, ...run }) => run) };
}
