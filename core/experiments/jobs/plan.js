/**
 * What a run of poll or push will do, fixed before it starts; it fits into a link. A parameter that is left out has its
 * usual value, those of 2018.
 */
import { DURATION_MS } from '../../net/delivery/job-duration.js';
import { InvalidInputError } from '../../base/invalid-input.js';
import { createRandom, MAX_SEED, shuffle } from '../../base/random.js';
import { integer, integers, names } from '../../experiment/fields.js';
import { checkSampleCount, SEED } from '../../experiment/plan-link.js';
import { labelOfWay, labelWithin, WAY_LABELS } from '../../net/delivery/labels.js';

/**
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Job } from '../../net/delivery/index.js'
 */

const { least: min, most: max, usualLeast, usualMost } = DURATION_MS;

export const FIELDS = Object.freeze({
  ways: names({
    parameter: 'ways',
    label: 'Delivery methods',
    choices: WAY_LABELS,
    isOrdered: true,
    default: ['poll', 'socket-per-job', 'push', 'sockjs'],
  }),
  // From one answer to the next poll.
  intervals: integers({
    parameter: 'intervals',
    option: 'interval',
    label: 'Poll intervals',
    unit: 'ms',
    help: 'of polling, each a trial of its own',
    min: 10,
    max: 60_000,
    maxCount: 5,
    isFalling: true,
    default: [500, 250],
  }),
  users: integer({
    parameter: 'users',
    label: 'Users',
    help: 'each with connections of its own',
    min: 1,
    max: 1000,
    default: 20,
  }),
  jobs: integer({
    parameter: 'jobs',
    label: 'Jobs each',
    help: 'of each user, all at once',
    min: 1,
    max: 100,
    default: 10,
  }),
  leastMs: integer({
    parameter: 'least',
    label: 'Shortest job',
    unit: 'ms',
    help: 'that a job takes',
    min,
    max,
    default: usualLeast,
  }),
  mostMs: integer({
    parameter: 'most',
    label: 'Longest job',
    unit: 'ms',
    help: 'between the two at random',
    min,
    max,
    default: usualMost,
  }),
  limitMs: integer({
    parameter: 'limit',
    label: 'Late after',
    unit: 'ms',
    help: 'after this time without a notification a job is late, and given up',
    min: 100,
    max: 700_000,
    default: 11_000,
  }),
  seed: integer({ ...SEED, help: 'of the durations, and of the order of the trials' }),
});

/** So many at once one server and one client still carry. */
const MAX_JOBS_AT_ONCE = 10_000;

/**
 * @typedef {PlanOf<typeof FIELDS>} JobsPlan each user has connections of its own, and all its jobs at once; each interval of
 *   polling is a trial
 *
 * @typedef {{ way: string, intervalMs?: number }} PlannedTrial `intervalMs` of polling only
 */

/**
 * What no number says by itself.
 *
 * @param {JobsPlan} plan
 * @throws {InvalidInputError} what, expected, got
 */
export function checkJobsPlan(plan) {
  const { users, jobs, leastMs, mostMs } = plan;
  if (leastMs > mostMs) {
    throw new InvalidInputError(`least: expected at most the longest duration, ${mostMs} ms, got ${leastMs}`);
  }
  if (users * jobs > MAX_JOBS_AT_ONCE) {
    throw new InvalidInputError(`users times jobs: expected at most ${MAX_JOBS_AT_ONCE} at once, got ${users * jobs}`);
  }
  checkSampleCount(sampleCountOf(plan), 'trials times users times jobs');
}

/**
 * @param {Pick<JobsPlan, 'ways' | 'intervals' | 'users' | 'jobs'>} plan
 * @returns {number} jobs told of in a run without failures
 */
export function sampleCountOf({ ways, intervals, users, jobs }) {
  return eachTrial({ ways, intervals }).length * users * jobs;
}

/**
 * @param {JobsPlan} plan
 * @returns {string} sentences
 */
export function describeJobsPlan(plan) {
  const { mostMs, limitMs } = plan;
  const planned = eachTrial(plan);
  const trials = planned.map(({ way, intervalMs }) => labelWithin(way, intervalMs));
  const order = trials.length === 1 ? trials[0] : `${trials.join(', ')}, one after the other in random order`;
  const seconds = Math.max(1, Math.ceil((trials.length * Math.min(mostMs, limitMs)) / 1000));
  return [
    `${describeJobCount(plan)}, of ${formatDurations(plan)}, by ${order}.`,
    `A job is late if its client does not know within ${formatDuration(limitMs)}.`,
    ...planned.flatMap((trial) => describeLateFirstPoll(trial, limitMs)),
    `It takes about ${seconds} s.`,
  ].join(' ');
}

/**
 * @param {PlannedTrial} trial
 * @param {number} limitMs
 */
function describeLateFirstPoll({ way, intervalMs = 0 }, limitMs) {
  if (way !== 'poll' || intervalMs < limitMs) return [];
  return [`${labelOfWay(way, intervalMs)} asks for the first time after that: all its jobs will be late.`];
}

/**
 * @param {Pick<JobsPlan, 'users' | 'jobs'>} plan
 * @returns {string} like '20 users with 10 jobs each at once'
 */
export function describeJobCount({ users, jobs }) {
  return `${users} ${users === 1 ? 'user' : 'users'} with ${jobs} ${jobs === 1 ? 'job' : 'jobs'} each at once`;
}

/**
 * @param {Pick<JobsPlan, 'leastMs' | 'mostMs'>} plan
 * @returns {string} like '0 to 10 s'
 */
export function formatDurations({ leastMs, mostMs }) {
  if (leastMs === mostMs) return formatDuration(mostMs);
  return mostMs < 1000 ? `${leastMs} to ${mostMs} ms` : `${leastMs / 1000} to ${mostMs / 1000} s`;
}

/**
 * @param {number} ms
 * @returns {string} in ms below a second
 */
export function formatDuration(ms) {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

/**
 * @param {Pick<JobsPlan, 'ways' | 'intervals' | 'seed'>} plan
 * @returns {PlannedTrial[]} in random order
 */
export function trialsOf(plan) {
  return shuffle(eachTrial(plan), createRandom(plan.seed));
}

/**
 * @param {Pick<JobsPlan, 'ways' | 'intervals'>} plan
 * @returns {PlannedTrial[]} in the order of tables
 */
export function eachTrial({ ways, intervals }) {
  return ways.flatMap((way) => (way === 'poll' ? intervals.map((intervalMs) => ({ way, intervalMs })) : [{ way }]));
}

/**
 * The same for every trial, so that all ways are asked the same.
 *
 * @param {Pick<JobsPlan, 'users' | 'jobs' | 'leastMs' | 'mostMs' | 'seed'>} plan
 * @returns {Job[]} user u, counted from 0, has those from u times `jobs`
 */
export function jobsOf({ users, jobs, leastMs, mostMs, seed }) {
  const random = createRandom(seed);
  return Array.from({ length: users * jobs }, () => ({
    seed: Math.floor(random() * (MAX_SEED + 1)),
    leastMs,
    mostMs,
  }));
}
