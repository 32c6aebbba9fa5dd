/**
 * Patterns of addresses: requests of one poll differ in identifiers and time stamps, and exports must not name anybody. Each part of an
 * address is looked at once, character by character, so that no address can make it slow.
 */
import { parseUrl } from '../base/base-url.js';

/**
 * @typedef {object} Address
 * @property {string} origin
 * @property {string} path with `*` in place of identifiers
 * @property {readonly (readonly [name: string, value: string])[]} query with `*` in place of identifiers
 */

/** Of a path, and of the parameters. */
const MAX_LENGTH = 2000;
const MAX_HOST = 300;
const MAX_PARTS = 50;
const MAX_WORD = 40;

/** A version of an interface is not an identifier. */
const VERSION = /^v\d{1,2}$/i;
const EXTENSION = /\.[a-z]{2,5}$/i;

/** @param {string} url @returns {Address | undefined} absent where it is none */
export function readAddress(url) {
  const parsed = parseUrl(url);
  if (!parsed) return undefined;
  const { origin, protocol, host, pathname, search } = parsed;
  if (host.length > MAX_HOST) return undefined;
  const parts = pathname.slice(0, MAX_LENGTH).split('/').slice(0, MAX_PARTS);
  const query = [...new URLSearchParams(search.slice(0, MAX_LENGTH))].slice(0, MAX_PARTS);
  return {
    origin: origin === 'null' ? `${protocol}//${host}` : origin,
    path: parts.map(starred).join('/'),
    query: query.map(([name, value]) => [isIdentifier(name) ? '*' : encodeURIComponent(name), starredValue(value)]),
  };
}

/** @param {string} part of a path @returns {string} */
function starred(part) {
  if (!isIdentifier(part)) return part;
  const extension = EXTENSION.exec(part)?.[0] ?? '';
  return `*${isIdentifier(extension) ? '' : extension}`;
}

/** @param {string} value of a parameter @returns {string} */
const starredValue = (value) => (value !== '' && (isIdentifier(value) || /[^\w.,-]/.test(value)) ? '*' : value);

/**
 * Whether it can stand for one thing of many, or for a moment: whatever has a digit, but for versions; whatever is long; an address of
 * somebody.
 * @param {string} part @returns {boolean}
 */
function isIdentifier(part) {
  if (VERSION.test(part)) return false;
  return part.length > MAX_WORD || /[\d@]/.test(part) || part.includes('%');
}

/**
 * @param {string} pattern of {@link formatAddress}, whose values tell polls apart @returns {string} without them: what is exported may
 *   be shown to anybody
 */
export function withoutValues(pattern) {
  const [path, ...query] = pattern.split('?');
  return [path, ...query.map((parameters) => parameters.replace(/=[^& ]*/g, '=*'))].join('?');
}

/** @param {Address} address @param {ReadonlySet<string>} [varying] names of parameters whose values vary @returns {string} */
export function formatAddress({ path, query }, varying = new Set()) {
  const parameters = query.map(([name, value]) => `${name}=${varying.has(name) ? '*' : value}`);
  return parameters.length > 0 ? `${path}?${parameters.join('&')}` : path;
}
