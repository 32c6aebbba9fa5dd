/**
 * Defines the plan of a run of streams, which fits into a link. A trial asks for one stream, or for several at once, by one method.
 * All trials of a block have the same streams.
 */
import { InvalidInputError } from '../../base/foreign-text.js';
import { formatCount, listOf } from '../../base/format.js';
import { sumOf } from '../../base/statistics.js';
import { createRandomOf, inBlocks, MAX_SEED } from '../../base/random.js';
import { MIN_BLOCKS, warnOfFewBlocks } from '../../experiment/answer/compare.js';
import { blocksField } from '../../experiment/plan/blocks.js';
import { checkSampleCount, choice, integer, integers, names, SEED } from '../../experiment/plan/fields.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';
import {
  DEFAULT_STREAM_METHODS,
  isPolling,
  STREAM_LABELS,
  streamLabelWithin,
  streamMethods,
} from '../../net/stream/index.js';
import { MAX_STREAMS_AT_ONCE, STREAM_RANGES } from '../../net/stream/stream.js';

/**
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @import { StreamOptions } from '../../net/stream/stream.js'
 * @typedef {PlanOf<typeof FIELDS>} StreamPlan
 * @typedef {{ block: number, streamedBy: string, atOnce: number }} PlannedTrial `streamedBy`: a method; `atOnce`: the number of streams
 */

const { pieces, bytes, rate, spread } = STREAM_RANGES;

export const FIELDS = Object.freeze({
  methods: names({
    parameter: 'methods',
    label: 'Methods',
    one: 'method',
    choices: STREAM_LABELS,
    isOrdered: true,
    default: DEFAULT_STREAM_METHODS,
  }),
  today: choice({
    parameter: 'today',
    label: 'You use today',
    help: 'one of the methods; the others are compared with it; if they are without the default, the first of them',
    choices: STREAM_LABELS,
    default: DEFAULT_STREAM_METHODS[0],
    among: 'methods',
  }),
  pieces: integer({ parameter: 'pieces', label: 'Pieces', help: 'pieces of an answer', ...pieces, default: 200 }),
  pieceBytes: integer({ parameter: 'bytes', label: 'Text in each piece', unit: 'bytes', ...bytes, default: 12 }),
  rate: integer({
    parameter: 'rate',
    label: 'Pieces per second',
    help: 'on average; 0: as fast as possible',
    zero: 'as fast as possible',
    ...rate,
    default: 50,
  }),
  spread: integer({
    parameter: 'spread',
    label: 'Spread',
    unit: '%',
    help: 'of the times between two pieces: 0 for equal ones, 100 for exponential ones',
    ...spread,
    default: 50,
  }),
  atOnce: integers({
    parameter: 'at-once',
    label: 'Streams at once',
    help: 'each number in a trial of its own',
    min: 1,
    max: MAX_STREAMS_AT_ONCE,
    maxCount: 4,
    default: [1],
  }),
  cut: choice({
    parameter: 'cut',
    label: 'Cut',
    help: 'whether the server resets the connection once, in the middle',
    choices: Object.freeze({ uncut: 'None', reset: 'Reset in the middle' }),
    default: 'uncut',
  }),
  intervalMs: integer({
    parameter: 'interval',
    label: 'Poll interval',
    unit: 'ms',
    min: 10,
    max: 10_000,
    default: 250,
  }),
  blocks: blocksField({ min: 1, max: 50, help: `number of blocks; a verdict needs ${MIN_BLOCKS}` }),
  seed: SEED,
});

/** How long a method waits where its connection broke, until it asks for the rest: an EventSource by itself, as browsers do. */
const RESUMING_MS = Object.freeze({ 'event-source': 3000, other: 1000 });

/** The longest stream that a run asks for: the server allows more, as its pieces are spread by chance. */
const MAX_SECONDS = 20;
/** What a trial takes besides its pieces: reading the traffic, and opening a connection. */
const TRIAL = { ms: 100, roundTripCount: 4 };
/** Where it is not known: that to a server in the same country. */
const USUAL_RTT_MS = 25;

/** @param {{ cut: string }} plan @returns {boolean} does the server reset connections? */
export const isCut = ({ cut }) => cut !== 'uncut';

/** Checks the rules across fields. @param {StreamPlan} plan @throws {InvalidInputError} what, expected, got */
export function checkPlan(plan) {
  const { methods, today, pieces: count, rate: perSecond, blocks, atOnce } = plan;
  if (!methods.includes(today)) {
    throw new InvalidInputError(
      `expected one of the methods (${methods.join(', ')}), got ${today}: choose one of them, or add it to the methods`,
      { fields: ['today'] },
    );
  }
  if (isCut(plan) && methods.every(isPolling)) {
    const got = methods.join(', ');
    throw new InvalidInputError(`expected a method whose connection the cut can reset, got only ${got}`, {
      fields: ['methods'],
    });
  }
  // What comes at once may be lost with the connection, and nothing of it is left to go on from.
  if (isCut(plan) && perSecond === 0) {
    throw new InvalidInputError('expected a rate above 0 beside a cut, got 0', { fields: ['rate'] });
  }
  const seconds = lengthSecondsOf(plan);
  if (seconds > MAX_SECONDS) {
    throw new InvalidInputError(`expected at most ${MAX_SECONDS} s of pieces, got ${seconds} s of them`, {
      fields: ['pieces'],
    });
  }
  const streamCount = atOnce.reduce((sum, one) => sum + one, 0);
  checkSampleCount(blocks * methods.length * streamCount * count, ['blocks', 'methods', 'at-once', 'pieces']);
}

/** @param {{ pieces: number, rate: number }} plan @returns {number} from the first piece to the last, on average */
const lengthSecondsOf = ({ pieces: count, rate: perSecond }) => (perSecond === 0 ? 0 : (count - 1) / perSecond);

/** @param {StreamPlan} plan @returns {PlannedTrial[]} block by block, each in random order */
export const trialsOf = (plan) => {
  const each = plan.atOnce.flatMap((atOnce) => plan.methods.map((streamedBy) => ({ streamedBy, atOnce })));
  return inBlocks(each, plan);
};

/**
 * The streams of a trial, the same for all methods of a block. The cut comes in the middle.
 * @param {StreamPlan} plan @param {{ block: number, atOnce: number }} trial @returns {StreamOptions[]}
 */
export function streamsOf({ seed, cut, ...plan }, { block, atOnce }) {
  const random = createRandomOf(seed, block + 1);
  const { pieces: count, pieceBytes, rate: perSecond, spread: percent } = plan;
  return Array.from({ length: atOnce }, () => ({
    ...{ pieces: count, bytes: pieceBytes, rate: perSecond, spread: percent },
    seed: Math.floor(random() * (MAX_SEED + 1)),
    ...(cut === 'reset' && { cut: Math.ceil(count / 2) }),
  }));
}

/** Estimates how long a run takes. @param {StreamPlan} plan @param {number} [roundTripMs] @returns {number} seconds */
export function secondsOf(plan, roundTripMs = USUAL_RTT_MS) {
  const { methods, atOnce, blocks } = plan;
  const beside = TRIAL.ms + TRIAL.roundTripCount * roundTripMs;
  const trials = atOnce.flatMap((count) => methods.map((method) => streamingMsOf(plan, method, count) + beside));
  return Math.ceil((blocks * sumOf(trials, Number)) / 1000) + 1;
}

/**
 * @param {StreamPlan} plan @param {string} method @param {number} atOnce
 * @returns {number} until the last piece of all has come, at most: over HTTP/1.1, those beyond six wait until others have ended
 */
function streamingMsOf(plan, method, atOnce) {
  const { client, resumes } = streamMethods[method];
  const lengthMs = 1000 * lengthSecondsOf(plan);
  // The last piece waits for the next poll.
  if (client === 'polls') return lengthMs + plan.intervalMs;
  const waves = client === 'socket' ? 1 : Math.ceil(atOnce / HTTP1_CONNECTION_COUNT);
  const pauseMs = client === 'event-source' ? RESUMING_MS[client] : RESUMING_MS.other;
  return waves * (lengthMs + (plan.cut === 'reset' && resumes ? pauseMs : 0));
}

/** Describes what a plan asks for. @param {StreamPlan} plan @returns {string} sentences */
export function describePlan(plan) {
  const { methods, pieces: count, pieceBytes, atOnce, cut, blocks } = plan;
  const [first, ...others] = methods;
  const named = listOf([STREAM_LABELS[first], ...others.map(streamLabelWithin)]);
  const several = atOnce.join() === '1' ? '' : `, ${listOf(atOnce.map(String))} at once`;
  const unbroken = methods.includes('poll') ? ', except for polling' : '';
  const broken = cut === 'reset' ? ` The server resets each connection once${unbroken}.` : '';
  return [
    `${named}: answers of ${count} pieces of ${formatCount(pieceBytes, 'byte')}, ${describePace(plan)}${several}.${broken}`,
    `${blocks === 1 ? '1 block' : `${blocks} blocks in random order`}.${warnOfFewBlocks(blocks)}`,
  ].join(' ');
}

/** @param {{ rate: number }} plan @returns {string} such as '50 per second' */
const describePace = ({ rate: perSecond }) => (perSecond === 0 ? 'as fast as possible' : `${perSecond} per second`);
