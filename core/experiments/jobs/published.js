/** The figures of 2018, beside those of a run of the same jobs. */
import { isSequential } from './plan.js';

/** @import { JobsPlan } from './plan.js' */

/** The figures of 2018, both directions together, and the server's CPU for all jobs; polling with its interval. */
const PUBLISHED = new Map([
  ['poll 500', { kibPerJob: 1.62, cpuSeconds: 3.29 }],
  ['poll 250', { kibPerJob: 2.6, cpuSeconds: 13.8 }],
  ['socket-per-job', { kibPerJob: 0.28, cpuSeconds: 0.68 }],
]);
const PUBLISHED_JOB_COUNT = 200;

export const PUBLISHED_NOTES = Object.freeze([
  'The 2018 test ran 20 users with 10 jobs of 0–10 s each, one after the other. What its author calls push was a WebSocket per job.',
  'We read its bytes as an average per job: as a total, they would be too few for the requests. Its kB is 1,024 bytes: polling’s 1.62 kB is 951 + 703 bytes.',
  'For the CPU time of polling every 250 ms, the post prints both 13.8 s (used here) and 1,381,000,000 ns, 10 times less. We divide its CPU times by its 200 jobs.',
]);

/**
 * Returns the figures of 2018; absent if the jobs are not those of 2018: their durations set the number of polls, and
 * the number of open jobs sets what connections and CPU time they share.
 * @param {{ delivery: string, intervalMs?: number }} trial
 * @param {{ minMs: number, maxMs: number, arrangement?: JobsPlan['arrangement'] }} plan
 * @returns {{ bytesPerJob: number, cpuMsPerJob: number } | undefined}
 */
export function publishedOf({ delivery, intervalMs }, plan) {
  const published = PUBLISHED.get(intervalMs === undefined ? delivery : `${delivery} ${intervalMs}`);
  if (!published || plan.minMs !== 0 || plan.maxMs !== 10_000 || !isSequential(plan)) return undefined;
  return { bytesPerJob: 1024 * published.kibPerJob, cpuMsPerJob: (published.cpuSeconds * 1000) / PUBLISHED_JOB_COUNT };
}
