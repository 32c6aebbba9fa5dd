/** Defines the plan of the reachability test, and its maximum duration; it fits into a link. */
import { formatMostSeconds, formatSeconds, formatSpan, listOf } from '../../base/format.js';
import { inBlocks } from '../../base/random.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { integer, integers, SEED } from '../../experiment/plan/fields.js';
import { blocksField } from '../../experiment/plan/blocks.js';

/** @import { PlanOf } from '../../experiment/plan/fields.js' */

const MAX_MS = 600_000;

export const FIELDS = Object.freeze({
  silences: integers({
    parameter: 'silences',
    label: 'Silences to test',
    unit: 'ms',
    isInSeconds: true,
    help: 'how long a WebSocket is silent, after which it must still answer',
    min: 100,
    max: MAX_MS,
    maxCount: 6,
    default: [500, 5000, 65_000],
  }),
  // The default of SockJS itself, and about as long as its client waits for a poll.
  heartbeatMs: integer({
    parameter: 'heartbeat',
    label: 'Heartbeat and long-poll interval',
    unit: 'ms',
    isInSeconds: true,
    help: 'interval of the messages of one WebSocket, and how long a request waits for its answer',
    min: 100,
    max: 60_000,
    default: 25_000,
  }),
  blocks: blocksField({
    label: 'Blocks of the latency comparison',
    help: `blocks that compare the latency of the fallback; a ratio needs ${MIN_BLOCKS}`,
    min: 2,
    max: 20,
  }),
  idleMs: integer({
    parameter: 'idle',
    label: 'Longest idle timeout to search for',
    unit: 'ms',
    isInSeconds: true,
    zero: 'no search',
    help: 'longest idle timeout to search for; 0: no search',
    min: 0,
    max: MAX_MS,
    default: 0,
  }),
  seed: SEED,
});

/** The order in which SockJS's client tries its transports, without those of old Internet Explorers. */
export const SOCKJS_ORDER = Object.freeze([
  'websocket',
  'xhr-streaming',
  'eventsource',
  'iframe-eventsource',
  'htmlfile',
  'iframe-htmlfile',
  'xhr-polling',
  'iframe-xhr-polling',
  'jsonp-polling',
]);

/** The transports by which a block of the latency comparison sends messages. */
export const COMPARED = Object.freeze(['websocket', 'fallback', 'fetch']);

/**
 * The labels of checks, by their name in a saved trial; those of WebSocket in the order in which one needs the other.
 */
const LABELS = {
  http: 'HTTP',
  upgrade: 'WebSocket upgrade',
  text: 'WebSocket, text messages',
  binary: 'WebSocket, binary messages',
  'size-64k': 'WebSocket, 64 KiB',
  'size-1m': 'WebSocket, 1 MiB',
  sockjs: 'SockJS',
  fallback: 'SockJS, 5 s per transport',
  'fallback-default': 'SockJS with its defaults',
  latency: 'Latency of the fallback',
  events: 'EventSource',
  stream: 'xhr-streaming',
  poll: 'Long poll',
  silence: 'WebSocket',
  heartbeat: 'WebSocket with a heartbeat',
  idle: 'Idle timeout of the path',
};
export const CHECKS = /** @type {Check[]} */ (Object.keys(LABELS));

/** The duration of all checks that wait for nothing, on a path without trouble. */
const QUICK_MS = 12_000;
/** How many round trips they make one after the other, about; and those of a block of the latency comparison. */
const ROUND_TRIPS = { once: 140, ofBlock: 35 };
/** The maximum time that trouble may add: each check has its own limit. */
const TROUBLE_MS = 120_000;

/**
 * @typedef {PlanOf<typeof FIELDS>} ReachPlan
 * @typedef {keyof typeof LABELS} Check
 * @typedef {{ check: Check, transport?: string, silenceMs?: number, block?: number }} PlannedTrial `transport`: one of
 *   SockJS's own, or what a block compares
 */

/**
 * The silent connections wait side by side, beside all other checks.
 * @param {ReachPlan} plan @returns {PlannedTrial[]}
 */
export function trialsOf({ silences, blocks, idleMs, seed }) {
  const compared = COMPARED.map((transport) => ({ check: /** @type {const} */ ('latency'), transport }));
  return [
    .../** @type {const} */ (['http', 'upgrade', 'text', 'binary', 'size-64k', 'size-1m']).map((check) => ({ check })),
    { check: 'events' },
    { check: 'stream' },
    ...SOCKJS_ORDER.map((transport) => ({ check: /** @type {const} */ ('sockjs'), transport })),
    { check: 'fallback' },
    { check: 'fallback-default' },
    ...inBlocks(compared, { blocks, seed }),
    { check: 'poll' },
    ...silences.map((silenceMs) => ({ check: /** @type {const} */ ('silence'), silenceMs })),
    { check: 'heartbeat' },
    ...(idleMs > 0 ? [{ check: /** @type {const} */ ('idle') }] : []),
  ];
}

/**
 * Returns how long the connection with a heartbeat is watched: for longer than the longest silence.
 * @param {ReachPlan} plan
 */
export const heartbeatLifeMs = ({ silences, heartbeatMs }) =>
  Math.max(1, Math.ceil(Math.max(...silences) / heartbeatMs)) * heartbeatMs;

/**
 * Returns the duration on a path without trouble, without the search.
 * @param {ReachPlan} plan @param {number} [roundTripMs] @returns {number} ms
 */
export const expectedMs = (plan, roundTripMs = 0) =>
  Math.max(
    QUICK_MS + (ROUND_TRIPS.once + ROUND_TRIPS.ofBlock * plan.blocks) * roundTripMs,
    heartbeatLifeMs(plan) + 3000,
  );

/** Returns the time after which a run ends in any case. @param {ReachPlan} plan @returns {number} ms */
export const limitMsOf = (plan) => expectedMs(plan) + TROUBLE_MS + searchMs(plan);

/** Returns the maximum duration of the search: two rounds. @param {ReachPlan} plan @returns {number} ms */
export const searchMs = ({ idleMs }) => 2 * idleMs;

/** Describes the checks of a plan. @param {ReachPlan} plan @returns {string} sentences */
export function describeReachPlan(plan) {
  const { silences, heartbeatMs, idleMs } = plan;
  const search =
    idleMs > 0
      ? `, then up to ${formatMostSeconds(searchMs(plan) / 1000)} to search for the idle timeout`
      : '; it does not search for the exact idle timeout';
  return [
    'Checks WebSocket, each SockJS transport, streaming and a long poll.',
    `WebSockets stay silent for ${listOf(silences.map(formatSpan))}, or send a heartbeat every ${formatSpan(heartbeatMs)}.`,
    `It takes about ${formatSeconds(Math.ceil(expectedMs(plan) / 1000))}, at most ${formatMostSeconds((limitMsOf(plan) - searchMs(plan)) / 1000)}${search}.`,
  ].join(' ');
}

/** Names a check. @param {PlannedTrial} planned @returns {string} */
export function describeCheck({ check, transport, silenceMs = 0 }) {
  const label = LABELS[check];
  if (check === 'sockjs') return `${label} over ${transport}`;
  return check === 'silence' ? `${label}, ${formatSpan(silenceMs)} of silence` : label;
}
