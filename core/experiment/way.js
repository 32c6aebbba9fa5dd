/**
 * How far the messages of a saved run went over the ground, and what light would need for that: no round trip is shorter.
 * A run tells the visitor's place; of a server it has only the name. But whoever measured that server on localhost was
 * where it stands.
 */
import { formatNumber } from '../base/format.js';
import { isLoopback } from './names.js';

/** @import { ListedRun } from './names.js' */

/**
 * Of the Earth, mean: R1 of GRS 80, as H. Moritz gives it, Geodetic Reference System 1980, Journal of Geodesy 74 (2000).
 * The Earth is no sphere; the error stays below 0.6 %.
 */
const RADIUS_KM = 6371.0088;

/** In a vacuum; exact, as it defines the metre. */
const LIGHT_KM_PER_MS = 299.792458;

/** Glass slows light down: its group index is 1.468 in Corning's SMF-28, the usual fibre, at 1550 nm. */
const FIBRE_FACTOR = 0.68;

/** What light takes there and back over the 16 km by which two places rounded to 0.1 degree may be off. */
const ROUNDING_LIGHT_MS = 0.16;

/** From here on, "so many times as long" says something: places are rounded to 0.1 degree, some 10 km. */
const LEAST_LIGHT_MS = 1;

/** @typedef {{ latitude: number, longitude: number }} Coordinates degrees, north and east positive */

/**
 * By the haversine formula, which keeps its digits for short ways: R. W. Sinnott, Virtues of the Haversine, Sky and
 * Telescope 68 (1984).
 *
 * @param {Coordinates} a @param {Coordinates} b @returns {number}
 * @example greatCircleKm({ latitude: 36.12, longitude: -86.67 }, { latitude: 33.94, longitude: -118.4 }) // 2886.4
 */
export function greatCircleKm(a, b) {
  const [latitudeA, latitudeB] = [a, b].map(({ latitude }) => toRadians(latitude));
  const haversine =
    Math.sin((latitudeB - latitudeA) / 2) ** 2 +
    Math.cos(latitudeA) * Math.cos(latitudeB) * Math.sin(toRadians(b.longitude - a.longitude) / 2) ** 2;
  // Rounding may take it above 1 for opposite ends of the Earth.
  return 2 * RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, haversine)));
}

/** @param {number} degrees */
const toRadians = (degrees) => (degrees * Math.PI) / 180;

/**
 * @param {number} km one way, through a fibre that takes the shortest one
 * @returns {number} milliseconds, there and back
 * @example lightRoundTripMs(10_000) // 98.1
 */
export const lightRoundTripMs = (km) => (2 * km) / (LIGHT_KM_PER_MS * FIBRE_FACTOR);

/**
 * @typedef {{ km: number, lightMs: number, from: string, to: string, isToServer: boolean, server: string }} Way from one place to
 *   another; `lightMs`: there and back; not `isToServer` where it is between two visitors, and not what the messages went
 */

/**
 * @param {ListedRun} run
 * @param {readonly ListedRun[]} runs that are compared, the baseline first
 * @returns {Way | undefined} absent where a place is not known, and where visitor and server are one machine, over an emulated
 *   link or not
 */
export function findWay(run, runs) {
  const { server, origin, link } = run.digest;
  const from = link || isLoopback(origin) ? undefined : placeOf(run);
  if (!from) return undefined;
  const hosts = runs.filter((other) => isLoopback(other.digest.origin) && other.digest.server === server);
  const host = hosts.map(placeOf).find((place) => place !== undefined);
  const to = host ?? placeOf(runs[0]);
  if (!to) return undefined;
  const km = greatCircleKm(from, to);
  // The baseline itself, or a visitor who measured two servers from one place.
  if (!host && km === 0) return undefined;
  return { km, lightMs: lightRoundTripMs(km), from: from.name, to: to.name, isToServer: host !== undefined, server };
}

/** @param {ListedRun} run @returns {(Coordinates & { name: string }) | undefined} */
function placeOf({ place: { name, latitude, longitude } = {} }) {
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude, longitude, name: name ?? `${latitude}°, ${longitude}°` };
}

/** @param {Way} way @param {number} [floorMs] the run's smallest round trip @returns {string} sentences */
export function describeWay(way, floorMs) {
  const { lightMs, from, to, isToServer, server } = way;
  const km = formatKm(way);
  const light = `light in fibre takes ${formatNumber(lightMs, 1)} ms there and back`;
  if (!isToServer) {
    return `From ${from} to ${to} it is ${km}; ${light}. Those are the places of two visitors: where ${server} stands is not known, so it need not be the way of the messages.`;
  }
  const sentence = `From ${from} to ${to}, where ${server} was measured on localhost, it is ${km}; ${light}.`;
  if (floorMs === undefined || lightMs < LEAST_LIGHT_MS) return sentence;
  const floor = `${sentence} The smallest round trip, ${formatNumber(floorMs, 1)} ms, is`;
  return floorMs < lightMs - ROUNDING_LIGHT_MS
    ? `${floor} less than that: one of the places may not be right.`
    : `${floor} ${formatNumber(floorMs / lightMs, 1)} times that.`;
}

/** @param {Way} way @returns {string} like '8,620 km' */
export const formatKm = ({ km }) => `${Math.round(km).toLocaleString('en')} km`;
