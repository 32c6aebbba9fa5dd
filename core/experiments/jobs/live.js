/**
 * Shows a run of polling or push while it goes on: when the server had news, and when users saw it. Delays are converted to the
 * visitor's polling interval, as in the answer: the wait for the next poll keeps its share of the period. The rest of the delay
 * stays as it was measured.
 */
import { formatDelay, formatSpan } from '../../base/format.js';
import { mean } from '../../base/statistics.js';
import { labelOf, labelOfDelivery } from '../../experiment/answer/labels.js';
import { deliveries, DELIVERY_SUBJECTS, pushOver } from '../../net/delivery/index.js';
import { periodMsOf } from '../../net/delivery/model.js';
import { eachTrial } from './plan.js';
import { pollCountOf } from './polling.js';
import { lagsOf, periodOf } from './trial.js';

/**
 * @import { LiveRun } from '../../experiment/contract.js'
 * @import { LiveLanes } from '../../picture/lanes.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 * @import { JobsTrial } from './schema.js'
 * @typedef {{ rttMs: number, periodMs: number }} Shown the round trip of the run, and the visitor's polling period
 * @typedef {{ delayMs: number, wait: number }} Delay at the visitor's interval; `wait`: for the poll that finds it, as a share of the
 *   period; 0 if nothing polls
 * @typedef {{ byJob: Map<number, Delay>, meanMs?: number }} Delays of a trial
 * @typedef {{ wait: number, delaysMs: number[] }} News with its delay by each method
 * @typedef {{ atMs: number, poll: number, delaysMs: number[] }} ShownNews `atMs`: when the server has it, in shown time
 */

/** How many polling intervals are seen at once; each passes in a second. */
const INTERVAL_COUNT = 10;
const INTERVAL_SHOWN_MS = 1000;
/** The maximum number of news that wait for one poll: more are hard to tell apart. */
const MAX_PER_POLL = 2;

/**
 * Shows polling and push as two lanes, in which news arrives late or at once.
 * @param {LiveRun<JobsPlan, JobsTrial>} run @returns {LiveLanes}
 */
export function live({ plan, trials, situation, roundTripMs }) {
  const methods = methodsOf(plan, situation?.considers);
  const createdInMs = soonestCreationOf(trials);
  const rttMs = roundTripMs || createdInMs;
  const intervalMs = situation?.intervalMs ?? methods[0].intervalMs ?? INTERVAL_SHOWN_MS;
  const periodMs = periodMsOf({ intervalMs, rttMs, polls: situation?.polls });
  const shown = { rttMs: Math.min(rttMs, createdInMs), periodMs };
  const speed = intervalMs / INTERVAL_SHOWN_MS;
  const own = methods.map((method) => trials.filter((trial) => isOf(trial, method)));
  const news = schedule(own, shown, speed);
  const counts = own.map((made) => made.reduce((count, { notified }) => count + notified.job.length, 0));
  return {
    title: 'Users see news after, so far',
    note: noteOf({ counts, measured: methods[0].intervalMs, intervalMs, mayEndEarly: plan.looks !== undefined }),
    words: {
      begins: 'server has news',
      ends: 'user sees it',
      ...(methods[0].delivery === 'poll' && { poll: 'page polls' }),
    },
    spanMs: INTERVAL_COUNT * intervalMs,
    play: { speed, endMs: speed * endOf(trials) },
    formatMs: formatDelay,
    lanes: methods.map((method, i) => ({
      ...nameOf(method, { intervalMs, considers: situation?.considers }),
      colour: `delivery-${method.delivery}`,
      typicalMs: mean(own[i].flatMap((trial) => delaysOf(trial, shown).meanMs ?? [])),
      ...(method.delivery === 'poll' && { poll: { periodMs } }),
      exchanges: news.map(({ atMs, poll, delaysMs }) => ({ beginsMs: atMs, endsMs: atMs + delaysMs[i], poll })),
    })),
  };
}

/**
 * Polling, and the push that is considered; other methods if a plan has none of these. @param {JobsPlan} plan
 * @param {string} [considers]
 */
function methodsOf(plan, considers) {
  const all = eachTrial(plan);
  const wanted = [...(considers ? [pushOver(considers).name] : []), ...DELIVERY_SUBJECTS];
  const push = wanted.map((name) => all.find(({ delivery }) => delivery === name)).find(Boolean);
  const polling = all.find(({ delivery }) => delivery === 'poll');
  return [...new Set([polling, push, ...all])].filter((method) => method !== undefined).slice(0, 2);
}

/** @param {JobsTrial} trial @param {PlannedTrial} method */
const isOf = ({ delivery, intervalMs }, method) => delivery === method.delivery && intervalMs === method.intervalMs;

/**
 * @param {PlannedTrial} method @param {{ intervalMs: number, considers?: string }} asked
 * @returns {{ label: string, about?: string }}
 */
function nameOf({ delivery }, { intervalMs, considers }) {
  if (delivery === 'poll') return { label: 'Polling', about: `every ${formatSpan(intervalMs)}` };
  if (!deliveries[delivery].socketPer) return { label: labelOfDelivery(delivery) };
  const isConsidered = considers !== undefined && pushOver(considers).name === delivery;
  return { label: 'Push', about: labelOf(isConsidered ? considers : deliveries[delivery].transport) };
}

/** How long the server took to answer at the soonest: a round trip. @param {readonly JobsTrial[]} trials */
function soonestCreationOf(trials) {
  const first = trials.filter(({ block }) => block === trials[0].block);
  const soonestMs = first.reduce((least, trial) => Math.min(least, soonestOf(trial)), Infinity);
  return soonestMs === Infinity ? 0 : soonestMs;
}

/** In ms; infinite without a job. @param {JobsTrial} trial @returns {number} */
const soonestOf = ({ notified: { createdAtMs, sentAtMs } }) =>
  createdAtMs.reduce((least, ms, i) => Math.min(least, ms - sentAtMs[i]), Infinity);

/** @param {readonly JobsTrial[]} trials @returns {number} when the last was over, since the run's start */
const endOf = (trials) => Math.max(0, ...trials.map(({ startedAtMs, elapsedMs }) => startedAtMs + elapsedMs));

/** A trial does not change once it is made: what it needs for a picture is worked out for the first. @type {WeakMap<JobsTrial, Shown & Delays>} */
const delaysByTrial = new WeakMap();

/** @param {JobsTrial} trial @param {Shown} shown which may change while the first block goes on @returns {Delays} */
function delaysOf(trial, shown) {
  const known = delaysByTrial.get(trial);
  if (known && known.rttMs === shown.rttMs && known.periodMs === shown.periodMs) return known;
  const delays = { ...shown, ...computeDelays(trial, shown) };
  delaysByTrial.set(trial, delays);
  return delays;
}

/**
 * The mean is as the answer has it: of polling, half a period and what comes besides. @param {JobsTrial} trial
 * @param {Shown} shown @returns {Delays}
 */
function computeDelays({ notified, delivery }, { rttMs, periodMs }) {
  const lagsMs = lagsOf(notified, rttMs);
  const { job, durationMs } = notified;
  const measuredMs = delivery === 'poll' ? periodOf(notified) : undefined;
  /** @param {number} lagMs @param {number} i @returns {Delay} */
  const toDelay = (lagMs, i) => {
    if (!measuredMs) return { delayMs: Math.max(0, lagMs), wait: 0 };
    const waitMs = pollCountOf({ durationMs: durationMs[i], periodMs: measuredMs }) * measuredMs - durationMs[i];
    const wait = Math.min(1, waitMs / measuredMs);
    return { delayMs: wait * periodMs + Math.max(0, lagMs - wait * measuredMs), wait };
  };
  const meanLagMs = mean(lagsMs);
  return {
    byJob: new Map(lagsMs.map((lagMs, i) => [job[i], toDelay(lagMs, i)])),
    ...(meanLagMs !== undefined && {
      meanMs: Math.max(0, measuredMs ? meanLagMs + (periodMs - measuredMs) / 2 : meanLagMs),
    }),
  };
}

/**
 * Shows the news of a block while the next is measured: a job takes as long by each method of a block. Each comes as long before
 * a poll as it waited for one.
 * @param {readonly (readonly JobsTrial[])[]} own the trials of each method @param {Shown} shown @param {number} speed
 * @returns {ShownNews[]}
 */
function schedule([first, ...others], shown, speed) {
  /** @type {Map<number, number>} how many wait for each poll */
  const taken = new Map();
  let fromMs = 0;
  return first.flatMap((trial) => {
    const trials = [trial, ...others.flatMap((made) => made.find(({ block }) => block === trial.block) ?? [])];
    if (trials.length <= others.length) return [];
    const endMs = endOf(trials);
    const [begin, end] = [endMs, 2 * endMs - fromMs].map((ms) => Math.ceil((ms * speed) / shown.periodMs));
    fromMs = endMs;
    /** @type {ShownNews[]} */
    const news = [];
    let poll = begin + 1;
    for (const { wait, delaysMs } of newsOf(trials, shown)) {
      if ((taken.get(poll) ?? 0) >= MAX_PER_POLL) break;
      taken.set(poll, (taken.get(poll) ?? 0) + 1);
      news.push({ atMs: (poll - wait) * shown.periodMs, poll, delaysMs });
      poll = poll < end ? poll + 1 : begin + 1;
    }
    return news;
  });
}

/**
 * Yields what came by all of them, one by one: most news of a large block find no room.
 * @param {readonly JobsTrial[]} trials of a block @param {Shown} shown @returns {Generator<News>}
 */
function* newsOf(trials, shown) {
  const [first, ...others] = trials.map((trial) => delaysOf(trial, shown).byJob);
  for (const [job, { wait, delayMs }] of first) {
    const rest = others.flatMap((delays) => delays.get(job)?.delayMs ?? []);
    if (rest.length === others.length) yield { wait, delaysMs: [delayMs, ...rest] };
  }
}

/** @param {{ counts: readonly number[], measured?: number, intervalMs: number, mayEndEarly: boolean }} run */
function noteOf({ counts, measured, intervalMs, mayEndEarly }) {
  return [
    `${counts.join(' and ')} ${counts.length === 1 && counts[0] === 1 ? 'item' : 'items'} so far.`,
    ...(measured && measured !== intervalMs ? [`Polled every ${formatSpan(measured)}, and converted.`] : []),
    ...(mayEndEarly ? ['Ends when the answer is clear.'] : []),
  ].join(' ');
}
