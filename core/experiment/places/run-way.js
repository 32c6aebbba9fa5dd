/**
 * How far the messages of a saved run went over the ground, where that is known. A run tells the visitor's place; of a
 * server it has only the name. But whoever measured that server on localhost was where it stands.
 */
import { formatNumber } from '../../base/format.js';
import { greatCircleKm, lightRoundTripMs } from './great-circle.js';
import { isLoopback } from './run-title.js';

/**
 * @import { Coordinates } from './great-circle.js'
 * @import { ListedRun } from './run-title.js'
 */

/** What light takes there and back over the 16 km by which two places rounded to 0.1 degree may be off. */
const ROUNDING_LIGHT_MS = 0.16;

/** From here on, "so many times as long" says something: places are rounded to 0.1 degree, some 10 km. */
const LEAST_LIGHT_MS = 1;

/**
 * @typedef {object} Way
 * @property {number} km on the ground
 * @property {number} lightMs what light would need there and back
 * @property {string} from a place
 * @property {string} to a place
 * @property {boolean} isToServer else it is between two visitors, and not what the messages went
 * @property {string} server that was measured
 */

/**
 * @param {ListedRun} run
 * @param {readonly ListedRun[]} runs that are compared, the baseline first
 * @returns {Way | undefined} absent where a place is not known, and where visitor and server are one machine
 */
export function findWay(run, runs) {
  const { server, origin } = run.digest;
  if (isLoopback(origin) || !coordinatesOf(run)) return undefined;
  const host = runs.find(
    (other) => isLoopback(other.digest.origin) && other.digest.server === server && coordinatesOf(other),
  );
  if (host) return createWay(run, host, true);
  const [baseline] = runs;
  if (!coordinatesOf(baseline)) return undefined;
  const way = createWay(run, baseline, false);
  // The baseline itself, or a visitor who measured two servers from one place.
  return way.km === 0 ? undefined : way;
}

/** @param {ListedRun} run @param {ListedRun} other @param {boolean} isToServer @returns {Way} */
function createWay(run, other, isToServer) {
  const [from, to] = [run, other].map((one) => /** @type {Located} */ (coordinatesOf(one)));
  const km = greatCircleKm(from, to);
  const { server } = run.digest;
  return { km, lightMs: lightRoundTripMs(km), from: from.name, to: to.name, isToServer, server };
}

/** @typedef {Coordinates & { name: string }} Located */

/** @param {ListedRun} run @returns {Located | undefined} */
function coordinatesOf({ place: { name, latitude, longitude } = {} }) {
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude, longitude, name: name ?? `${latitude}°, ${longitude}°` };
}

/**
 * @param {Way} way
 * @param {number} [floorMs] the run's smallest round trip
 * @returns {string} sentences
 */
export function describeWay(way, floorMs) {
  const { lightMs, from, to, isToServer, server } = way;
  const km = formatKm(way);
  const light = `light in fibre takes ${formatNumber(lightMs, 1)} ms there and back`;
  if (!isToServer) {
    return `From ${from} to ${to} it is ${km}; ${light}. Those are the places of two visitors: where ${server} stands is not known, so it need not be the way of the messages.`;
  }
  const sentence = `From ${from} to ${to}, where ${server} was measured on localhost, it is ${km}; ${light}.`;
  if (floorMs === undefined || lightMs < LEAST_LIGHT_MS) return sentence;
  return floorMs < lightMs - ROUNDING_LIGHT_MS
    ? `${sentence} The smallest round trip, ${formatNumber(floorMs, 1)} ms, is less than that: one of the places may not be right.`
    : `${sentence} The smallest round trip, ${formatNumber(floorMs, 1)} ms, is ${formatNumber(floorMs / lightMs, 1)} times that.`;
}

/** @param {Way} way @returns {string} like '8,620 km' */
export function formatKm({ km }) {
  return `${Math.round(km).toLocaleString('en')} km`;
}
