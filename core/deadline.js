import { ExchangeError } from './exchange-error.js';

/** A limit is looked at this many times, so it is kept to within a twentieth. */
const LOOKS_PER_LIMIT = 20;

/**
 * One limit for many waits, one after the other.
 *
 * A timer per round trip would cost the loop that is timed, so a slow interval looks at the one wait that is open.
 *
 * @param {{ now: import('./clock.js').Now, limitMs: number, signal?: AbortSignal }} options `signal` is the
 *   visitor's: it ends every wait at once, as aborted
 * @returns {{ start(limitMs?: number): AbortSignal, stop(): void, close(): void }} `start` begins a wait and gives the
 *   signal that ends it; `stop` ends the wait in time; `close` must be called in the end
 */
export function createDeadline({ now, limitMs, signal }) {
  let dueAt = Infinity;
  let currentLimitMs = limitMs;
  let controller = new AbortController();

  const interval = setInterval(() => {
    if (now() <= dueAt) return;
    dueAt = Infinity;
    controller.abort(new ExchangeError('timeout', `No answer within ${currentLimitMs} ms.`));
  }, limitMs / LOOKS_PER_LIMIT);

  const onAbort = () => controller.abort(new ExchangeError('aborted', 'Cancelled.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();

  return {
    start(waitLimitMs = limitMs) {
      // After a timeout the next wait needs a signal of its own; after the visitor's abort it must not get one.
      if (controller.signal.aborted && !signal?.aborted) controller = new AbortController();
      currentLimitMs = waitLimitMs;
      dueAt = now() + waitLimitMs;
      return controller.signal;
    },
    stop() {
      dueAt = Infinity;
    },
    close() {
      clearInterval(interval);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
