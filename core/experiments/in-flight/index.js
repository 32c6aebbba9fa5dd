import { planned } from '../../experiment/planned.js';
import { checkSampleCount } from '../../experiment/plan-link.js';
import { labelOf } from '../../net/echo/labels.js';
import { describeDepthPlan, FIELDS, measurement, messagesAt, sampleCountOf } from './measure.js';
import { report } from './report.js';
import { summarize } from './summary.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { DepthPlan } from './measure.js'
 *
 * @typedef {InferOutput<ReturnType<typeof trialSchema>>} DepthTrial
 * @typedef {ExperimentDocument<DepthPlan, DepthTrial>} DepthDocument
 */

/** @param {Valibot} v @param {Fields} fields */
function trialSchema(v, { text, ms, count, transport, failures }) {
  return v.strictObject({
    block: count,
    transport,
    protocol: v.optional(text),
    depth: count,
    // Of each ok message in the order of the answers, since the first was sent; so are the round trips.
    endedAtMs: v.array(ms),
    roundTripMs: v.array(ms),
    iterations: count,
    failures,
  });
}

/** @param {DepthTrial} trial @param {{ isCut: boolean }} run */
function faultOf({ depth, iterations, endedAtMs, roundTripMs, failures }, { isCut }) {
  const count = endedAtMs.length;
  const isWhole = count === iterations || isCut || failures.length > 0;
  if (iterations !== messagesAt(depth) || count !== roundTripMs.length || count > iterations || !isWhole) {
    return 'expected as many answers as its depth has messages, or a failure';
  }
  const isRunning = endedAtMs.every((endedMs, i) => i === 0 || endedMs >= endedAtMs[i - 1]);
  return isRunning ? undefined : 'expected answers in their order';
}

/** @param {DepthTrial} trial @param {number} index */
function sampleRows({ block, transport, protocol, depth, endedAtMs, roundTripMs, failures }, index) {
  const place = [block + 1, index + 1, transport, protocol, depth];
  return [
    ...endedAtMs.map((ms, i) => [...place, 'ok', ms.toFixed(3), roundTripMs[i].toFixed(3)]),
    ...failures.map(({ outcome, message }) => [...place, outcome, undefined, undefined, message]),
  ];
}

/** The same echo, with more and more messages in flight. */
export const inFlight = planned({
  ...measurement,
  name: 'in-flight',
  label: 'Messages in flight',
  path: '/inflight',
  intro: 'How does throughput grow when 2 to 32 messages are in flight at once?',
  legend: 'Transports and concurrency',
  fields: FIELDS,
  checkPlan: (plan) => checkSampleCount(sampleCountOf(plan), 'blocks times transports times messages at each depth'),
  describePlan: describeDepthPlan,
  describeTrial: ({ transport, depth }) => `${labelOf(transport)} with ${depth} in flight`,
  messageCountOf: ({ depth }) => messagesAt(depth),
  hasChart: true,
  trialKeys: ['block', 'transport', 'depth'],
  trialSchema,
  faultOf,
  sampleColumns: 'block,trial,transport,protocol,depth,outcome,ended_at_ms,round_trip_ms,message'.split(','),
  sampleRows,
  headlineOf: ({ depths, transports }) => `${depths.join(', ')} in flight, by ${transports.map(labelOf).join(', ')}`,
  summarize,
  report,
});
