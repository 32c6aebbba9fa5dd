/**
 * The experiment of 2019: a count is sent, comes back one lower, and is sent again until it is 0, by XHR or by a
 * WebSocket.
 *
 * Its time is that of the messages, from the first message sent to the last answer. The WebSocket is opened before. XHR
 * cannot open its connection before, so the first request's connection counts.
 */
import { formatMs } from '../../base/format.js';
import { mean, sumOf } from '../../base/statistics/values.js';
import { totalMs } from '../../base/statistics/summary.js';
import { choice, formatFields, integer, parseField } from '../../experiment/fields.js';
import { endingOf, formatUnfinished } from '../../experiment/lone-trials.js';
import { labelOf } from '../../net/labels.js';
import { runTrial } from '../../net/echo/trial.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Measurement } from '../../experiment/run.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Trial } from '../../net/echo/trial.js'
 * @import { CountdownTest } from './index.js'
 */

export const SCHEMA = 'sockshootout/countdown/2';

/** Where the server counts down, by transport. */
export const ENDPOINTS = Object.freeze({ xhr: '/xhr', websocket: '/ws' });

/**
 * What one press makes, by the name that stands in a link. XHR goes first, as in 2019.
 * @type {Readonly<Record<string, { label: string, transports: readonly CountdownTransport[], rounds: number }>>}
 */
export const KINDS = Object.freeze({
  xhr: { label: 'XHR', transports: ['xhr'], rounds: 1 },
  websocket: { label: 'WebSocket', transports: ['websocket'], rounds: 1 },
  both: { label: 'One of each', transports: ['xhr', 'websocket'], rounds: 1 },
  both3: { label: 'One of each, 3 times', transports: ['xhr', 'websocket'], rounds: 3 },
});

/** What is counted down from. */
export const ITERATIONS = integer({ parameter: 'Iterations', label: 'Iterations', min: 1, max: 1000 });

/** Of a plan. */
export const FIELDS = Object.freeze({
  iterations: integer({ ...ITERATIONS, parameter: 'iterations', help: 'what is counted down from', default: 100 }),
  kind: choice({
    parameter: 'kind',
    label: 'Tests',
    choices: Object.fromEntries(Object.entries(KINDS).map(([name, { label }]) => [name, label])),
    default: 'both',
  }),
});

/**
 * @typedef {keyof typeof ENDPOINTS} CountdownTransport
 * @typedef {PlanOf<typeof FIELDS>} Choice
 * @typedef {Omit<CountdownTest, 'startedAt' | 'wasHidden'>} Countdown `elapsedMs`: of all its messages; absent where it did
 *   not come to 0; `ending`: absent where it finished or failed
 * @typedef {ReturnType<typeof meansOf>[0]} TransportMean
 * @typedef {{ plan: Choice, transports: Record<string, Transport>, now: Now, timeoutMs?: number, signal?: AbortSignal }}
 *   Options `transports`: at the {@link ENDPOINTS}; `timeoutMs`: limit of one answer
 */

/**
 * All that one press asks for. The first failure ends a test, as nothing can be said of the time then. It does not keep
 * the next one from being made; a cancel does.
 * @type {Measurement<Options, { transport: CountdownTransport, iterations: number }, Countdown>}
 */
export const measurement = {
  schema: SCHEMA,
  trialsOf({ iterations, kind }) {
    const { transports, rounds } = KINDS[kind];
    return Array.from({ length: rounds }, () => transports.map((transport) => ({ transport, iterations }))).flat();
  },
  async runTrial({ transport: name, iterations }, { transports, now, timeoutMs, progress, signal }) {
    const options = { now, iterations, timeoutMs, progress, signal, maxFailuresInARow: 1 };
    const trial = await runTrial({ ...options, transport: transports[name], step: -1 });
    return { trial, elapsedMs: elapsedOf(trial), ending: endingOf(trial, signal) };
  },
  watchFaults: () => ({ look: () => undefined }),
};

/** First message to last answer; absent where it did not come to 0. @param {Trial} trial @returns {number | undefined} */
export const elapsedOf = ({ samples, iterations }) =>
  samples.iteration.length < iterations ? undefined : totalMs(samples);

/** @param {readonly Countdown[]} tests @param {string} transport */
export const testsBy = (tests, transport) => tests.filter(({ trial }) => trial.transport === transport);

/** Both, and what else a client of 2019 named. @param {readonly Countdown[]} tests @returns {string[]} */
export const transportsOf = (tests) => [
  ...new Set([...Object.keys(ENDPOINTS), ...tests.map(({ trial }) => trial.transport)]),
];

/** @param {string} transport @returns {string} the name of a custom property, without its dashes */
export const colourOf = (transport) => (Object.hasOwn(ENDPOINTS, transport) ? transport : 'chart-text');

/**
 * Each test counts alike, however many its iterations were, so that the means can be checked with the table.
 * @param {readonly Countdown[]} tests
 */
export function meansOf(tests) {
  return transportsOf(tests).map((transport) => {
    const own = testsBy(tests, transport);
    const finished = own.flatMap((test) => msPerIteration(test) ?? []);
    /** Per iteration; absent where no test finished. */
    const meanMs = mean(finished);
    return { transport, meanMs, finishedCount: finished.length, unfinishedCount: own.length - finished.length };
  });
}

/** Absent where it did not come to 0. @param {Countdown} test @returns {number | undefined} */
export const msPerIteration = ({ trial: { iterations }, elapsedMs }) =>
  elapsedMs === undefined ? undefined : elapsedMs / iterations;

/** Typed, or from a link. @param {string} text @returns {number} @throws {InvalidInputError} what, expected, got */
export const parseIterations = (text) => parseField(text, ITERATIONS);

/** One of {@link KINDS}. @param {string} text @returns {string} @throws {InvalidInputError} what, expected, got */
export const parseKind = (text) => parseField(text, { ...FIELDS.kind, parameter: 'Kind' });

/** A link's query, which makes the same tests as soon as it is opened. @param {Choice} chosen */
export const formatLink = (chosen) => `${formatFields(chosen, FIELDS)}&autostart=1`;

/** How it ended before it came to 0. @param {Countdown} test @returns {string} */
export const formatEnd = ({ trial, ending }) =>
  formatUnfinished({ trial, ending }, `${trial.samples.iteration.length} of ${trial.iterations}`);

/** The result in words: two means compared, of how many tests they are. @param {readonly Countdown[]} tests @returns {string} */
export function describeMeans(tests) {
  const means = meansOf(tests);
  const [fast, ...others] = means
    .flatMap(({ transport, meanMs, finishedCount }) =>
      meanMs === undefined ? [] : [{ name: labelOf(transport), meanMs, finishedCount }],
    )
    .sort((a, b) => a.meanMs - b.meanMs);
  const slow = others.at(-1);
  const unfinishedCount = sumOf(means, (one) => one.unfinishedCount);
  const unfinished = unfinishedCount > 0 ? ` ${countOf(unfinishedCount)} did not finish.` : '';
  if (!fast) return 'No test finished.';
  if (!slow) {
    return `${fast.name} took ${formatMs(fast.meanMs)} ms per message in ${countOf(fast.finishedCount)}.${unfinished}`;
  }
  const percent = Math.round(100 * (1 - fast.meanMs / slow.meanMs));
  const outcome =
    percent > 0
      ? `${fast.name} took ${percent}% less time per message than ${slow.name}`
      : `${fast.name} and ${slow.name} took about the same time per message`;
  const figures = `${formatMs(fast.meanMs)} v ${formatMs(slow.meanMs)} ms`;
  return `${outcome} (${figures}). ${describeCounts([fast, slow])}${unfinished}`;
}

/** @param {number} count */
const countOf = (count) => `${count} ${count === 1 ? 'test' : 'tests'}`;

/** @param {{ name: string, finishedCount: number }[]} both */
function describeCounts(both) {
  const [{ finishedCount: count }, other] = both;
  if (count !== other.finishedCount) {
    return `Means of ${both.map(({ name, finishedCount }) => `${countOf(finishedCount)} by ${name}`).join(' and ')}: no interval.`;
  }
  return count === 1 ? 'One run each: not enough to be sure.' : `Means of ${count} tests each: no interval.`;
}
