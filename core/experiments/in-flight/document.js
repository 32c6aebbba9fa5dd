/** The document of a run with messages in flight. */
import { FIELDS, messagesAt } from './plan.js';
import { describeDepths, summarizeDepths } from './report.js';
import { measurement } from './measure.js';
import { labelOf } from '../../net/echo/labels.js';
import { formatCsvLine } from '../../base/csv.js';
import { digestOfRun, problemOfRun, schemaOfRun } from '../../experiment/documents/run-document.js';
import { schemaOfFields } from '../../experiment/fields.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { DepthTrial } from './measure.js'
 * @import { DepthPlan } from './plan.js'
 */

/** @typedef {ExperimentDocument<DepthPlan, DepthTrial>} DepthDocument */

/** @param {Valibot} v @param {Fields} fields */
export function schemaOf(v, fields) {
  const { text, ms, count, transport } = fields;
  const trial = v.strictObject({
    block: count,
    transport,
    protocol: v.optional(text),
    depth: count,
    endedAtMs: v.array(ms),
    roundTripMs: v.array(ms),
    iterations: count,
    failures: fields.failures,
  });
  const plan = v.strictObject(schemaOfFields(v, FIELDS));
  return schemaOfRun(v, fields, { schema: measurement.schema, plan, trial });
}

/** @param {DepthDocument} document @returns {Problem | undefined} */
export function problemOf(document) {
  return problemOfRun(measurement, document, {
    by: ['block', 'transport', 'depth'],
    faultOf({ depth, iterations, endedAtMs, roundTripMs, failures }, isCut) {
      const count = endedAtMs.length;
      const isWhole = count === iterations || isCut || failures.length > 0;
      if (iterations !== messagesAt(depth) || count !== roundTripMs.length || count > iterations || !isWhole) {
        return 'expected as many answers as its depth has messages, or a failure';
      }
      const isRunning = endedAtMs.every((endedMs, i) => i === 0 || endedMs >= endedAtMs[i - 1]);
      return isRunning ? undefined : 'expected answers in their order';
    },
  });
}

/** @param {DepthDocument} document @returns {Digest} */
export function digest(document) {
  const { plan, trials } = document;
  return digestOfRun(document, {
    headline: () => `${plan.depths.join(', ')} in flight, by ${plan.transports.map(labelOf).join(', ')}`,
    detail: () => describeDepths(summarizeDepths(plan, trials)).join(' '),
  });
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
