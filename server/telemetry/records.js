import { networkOf } from '../http/pool.js';

/**
 * @template T
 * @typedef {object} Records
 * @property {(name: string, visitorOf: () => string) => T} open to be changed at once; `visitorOf` gives the address that a new one is for
 * @property {(name: string) => T} read what is known at first, where nothing was recorded or it was long ago
 */

/**
 * Keeps records by name. A record without changes expires. If there are too many, the network with the most loses its
 * oldest: a visitor who creates very many loses their own, not those of others.
 * @template {object} T @param {T} none what is known of a name at first
 * @param {{ keptMs: number, maxCount: number, now: () => number }} options `now`: ms
 * @returns {Records<T>}
 */
export function createRecords(none, { keptMs, maxCount, now }) {
  /** @type {Map<string, { record: T, network: string, touchedMs: number }>} the newest comes last */
  const records = new Map();
  const holders = createHolders();
  /** @param {string} name */
  const forget = (name) => {
    holders.remove(records.get(name)?.network ?? '', name);
    records.delete(name);
  };
  const forgetOld = () => {
    const limitMs = now() - keptMs;
    for (const [name, { touchedMs }] of records) {
      if (touchedMs >= limitMs) break;
      forget(name);
    }
    while (records.size > maxCount) forget(holders.oldestOfLargest());
  };
  return {
    open(name, visitorOf) {
      const known = records.get(name);
      const { record, network } = known ?? { record: { ...none }, network: networkOf(visitorOf()) };
      records.delete(name);
      records.set(name, { record, network, touchedMs: now() });
      if (known) holders.renew(network, name);
      else holders.add(network, name);
      forgetOld();
      return record;
    },
    read(name) {
      forgetOld();
      return records.get(name)?.record ?? none;
    },
  };
}

/** Tracks which names each network holds, and which network holds the most, in constant time. */
function createHolders() {
  /** @type {Map<string, Set<string>>} its names by network, the newest last */
  const held = new Map();
  /** @type {Map<number, Set<string>>} the networks by how many names they hold */
  const byCount = new Map();
  let maxCount = 0;
  /** @param {string} network @param {number} from @param {number} to one more or less */
  const move = (network, from, to) => {
    byCount.get(from)?.delete(network);
    if (byCount.get(from)?.size === 0) byCount.delete(from);
    if (to > 0) byCount.set(to, (byCount.get(to) ?? new Set()).add(network));
    // If the only network with the maximum loses one, its new count is the maximum.
    if (to > maxCount || !byCount.has(maxCount)) maxCount = to;
  };
  return {
    /** @param {string} network @param {string} name that nobody holds */
    add(network, name) {
      const names = held.get(network) ?? new Set();
      held.set(network, names.add(name));
      move(network, names.size - 1, names.size);
    },
    /** @param {string} network @param {string} name that it holds, which becomes its newest */
    renew(network, name) {
      const names = held.get(network);
      names?.delete(name);
      names?.add(name);
    },
    /** @param {string} network @param {string} name that it holds */
    remove(network, name) {
      const names = held.get(network);
      if (!names?.delete(name)) return;
      if (names.size === 0) held.delete(network);
      move(network, names.size + 1, names.size);
    },
    /** @returns {string} the name that was added first to the network that holds most */
    oldestOfLargest() {
      const [network] = byCount.get(maxCount) ?? [];
      const [name] = held.get(network) ?? [];
      return name;
    },
  };
}
