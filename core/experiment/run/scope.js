/** Tells how far a run reached: whether its figures say anything about users elsewhere. */
import { parseUrl } from '../../base/base-url.js';
import { leastOf, minOf } from './trials.js';
import { isLoopback, NEAR_MS } from './names.js';

/**
 * @import { Described } from '../contract.js'
 * @import { Part } from './open-run.js'
 * @typedef {(typeof SCOPES)[number]} Scope the path between two places, or one machine or its own network, where hardly
 *   any distance is part of a round trip
 * @typedef {{ scope: Scope, floorMs?: number, boundMs?: number }} Scoped `floorMs`: the fastest round trip, absent if none was
 *   measured; `boundMs`: what that is not above
 */

export const SCOPES = Object.freeze(/** @type {const} */ (['machine', 'network', 'path']));

/** The round-trip time of users elsewhere, ms, for which a run on one machine predicts: that of another continent. */
export const ELSEWHERE_RTT_MS = 100;

/** A link has a resolution of a thousandth of a millisecond. @param {number} rttMs @param {number} otherMs */
export const isOneDistance = (rttMs, otherMs) => Math.abs(rttMs - otherMs) < 0.001;

/** The maximum time of a machine's echo to itself: a loopback address that takes longer leads into a tunnel. */
const TUNNEL_MS = 20;

/**
 * @typedef {object} Timed a run, whose round trips tell how far it reached
 * @property {Described['readTrial']} readTrial
 * @property {{ environment?: Part['environment'], trials: readonly any[] }} part
 * @property {readonly number[]} roundTripMs
 */
/** @param {readonly Timed[]} runs of one program to one server @returns {Scoped} */
export function scopeAmong(runs) {
  const roundTripMs = runs.flatMap((run) => run.roundTripMs);
  const floorMs = minOf(roundTripMs);
  const boundMs = floorMs ?? leastOf([...roundTripMs, ...runs.flatMap(leastTimesOf)]);
  // The client of 2019 does not say where it was.
  const { url = '', link } = runs[0].part.environment ?? {};
  return { scope: scopeOf({ url, link, floorMs, boundMs }), floorMs, boundMs };
}

/** @param {Timed} run @returns {number[]} ms, of each trial that has one */
const leastTimesOf = ({ readTrial, part }) => part.trials.flatMap((trial) => readTrial(trial).leastMs ?? []);

/** @param {{ scope?: Scope }} digest absent for the client of 2019, which does not say where it was @returns {Scope} */
export const scopeOfDigest = ({ scope = 'path' }) => scope;

/**
 * @param {{ url: string, link?: unknown, floorMs?: number, boundMs?: number }} run `url` of page or server; `link`: the
 *   emulated one, if there was one; `boundMs`: what the fastest round trip is not above, if it is not known
 * @returns {Scope}
 */
export function scopeOf({ url, link, floorMs, boundMs }) {
  const parsed = link ? undefined : parseUrl(url);
  if (!parsed) return 'path';
  const { origin, hostname } = parsed;
  if (isLoopback(origin)) return (floorMs ?? 0) < TUNNEL_MS ? 'machine' : 'path';
  const nearMs = floorMs ?? boundMs;
  return isPrivate(hostname) && nearMs !== undefined && nearMs < NEAR_MS ? 'network' : 'path';
}

/** @param {{ origin: string, hostname: string }} url @returns {boolean} whether it names this machine or its local network */
export const isNearby = ({ origin, hostname }) => isLoopback(origin) || isPrivate(hostname);

/**
 * Checks for addresses of RFC 1918, RFC 4193 or RFC 3927, and for names that only a local network knows.
 * @param {string} hostname as URLs have it
 */
function isPrivate(hostname) {
  if (/^\d+(\.\d+){3}$/.test(hostname)) return /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(hostname);
  if (/^\[f[cd][0-9a-f]{2}:|^\[fe80:/.test(hostname)) return true;
  return !/[.[]/.test(hostname) || /\.(local|lan|internal|home\.arpa)$/.test(hostname);
}
