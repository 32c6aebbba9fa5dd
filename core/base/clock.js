/** @typedef {() => number} Now the clock of every round trip: ms since an arbitrary start, never running backwards */

const MAX_LOOK_MS = 250;
const CHANGES_LOOKED_FOR = 50;

/**
 * Measures the smallest step of a clock, in ms; absent if it did not move within 250 ms. Browsers coarsen
 * `performance.now()`: 100 us as a rule, up to 100 ms with fingerprinting protection. It spins, so it is called outside
 * every timed part.
 * @param {Now} now
 */
export function measureStepMs(now) {
  const startedAt = now();
  let stepMs;
  let last = startedAt;
  let changeCount = 0;
  // The clock itself may stand still, so the reads are counted, too.
  for (let reads = 0; changeCount < CHANGES_LOOKED_FOR && reads < 1e7; reads++) {
    const reading = now();
    if (reading === last) continue;
    stepMs = Math.min(stepMs ?? Infinity, reading - last);
    last = reading;
    changeCount++;
    if (reading - startedAt > MAX_LOOK_MS) break;
  }
  return stepMs;
}
