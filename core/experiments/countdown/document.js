/** The document of the count-down's tests, those of 2019. */
import { fromDocument } from './export.js';
import { measurement, describeMeans, ENDPOINTS, ITERATIONS, KINDS } from './measure.js';
import { digestOfLone, isEnded } from '../../experiment/lone-trials.js';
import { formatTrialsCsv } from '../../experiment/trials.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { CountdownDocument } from './export.js'
 */

const MAX_TESTS = 1000;

/** @param {Valibot} v @param {Fields} fields */
export function schemaOf(v, { time, ms, within, environment, trial, ending }) {
  return v.strictObject({
    schema: v.literal(measurement.schema),
    environment,
    choice: v.strictObject({ iterations: within(ITERATIONS), kind: v.picklist(Object.keys(KINDS)) }),
    coldSetUpMs: v.optional(ms),
    tests: v.pipe(
      v.array(v.strictObject({ startedAt: time, wasHidden: v.boolean(), trial, ending: v.optional(ending) })),
      v.minLength(1),
      v.maxLength(MAX_TESTS),
    ),
  });
}

/** @param {CountdownDocument} document @returns {Problem | undefined} */
export function problemOf({ tests }) {
  const index = tests.findIndex(
    ({ trial, ending }) =>
      !Object.hasOwn(ENDPOINTS, trial.transport) || trial.iterations > ITERATIONS.max || !isEnded({ trial, ending }),
  );
  if (index < 0) return undefined;
  return {
    path: `tests.${index}`,
    message: `expected a test by ${Object.keys(ENDPOINTS).join(' or ')} of at most ${ITERATIONS.max} iterations that is whole, ended with one failure, or says why it ended`,
  };
}

/** @param {CountdownDocument} document @returns {Digest} */
export function digest(document) {
  const { environment, tests } = fromDocument(document);
  return {
    ...digestOfLone(environment, tests),
    headline: `${tests.length} ${tests.length === 1 ? 'test' : 'tests'} of the count-down`,
    detail: describeMeans(tests),
  };
}

/** @param {CountdownDocument} document @returns {string} a line for each sample and each failure */
export function formatCsv({ tests }) {
  return formatTrialsCsv(tests.map(({ trial }) => trial));
}
