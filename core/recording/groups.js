/** Groups requests that ask for the same: by method and address, in which identifiers and what varies do not count. */
import { formatAddress } from './address.js';

/**
 * @import { Exchange } from './exchange.js'
 * @typedef {{ method: string, origin: string, pattern: string, exchanges: Exchange[] }} Group
 */

/** @param {readonly Exchange[]} exchanges in their order @returns {Group[]} in the order of their first requests */
export function groupByPattern(exchanges) {
  return [...groupBy(exchanges, keyWithoutValues).values()].flatMap((alike) => {
    const varying = varyingNames(alike);
    const patternOf = (/** @type {Exchange} */ { address, operation }) =>
      formatAddress(address, varying) + (operation ? ` (${operation})` : '');
    return [...groupBy(alike, patternOf)].map(([pattern, own]) => ({
      method: own[0].method,
      origin: own[0].address.origin,
      pattern,
      exchanges: own,
    }));
  });
}

/** @param {Exchange} exchange @returns {string} */
const keyWithoutValues = ({ method, address: { origin, path, query }, operation = '' }) =>
  [method, origin, path, query.map(([name]) => name).join('&'), operation].join(' ');

/**
 * @template T @param {readonly T[]} list @param {(item: T) => string} keyOf @returns {Map<string, T[]>}
 */
export function groupBy(list, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * Finds parameters that vary within one poll, such as a cursor: each value is used for a while, and never again. Values that take
 * turns are those of several polls.
 * @param {readonly Exchange[]} alike with the same parameters @returns {Set<string>} their names
 */
function varyingNames(alike) {
  const names = alike[0].address.query.map(([name], place) => ({ name, place }));
  const isVarying = ({ place = 0 }) => {
    const values = alike.map(({ address }) => address.query[place][1]);
    const changes = values.filter((value, i) => i > 0 && value !== values[i - 1]).length;
    return changes > 0 && changes <= 1.2 * (new Set(values).size - 1);
  };
  return new Set(names.filter(isVarying).map(({ name }) => name));
}
