/** How far apart two places are on the ground, and what light would need for the way: no round trip is shorter. */

/**
 * Of the Earth, mean: R1 of GRS 80, as H. Moritz gives it, Geodetic Reference System 1980, Journal of Geodesy 74 (2000).
 * The Earth is no sphere; the error stays below 0.6 %.
 */
const RADIUS_KM = 6371.0088;

/** In a vacuum; exact, as it defines the metre. */
const LIGHT_KM_PER_MS = 299.792458;

/** Glass slows light down: its group index is 1.468 in Corning's SMF-28, the usual fibre, at 1550 nm. */
const FIBRE_FACTOR = 0.68;

/** @typedef {{ latitude: number, longitude: number }} Coordinates degrees, north and east positive */

/**
 * By the haversine formula, which keeps its digits for short ways: R. W. Sinnott, Virtues of the Haversine, Sky and
 * Telescope 68 (1984).
 *
 * @param {Coordinates} a
 * @param {Coordinates} b
 * @returns {number}
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

/**
 * There and back through a fibre that takes the shortest way, without anything that stands in between.
 *
 * @param {number} km one way
 * @returns {number} milliseconds
 * @example lightRoundTripMs(10_000) // 98.1
 */
export function lightRoundTripMs(km) {
  return (2 * km) / (LIGHT_KM_PER_MS * FIBRE_FACTOR);
}

/** @param {number} degrees */
function toRadians(degrees) {
  return (degrees * Math.PI) / 180;
}
