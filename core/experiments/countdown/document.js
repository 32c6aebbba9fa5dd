/**
 * The document of the count-down's tests, those of 2019.
 */
import { fromDocument } from './export.js';
import { measurement, describeMeans, ENDPOINTS, ITERATIONS, KINDS } from './measure.js';
import { isAccountedFor } from '../../experiment/documents/fields.js';
import { serverOf } from '../../experiment/documents/server-of.js';
import { formatTrialsCsv } from '../../experiment/documents/samples-csv.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Valibot } from '../../experiment/documents/fields.js'
 * @import { CountdownDocument } from './export.js'
 */

const MAX_TESTS = 1000;

/**
 * @param {Valibot} v
 * @param {ReturnType<typeof import('../../experiment/documents/fields.js').createFields>} fields
 */
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

/**
 * @param {CountdownDocument} document
 * @returns {Problem | undefined}
 */
export function problemOf({ tests }) {
  const index = tests.findIndex(
    ({ trial: { transport, iterations, samples, failures }, ending }) =>
      !Object.hasOwn(ENDPOINTS, transport) ||
      iterations > ITERATIONS.max ||
      failures.length > 1 ||
      !isAccountedFor(samples, failures, iterations, ending !== undefined),
  );
  if (index < 0) return undefined;
  return {
    path: `tests.${index}`,
    message: `expected a test by ${Object.keys(ENDPOINTS).join(' or ')} of at most ${ITERATIONS.max} iterations that is whole, ended with one failure, or says why it ended`,
  };
}

/**
 * @param {CountdownDocument} document
 * @returns {Digest}
 */
export function digest(document) {
  const { environment, tests } = fromDocument(document);
  const trials = tests.map(({ trial }) => trial);
  const means = describeMeans(tests);
  return {
    startedAt: tests[0].startedAt,
    ...serverOf(environment, trials.find(({ server }) => server)?.server),
    transports: [...new Set(trials.map(({ transport }) => transport))],
    isValid: tests.every(({ elapsedMs, wasHidden }) => elapsedMs !== undefined && !wasHidden),
    headline: `${tests.length} ${tests.length === 1 ? 'test' : 'tests'} of the count-down`,
    detail: means,
    sampleCount: trials.reduce((sum, { samples }) => sum + samples.iteration.length, 0),
    failureCount: trials.reduce((sum, { failures }) => sum + failures.length, 0),
  };
}

/**
 * @param {CountdownDocument} document
 * @returns {string} a line for each sample and each failure
 */
export function formatCsv({ tests }) {
  return formatTrialsCsv(tests.map(({ trial }) => trial));
}
