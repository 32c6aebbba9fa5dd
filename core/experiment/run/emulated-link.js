/** Describes the emulated link (lab/) over which a run was made: its schema in a saved run, and its name in texts. */
import { formatNumber } from '../../base/format.js';

/**
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 */

/** The range of each condition. */
export const CONDITION_RANGES = Object.freeze({
  rttMs: { min: 0, max: 10_000 },
  rttUpMs: { min: 0, max: 10_000 },
  jitterMs: { min: 0, max: 10_000 },
  lossPercent: { min: 0, max: 100 },
  mbitPerSecond: { min: 0.01, max: 10_000 },
  mbitPerSecondUp: { min: 0.01, max: 10_000 },
  queueMs: { min: 1, max: 10_000 },
});
/** The range of each limit of the server. */
export const LIMIT_RANGES = Object.freeze({
  // With less, the first start of a version, which bundles its pages, takes more than a minute.
  cpus: { min: 0.125, max: 1000 },
  memoryMib: { min: 64, max: 2 ** 20 },
});
export const MAX_CHANGES = 100;
/** The maximum time: no run takes longer, and charts and sums stay within what they can hold. */
export const MAX_MS = 24 * 3600 * 1000;
const MAX_PINGS = 100_000;
/**
 * The maximum number of changes that are named; more are only counted: a title is short, and a server's name has at
 * most 100 characters.
 */
const MAX_NAMED_CHANGES = 2;

/**
 * @typedef {OutputOf<typeof schemaOfLink>} EmulatedLink
 * @typedef {EmulatedLink['ping']} Ping
 * @typedef {Omit<EmulatedLink, 'kind' | 'ping'>} Conditions
 * @typedef {Omit<NonNullable<EmulatedLink['changes']>[0], 'afterMs'>} Constant conditions
 * @typedef {{ cpus?: number, memoryMib?: number }} ServerLimits
 * @typedef {{ mbitPerSecond?: number, mbitPerSecondUp?: number, queueMs?: number }} Line
 */

/** @param {Valibot} v the validation library */
export function schemaOfLink(v) {
  /** @param {{ min: number, max: number }} range */
  const number = ({ min, max }) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));
  const ms = number({ min: 0, max: MAX_MS });
  const ranges = CONDITION_RANGES;
  const constant = {
    rttMs: number(ranges.rttMs),
    // This is the part of the round-trip time towards the server; half if absent.
    rttUpMs: v.optional(number(ranges.rttUpMs)),
    // The round trip varies by up to this in either direction, evenly; packets keep their order.
    jitterMs: v.optional(number(ranges.jitterMs)),
    // This is the share of lost packets, in each direction.
    lossPercent: v.optional(number(ranges.lossPercent)),
    // These are absent for no limit; the second is towards the server, if that differs.
    mbitPerSecond: v.optional(number(ranges.mbitPerSecond)),
    mbitPerSecondUp: v.optional(number(ranges.mbitPerSecondUp)),
    // How long the last packet in the queue of either direction waits at its rate; a packet that finds it full is lost.
    queueMs: v.optional(number(ranges.queueMs)),
  };
  const expected = 'expected rttUpMs and jitterMs of at most rttMs, and queueMs only with a rate';
  return v.pipe(
    v.strictObject({
      kind: v.picklist(['netem', 'tun']),
      ...constant,
      // These limit the server: CPU time per time, and memory; absent for all that the machine has.
      cpus: v.optional(number(LIMIT_RANGES.cpus)),
      memoryMib: v.optional(number(LIMIT_RANGES.memoryMib)),
      // Each change has the time since the start of the run's program, and all conditions from then on.
      changes: v.optional(
        v.pipe(
          v.array(
            v.pipe(
              v.strictObject({ afterMs: ms, ...constant }),
              v.check((given) => isPossible(given), expected),
            ),
          ),
          v.maxLength(MAX_CHANGES),
          v.check(
            (list) => list.every(({ afterMs }, i) => i === 0 || afterMs > list[i - 1].afterMs),
            'expected changes in the order of afterMs',
          ),
        ),
      ),
      ping: v.pipe(
        v.strictObject({
          count: v.pipe(number({ min: 1, max: MAX_PINGS }), v.safeInteger()),
          minMs: ms,
          meanMs: ms,
          maxMs: ms,
        }),
        v.check(
          ({ minMs, meanMs, maxMs }) => minMs <= meanMs && meanMs <= maxMs,
          'expected meanMs from minMs to maxMs',
        ),
      ),
    }),
    v.check((given) => isPossible(given), expected),
  );
}

/**
 * @param {Line & { rttMs: number, rttUpMs?: number, jitterMs?: number }} conditions
 * @returns {boolean} is no part larger than all, and is no queue without a rate?
 */
export const isPossible = ({ rttMs, rttUpMs = 0, jitterMs = 0, ...line }) =>
  rttUpMs <= rttMs && jitterMs <= rttMs && !hasIdleQueue(line);

/**
 * @param {Line} line
 * @returns {boolean} does it have a queue in which nothing ever waits?
 */
export const hasIdleQueue = ({ mbitPerSecond, mbitPerSecondUp, queueMs }) =>
  queueMs !== undefined && mbitPerSecond === undefined && mbitPerSecondUp === undefined;

/** @param {Conditions} conditions @returns {string} a title, like 'emulated, 230 ms' */
export function nameLink({ changes = [], rttMs, ...limits }) {
  const all = [rttMs, ...changes.map((change) => change.rttMs)];
  const path =
    changes.length > MAX_NAMED_CHANGES
      ? `${rttMs} ms, then ${changes.length} changes`
      : `${all.filter((ms, i) => ms !== all[i - 1]).join(' ms, then ')} ms`;
  return `emulated, ${path}${describeLimits(limits)}`;
}

/** @param {ServerLimits} limits @returns {string} like ', server with 0.125 CPUs, 1024 MiB'; empty without limits */
function describeLimits({ cpus, memoryMib }) {
  const limits = [cpus && `${cpus} CPU${cpus === 1 ? '' : 's'}`, memoryMib && `${memoryMib} MiB`].filter(Boolean);
  return limits.length > 0 ? `, server with ${limits.join(', ')}` : '';
}

/** @param {Conditions} conditions @returns {string} like '150 ms round trip, ±50 ms jitter, no loss, no rate limit' */
export function describeConditions({ changes = [], ...first }) {
  const later = changes.map(({ afterMs, ...conditions }) => `; after ${afterMs / 1000} s ${describe(conditions)}`);
  return `${describe(first)}${describeLimits(first)}${later.join('')}`;
}

/** @param {Constant} conditions */
function describe({ rttMs, rttUpMs, jitterMs = 0, lossPercent = 0, mbitPerSecond, mbitPerSecondUp, queueMs }) {
  return [
    `${rttMs} ms round trip${rttUpMs === undefined ? '' : ` (${rttUpMs} ms of it to the server)`}`,
    jitterMs > 0 ? `±${jitterMs} ms jitter` : 'no jitter',
    lossPercent > 0 ? `${lossPercent}% loss each way` : 'no loss',
    describeRates(mbitPerSecond, mbitPerSecondUp),
    ...(queueMs === undefined ? [] : [`queue of ${queueMs} ms`]),
  ].join(', ');
}

/** @param {number | undefined} down @param {number | undefined} up */
function describeRates(down, up) {
  const back = down === undefined ? 'no rate limit' : `${down} Mbit/s`;
  if (up !== undefined) return `${up} Mbit/s to the server, ${back} back`;
  return down === undefined ? back : `${back} each way`;
}

/** @param {EmulatedLink | undefined} link @returns {string} a sentence; empty without */
export function describeLink(link) {
  if (!link) return '';
  const { ping, ...conditions } = link;
  const [min, mean] = [ping.minMs, ping.meanMs].map((ms) => formatNumber(ms, 1));
  return `Emulated link: ${describeConditions(conditions)}. ${ping.count} pings before the run: min ${min} ms, mean ${mean} ms.`;
}
