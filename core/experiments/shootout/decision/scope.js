/**
 * What a run can speak about: the path between two places, or one machine or its own network, where hardly any distance
 * is part of a round trip.
 */
import { isLoopback } from '../../../experiment/places/run-title.js';

/** A server at a private address is next door below this round-trip time. */
const NEAR_MS = 5;
/** No machine takes as long for its own echo: a loopback address that does leads into a tunnel. */
const TUNNEL_MS = 20;

/** @typedef {'machine' | 'network' | 'path'} Scope */

/**
 * @param {object} run
 * @param {string} run.url of the page, or of the server
 * @param {number} [run.floorMs] the smallest round trip; absent where it is not known
 * @returns {Scope}
 */
export function scopeOf({ url, floorMs }) {
  if (!URL.canParse(url)) return 'path';
  const { origin, hostname } = new URL(url);
  if (isLoopback(origin)) return (floorMs ?? 0) < TUNNEL_MS ? 'machine' : 'path';
  return isPrivate(hostname) && floorMs !== undefined && floorMs < NEAR_MS ? 'network' : 'path';
}

/**
 * @param {string} hostname as URLs have it
 * @returns {boolean} is it private by RFC 1918, RFC 4193 or RFC 3927, or by a name that only a local network knows?
 */
function isPrivate(hostname) {
  if (/^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)) return true;
  if (/^\[f[cd][0-9a-f]{2}:|^\[fe80:/.test(hostname)) return true;
  return !/[.[]/.test(hostname) || /\.(local|lan|internal|home\.arpa)$/.test(hostname);
}
