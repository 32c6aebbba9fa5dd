/**
 * The path below which the site is served (BASE_PATH). What comes in loses it at once, here, and what goes out gets it from
 * the function that is made here, so that nothing in between knows of it. A request without it is answered as it is: a
 * proxy may have taken it off, and the clients of the old experiments have paths at the root.
 */
import { InvalidInputError } from '../core/base/foreign-text.js';

/**
 * @import { ServedPath } from './paths.js'
 * @typedef {(path: string) => string} At returns a path of the site as visitors have it
 */

/** The form of the setting: parts of characters that no client, proxy or configuration writes otherwise. */
export const BASE_PATH = Object.freeze({
  pattern: /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/,
  expected:
    "a path like /shootout: segments of letters, digits, '-', '.', '_' and '~', a slash before each and none at the end; leave the setting out for a site at the root",
});

/** @param {string} basePath without a slash at its end; empty for none @returns {At} */
export const createAt = (basePath) => (path) => basePath + path;

/**
 * Takes the path off the URL of each request before a listener gets it.
 * @template {{ url?: string }} Req, Second, Third
 * @param {string} basePath @param {(req: Req, second: Second, third: Third) => void} listener
 * @returns {typeof listener} the listener itself where there is no such path: an echo costs nothing then
 */
export function belowBasePath(basePath, listener) {
  if (basePath === '') return listener;
  return (req, second, third) => {
    req.url = takeOff(basePath, req.url ?? '');
    listener(req, second, third);
  };
}

/** @param {string} basePath @param {string} url path and query of a request */
function takeOff(basePath, url) {
  if (!url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

/**
 * Refuses a path below one of the site's own: nobody could say whether a proxy has taken it off `/results/x` already.
 * @param {string} basePath @param {readonly ServedPath[]} paths all that the site has @throws {InvalidInputError}
 */
export function requireOwnBasePath(basePath, paths) {
  const first = firstOf(basePath);
  const own = paths.find(({ pattern }) => first !== '' && firstOf(pattern) === first);
  if (!own) return;
  throw new InvalidInputError(
    `BASE_PATH: expected a path whose first segment no path of the site begins with, got '${basePath}', but the site has ${own.pattern.split('?')[0]}; choose another, like /shootout`,
  );
}

/** @param {string} path @returns {string} its first part, in lower case, as Express takes any; empty for the root */
const firstOf = (path) => path.split(/[/?]/)[1]?.toLowerCase() ?? '';
