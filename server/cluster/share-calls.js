/**
 * Makes one call for all who ask while the one before it is under way: however many ask, there is never more than one at
 * a time. Nobody gets the result of a call that began before they asked, so that none is out of date.
 *
 * @template T
 * @param {() => Promise<T>} call
 * @returns {() => Promise<T>}
 */
export function shareCalls(call) {
  /** @type {Promise<unknown>} */
  let current = Promise.resolve();
  /** @type {Promise<T> | undefined} the one that has not begun yet */
  let next;

  const begin = () => {
    next = undefined;
    const begun = call();
    current = begun;
    return begun;
  };
  return () => (next ??= current.then(begin, begin));
}

/**
 * Makes one call for all who ask within a time: they get its result, whether it is under way or done.
 *
 * @template T
 * @param {() => Promise<T>} call
 * @param {{ keptMs: number, now?: () => number }} options `keptMs`: from the beginning of the call; by then it has to be done
 * @returns {() => Promise<T>}
 */
export function shareResult(call, { keptMs, now = () => performance.now() }) {
  /** @type {{ result: Promise<T>, begunAtMs: number } | undefined} */
  let last;
  return () => {
    if (last === undefined || now() - last.begunAtMs >= keptMs) last = { begunAtMs: now(), result: call() };
    return last.result;
  };
}
