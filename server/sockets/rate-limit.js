const WINDOW_MS = 1000;

/**
 * At most so many per second, counted from the first in each second.
 *
 * @param {number} perSecond
 * @param {() => number} [now] ms
 * @returns {(count: number) => boolean} counts so many more, and says whether that is too many
 */
export function createRateLimit(perSecond, now = () => performance.now()) {
  let total = 0;
  let beganMs = -Infinity;

  return (count) => {
    const nowMs = now();
    if (nowMs - beganMs >= WINDOW_MS) {
      beganMs = nowMs;
      total = 0;
    }
    total += count;
    return total > perSecond;
  };
}
