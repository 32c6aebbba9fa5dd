/** Messages in flight: the same echo with 1, 2, 4 ... at once. A back-to-back loop waits a round trip for each. */
import { inBlocks } from '../../base/random.js';
import { sumOf } from '../../base/statistics.js';
import { MIN_BLOCKS, warnOfFewBlocks } from '../../experiment/compare.js';
import { createFaultWatch } from '../../experiment/faults.js';
import { integer, integers, checkSampleCount, SEED, TRANSPORTS } from '../../experiment/fields.js';
import { planned } from '../../experiment/planned.js';
import { createDeadline, setUpLimitMs } from '../../net/deadline.js';
import { labelOf } from '../../net/labels.js';
import { createPayload, measureRoundTrip } from '../../net/echo/round-trip.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { report, summarize } from './report.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Counts, ExperimentDocument, Measurement } from '../../experiment/contract.js'
 * @import { Progress } from '../../net/echo/trial.js'
 * @import { DocumentFields, Valibot } from '../../experiment/documents/fields.js'
 * @import { Now } from '../../base/clock.js'
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Connection, Transport } from '../../net/echo/index.js'
 * @import { RoundTrip } from '../../net/echo/round-trip.js'
 * @import { Outcome } from '../../net/exchange-error.js'
 * @typedef {PlanOf<typeof FIELDS>} DepthPlan each block holds one trial of every transport at every depth, in random order
 * @typedef {InferOutput<ReturnType<typeof trialSchema>>} DepthTrial
 * @typedef {ExperimentDocument<DepthPlan, DepthTrial>} DepthDocument
 * @typedef {{ transport: string, depth: number, block: number }} PlannedTrial `block` counts from 0
 * @typedef {{ plan: DepthPlan, transports: Record<string, Transport>, now: Now, timeoutMs?: number, signal?: AbortSignal }}
 *   Options `timeoutMs`: without any answer
 */

const FIELDS = Object.freeze({
  transports: TRANSPORTS,
  depths: integers({
    parameter: 'depths',
    label: 'Messages in flight',
    min: 1,
    // More than a few hundred open requests are the browser's own limits, not the network's.
    max: 256,
    maxCount: 12,
    default: [1, 2, 4, 8, 16, 32],
    // All others are compared with it.
    rule: { isMet: ([first]) => first === 1, expected: '1 among them', schema: { prefixItems: [{ const: 1 }] } },
  }),
  // Of one there is no interval; by fewer than the default there is no verdict.
  blocks: integer({ parameter: 'blocks', label: 'Blocks', min: 2, max: 50, default: MIN_BLOCKS }),
  seed: SEED,
});

/** Of each trial, as many messages as are in flight so many times over, after as many that open the connections. */
const CYCLES = 4;
const MIN_MESSAGES = 16;

/** Messages of a trial that count. @param {number} depth */
export const messagesAt = (depth) => Math.max(MIN_MESSAGES, CYCLES * depth);

/** Of a run without failures. @param {Pick<DepthPlan, 'transports' | 'depths' | 'blocks'>} plan */
export const sampleCountOf = ({ transports, depths, blocks }) => blocks * transports.length * sumOf(depths, messagesAt);

/** @type {Measurement<Options, PlannedTrial, DepthTrial>} */
const measurement = {
  schema: 'sockshootout/in-flight/1',
  trialsOf(plan) {
    const each = plan.transports.flatMap((transport) => plan.depths.map((depth) => ({ transport, depth })));
    return inBlocks(each, plan);
  },
  runTrial,
  watchFaults: ({ transports }) => createFaultWatch(transports, { countsOf }),
};

/** @param {PlannedTrial} planned @param {Options & { progress: Progress }} options @returns {Promise<DepthTrial>} */
async function runTrial({ transport: name, depth, block }, { transports, now, timeoutMs = 10_000, progress, signal }) {
  const transport = transports[name];
  const iterations = messagesAt(depth);
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  /** @type {Pick<DepthTrial, 'endedAtMs' | 'roundTripMs' | 'failures'>} */
  const { endedAtMs, roundTripMs, failures } = { endedAtMs: [], roundTripMs: [], failures: [] };
  let sentCount = 0;
  let isOver = false;
  /** @type {Connection | undefined} */
  let connection;

  /** @param {{ outcome: Outcome, message?: string }} end of an exchange without an answer */
  const endWith = ({ outcome, message = '' }) => {
    isOver = true;
    if (isFailure(outcome)) failures.push({ outcome, message });
  };
  /** @param {Connection} open @param {number} end no message is sent beyond it @param {(trip: RoundTrip) => void} onAnswer */
  const loop = async (open, end, onAnswer) => {
    while (sentCount < end && !isOver) {
      const iteration = sentCount++;
      // Distinct counts, so that no two open requests share an address.
      const trip = await measureRoundTrip(open, createPayload(iteration), { now, signal: deadline.start() });
      if (trip.outcome === 'ok') onAnswer(trip);
      else endWith(trip);
    }
  };
  try {
    const open = (connection = await transport.connect({ signal: deadline.start(setUpLimitMs(transport, timeoutMs)) }));
    const together = (/** @type {number} */ end, /** @type {Parameters<typeof loop>[2]} */ onAnswer) =>
      Promise.all(Array.from({ length: depth }, () => loop(open, end, onAnswer)));
    await together(depth, () => {});
    const startedAtMs = now();
    await together(depth + iterations, ({ sentAtMs, endedAtMs: at }) => {
      endedAtMs.push(at - startedAtMs);
      roundTripMs.push(at - sentAtMs);
      progress.completedCount++;
    });
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    endWith(error);
  } finally {
    deadline.close();
    connection?.close();
  }
  const { protocol } = connection ?? {};
  return { transport: transport.name, protocol, depth, endedAtMs, roundTripMs, iterations, failures, block };
}

/** @param {Valibot} v @param {DocumentFields} fields */
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
    return 'expected an answer to each message of its depth, or a failure';
  }
  const isRunning = endedAtMs.every((endedMs, i) => i === 0 || endedMs >= endedAtMs[i - 1]);
  return isRunning ? undefined : 'expected answers in order';
}

/** @param {DepthTrial} trial @returns {Counts} */
const countsOf = ({ roundTripMs, failures }) => ({ answerCount: roundTripMs.length, failures });

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
  describePlan(plan) {
    const { transports, depths, blocks } = plan;
    return `${blocks} blocks, each with one trial per transport (${transports.map(labelOf).join(', ')}) and number of messages in flight (${depths.join(', ')}), in random order: ${sampleCountOf(plan)} messages in total.${warnOfFewBlocks(blocks)}`;
  },
  describeTrial: ({ transport, depth }) => `${labelOf(transport)} with ${depth} in flight`,
  messageCountOf: ({ depth }) => messagesAt(depth),
  hasChart: true,
  trialKeys: ['block', 'transport', 'depth'],
  trialSchema,
  faultOf,
  sampleColumns: 'block,trial,transport,protocol,depth,outcome,ended_at_ms,round_trip_ms,message'.split(','),
  sampleRows,
  headlineOf: ({ depths, transports }) =>
    `${depths.join(', ')} messages in flight: ${transports.map(labelOf).join(', ')}`,
  countsOf,
  roundTripsOf: ({ trials }) =>
    trials.flatMap((/** @type {DepthTrial} */ { depth, roundTripMs }) => (depth === 1 ? roundTripMs : [])),
  summarize,
  report,
});
