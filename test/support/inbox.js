/**
 * @template T
 * @typedef {object} Inbox
 * @property {(item: T) => void} put
 * @property {() => Promise<T>} next
 * @property {(reason: Error) => void} end what waits, and what will ask when all has been taken
 */

/**
 * What an emitter said, one by one and in order: tests wait for the next message instead of sleeping.
 *
 * @template T
 * @returns {Inbox<T>}
 */
export function createInbox() {
  /** @type {T[]} */
  const items = [];
  /** @type {{ resolve(item: T): void, reject(reason: Error): void }[]} */
  const waiting = [];
  /** @type {Error | undefined} */
  let ended;
  return {
    put(item) {
      const first = waiting.shift();
      if (first) first.resolve(item);
      else items.push(item);
    },
    async next() {
      if (items.length > 0) return /** @type {T} */ (items.shift());
      if (ended) throw ended;
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    end(reason) {
      ended = reason;
      for (const { reject } of waiting.splice(0)) reject(reason);
    },
  };
}
