/** Streams: how an answer arrives that comes in many pieces, by each method that people use. */
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { createFind } from '../../experiment/report/find.js';
import { samplesCsv } from '../../experiment/run/trials.js';
import { transports } from '../../net/echo/index.js';
import { STREAM_LABELS, streamLabelWithin, streamMethods } from '../../net/stream/index.js';
import { dueTimesOf } from '../../net/stream/stream.js';
import { arrivalsSoFar } from './arrivals.js';
import { answerFirst, fullTest } from './full-test.js';
import { measurement } from './measure.js';
import { checkPlan, describePlan, FIELDS, streamsOf } from './plan.js';
import { report } from './report.js';
import { faultOf, trialSchema } from './schema.js';
import { isFirstHeld, summarize } from './summary.js';

/**
 * @import { Experiment, LiveRun } from '../../experiment/contract.js'
 * @import { Part } from '../../experiment/run/open-run.js'
 * @import { PlannedTrial, StreamPlan } from './plan.js'
 * @import { StreamTrial } from './schema.js'
 * @import { StreamSummary } from './summary.js'
 */

/**
 * Returns the CSV lines of a trial: each piece, and each failure. Times count from when the stream was asked for.
 * @param {StreamTrial} trial @param {number} index @param {StreamPlan} plan
 */
function sampleRows(trial, index, plan) {
  const { block, streamedBy, protocol, atOnce, streams } = trial;
  const dues = streamsOf(plan, trial).map(dueTimesOf);
  return streams.flatMap(({ sentMs, atMs, failure }, i) => {
    const place = [block + 1, index + 1, streamedBy, protocol, atOnce, i + 1];
    const arrived = atMs.map((ms, n) => [
      ...place,
      'ok',
      n,
      ...[dues[i][n], sentMs[n], ms].map((time) => time.toFixed(3)),
    ]);
    return failure
      ? [...arrived, [...place, failure.outcome, atMs.length, undefined, undefined, undefined, failure.message]]
      : arrived;
  });
}

/** @param {StreamTrial} trial */
const readTrial = ({ streamedBy: method, streams, elapsedMs }) => ({
  answerCount: streams.reduce((sum, { atMs }) => sum + atMs.length, 0),
  failures: streams.flatMap(({ failure }) => failure ?? []),
  method,
  protocols: transports[streamMethods[method].transport].protocols,
  lastMs: elapsedMs,
});

/**
 * A first piece over an open connection takes a round trip, unless something on the path holds it back.
 * @param {{ plan: StreamPlan, trials: readonly StreamTrial[] }} run @returns {number[]} ms
 */
const roundTripsOf = ({ plan, trials }) =>
  trials.flatMap((trial) => {
    const [{ setUpMs = 0, atMs, lostAtMs }] = trial.streams;
    if (trial.atOnce > 1 || atMs.length === 0) return [];
    // Earlier runs have the setup of the connection that resumed.
    if (lostAtMs.length > 0 && setUpMs > 0) return [];
    return isFirstHeld(atMs, dueTimesOf(streamsOf(plan, trial)[0])) ? [] : [atMs[0] - setUpMs];
  });

/**
 * Answers how much sooner the first piece came than with what is used today, as far as users notice.
 * @param {StreamSummary} summary @param {Pick<Part, 'situation'>} run
 */
function answersOf({ plan: { today }, rows }, { situation }) {
  return rows.flatMap(({ method, atOnce, first, judged, laterMs }) => {
    if (!judged) return [];
    const base = rows.find((row) => row.method === today && row.atOnce === atOnce);
    const sides = /** @type {const} */ ([
      { name: today, value: base?.first?.estimate },
      { name: method, value: first?.estimate },
    ]);
    const bars = barsBetween(...sides, { prefix: 'stream-', nameOf: (name) => STREAM_LABELS[name] });
    return [
      answerFirst(
        { subject: method, baseline: today, atOnce, bars, barsTitle: 'Time until the first piece' },
        { judged, laterMs },
        situation,
      ),
    ];
  });
}

/** @satisfies {Experiment} */
export const stream = Object.freeze({
  ...measurement,
  name: 'stream',
  label: fullTest.question,
  path: '/stream',
  question: 'How should an answer be streamed?',
  fields: FIELDS,
  presets: [
    { label: 'SSE, fetch or WebSocket', plan: 'methods=fetch,events,ws-open&pieces=100' },
    { label: 'All methods', plan: `methods=${Object.keys(STREAM_LABELS).join(',')}&pieces=100` },
    { label: '1, 6 and 12 at once', plan: 'methods=fetch,events,ws-open&at-once=1,6,12&pieces=50' },
    { label: 'Connection reset', plan: 'methods=fetch,fetch-resume,events,ws,ws-resume&cut=reset&pieces=100' },
    { label: 'As fast as possible', plan: 'rate=0&pieces=1000&spread=0' },
  ],
  checkPlan,
  describePlan,
  progressOf: (/** @type {PlannedTrial} */ { streamedBy, atOnce }, { pieces }) => ({
    label: atOnce === 1 ? STREAM_LABELS[streamedBy] : `${atOnce} at once with ${streamLabelWithin(streamedBy)}`,
    totalCount: atOnce * pieces,
  }),
  live: (/** @type {LiveRun<StreamPlan, StreamTrial>} */ run) => arrivalsSoFar(run),
  transportsOf: ({ methods }) => [
    ...new Set(methods.map((/** @type {string} */ name) => streamMethods[name].transport)),
  ],
  schemaOf: (_, { idle }, ofRun) => ofRun({ idle }),
  trialSchema,
  faultOf,
  formatCsv: samplesCsv(
    'block,trial,method,protocol,at_once,stream,outcome,number,due_ms,sent_ms,arrived_ms,message'.split(','),
    sampleRows,
  ),
  readTrial,
  compares: true,
  find: createFind({ summarize, report, roundTripsOf, answersOf }),
  fullTest,
});

export default stream;
