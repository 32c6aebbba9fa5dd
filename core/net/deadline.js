import { ExchangeError } from './exchange-error.js';

/**
 * @import { Now } from '../base/clock.js'
 * @import { Transport } from './echo/index.js'
 */

/** A connection setup that tries several transports may take this many times the limit of one answer. */
const FALL_BACK_LIMITS = 3;
/** The number of checks within a limit, which may therefore be exceeded by 5%. */
const LOOKS_PER_LIMIT = 20;

/**
 * @typedef {object} Deadline
 * @property {(limitMs?: number) => AbortSignal} start ends the wait before and begins one; gives the signal that ends it
 * @property {() => void} close must be called in the end
 */

/**
 * Limits many waits, one after the other. A timer per round trip would slow down the loop that is timed, as would
 * reading the clock or the signal. So a wait only increments a count, and a slow interval checks whether the count has
 * changed.
 * @param {{ now: Now, limitMs: number, signal?: AbortSignal }} options `signal` is the visitor's: it ends every wait at
 *   once, as aborted
 * @returns {Deadline}
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
      // The next wait needs a signal of its own after a timeout, but must not get one after the visitor's abort.
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

/**
 * Returns the limit of the connection setup.
 * @param {Transport} transport @param {number} timeoutMs limit of one answer
 */
export function setUpLimitMs({ capabilities }, timeoutMs) {
  return capabilities.doesFallBack ? FALL_BACK_LIMITS * timeoutMs : timeoutMs;
}
