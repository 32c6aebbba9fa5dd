/**
 * The experiment of 2019: a count is sent, comes back one lower, and is sent again until it is 0, by XHR or by a
 * WebSocket.
 *
 * Its time is that of the messages, from the first message sent to the last answer. The WebSocket is opened before. XHR
 * cannot open its connection before, so the first request's connection counts.
 */
import { InvalidInputError } from '../../base/foreign-text.js';
import { choice, formatFields, integer, parseField } from '../../experiment/fields.js';
import { mean } from '../../base/statistics/values.js';
import { labelOf } from '../../net/labels.js';
import { runTrial } from '../../net/echo/trial.js';
import { endingOf, formatUnfinished } from '../../experiment/lone-trials.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Ending, Measurement } from '../../experiment/run.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Progress, Trial } from '../../net/echo/trial.js'
 */

/** Where the server counts down, by transport. */
export const ENDPOINTS = Object.freeze({ xhr: '/xhr', websocket: '/ws' });

/** @typedef {keyof typeof ENDPOINTS} CountdownTransport */

/**
 * What one press makes, by the name that stands in a link. XHR goes first, as in 2019.
 *
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
 * @typedef {object} Countdown
 * @property {Trial} trial
 * @property {number} [elapsedMs] of all its messages; absent where it did not come to 0
 * @property {Ending} [ending] absent where it finished or failed
 *
 * @typedef {{ iterations: number, kind: string }} Choice `kind`: one of {@link KINDS}
 * @typedef {{ transport: CountdownTransport, iterations: number }} PlannedTest
 *
 * @typedef {object} Options
 * @property {Choice} plan
 * @property {Record<string, Transport>} transports at the {@link ENDPOINTS}
 * @property {Now} now
 * @property {number} [timeoutMs] limit of one answer
 * @property {AbortSignal} [signal] ends it, with an Ending as its reason
 */

/**
 * @typedef {object} TransportMean
 * @property {CountdownTransport} transport
 * @property {number} [meanMs] per iteration; absent where no test finished
 * @property {number} finishedCount
 * @property {number} unfinishedCount
 */

/**
 * All that one press asks for. A test that fails does not keep the next one from being made; a cancel does.
 *
 * @type {Measurement<Options, PlannedTest, Countdown>}
 */
export const measurement = {
  schema: 'sockshootout/countdown/2',
  trialsOf({ iterations, kind }) {
    const { transports, rounds } = KINDS[kind];
    return Array.from({ length: rounds }, () => transports.map((transport) => ({ transport, iterations }))).flat();
  },
  runTrial: runCountdown,
  watchFaults: () => ({ look: () => undefined }),
};

/**
 * The first failure ends it, as nothing can be said of the time then.
 * @param {PlannedTest} planned @param {Options & { progress: Progress }} options @returns {Promise<Countdown>}
 */
async function runCountdown({ transport: name, iterations }, { transports, now, timeoutMs, progress, signal }) {
  const transport = transports[name];
  const step = -1;
  const trial = await runTrial({ transport, now, iterations, timeoutMs, progress, signal, step, maxFailuresInARow: 1 });
  return { trial, elapsedMs: elapsedOf(trial), ending: endingOf(trial, signal) };
}

/**
 * From the first message sent to the last answer.
 *
 * @param {Trial} trial
 * @returns {number | undefined} milliseconds; absent where it did not come to 0
 */
export function elapsedOf({ samples: { sentAtMs, roundTripMs }, iterations }) {
  if (roundTripMs.length < iterations) return undefined;
  return sentAtMs[iterations - 1] + roundTripMs[iterations - 1] - sentAtMs[0];
}

/**
 * Each test counts alike, however many its iterations were, so that the means can be checked with the table.
 *
 * @param {readonly Countdown[]} tests
 * @returns {TransportMean[]} of each transport, tested or not
 */
export function meansOf(tests) {
  return /** @type {CountdownTransport[]} */ (Object.keys(ENDPOINTS)).map((transport) => {
    const own = tests.filter(({ trial }) => trial.transport === transport);
    const finished = own.flatMap((test) => msPerIteration(test) ?? []);
    return {
      transport,
      meanMs: mean(finished),
      finishedCount: finished.length,
      unfinishedCount: own.length - finished.length,
    };
  });
}

/** @param {Countdown} test @returns {number | undefined} absent where it did not come to 0 */
export function msPerIteration({ trial: { iterations }, elapsedMs }) {
  return elapsedMs === undefined ? undefined : elapsedMs / iterations;
}

/**
 * @param {string} text what was typed, or came by link
 * @returns {number}
 * @throws {InvalidInputError} what, expected, got
 */
export function parseIterations(text) {
  return parseField(text, ITERATIONS);
}

/**
 * @param {string} text from a link
 * @returns {string} one of {@link KINDS}
 * @throws {InvalidInputError} what, expected, got
 */
export function parseKind(text) {
  if (Object.hasOwn(KINDS, text)) return text;
  throw new InvalidInputError(
    `Kind: expected ${Object.keys(KINDS).join(', ')}, got ${text ? `“${text.slice(0, 60)}”` : 'nothing'}`,
  );
}

/**
 * @param {Choice} chosen
 * @returns {string} a link's query, which makes the same tests as soon as it is opened
 */
export function formatLink(chosen) {
  return `${formatFields(chosen, FIELDS)}&autostart=1`;
}

/** @param {Countdown} test @returns {string} how it ended before it came to 0 */
export function formatEnd({ trial, ending }) {
  return formatUnfinished({ trial, ending }, `${trial.samples.iteration.length} of ${trial.iterations}`);
}

/** @param {readonly Countdown[]} tests @returns {string} what the chart of the means shows */
export function describeMeans(tests) {
  const parts = meansOf(tests).map(({ transport, meanMs, finishedCount, unfinishedCount }) => {
    const unfinished = unfinishedCount > 0 ? ` (${unfinishedCount} more did not finish)` : '';
    const from = `${finishedCount} ${finishedCount === 1 ? 'test' : 'tests'}${unfinished}`;
    return `${labelOf(transport)}: ${meanMs === undefined ? 'none' : `${meanMs.toFixed(3)} ms/iteration`} from ${from}`;
  });
  return `${parts.join('; ')}.`;
}
