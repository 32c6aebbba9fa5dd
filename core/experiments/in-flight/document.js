/**
 * The document of a run with messages in flight.
 */
import { FIELDS, messagesAt } from './plan.js';
import { describeDepths, summarizeDepths } from './report.js';
import { measurement } from './measure.js';
import { labelOf } from '../../net/echo/labels.js';
import { quoteEnding, headlineOfEnding, problemOfFault } from '../../experiment/documents/ending.js';
import { formatCsvLine } from '../../base/csv.js';
import { experimentFields, isCarriedOut } from '../../experiment/documents/experiment-fields.js';
import { schemaOfFields } from '../../experiment/fields.js';
import { serverOf } from '../../experiment/documents/server-of.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { DepthTrial } from './measure.js'
 * @import { DepthPlan } from './plan.js'
 */

/** @typedef {ExperimentDocument<DepthPlan, DepthTrial>} DepthDocument */

/** What adding up loses. */
const ROUNDING_MS = 1e-3;

/**
 * @param {Valibot} v
 * @param {ReturnType<typeof import('../../experiment/documents/fields.js').createFields>} fields
 */
export function schemaOf(v, fields) {
  const { text, ms, count, transport } = fields;
  return v.strictObject({
    schema: v.literal(measurement.schema),
    plan: v.strictObject(schemaOfFields(v, FIELDS)),
    ...experimentFields(v, fields),
    trials: v.array(
      v.strictObject({
        block: count,
        transport,
        protocol: v.optional(text),
        depth: count,
        endedAtMs: v.array(ms),
        roundTripMs: v.array(ms),
        iterations: count,
        failures: fields.failures,
      }),
    ),
  });
}

/**
 * @param {DepthDocument} document
 * @returns {Problem | undefined}
 */
export function problemOf(document) {
  const { plan, trials, ending } = document;
  const isRight = isCarriedOut(
    { planned: measurement.trialsOf(plan), trials, ending },
    (trial, planned, isCutShort) =>
      trial.transport === planned.transport &&
      trial.depth === planned.depth &&
      trial.block === planned.block &&
      trial.iterations === messagesAt(trial.depth) &&
      trial.endedAtMs.length === trial.roundTripMs.length &&
      // Each loop of a trial ends with its first failure.
      trial.endedAtMs.length <= trial.iterations &&
      trial.failures.length <= trial.depth + 1 &&
      (isCutShort || trial.failures.length > 0 || isWhole(trial)) &&
      trial.endedAtMs.every((endedMs, i, all) => i === 0 || endedMs >= all[i - 1]),
  );
  if (!isRight) return { path: 'trials', message: 'expected those of its plan, in its order, each whole or failed' };
  return problemOfFault(measurement, document);
}

/**
 * Are all messages answered, none of which left before the first or with more than its depth open?
 *
 * @param {DepthTrial} trial
 */
function isWhole({ depth, iterations, endedAtMs, roundTripMs }) {
  const sentAtMs = endedAtMs.map((endedMs, i) => endedMs - roundTripMs[i]).sort((a, b) => a - b);
  return (
    endedAtMs.length === iterations &&
    sentAtMs[0] >= -ROUNDING_MS &&
    // So many answers are in before the next message may leave.
    sentAtMs.every((sentMs, i) => i < depth || sentMs >= endedAtMs[i - depth] - ROUNDING_MS)
  );
}

/**
 * @param {DepthDocument} document
 * @returns {Digest}
 */
export function digest({ startedAt, plan, environment, statusBefore, trials, ending }) {
  const rows = summarizeDepths(plan, trials);
  return {
    startedAt,
    ...serverOf(environment, statusBefore),
    transports: [...plan.transports],
    isValid: ending === undefined,
    headline: ending
      ? headlineOfEnding(ending)
      : `${plan.depths.join(', ')} in flight, by ${plan.transports.map(labelOf).join(', ')}`,
    detail: ending ? quoteEnding(ending) : describeDepths(rows).join(' '),
    sampleCount: trials.reduce((sum, { roundTripMs }) => sum + roundTripMs.length, 0),
    failureCount: trials.reduce((sum, { failures }) => sum + failures.length, 0),
  };
}

const COLUMNS = [
  'block',
  'trial',
  'transport',
  'protocol',
  'depth',
  'outcome',
  'ended_at_ms',
  'round_trip_ms',
  'message',
];

/** @param {DepthDocument} document */
export function formatCsv({ trials }) {
  const lines = trials.flatMap(({ block, transport, protocol, depth, endedAtMs, roundTripMs, failures }, index) => {
    const place = [block + 1, index + 1, transport, protocol, depth];
    return [
      ...endedAtMs.map((ms, i) => [...place, 'ok', ms.toFixed(3), roundTripMs[i].toFixed(3)]),
      ...failures.map(({ outcome, message }) => [...place, outcome, undefined, undefined, message]),
    ];
  });
  return [COLUMNS, ...lines].map(formatCsvLine).join('');
}
