/** What browsers, servers and saved runs are called: “London from California, Firefox 145”. */
import { formatNumber } from '../base/format.js';
import { listOf } from './compare.js';
import { nameLink } from './emulated-link.js';

/**
 * @import { Environment, Experiment } from './contract.js'
 * @import { Digest } from './documents/digest.js'
 * @typedef {{ server: string, location: string, version: string }} Answered what a server says of itself
 * @typedef {{ name?: string, latitude?: number, longitude?: number }} Place of the visitor, as reported; in degrees
 * @typedef {Pick<Digest, 'origin' | 'link' | 'server' | 'location' | 'version' | 'browser'>} Seen
 * @typedef {{ id: string, label?: string, place?: Place, digest: Seen }} ListedRun
 * @typedef {{ latitude: number, longitude: number }} Coordinates degrees, north and east positive
 * @typedef {{ km: number, lightMs: number, from: string, to: string, isToServer: boolean, server: string }} Way `lightMs`: there
 *   and back; not `isToServer` where it is between two visitors, and not what the messages went
 */

/** The first that a user agent names is the one: Edge and Opera call themselves Chrome, and all of them Safari. */
const BROWSERS = /** @type {const} */ ([
  ['Edge', /Edg\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
  ['WebKit', /AppleWebKit\/(\d+)/],
  ['Node.js', /^Node\.js v?(\d+)/],
]);
const UNKNOWN_BROWSER = 'Unknown browser';
export const UNKNOWN_SERVER = 'Unknown server';

/** Without versions: what a list of runs can be filtered by. */
export const BROWSER_NAMES = BROWSERS.map(([name]) => name);

/** What a saved run is called: 16 characters of base64url. */
export const RUN_ID = /^[\w-]{16}$/;

/** @param {Pick<Experiment, 'schema' | 'otherSchema'>} experiment @param {{ schema?: unknown }} document @returns {boolean} is it one of those? */
export const isOf = ({ schema, otherSchema = schema }, { schema: given }) => given === schema || given === otherSchema;

/** @param {string} userAgent @returns {boolean} else Node.js measured */
export const isBrowser = (userAgent) => !userAgent.startsWith('Node.js');

/** @param {string} userAgent @returns {string} like 'Firefox 145'; 'Unknown browser' where it names none that is known */
export function nameBrowser(userAgent) {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return UNKNOWN_BROWSER;
}

/** By its host if unnamed. @param {Pick<Environment, 'url' | 'userAgent' | 'link'>} environment @param {Answered} [answered] */
export function serverOf({ url, userAgent, link }, answered) {
  const browser = nameBrowser(userAgent);
  const { origin, host } = new URL(url);
  const path = { origin, ...(link && { link: nameLink(link) }) };
  if (!answered) return { ...path, server: host, browser };
  const { server, location, version } = answered;
  return { ...path, server: server || host, location: location || undefined, version, browser };
}

/** @param {Answered} answered @returns {string} like 'fra-1, Frankfurt, version 0.1.0' */
export function formatServer({ server, location, version }) {
  return `${[server, location].filter(Boolean).join(', ')}, version ${version}`;
}

/** A fastest round trip below this stays on a machine or within its network, and says nothing of users elsewhere. */
export const NEAR_MS = 5;

/** @param {string} [origin] @returns {boolean} does it name the machine that asks? */
export function isLoopback(origin = '') {
  return /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
}

/** @param {Pick<ListedRun, 'label' | 'place' | 'digest'>} run @returns {string} to which place, from which */
export function titleOf({ label, place, digest: { origin, link, server, location } }) {
  if (link) return link;
  if (isLoopback(origin)) return 'localhost';
  const where = location ?? server;
  if (place?.name) return `${where} from ${place.name}`;
  return label ? `${where}: ${label}` : where;
}

/** Like 'London from Bonn, Firefox 145'. @param {string} title @param {Pick<Digest, 'browser'>} digest */
export function addBrowser(title, { browser }) {
  return browser && browser !== UNKNOWN_BROWSER ? `${title}, ${browser}` : title;
}

/** For titles and links. @param {Pick<ListedRun, 'label' | 'place'> & { digest: Record<string, any> }} run */
export function headingOf({ label, place, digest }) {
  const title = titleOf({ place, digest: /** @type {any} */ (digest) });
  return `${[label, digest.headline].filter(Boolean).join(': ')} (${addBrowser(title, digest)})`;
}

/** Equal ones get their label, place or server. @param {readonly Pick<ListedRun, 'label' | 'place' | 'digest'>[]} runs */
export function titlesOf(runs) {
  const titles = runs.map(titleOf);
  return titles.map((title, index) => {
    const { label, place, digest } = runs[index];
    const isAlone = titles.indexOf(title) === titles.lastIndexOf(title);
    const more = [label, place?.name, digest.server].find((words) => words && !title.includes(words));
    return isAlone || !more ? title : `${title} (${more})`;
  });
}

/** Like 'localhost compared with London and Tokyo'. @param {readonly string[]} titles the baseline first @returns {string} */
export function formatBeside([first, ...others]) {
  if (others.length === 0) return first;
  // A title may have a comma of its own.
  return `${first} compared with ${listOf(others, others.some((title) => title.includes(', ')) ? '; ' : ', ')}`;
}

/** R1 of GRS 80, H. Moritz, Geodetic Reference System 1980, Journal of Geodesy 74 (2000); off by 0.6% at most. */
const RADIUS_KM = 6371.0088;
/** In a vacuum; exact, as it defines the metre. */
const LIGHT_KM_PER_MS = 299.792458;
/** Glass slows light down: its group index is 1.468 in Corning's SMF-28, the usual fibre, at 1550 nm. */
const FIBRE_FACTOR = 0.68;
/** What light takes there and back over the 16 km by which two places rounded to 0.1 degree may be off. */
const ROUNDING_LIGHT_MS = 0.16;
/** From here on, "so many times as long" says something: places are rounded to 0.1 degree, some 10 km. */
const LEAST_LIGHT_MS = 1;

/**
 * By the haversine formula: R. W. Sinnott, Virtues of the Haversine, Sky and Telescope 68 (1984).
 * @param {Coordinates} a @param {Coordinates} b
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

/** There and back through a fibre that takes the shortest way. @param {number} km one way */
export const lightRoundTripMs = (km) => (2 * km) / (LIGHT_KM_PER_MS * FIBRE_FACTOR);

/** Absent where a place is not known. @param {ListedRun} run @param {readonly ListedRun[]} runs @returns {Way | undefined} */
export function findWay(run, runs) {
  const { server, origin, link } = run.digest;
  const from = link || isLoopback(origin) ? undefined : placeOf(run);
  if (!from) return undefined;
  const hosts = runs.filter((other) => isLoopback(other.digest.origin) && other.digest.server === server);
  const host = hosts.map(placeOf).find((place) => place !== undefined);
  const to = host ?? placeOf(runs[0]);
  if (!to) return undefined;
  const km = greatCircleKm(from, to);
  // Within 10 km, or the baseline itself: there is nothing to say of it.
  if (km === 0) return undefined;
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
  const host = isToServer ? `, where ${server} was measured on localhost,` : '';
  const distance = `The great-circle distance from ${from} to ${to}${host} is ${formatKm(way)}.`;
  const sentence = `${distance} Light in fibre needs ${formatNumber(lightMs, 1)} ms for the round trip.`;
  if (!isToServer) {
    return `${sentence} These are the visitors’ locations. The location of ${server} is unknown, so messages may take another route.`;
  }
  if (floorMs === undefined || lightMs < LEAST_LIGHT_MS) return sentence;
  const floor = `${sentence} The fastest round trip, ${formatNumber(floorMs, 1)} ms, is`;
  return floorMs < lightMs - ROUNDING_LIGHT_MS
    ? `${floor} shorter: one of the two places may be wrong.`
    : `${floor} ${formatNumber(floorMs / lightMs, 1)} times that.`;
}

/** @param {Way} way @returns {string} like '8,620 km' */
export const formatKm = ({ km }) => `${Math.round(km).toLocaleString('en')} km`;
