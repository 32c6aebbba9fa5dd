/** Messages in flight: the same echo with 1, 2, 4 ... at once. A back-to-back loop waits a round trip for each. */
import { createFind } from '../../experiment/report/find.js';
import { liveDots, samplesCsv } from '../../experiment/run/trials.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { fullTest } from './full-test.js';
import { countsOf, measurement } from './measure.js';
import { checkPlan, describePlan, FIELDS, messagesAt } from './plan.js';
import { report } from './report.js';
import { faultOf, trialSchema } from './schema.js';
import { answersOf, summarize } from './summary.js';

/**
 * @import { Experiment } from '../../experiment/contract.js'
 * @import { DepthTrial } from './schema.js'
 */

/** @param {DepthTrial} trial @param {number} index */
function sampleRows({ block, transport, protocol, depth, endedAtMs, roundTripMs, failures }, index) {
  const place = [block + 1, index + 1, transport, protocol, depth];
  return [
    ...endedAtMs.map((ms, i) => [...place, 'ok', ms.toFixed(3), roundTripMs[i].toFixed(3)]),
    ...failures.map(({ outcome, message }) => [...place, outcome, undefined, undefined, message]),
  ];
}

/** @param {{ trials: readonly DepthTrial[] }} run @returns {number[]} ms */
const roundTripsOf = ({ trials }) => trials.flatMap(({ depth, roundTripMs }) => (depth === 1 ? roundTripMs : []));

/** Echoes the same messages, with more and more of them in flight. @satisfies {Experiment} */
export const inFlight = Object.freeze({
  ...measurement,
  name: 'in-flight',
  label: fullTest.question,
  path: '/inflight',
  question: 'How does throughput grow when 2 to 32 messages are in flight at once?',
  fields: FIELDS,
  checkPlan,
  describePlan,
  progressOf: ({ transport, depth }) => ({
    label: `${labelOf(transport)} with ${depth} in flight`,
    totalCount: messagesAt(depth),
  }),
  live: liveDots({
    caption: 'Round trip of each message so far, ms',
    labelOf,
    msOf: (/** @type {DepthTrial} */ { roundTripMs }) => roundTripMs,
  }),
  trialSchema,
  faultOf,
  formatCsv: samplesCsv(
    'block,trial,transport,protocol,depth,outcome,ended_at_ms,round_trip_ms,message'.split(','),
    sampleRows,
  ),
  readTrial: countsOf,
  compares: true,
  find: createFind({ summarize, report, roundTripsOf, trustOf: () => ({ isBusy: true }), answersOf }),
  fullTest,
});

export default inFlight;
