/**
 * Defines the plan of a run, fixed before it starts, with its looks: stopping when the interval pleases would inflate false wins.
 */
import { InvalidInputError } from '../../base/foreign-text.js';
import { sumOf } from '../../base/statistics.js';
import { BASELINES, findBaseline, MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { checkSampleCount, formatFields, integer, names, quote, SEED } from '../../experiment/plan/fields.js';
import { defaultTransportsOn, transports } from '../../net/echo/index.js';
import { uncountedOf } from '../../net/echo/trial.js';
import { LABELS } from '../../experiment/answer/labels.js';
import { checkLooks, DEFAULT_BLOCKS, fewestBlocks, LOOKS, USUAL_LOOKS } from '../../experiment/plan/blocks.js';

/**
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @typedef {Omit<PlanOf<typeof FIELDS>, 'looks'> & { looks?: PlanOf<typeof FIELDS>['looks'] }} Plan the baseline is among its
 *   transports; each block holds one trial of each of them, in random order, in which the warm-up is not counted
 */

/** The default transports: the baseline, the one in question, and a control for each. */
export const DEFAULT_TRANSPORTS = defaultTransportsOn('page');

/** The transports in question: the first that the run has; else its last. */
export const CHALLENGERS = ['sockjs', 'ws', 'websocket', 'socketio'];

/**
 * @type {Readonly<Record<string, { blocks: number, looks?: readonly number[], budgetMs: number }>>} `budgetMs`: of all blocks, if the
 *   path is short
 */
export const PRESETS = Object.freeze({
  quick: { blocks: DEFAULT_BLOCKS, budgetMs: 5_000 },
  standard: { ...USUAL_LOOKS, budgetMs: 20_000 },
  thorough: { blocks: 20, budgetMs: 60_000 },
});

/** The limits of a trial's iterations: below, its median says little; above, time is better spent on more blocks. */
const ITERATIONS = { min: 5, max: 50 };
export const WARM_UP_COUNT = 3;
/** The round-trip time from which on one message is enough for the warm-up: what the next ones save is far less than it. */
const FAR_MS = 50;
/** The round trips of connecting in a trial. */
const ROUND_TRIPS_TO_CONNECT = 2;
/** The round trips of a run beside its trials: the server's status, and a new connection. */
const ROUND_TRIPS_AROUND_RUN = 9;
/** The pause between two trials, for evaluating code and painting. */
const PAUSE_MS = 25;
/** The additional time of a message over one of SockJS's fallbacks, in which its client and the browser wait. */
const FALLBACK_WAIT_MS = 40;
/** The additional time of a message over HTTP in a browser, which a socket does not have. */
const HTTP_MS = 4;
/** A socket's share of the time over HTTP on one machine, where all of it is spent in the browser. */
const SOCKET_SHARE = 0.2;

export const FIELDS = Object.freeze({
  transports: names({
    one: 'transport',
    parameter: 'transports',
    label: 'Transports',
    choices: LABELS,
    rule: {
      isMet: isComparable,
      expected: `with ${BASELINES.join(' or ')} and at least one other`,
      schema: { minItems: 2, contains: { enum: BASELINES } },
    },
  }),
  blocks: integer({
    parameter: 'blocks',
    label: 'Blocks',
    help: 'number of blocks, each with one trial per transport',
    min: MIN_BLOCKS,
    max: 200,
  }),
  looks: LOOKS,
  iterations: integer({ parameter: 'iterations', label: 'Iterations', help: 'messages per trial', min: 1, max: 1000 }),
  warmUpCount: integer({
    parameter: 'warmup',
    label: 'Warm-up',
    help: 'messages per trial that are not counted',
    min: 0,
    max: 100,
    default: WARM_UP_COUNT,
  }),
  payloadBytes: integer({
    parameter: 'payload',
    label: 'Payload',
    unit: 'bytes',
    help: 'payload of each message',
    min: 0,
    max: 1_000_000,
    default: 0,
  }),
  seed: integer({ ...SEED, help: 'sets the random order of the transports in each block' }),
});

/**
 * Returns the baseline of a plan.
 * @param {{ transports: readonly string[] }} plan @throws {InvalidInputError} if it has none
 */
export function baselineOf({ transports }) {
  const baseline = findBaseline(transports);
  if (baseline) return baseline;
  const reason = `expected ${BASELINES.join(' or ')}, got ${quote(transports.join(','))}`;
  throw new InvalidInputError(reason, { fields: ['baseline'] });
}

/** @param {{ transports: readonly string[] }} plan @returns {string} the transport that the verdict is about */
export function challengerOf({ transports }) {
  const baseline = baselineOf({ transports });
  const last = transports.filter((name) => name !== baseline).at(-1);
  return CHALLENGERS.find((name) => transports.includes(name)) ?? String(last);
}

/**
 * @param {{ preset: string, roundTripMs: number, seed: number, choices?: Partial<Plan> }} options `roundTripMs`: over
 *   HTTP; `choices`: fixed fields; `iterations` otherwise fit the time @returns {Plan}
 * @throws {InvalidInputError} too many samples
 */
export function createPlan({ preset, roundTripMs, seed, choices = {} }) {
  const { blocks: presetBlocks, looks: presetLooks, budgetMs } = PRESETS[preset];
  const blocks = choices.blocks ?? presetBlocks;
  const looks = choices.looks ?? (choices.blocks === undefined ? presetLooks : undefined);
  const transports = choices.transports ?? DEFAULT_TRANSPORTS;
  const warmUpCount = choices.warmUpCount ?? (roundTripMs < FAR_MS ? WARM_UP_COUNT : 1);
  const blockMs = budgetMs / blocks - transports.length * PAUSE_MS;
  const payloadBytes = choices.payloadBytes ?? 0;
  const around = ROUND_TRIPS_TO_CONNECT + uncountedOf({ warmUpCount, payloadBytes });
  const affordable = Math.floor(blockMs / messageMs(transports, roundTripMs)) - around;
  const iterations = choices.iterations ?? Math.min(ITERATIONS.max, Math.max(ITERATIONS.min, affordable));
  const [fitted, own] = [{ iterations, warmUpCount, payloadBytes }, choices.seed ?? seed];
  const plan = { transports, blocks, ...(looks && { looks }), ...fitted, seed: own };
  checkPlan(plan);
  return plan;
}

/** The count-down's comparison with an interval. @param {number} iterations @param {number} seed @returns {Plan} */
export function createFairPlan(iterations, seed) {
  const transports = ['ajax', 'xhr', 'ws'];
  return { transports, blocks: 10, iterations, warmUpCount: WARM_UP_COUNT, payloadBytes: 0, seed };
}

/**
 * Estimates the time of one message by each transport.
 * @param {readonly string[]} names @param {number} roundTripMs over HTTP
 */
function messageMs(names, roundTripMs) {
  const socketMs = Math.max(roundTripMs - HTTP_MS, SOCKET_SHARE * roundTripMs);
  return sumOf(names, (name) => {
    const { protocols, fallback } = transports[name];
    if (protocols.includes('websocket')) return socketMs;
    return fallback ? roundTripMs + FALLBACK_WAIT_MS : roundTripMs;
  });
}

/**
 * @param {{ transports: readonly string[], blocks: number, looks?: readonly number[], iterations: number }} plan
 * @throws {InvalidInputError} too many samples
 */
export function checkPlan({ transports, blocks, looks, iterations }) {
  checkLooks({ blocks, looks });
  checkSampleCount(blocks * transports.length * iterations, ['blocks', 'transports', 'iterations']);
}

/**
 * Estimates the time of a run whose answer is soon clear.
 * @param {Plan} plan @param {number} roundTripMs over HTTP @returns {number} milliseconds, about
 */
export function estimateDurationMs({ transports, iterations, ...plan }, roundTripMs) {
  const messageCount = ROUND_TRIPS_TO_CONNECT + uncountedOf(plan) + iterations;
  const trialsMs = messageCount * messageMs(transports, roundTripMs);
  return fewestBlocks(plan) * (trialsMs + transports.length * PAUSE_MS) + ROUND_TRIPS_AROUND_RUN * roundTripMs;
}

/** @param {Plan} plan @returns {string} a link's query */
export const formatPlan = (plan) => formatFields(plan, FIELDS);

/** @param {URLSearchParams} query @returns {string | undefined} the name of its preset @throws {InvalidInputError} */
export function parsePreset(query) {
  const preset = query.get('preset') ?? undefined;
  if (preset === undefined || Object.hasOwn(PRESETS, preset)) return preset;
  const reason = `expected one of ${Object.keys(PRESETS).join(', ')}, got ${quote(preset)}`;
  throw new InvalidInputError(reason, { fields: ['preset'] });
}

/**
 * Checks that there is a baseline, and another transport to compare with it.
 * @param {readonly string[]} transports each once
 */
export function isComparable(transports) {
  return transports.length >= 2 && findBaseline(transports) !== undefined;
}
