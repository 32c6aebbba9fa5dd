/**
 * What a run of polling or push will do, fixed before it starts; it fits into a link. A parameter that is left out has its
 * default, that of 2018.
 */
import { DURATION_MS } from '../../net/delivery/job.js';
import { formatSeconds } from '../../base/format.js';
import { InvalidInputError } from '../../base/foreign-text.js';
import { createRandom, MAX_SEED, shuffle } from '../../base/random.js';
import {
  formatFields,
  integer,
  integers,
  names,
  schemaOfFields,
  checkSampleCount,
  SEED,
} from '../../experiment/fields.js';
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { labelOfDelivery, labelWithin, DELIVERY_LABELS } from '../../net/labels.js';

/**
 * @import { Valibot } from '../../experiment/documents/fields.js'
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Job } from '../../net/delivery/index.js'
 */

const { min, max, defaultMin, defaultMax } = DURATION_MS;

export const FIELDS = Object.freeze({
  ways: names({
    parameter: 'ways',
    label: 'Delivery methods',
    choices: DELIVERY_LABELS,
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
    default: defaultMin,
  }),
  mostMs: integer({
    parameter: 'most',
    label: 'Longest job',
    unit: 'ms',
    help: 'between the two at random',
    min,
    max,
    default: defaultMax,
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
  // Older links and documents say nothing of blocks: they have one.
  blocks: integer({
    parameter: 'blocks',
    label: 'Blocks',
    help: `each with a trial of every delivery method; a verdict needs ${MIN_BLOCKS}`,
    min: 1,
    max: 50,
    default: 1,
  }),
  seed: integer({ ...SEED, help: 'of the durations, and of the order of the trials' }),
});

/** So many at once do not overload a server and a client. */
const MAX_JOBS_AT_ONCE = 10_000;

/**
 * @typedef {Omit<PlanOf<typeof FIELDS>, 'blocks'> & { blocks?: number }} JobsPlan each user has connections of its own, and
 *   all its jobs at once; each interval of polling is a trial
 *
 * @typedef {{ way: string, intervalMs?: number, block?: number }} PlannedTrial `way`: its delivery method; `intervalMs` of
 *   polling only; `block` where there are several
 */

/**
 * What no field says by itself.
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
  checkSampleCount(sampleCountOf(plan), 'blocks times trials times users times jobs');
}

/**
 * @param {JobsPlan} plan
 * @returns {string} a link's query
 */
export function formatJobsPlan(plan) {
  return formatFields({ ...plan, blocks: plan.blocks ?? 1 }, FIELDS);
}

/** @param {Valibot} v */
export function jobsPlanSchema(v) {
  const { blocks, ...fields } = schemaOfFields(v, FIELDS);
  return v.strictObject({ ...fields, blocks: v.optional(blocks) });
}

/**
 * @param {Pick<JobsPlan, 'ways' | 'intervals' | 'blocks' | 'users' | 'jobs'>} plan
 * @returns {number} notifications in a run without failures
 */
export function sampleCountOf({ blocks = 1, users, jobs, ...plan }) {
  return blocks * eachTrial(plan).length * users * jobs;
}

/**
 * @param {JobsPlan} plan
 * @returns {string} sentences
 */
export function describeJobsPlan(plan) {
  const { limitMs, blocks = 1 } = plan;
  const planned = eachTrial(plan);
  const trials = planned.map(({ way, intervalMs }) => labelWithin(way, intervalMs));
  return [
    `${describeJobCount(plan)}, of ${formatDurations(plan)}: ${trials.join(', ')}${blocks > 1 ? `, in ${blocks} blocks` : ''}.`,
    ...planned.flatMap((trial) => describeLateFirstPoll(trial, limitMs)),
    `It takes about ${formatSeconds(Math.ceil(expectedMsOf(plan) / 1000))}.`,
  ].join(' ');
}

/** For the round-trip time, the warm-up and the idle server. */
const PREPARE_MS = 2500;
/** For connecting, closing and reading the traffic. */
const TRIAL_MS = 150;

/** @param {JobsPlan} plan */
function expectedMsOf({ blocks = 1, mostMs, limitMs, ...plan }) {
  const trialMs = eachTrial(plan).map(({ intervalMs = 0 }) => Math.min(mostMs + intervalMs / 2, limitMs) + TRIAL_MS);
  return PREPARE_MS + blocks * trialMs.reduce((sum, ms) => sum + ms);
}

/**
 * @param {PlannedTrial} trial
 * @param {number} limitMs
 */
function describeLateFirstPoll({ way, intervalMs = 0 }, limitMs) {
  if (way !== 'poll' || intervalMs < limitMs) return [];
  const name = labelOfDelivery(way, intervalMs);
  return [`${name} first polls after the limit of ${formatDuration(limitMs)}: all its jobs will be late.`];
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
 * @param {JobsPlan} plan
 * @returns {PlannedTrial[]} block by block, each in random order
 */
export function trialsOf({ blocks = 1, seed, ...plan }) {
  const random = createRandom(seed);
  return Array.from({ length: blocks }, (__, block) => {
    const trials = shuffle(eachTrial(plan), random);
    return blocks > 1 ? trials.map((trial) => ({ ...trial, block })) : trials;
  }).flat();
}

/**
 * @param {Pick<JobsPlan, 'ways' | 'intervals'>} plan
 * @returns {PlannedTrial[]} of one block, in the order of tables
 */
export function eachTrial({ ways, intervals }) {
  return ways.flatMap((way) => (way === 'poll' ? intervals.map((intervalMs) => ({ way, intervalMs })) : [{ way }]));
}

/** The golden ratio of 2^32: the seeds of blocks are far from each other. */
const SEED_STEP = 0x9e37_79b9;

/**
 * The same for every trial of a block, so that all delivery methods get the same jobs.
 *
 * @param {Pick<JobsPlan, 'users' | 'jobs' | 'leastMs' | 'mostMs' | 'seed'>} plan
 * @param {number} [block]
 * @returns {Job[]} user u, counted from 0, has those from u times `jobs`
 */
export function jobsOf({ users, jobs, leastMs, mostMs, seed }, block = 0) {
  const random = createRandom((seed + block * SEED_STEP) % (MAX_SEED + 1));
  return Array.from({ length: users * jobs }, () => ({
    seed: Math.floor(random() * (MAX_SEED + 1)),
    leastMs,
    mostMs,
  }));
}
