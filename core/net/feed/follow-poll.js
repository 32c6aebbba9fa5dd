/** @import { Followed, PollOptions } from './index.js' */

/**
 * Follows a feed by asking again and again, from the first message that is missing. A request without an answer in time is given
 * up; the next one comes after the usual interval.
 * @param {PollOptions} options @param {Followed} followed gets what happens @returns {() => void} ends it
 */
export function followPoll({ ask, intervalMs, timeoutMs, timers = globalThis }, followed) {
  const ended = new AbortController();
  let next = 0;
  const poll = async () => {
    const limit = new AbortController();
    const stop = () => limit.abort(new Error('ended'));
    ended.signal.addEventListener('abort', stop);
    const timer = timers.setTimeout(() => limit.abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    try {
      for (const n of await ask(next, limit.signal)) {
        followed.onNumber(n);
        next = Math.max(next, n + 1);
      }
    } catch (error) {
      if (!ended.signal.aborted) followed.onLost(/** @type {Error} */ (error).message);
    } finally {
      timers.clearTimeout(timer);
      ended.signal.removeEventListener('abort', stop);
    }
    if (!ended.signal.aborted) wait = timers.setTimeout(poll, intervalMs);
  };
  /** @type {any} */
  let wait;
  poll();
  return () => {
    ended.abort();
    timers.clearTimeout(wait);
  };
}
