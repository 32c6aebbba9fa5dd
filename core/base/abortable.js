/**
 * A promise that an AbortSignal can end early; for what is done once, like connecting.
 *
 * @template T
 * @param {AbortSignal | undefined} signal its reason becomes the rejection
 * @param {(resolve: (value: T) => void, reject: (reason: unknown) => void) => (() => void) | void} start begins the
 *   work; may return what stops it
 * @returns {Promise<T>}
 */
export function abortable(signal, start) {
  return new Promise((resolve, reject) => {
    if (!signal) {
      start(resolve, reject);
      return;
    }
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    /** @type {(() => void) | void} */
    let stop = undefined;
    const onAbort = () => {
      // Rejected first: stopping may make the work report a failure of its own, which is not the cause.
      reject(signal.reason);
      stop?.();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    stop = start(
      (value) => {
        signal.removeEventListener('abort', onAbort);
        resolve(value);
      },
      (reason) => {
        signal.removeEventListener('abort', onAbort);
        reject(reason);
      },
    );
  });
}
