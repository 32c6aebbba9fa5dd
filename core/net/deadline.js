import { ExchangeError } from './exchange-error.js';

/**
 * @import { Now } from '../base/clock.js'
 * @import { Transport } from './echo/index.js'
 */

/** Where setting up tries several transports, it may take this many times the limit of one answer. */
const FALL_BACK_LIMITS = 3;
/** A limit is looked at this many times, so it is kept to within a twentieth. */
const LOOKS_PER_LIMIT = 20;

/**
 * One limit for many waits, one after the other. A timer per round trip would cost the loop that is timed, as reading
 * the clock or the signal would. So a wait only counts, and a slow interval looks whether the count still stands.
 * @param {{ now: Now, limitMs: number, signal?: AbortSignal }} options `signal` is the visitor's: it ends every wait at
 *   once, as aborted
 * @returns {{ start(limitMs?: number): AbortSignal, close(): void }} `start` ends the wait before and begins one, and
 *   gives the signal that ends it; `close` must be called in the end
 */
export function createDeadline({ now, limitMs, signal }) {
  let waitCount = 0;
  let waitLimitMs = limitMs;
  let seenCount = 0;
  let seenAtMs = now();
  let isOver = false;
  let controller = new AbortController();
  let current = controller.signal;

  const interval = setInterval(() => {
    if (seenCount !== waitCount) {
      seenCount = waitCount;
      seenAtMs = now();
    } else if (!isOver && now() - seenAtMs >= waitLimitMs) {
      isOver = true;
      controller.abort(new ExchangeError('timeout', `No answer within ${waitLimitMs} ms.`));
    }
  }, limitMs / LOOKS_PER_LIMIT);

  const onAbort = () => controller.abort(new ExchangeError('aborted', 'Stopped.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();

  return {
    start(nextLimitMs = limitMs) {
      waitCount++;
      waitLimitMs = nextLimitMs;
      // After a timeout the next wait needs a signal of its own; after the visitor's abort it must not get one.
      if (isOver && !signal?.aborted) {
        isOver = false;
        controller = new AbortController();
        current = controller.signal;
      }
      return current;
    },
    close() {
      clearInterval(interval);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** The limit of connecting. @param {Transport} transport @param {number} timeoutMs limit of one answer */
export function setUpLimitMs({ capabilities }, timeoutMs) {
  return capabilities.doesFallBack ? FALL_BACK_LIMITS * timeoutMs : timeoutMs;
}
