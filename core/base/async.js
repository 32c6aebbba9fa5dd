/**
 * Waits that a signal can end, and queues work that must not run concurrently.
 * @typedef {{ setTimeout: (wake: () => void, ms: number) => any, clearTimeout: (timer: any) => void }} Timers
 * @typedef {<T>(work: () => Promise<T>) => Promise<T>} TakeTurn returns what the work returns
 */

/**
 * Creates a promise that a signal can end early, with its reason; `start` may return what stops the work.
 * @template T @param {AbortSignal | undefined} signal
 * @param {(resolve: (value: T) => void, reject: (reason: unknown) => void) => (() => void) | void} start
 * @returns {Promise<T>}
 */
export function abortable(signal, start) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw signal.reason;
    /** @type {(() => void) | void} */
    let stop = undefined;
    const onAbort = () => {
      // This rejects first: stopping may make the work report a failure of its own, which is not the cause.
      reject(signal?.reason);
      stop?.();
    };
    /** @template V @param {(value: V) => void} settle @returns {(value: V) => void} */
    const once = (settle) => (value) => {
      signal?.removeEventListener('abort', onAbort);
      settle(value);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    stop = start(once(resolve), once(reject));
  });
}

/**
 * Listens to a signal once, however many exchanges it may end: in a browser a call to a signal costs more than
 * everything else in a round trip.
 * @param {(reason: unknown) => void} onAbort ends what is open
 * @returns {(signal: AbortSignal | undefined) => void} to be called before each exchange; throws an aborted signal's
 *   reason
 */
export function createAbortListener(onAbort) {
  /** @type {AbortSignal | undefined} */
  let listenedTo;
  let isAborted = false;

  return (signal) => {
    if (signal !== listenedTo) {
      listenedTo = signal;
      isAborted = signal?.aborted ?? false;
      signal?.addEventListener('abort', () => {
        if (signal === listenedTo) isAborted = true;
        onAbort(signal.reason);
      });
    }
    if (isAborted) throw signal?.reason;
  };
}

/**
 * Waits until the time is over or the signal aborts, without an error.
 * @param {number} ms @param {{ signal?: AbortSignal, timers?: Timers }} [options]
 */
export async function sleep(ms, { signal, timers = globalThis } = {}) {
  /** @type {Promise<void>} */
  const slept = abortable(signal, (resolve) => {
    const timer = timers.setTimeout(resolve, ms);
    return () => timers.clearTimeout(timer);
  });
  await slept.catch(() => {});
}

/** Runs work at once, for callers that wait for no others. @type {TakeTurn} */
export const AT_ONCE = (work) => work();

/**
 * Queues the work of runs to several servers: one at a time, so that a drift of the network affects all.
 * @returns {TakeTurn}
 */
export function createTurns() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    // The others still get their turn after a failure.
    last = turn.catch(() => {});
    return turn;
  };
}
