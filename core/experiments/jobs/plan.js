/**
 * What a run of poll or push will do, fixed before it starts; it fits into a link. A parameter that is left out has its
 * usual value, those of 2018.
 */
import { DURATION_MS } from '../../net/delivery/job-duration.js';
import { quote } from '../../experiment/plan-link.js';
import { createRandom, MAX_SEED, shuffle } from '../../base/random.js';
import { labelOfWay, labelWithin, WAY_LABELS } from '../../net/delivery/labels.js';
import { checkSampleCount, formatNumbers, parseNumbers } from '../../experiment/plan-link.js';

/** @import { Job } from '../../net/delivery/index.js' */

const { least, most, usualLeast, usualMost } = DURATION_MS;

/** The numbers of a plan: as what they stand in a link, and what they may be. */
export const NUMBERS = Object.freeze({
  users: { parameter: 'users', least: 1, most: 1000, usual: 20 },
  jobs: { parameter: 'jobs', least: 1, most: 100, usual: 10 },
  leastMs: { parameter: 'least', least, most, usual: usualLeast },
  mostMs: { parameter: 'most', least, most, usual: usualMost },
  limitMs: { parameter: 'limit', least: 100, most: 700_000, usual: 11_000 },
  seed: { parameter: 'seed', least: 0, most: MAX_SEED },
});

/** Milliseconds from one answer to the next poll, and how many of them a plan may have. */
export const INTERVALS = Object.freeze({ least: 10, most: 60_000, mostCount: 5 });
export const USUAL_INTERVALS = Object.freeze([500, 250]);

export const USUAL_WAYS = Object.freeze(['poll', 'socket-per-job', 'push', 'sockjs']);

/** So many at once one server and one client still carry. */
const MAX_JOBS_AT_ONCE = 10_000;

/**
 * @typedef {object} JobsPlan
 * @property {readonly string[]} ways in the order of tables
 * @property {readonly number[]} intervals of polling, milliseconds, falling; each is a trial
 * @property {number} users each has connections of its own
 * @property {number} jobs of each user, all at once
 * @property {number} leastMs that a job takes
 * @property {number} mostMs
 * @property {number} limitMs a job that is not told of so long after it was made is late, and given up
 * @property {number} seed of durations and of the order of trials
 *
 * @typedef {{ way: string, intervalMs?: number }} PlannedTrial `intervalMs` of polling only
 */

/**
 * @param {URLSearchParams} query
 * @param {{ seed: number }} options what it is where the query has none
 * @returns {JobsPlan | undefined} absent where the query is about no plan
 * @throws {RangeError} what, expected, got
 */
export function parseJobsPlan(query, { seed }) {
  // It would be as if nothing had been asked for.
  if (query.has('interval')) {
    throw new RangeError(`interval: expected intervals, got interval ${quote(query.get('interval'))}`);
  }
  const parameters = ['ways', 'intervals', ...Object.values(NUMBERS).map(({ parameter }) => parameter)];
  if (!parameters.some((parameter) => query.has(parameter))) return undefined;
  const plan = {
    ways: parseWays(query.get('ways')),
    intervals: parseIntervals(query.get('intervals')),
    ...parseNumbers(query, NUMBERS, { seed }),
  };
  checkJobsPlan(plan);
  return plan;
}

/**
 * What no number says by itself.
 *
 * @param {JobsPlan} plan
 * @throws {RangeError} what, expected, got
 */
export function checkJobsPlan(plan) {
  const { users, jobs, leastMs, mostMs } = plan;
  if (leastMs > mostMs) {
    throw new RangeError(`least: expected at most the longest duration, ${mostMs} ms, got ${leastMs}`);
  }
  if (users * jobs > MAX_JOBS_AT_ONCE) {
    throw new RangeError(`users times jobs: expected at most ${MAX_JOBS_AT_ONCE} at once, got ${users * jobs}`);
  }
  checkSampleCount(sampleCountOf(plan), 'trials times users times jobs');
}

/**
 * @param {string | null} text names with commas
 * @returns {string[]} in the order of tables
 * @throws {RangeError} what, expected, got
 */
function parseWays(text) {
  if (text === null) return [...USUAL_WAYS];
  const known = Object.keys(WAY_LABELS);
  const given = text.split(',').map((part) => part.trim());
  if (new Set(given).size === given.length && given.every((name) => known.includes(name))) {
    return known.filter((name) => given.includes(name));
  }
  throw new RangeError(
    `ways: expected at least one of ${known.join(', ')}, each once, separated by commas, got ${quote(text)}`,
  );
}

/**
 * @param {string | null} text numbers with commas
 * @returns {readonly number[]} falling
 * @throws {RangeError} what, expected, got
 */
function parseIntervals(text) {
  if (text === null) return USUAL_INTERVALS;
  const intervals = text
    .split(',')
    .map((part) => (/^\d{1,5}$/.test(part.trim()) ? Number(part) : NaN))
    .sort((a, b) => b - a);
  if (areIntervals(intervals)) return intervals;
  throw new RangeError(
    `intervals: expected 1 to ${INTERVALS.mostCount} whole numbers of ms from ${INTERVALS.least} to ${INTERVALS.most}, each once, separated by commas, got ${quote(text)}`,
  );
}

/**
 * @param {readonly number[]} intervals
 * @returns {boolean} may a plan have these, in falling order?
 */
export function areIntervals(intervals) {
  if (intervals.length < 1 || intervals.length > INTERVALS.mostCount) return false;
  return intervals.every(
    (ms, i) => ms >= INTERVALS.least && ms <= INTERVALS.most && (i === 0 || ms < intervals[i - 1]),
  );
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
 * @returns {string} a link's query
 */
export function formatJobsPlan(plan) {
  return [`ways=${plan.ways.join(',')}`, `intervals=${plan.intervals.join(',')}`, ...formatNumbers(plan, NUMBERS)].join(
    '&',
  );
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
    `A job that is not told of within ${formatDuration(limitMs)} is late.`,
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
