/**
 * The figures that were published in 2018: polling every 500 and 250 ms beside a WebSocket per job; 20 users with 10 jobs
 * each, of 0 to 10 s.
 */

/** Of the published test. */
const PUBLISHED_PLAN = Object.freeze({ users: 20, jobs: 10, leastMs: 0, mostMs: 10_000 });

/** For every figure of it. */
export const PUBLISHED_NOTES = Object.freeze([
  'The figures of 2018 are of 20 users with 10 jobs each, of 0 to 10 s. What its author calls push was a WebSocket per job.',
  'Its bytes must be an average over the jobs: the post does not say so, but as a sum they would be too few for the requests. What a kB is there it does not say.',
  'Its CPU at 250 ms is printed both as 13.8 s and as 1,381,000,000 ns, which is 10 times less; shown is the first. Here its CPU is divided by its 200 jobs.',
]);

/**
 * @typedef {object} Published
 * @property {number} kBPerJob both directions together
 * @property {number} cpuSeconds of the server, for all 200 jobs
 */

/** @type {Readonly<Record<string, Published>>} by delivery method, polling with its interval */
const PUBLISHED = Object.freeze({
  'poll 500': { kBPerJob: 1.62, cpuSeconds: 3.29 },
  'poll 250': { kBPerJob: 2.6, cpuSeconds: 13.8 },
  'socket-per-job': { kBPerJob: 0.28, cpuSeconds: 0.68 },
});

/**
 * @param {{ way: string, intervalMs?: number }} trial
 * @param {{ leastMs: number, mostMs: number }} plan
 * @returns {{ kBPerJob: number, cpuMsPerJob: number } | undefined} absent where 2018 has nothing to compare: another
 *   delivery method, another interval, or jobs of other durations
 */
export function publishedOf({ way, intervalMs }, { leastMs, mostMs }) {
  if (leastMs !== PUBLISHED_PLAN.leastMs || mostMs !== PUBLISHED_PLAN.mostMs) return undefined;
  const published = PUBLISHED[intervalMs === undefined ? way : `${way} ${intervalMs}`];
  if (!published) return undefined;
  const jobCount = PUBLISHED_PLAN.users * PUBLISHED_PLAN.jobs;
  return { kBPerJob: published.kBPerJob, cpuMsPerJob: (published.cpuSeconds * 1000) / jobCount };
}
