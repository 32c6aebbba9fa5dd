/** Defines the schema of a saved count-down. */
import { schemaOfRecord } from '../../experiment/lone-trials.js';
import { ITERATIONS, KINDS } from './plan.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { DocumentFields, Valibot } from '../../experiment/document-fields.js'
 * @typedef {InferOutput<ReturnType<typeof headSchema>> & { schema: string, tests: InferOutput<ReturnType<typeof
 *   trialSchema>>[] }} CountdownDocument `choice`: the last choice
 * @typedef {CountdownDocument['tests'][0] & { elapsedMs?: number }} CountdownTest
 * @typedef {Omit<CountdownDocument, 'schema' | 'tests' | 'environment'> & { environment?:
 *   CountdownDocument['environment'], tests: CountdownTest[] }} CountdownResult `environment`: absent if the app of
 *   2019 measured
 */

export const SCHEMA = 'sockshootout/countdown/3';

/** @param {Valibot} v @param {DocumentFields} fields */
export const headSchema = (v, { ms, environment, within }) =>
  v.strictObject({
    environment,
    choice: v.strictObject({ iterations: within(ITERATIONS), kind: v.picklist(Object.keys(KINDS)) }),
    coldSetUpMs: v.optional(ms),
  });

/** @param {Valibot} v @param {DocumentFields} fields */
export const trialSchema = (v, fields) => schemaOfRecord(v, fields, {});

/** @param {CountdownResult} result with its environment @returns {CountdownDocument} */
export function toDocument({ tests, ...others }) {
  const document = { schema: SCHEMA, ...others, tests: tests.map(({ elapsedMs: _, ...test }) => test) };
  return /** @type {CountdownDocument} */ (document);
}
