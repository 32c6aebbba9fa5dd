/** Defines the schema of a saved count-down. */
import { schemaOfRecord, schemaOfRecords } from '../../experiment/documents/lone-trials.js';
import { openRecords } from '../../experiment/run/open-run.js';
import { ITERATIONS, KINDS } from './plan.js';
import { isSubmission, openSubmission, submissionSchemaOf } from './submission.js';

/**
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { Submission } from './submission.js'
 * @import { LoneTrial } from '../../experiment/documents/lone-trials.js'
 * @typedef {OutputOf<typeof headSchema> & { schema: string, tests: OutputOf<typeof
 *   trialSchema>[] }} CountdownDocument `choice`: the last choice
 * @typedef {LoneTrial & { elapsedMs?: number }} CountdownTrial `elapsedMs`: its time, as the app of 2019 reported it
 * @typedef {CountdownDocument['tests'][0] & { elapsedMs?: number }} CountdownTest
 * @typedef {Omit<CountdownDocument, 'schema' | 'tests' | 'environment'> & { environment?:
 *   CountdownDocument['environment'], tests: CountdownTest[] }} CountdownResult `environment`: absent if the app of
 *   2019 measured
 */

export const SCHEMA = 'sockshootout/countdown/3';

/** @param {Valibot} v @param {DocumentFields} fields */
const headSchema = (v, { ms, environment, within }) =>
  v.strictObject({
    environment,
    choice: v.strictObject({ iterations: within(ITERATIONS), kind: v.picklist(Object.keys(KINDS)) }),
    coldSetUpMs: v.optional(ms),
  });

/** @param {Valibot} v @param {DocumentFields} fields */
export const trialSchema = (v, fields) => schemaOfRecord(v, fields, {});

/** @param {Valibot} v @param {DocumentFields} fields */
export function schemaOf(v, fields) {
  const head = headSchema(v, fields).entries;
  const own = schemaOfRecords(v, { schema: SCHEMA, head, list: 'tests', record: trialSchema(v, fields) });
  // The validation library does not know that this schema has a literal `schema`.
  return v.variant('schema', [/** @type {any} */ (own), submissionSchemaOf(v, fields)]);
}

/** Opens a document of either client. @param {CountdownDocument | Submission} document */
export const openStored = (document) => (isSubmission(document) ? openSubmission(document) : openOwn(document));

/** Opens what its page made: its plan is the last choice. @param {CountdownDocument} document */
export const openOwn = ({ schema: _, choice: plan, tests, ...others }) => ({
  ...others,
  plan,
  ...openRecords('tests', tests),
});

/** @param {CountdownResult} result with its environment @returns {CountdownDocument} */
export function toDocument({ tests, ...others }) {
  const document = { schema: SCHEMA, ...others, tests: tests.map(({ elapsedMs: _, ...test }) => test) };
  return /** @type {CountdownDocument} */ (document);
}
