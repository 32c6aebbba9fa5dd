/**
 * Defines the plan of a run of polling or push, which fits into a link. A missing parameter has the default of the page's form.
 * By default, a run decides in less than half a minute. It has few users, as all users of a page share the six connections of its
 * browser.
 */
import { capitalize, listOf, formatCount } from '../../base/format.js';
import { InvalidInputError } from '../../base/foreign-text.js';
import { createRandomOf, inBlocks, MAX_SEED } from '../../base/random.js';
import { sumOf } from '../../base/statistics.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { blocksField, checkLooks, describePlanned, fewestBlocks, LOOKS } from '../../experiment/plan/blocks.js';
import { describeNews } from '../../experiment/plan/situation.js';
import { choice, integer, integers, names, checkSampleCount, SEED } from '../../experiment/plan/fields.js';
import { deliveries } from '../../net/delivery/index.js';
import { drawDurationMs, DURATION_MS } from '../../net/delivery/job.js';
import { DELIVERY_LABELS, labelWithin } from '../../experiment/answer/labels.js';
import { NEWS_BYTES } from '../../net/delivery/news.js';
import { FAST_BYTES_PER_SECOND, slowStartOf } from '../../net/rate.js';
import { namesOf } from '../../net/rows.js';
import { pollCountOf } from './polling.js';

/**
 * @import { KnownPath } from '../../experiment/contract.js'
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @import { Job } from '../../net/delivery/index.js'
 * @typedef {Omit<PlanOf<typeof FIELDS>, Since> & Partial<PlanOf<typeof FIELDS>>} JobsPlan
 * @typedef {'arrangement' | 'newsBytes' | 'spread' | 'blocks' | 'looks'} Since the fields that older plans do not have
 * @typedef {{ delivery: string, intervalMs?: number, block?: number }} PlannedTrial `intervalMs` of polling; `block`
 *   of several
 */

const { min, max } = DURATION_MS;
const ms = { unit: 'ms', min, max };
const BLOCKS = { min: 1, max: 50 };
const LIMIT = { min: 100, max: 700_000, default: 11_000 };

const HELP = Object.freeze({
  users: 'number of users, each with connections of its own',
  jobs: 'jobs per user',
  arrangement: 'a user’s jobs all at once, or one after the other as in 2018',
  min: 'minimum job duration',
  max: 'maximum job duration; durations are uniform between the two',
  spread: 'durations at random, or one in each equal part of the range',
  newsBytes: 'size of what says that a job is done: of the message, or of the answer’s body',
  limit: 'a job without a notification after this time counts as late',
  blocks: `number of blocks, each with a trial of every delivery method; a verdict needs ${MIN_BLOCKS}`,
});

export const FIELDS = Object.freeze({
  deliveries: names({
    parameter: 'deliveries',
    label: 'Delivery methods',
    one: 'delivery method',
    choices: DELIVERY_LABELS,
    isOrdered: true,
    default: namesOf(deliveries, ({ isDefault }) => isDefault),
  }),
  // An interval is the time from one answer to the next poll.
  intervals: integers({
    parameter: 'intervals',
    option: 'interval',
    label: 'Poll intervals',
    unit: 'ms',
    help: 'poll intervals, each in a trial of its own',
    min: 10,
    max: 60_000,
    maxCount: 5,
    isFalling: true,
    default: [500],
  }),
  users: integer({ parameter: 'users', label: 'Users', help: HELP.users, min: 1, max: 1000, default: 4 }),
  jobs: integer({ parameter: 'jobs', label: 'Jobs per user', help: HELP.jobs, min: 1, max: 100, default: 5 }),
  // Older links and documents do not have this field.
  arrangement: choice({
    parameter: 'arrangement',
    label: 'Jobs of a user',
    help: HELP.arrangement,
    choices: { all: 'All at once', sequential: 'One after the other, as in 2018' },
    default: 'all',
    isLater: true,
    before: 'all',
  }),
  minMs: integer({
    ...ms,
    parameter: 'min',
    label: 'Shortest job',
    help: HELP.min,
    default: 0,
  }),
  maxMs: integer({
    ...ms,
    parameter: 'max',
    label: 'Longest job',
    help: HELP.max,
    default: 1000,
  }),
  newsBytes: integer({
    ...NEWS_BYTES,
    parameter: 'news-bytes',
    label: 'Size of news',
    unit: 'bytes',
    empty: 'as small as can be',
    help: HELP.newsBytes,
    isLater: true,
  }),
  limitMs: integer({ ...LIMIT, parameter: 'limit', label: 'Late after', unit: 'ms', help: HELP.limit }),
  spread: choice({
    parameter: 'spread',
    label: '',
    help: HELP.spread,
    choices: { random: 'At random', even: 'Evenly' },
    isLater: true,
  }),
  blocks: blocksField({ ...BLOCKS, help: HELP.blocks, isLater: true, before: 1 }),
  looks: LOOKS,
  seed: integer({
    ...SEED,
    help: 'sets the job durations and the order of the trials; default: another one for each run',
  }),
});

/** The maximum number of jobs in a trial: it overloads neither a server nor a client. */
const MAX_JOBS = 10_000;
/**
 * The time for the round-trip times, the warm-up and the idle server, and how many round trips there are besides the warm-up: far
 * away, and how many more near.
 */
const PREPARE = { ms: 1000, roundTripCount: 14, more: 14 };
/** The time for creating jobs and reading the traffic; and the round trips for opening and closing a socket. */
const TRIAL = { ms: 70, roundTripCount: 2, ofSocket: 3 };
/** The rounds of the warm-up, each by all delivery methods at once; one where compiling takes little beside a round trip. */
export const WARM_UP_ROUNDS = 5;
const FAR_MS = 50;
/** Where it is not known: that to a server in the same country. */
const USUAL_RTT_MS = 25;

/** Checks the rules across fields. @param {JobsPlan} plan @throws {InvalidInputError} what, expected, got */
export function checkJobsPlan(plan) {
  const { users, jobs, minMs, maxMs, blocks = 1 } = plan;
  checkLooks(plan);
  if (minMs > maxMs) {
    throw new InvalidInputError(`expected at most the longest duration, ${maxMs} ms, got ${minMs}`, {
      fields: ['min'],
    });
  }
  if (users * jobs > MAX_JOBS) {
    throw new InvalidInputError(`expected at most ${MAX_JOBS}, got ${users * jobs}`, { fields: ['users', 'jobs'] });
  }
  const sampleCount = blocks * eachTrial(plan).length * users * jobs;
  checkSampleCount(sampleCount, ['blocks', 'trials', 'users', 'jobs']);
}

/**
 * Describes the jobs of a plan, and how their users learn that one has ended.
 * @param {JobsPlan} plan @returns {string} sentences
 */
export function describeJobsPlan(plan) {
  const { limitMs, blocks = 1 } = plan;
  const planned = eachTrial(plan);
  const trials = planned.map(({ delivery, intervalMs }) => labelWithin(delivery, intervalMs)).join(', ');
  const late = planned.filter(({ intervalMs = 0 }) => intervalMs >= limitMs);
  const lateNames = listOf(late.map(({ delivery, intervalMs }) => labelWithin(delivery, intervalMs)));
  const lateWords = `With ${lateNames}, all jobs will be late: the first poll comes after the limit of ${formatDuration(limitMs)}.`;
  const each = blocks > 1 ? `${describePlanned(plan)} of ${trials}` : trials;
  return [`${describeJobs(plan)}.`, `${capitalize(each)}.`, ...(late.length > 0 ? [lateWords] : [])].join(' ');
}

/**
 * Estimates the time of a run whose answer is soon clear. @param {JobsPlan} plan @param {number} [roundTripMs]
 * @param {KnownPath} [path] @returns {number} seconds
 */
export function estimateSeconds(plan, roundTripMs = USUAL_RTT_MS, path) {
  const { limitMs } = plan;
  const blocks = fewestBlocks(plan);
  const planned = eachTrial(plan);
  // The longest job decides.
  const blockMs = sumOf(planned, ({ intervalMs }) =>
    Math.min(plan.maxMs + (intervalMs === undefined ? 0 : (intervalMs + roundTripMs) / 2), limitMs),
  );
  const trialsMs = isSequential(plan) ? estimateSequentialMs(plan) : blocks * blockMs;
  const openingCount = sumOf(planned, ({ delivery }) => (deliveries[delivery].socketPer ? TRIAL.ofSocket : 0));
  const warmUpCount = warmUpRoundsAt(roundTripMs) * (2 + (openingCount > 0 ? TRIAL.ofSocket : 0));
  const prepareCount = PREPARE.roundTripCount + (isFar(roundTripMs) ? 0 : PREPARE.more);
  const roundTripCount = prepareCount + warmUpCount + blocks * (planned.length * TRIAL.roundTripCount + openingCount);
  const ownMs = PREPARE.ms + blocks * planned.length * (TRIAL.ms + contentMsOf(plan, roundTripMs, path));
  return Math.ceil((ownMs + trialsMs + roundTripCount * roundTripMs) / 1000);
}

/**
 * What news of a size adds to a trial: the bytes of all share a path, and the last piece waits until its connection is fast.
 * @param {JobsPlan} plan @param {number} roundTripMs @param {KnownPath} [path] @returns {number}
 */
function contentMsOf({ users, jobs, newsBytes = 0 }, roundTripMs, { bytesPerSecond = FAST_BYTES_PER_SECOND } = {}) {
  return (1000 * users * jobs * newsBytes) / bytesPerSecond + slowStartOf(newsBytes) * roundTripMs;
}

/** Is a round trip so long that what repeating improves is little beside it? @param {number} roundTripMs */
export const isFar = (roundTripMs) => roundTripMs >= FAR_MS;

/** Returns the number of rounds of the warm-up. @param {number} roundTripMs */
export const warmUpRoundsAt = (roundTripMs) => (isFar(roundTripMs) ? 1 : WARM_UP_ROUNDS);

/**
 * Estimates the time of all trials without round trips, in each of which the user with the longest jobs decides.
 * @param {JobsPlan} plan
 */
function estimateSequentialMs(plan) {
  const { users, jobs, limitMs } = plan;
  return sumOf([...Array(fewestBlocks(plan)).keys()], (block) => {
    const durationsMs = durationsOf(plan, block);
    return sumOf(eachTrial(plan), ({ intervalMs: periodMs }) => {
      const waitsMs = durationsMs.map((durationMs) =>
        Math.min(periodMs ? pollCountOf({ durationMs, periodMs }) * periodMs : durationMs, limitMs),
      );
      const byUser = Array.from({ length: users }, (__, user) => waitsMs.slice(user * jobs, (user + 1) * jobs));
      return Math.max(...byUser.map((ofUser) => sumOf(ofUser, Number)));
    });
  });
}

/**
 * Checks whether each user creates a job only when the one before has ended.
 * @param {{ arrangement?: JobsPlan['arrangement'] }} plan
 */
export const isSequential = ({ arrangement }) => arrangement === 'sequential';

/** Counts the open jobs of a user at any time, at most. @param {{ jobs: number, arrangement?: JobsPlan['arrangement'] }} plan */
export const openJobCountOf = (plan) => (isSequential(plan) ? 1 : plan.jobs);

/** @param {JobsPlan} plan @returns {string} like '20 users with 10 jobs of 0–10 s each, all at once' */
export function describeJobs({ users, jobs, ...plan }) {
  const size = plan.newsBytes === undefined ? '' : `, with ${describeNews(plan)}`;
  const when = `${isSequential(plan) ? 'one after the other' : 'all at once'}${size}`;
  const each = `${formatCount(jobs, 'job')} of ${formatDurations(plan)}`;
  return `${formatCount(users, 'user')} with ${each}${users === 1 ? '' : ' each'}, ${when}`;
}

/** Formats how long jobs take. @param {{ minMs: number, maxMs: number }} plan @returns {string} like '0–10 s' */
export function formatDurations({ minMs, maxMs }) {
  if (minMs === maxMs) return formatDuration(maxMs);
  return maxMs < 1000 ? `${minMs}–${maxMs} ms` : `${minMs / 1000}–${maxMs / 1000} s`;
}

/** @param {number} ms @returns {string} in ms below a second */
export const formatDuration = (ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

/** @param {JobsPlan} plan @returns {PlannedTrial[]} block by block, each in random order */
export function trialsOf({ blocks = 1, seed, ...plan }) {
  const trials = inBlocks(eachTrial(plan), { blocks, seed });
  return blocks > 1 ? trials : trials.map(({ block: _, ...trial }) => trial);
}

/**
 * @param {{ deliveries: readonly string[], intervals: readonly number[] }} plan
 * @returns {PlannedTrial[]} of one block, in the order of tables
 */
export function eachTrial({ deliveries: chosen, intervals }) {
  return chosen.flatMap((delivery) =>
    deliveries[delivery].hasInterval ? intervals.map((intervalMs) => ({ delivery, intervalMs })) : [{ delivery }],
  );
}

/**
 * Creates the jobs of each user, the same for all trials of a block.
 * @param {JobsPlan} plan @param {number} [block] @returns {Job[]}
 */
export function jobsOf({ users, jobs, minMs, maxMs, newsBytes, spread, seed }, block = 0) {
  const random = createRandomOf(seed, block);
  const drawSeed = () => Math.floor(random() * (MAX_SEED + 1));
  const rangeOf = (/** @type {number} */ job) =>
    spread === 'even' ? drawPart({ minMs, maxMs }, { part: job % jobs, count: jobs, random }) : { minMs, maxMs };
  const size = newsBytes === undefined ? {} : { newsBytes };
  return Array.from({ length: users * jobs }, (_, job) => ({ seed: drawSeed(), ...rangeOf(job), ...size }));
}

/**
 * Returns one of the equal parts of a range. They begin at a multiple of its length, at which another poll is needed if it is a
 * polling period. What a part has beyond the range's end is at its start: one of the two pieces is drawn.
 * @param {{ minMs: number, maxMs: number }} range
 * @param {{ part: number, count: number, random: () => number }} drawn
 */
function drawPart({ minMs, maxMs }, { part, count, random }) {
  const lengthMs = maxMs - minMs;
  if (lengthMs === 0) return { minMs, maxMs };
  const partMs = lengthMs / count;
  const alignedMs = Math.ceil(minMs / lengthMs) * lengthMs + part * partMs;
  const fromMs = alignedMs < maxMs ? alignedMs : alignedMs - lengthMs;
  const beyondMs = Math.max(0, fromMs + partMs - maxMs);
  const [low, high] = random() * partMs < beyondMs ? [minMs, minMs + beyondMs] : [fromMs, fromMs + partMs - beyondMs];
  return { minMs: Math.round(low), maxMs: Math.round(high) };
}

/** Returns the durations of those jobs in ms. @param {JobsPlan} plan @param {number} [block] */
export const durationsOf = (plan, block) => jobsOf(plan, block).map(drawDurationMs);
