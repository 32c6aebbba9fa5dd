/**
 * How saved runs are called where they stand beside others: by the way that their messages took, as in “London from
 * California”.
 */

/** @import { Digest } from '../contract.js' */

/**
 * @typedef {object} Place where the visitor was; both parts are the visitor's word
 * @property {string} [name] as it was typed
 * @property {number} [latitude] degrees
 * @property {number} [longitude]
 *
 * @typedef {object} ListedRun what is listed of a saved run
 * @property {string} id
 * @property {string} [label]
 * @property {Place} [place]
 * @property {Pick<Digest, 'origin' | 'server' | 'location' | 'version'>} digest
 */

/** @param {string} origin @returns {boolean} does it name the machine that asks? */
export function isLoopback(origin) {
  return /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
}

/** @param {Pick<ListedRun, 'label' | 'place' | 'digest'>} run @returns {string} */
export function titleOf({ label, place, digest: { origin, server, location } }) {
  if (isLoopback(origin)) return 'localhost';
  const where = location ?? server;
  if (place?.name) return `${where} from ${place.name}`;
  return label ? `${where}: ${label}` : where;
}

/**
 * @param {Pick<ListedRun, 'label' | 'place'> & { digest: Record<string, any> }} run
 * @returns {string} how a run is labelled, and what it found; where, and with what
 */
export function headingOf({ label, place, digest }) {
  const { origin, server, location, version, browser, headline } = digest;
  const path = titleOf({ place, digest: { origin, server, location, version } });
  const where = [path, browser].filter(Boolean).join(', ');
  return `${[label, headline].filter(Boolean).join(': ')} (${where})`;
}

/**
 * @param {readonly Pick<ListedRun, 'label' | 'place' | 'digest'>[]} runs
 * @returns {string[]} a title for each; those that would be the same have more to tell them apart by, if there is more
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
 * @param {readonly string[]} titles the first is what the others are set beside
 * @returns {string}
 * @example formatBeside(['localhost', 'London', 'Tokyo']) // 'localhost beside London and Tokyo'
 */
export function formatBeside([first, ...others]) {
  if (others.length === 0) return first;
  const last = others.at(-1);
  return `${first} beside ${others.length === 1 ? last : `${others.slice(0, -1).join(', ')} and ${last}`}`;
}
