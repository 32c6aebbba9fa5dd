/**
 * Records by name. Those that nothing was recorded for in a while are forgotten, and of too many the oldest.
 * @template {object} T @param {T} none what is known of a name at first
 * @param {{ keptMs: number, mostCount: number, now: () => number }} options `now`: ms
 */
export function createRecords(none, { keptMs, mostCount, now }) {
  /** @type {Map<string, { record: T, touchedMs: number }>} the one that was recorded last comes last */
  const records = new Map();
  const forgetOld = () => {
    const limitMs = now() - keptMs;
    for (const [name, { touchedMs }] of records) {
      if (touchedMs >= limitMs && records.size <= mostCount) return;
      records.delete(name);
    }
  };
  return {
    /** @param {string} name @returns {T} to be changed at once */
    open(name) {
      const record = records.get(name)?.record ?? { ...none };
      records.delete(name);
      records.set(name, { record, touchedMs: now() });
      forgetOld();
      return record;
    },
    /** @param {string} name @returns {T} what is known at first, where nothing was recorded or it was long ago */
    read(name) {
      forgetOld();
      return records.get(name)?.record ?? none;
    },
  };
}
