/**
 * @typedef {object} Timers
 * @property {(wake: () => void, ms: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 */

/**
 * @param {number} ms
 * @param {{ signal?: AbortSignal, timers?: Timers }} [options] `signal` ends it at once
 * @returns {Promise<void>}
 */
export function sleep(ms, { signal, timers = globalThis } = {}) {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const wake = () => {
      signal?.removeEventListener('abort', wake);
      timers.clearTimeout(timer);
      resolve();
    };
    const timer = timers.setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
  });
}
