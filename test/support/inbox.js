/**
 * What an emitter said, one by one and in order: tests wait for the next message instead of sleeping.
 *
 * @template T
 * @returns {{ put(item: T): void, next(): Promise<T> }}
 */
export function createInbox() {
  /** @type {T[]} */
  const items = [];
  /** @type {((item: T) => void)[]} */
  const waiting = [];
  return {
    put(item) {
      const first = waiting.shift();
      if (first) first(item);
      else items.push(item);
    },
    next() {
      const [first] = items;
      if (items.length === 0) return new Promise((resolve) => waiting.push(resolve));
      items.shift();
      return Promise.resolve(first);
    },
  };
}
