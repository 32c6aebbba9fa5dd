/**
 * Waiting that a signal can end, and turns of what must not run side by side.
 * @typedef {{ setTimeout: (wake: () => void, ms: number) => any, clearTimeout: (timer: any) => void }} Timers
 * @typedef {<T>(work: () => Promise<T>) => Promise<T>} TakeTurn gives what the work gives
 */

/**
 * A promise that a signal can end early, with its reason; `start` may return what stops the work.
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
      // Rejected first: stopping may make the work report a failure of its own, which is not the cause.
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
 * Listens to a signal once, however many exchanges it may end: in a browser a call to a signal costs more than all else
 * that is done for a round trip.
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

/** A signal ends it without error. @param {number} ms @param {{ signal?: AbortSignal, timers?: Timers }} [options] */
export async function sleep(ms, { signal, timers = globalThis } = {}) {
  /** @type {Promise<void>} */
  const slept = abortable(signal, (resolve) => {
    const timer = timers.setTimeout(resolve, ms);
    return () => timers.clearTimeout(timer);
  });
  await slept.catch(() => {});
}

/** The turn of one that has nobody to wait for. @type {TakeTurn} */
export const AT_ONCE = (work) => work();

/** For runs to several servers: one works at a time, so a drift of the network meets all. @returns {TakeTurn} */
export function createTurns() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    // One that fails does not keep the others from theirs.
    last = turn.catch(() => {});
    return turn;
  };
}
