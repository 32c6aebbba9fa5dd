/** Tells how far a run reached: whether its figures say anything about users elsewhere. */
import { openPart } from './open-run.js';
import { leastOf, minOf, trialsOf } from './trials.js';
import { isLoopback, NEAR_MS } from './names.js';

/**
 * @import { Described } from './contract.js'
 * @typedef {(typeof SCOPES)[number]} Scope the path between two places, or one machine or its own network, where hardly
 *   any distance is part of a round trip
 * @typedef {{ scope: Scope, floorMs?: number }} Scoped `floorMs`: the fastest round trip, absent if none was measured
 */

export const SCOPES = Object.freeze(/** @type {const} */ (['machine', 'network', 'path']));

/** The round-trip time of users elsewhere, ms, for which a run on one machine predicts: that of another continent. */
export const ELSEWHERE_RTT_MS = 100;

/** The maximum time of a machine's echo to itself: a loopback address that takes longer leads into a tunnel. */
const TUNNEL_MS = 20;

/**
 * @typedef {Pick<Described, 'roundTripsOf' | 'readTrial' | 'trialsIn' | 'openStored'>} Timing the parts of an experiment that tell how far
 *   its run reached
 */
/** @param {Timing} experiment @param {any} document @returns {Scoped} */
export function scopeIn(experiment, document) {
  return scopeAmong([{ experiment, document }]);
}

/** @param {readonly { experiment: Timing, document: any }[]} runs of one program to one server @returns {Scoped} */
export function scopeAmong(runs) {
  const roundTripMs = runs.flatMap(
    ({ experiment, document }) => experiment.roundTripsOf?.(openPart(experiment, document)) ?? [],
  );
  const floorMs = minOf(roundTripMs);
  const boundMs = floorMs ?? leastOf([...roundTripMs, ...runs.flatMap(leastTimesOf)]);
  const [{ document }] = runs;
  // The client of 2019 does not say where it was.
  const { environment: { url = '', link } = {} } = document;
  return { scope: scopeOf({ url, link, floorMs, boundMs }), floorMs };
}

/** @param {{ experiment: Timing, document: any }} run @returns {number[]} ms, of each trial that has one */
const leastTimesOf = ({ experiment, document }) =>
  trialsOf(experiment, document).flatMap((trial) => experiment.readTrial(trial).leastMs ?? []);

/** @param {{ scope?: Scope }} digest absent for the client of 2019, which does not say where it was @returns {Scope} */
export const scopeOfDigest = ({ scope = 'path' }) => scope;

/**
 * @param {{ url: string, link?: unknown, floorMs?: number, boundMs?: number }} run `url` of page or server; `link`: the
 *   emulated one, if there was one; `boundMs`: what the fastest round trip is not above, if it is not known
 * @returns {Scope}
 */
export function scopeOf({ url, link, floorMs, boundMs }) {
  if (link || !URL.canParse(url)) return 'path';
  const { origin, hostname } = new URL(url);
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
