/** The clock of jobs and feeds, which goes on evenly where the system's clock is set. */

/** Longer than any job or feed: by then nothing is left that the old time was said of. */
const REST_MS = 900_000;

/**
 * @param {{ wall?: () => number, monotonic?: () => number }} [clocks] ms
 * @returns {() => number} ms since 1970, whole ones. A change of the system's clock takes effect after a quarter of an hour without a call
 */
export function createSteadyClock({ wall = Date.now, monotonic = () => performance.now() } = {}) {
  let readAtMs = monotonic();
  let offsetMs = wall() - readAtMs;
  return () => {
    const nowMs = monotonic();
    if (nowMs - readAtMs > REST_MS) offsetMs = wall() - nowMs;
    readAtMs = nowMs;
    return Math.floor(nowMs + offsetMs);
  };
}

/** The one of this process: a job that it makes is due by the same clock. */
export const steadyNow = createSteadyClock();
