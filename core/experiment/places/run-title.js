/** The titles of shared runs: the path of the messages, as in “London from California”, and the browser. */
import { UNKNOWN_BROWSER } from '../browser-name.js';

/** @import { Digest } from '../contract.js' */

/**
 * @typedef {object} Place where the visitor was, as reported by the visitor
 * @property {string} [name] as it was typed
 * @property {number} [latitude] degrees
 * @property {number} [longitude]
 *
 * @typedef {object} ListedRun what is listed of a saved run
 * @property {string} id
 * @property {string} [label]
 * @property {Place} [place]
 * @property {Pick<Digest, 'origin' | 'server' | 'location' | 'version' | 'browser'>} digest
 */

/** @param {string} origin @returns {boolean} does it name the machine that asks? */
export function isLoopback(origin) {
  return /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
}

/** @param {Pick<ListedRun, 'label' | 'place' | 'digest'>} run @returns {string} to which place, from which */
export function titleOf({ label, place, digest: { origin, server, location } }) {
  if (isLoopback(origin)) return 'localhost';
  const where = location ?? server;
  if (place?.name) return `${where} from ${place.name}`;
  return label ? `${where}: ${label}` : where;
}

/**
 * @param {string} title
 * @param {Pick<ListedRun['digest'], 'browser'>} digest
 * @returns {string} with the browser, where it is known
 * @example addBrowser('London from Bonn', { browser: 'Firefox 145' }) // 'London from Bonn, Firefox 145'
 */
export function addBrowser(title, { browser }) {
  return browser && browser !== UNKNOWN_BROWSER ? `${title}, ${browser}` : title;
}

/**
 * @param {Pick<ListedRun, 'label' | 'place'> & { digest: Record<string, any> }} run
 * @returns {string} what it found, for the window's title and for links to it
 */
export function headingOf({ label, place, digest }) {
  const title = titleOf({ place, digest: /** @type {any} */ (digest) });
  return `${[label, digest.headline].filter(Boolean).join(': ')} (${addBrowser(title, digest)})`;
}

/**
 * @param {readonly Pick<ListedRun, 'label' | 'place' | 'digest'>[]} runs
 * @returns {string[]} a title for each; those that would be the same are told apart by label, place or server
 */
export function titlesOf(runs) {
  const titles = runs.map(titleOf);
  return titles.map((title, index) => {
    const { label, place, digest } = runs[index];
    const isAlone = titles.indexOf(title) === titles.lastIndexOf(title);
    const more = [label, place?.name, digest.server].find((words) => words && !title.includes(words));
    return isAlone || !more ? title : `${title} (${more})`;
  });
}

/**
 * @param {readonly string[]} titles the baseline first
 * @returns {string}
 * @example formatBeside(['localhost', 'London', 'Tokyo']) // 'localhost beside London and Tokyo'
 */
export function formatBeside([first, ...others]) {
  if (others.length === 0) return first;
  // A title may have a comma of its own.
  const separator = others.some((title) => title.includes(', ')) ? '; ' : ', ';
  const last = others.at(-1);
  return `${first} beside ${others.length === 1 ? last : `${others.slice(0, -1).join(separator)} and ${last}`}`;
}
