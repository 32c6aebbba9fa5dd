/** Limits the time of waits whose end is an ExchangeError. */
import { ExchangeError } from '../../net/exchange-error.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @typedef {{ signal: AbortSignal, restart: (nextMs: number, nextMessage: string) => void, end: () => void }} Limit
 */

/**
 * Limits waits: the run's end, and a time that may be set anew.
 * @param {{ signal?: AbortSignal, timers?: Timers }} run @param {number} ms @param {string} message @returns {Limit}
 */
export function createLimit({ signal, timers = globalThis }, ms, message) {
  const controller = new AbortController();
  /** @param {number} nextMs @param {string} nextMessage */
  const start = (nextMs, nextMessage) =>
    timers.setTimeout(() => controller.abort(new ExchangeError('timeout', nextMessage)), nextMs);
  let timer = start(ms, message);
  const stop = () => controller.abort(new ExchangeError('aborted', 'Stopped.'));
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  return {
    signal: controller.signal,
    restart(nextMs, nextMessage) {
      timers.clearTimeout(timer);
      timer = start(nextMs, nextMessage);
    },
    end() {
      timers.clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}
