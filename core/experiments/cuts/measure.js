/**
 * Measures cuts. The trials of a cut are made side by side. The first of them makes the feed, and begins to follow it by all
 * methods. Each trial keeps what its own method got.
 */
import { sleep } from '../../base/async.js';
import { createRandomOf } from '../../base/random.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { failureOf } from '../../net/http.js';
import { lengthMsOf } from '../../net/feed/feed.js';
import { feedMethods, followFeed, numberIn } from '../../net/feed/index.js';
import { feedsOf, GRACE_MS, trialsOf } from './plan.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Ending, FaultWatch, Measurement } from '../../experiment/contract.js'
 * @import { FeedOptions } from '../../net/feed/feed.js'
 * @import { FeedClient, Followed } from '../../net/feed/index.js'
 * @import { CutsPlan, PlannedFeed, PlannedTrial } from './plan.js'
 * @import { CutsTrial } from './schema.js'
 *
 * @typedef {{ plan: CutsPlan, createClient: () => FeedClient, cutLink?: () => Promise<LinkCut>, now: Now, timers?: Timers,
 *   signal?: AbortSignal }} Options `cutLink`: cuts the link once, if something can; resolves when the link is whole again
 * @typedef {NonNullable<CutsTrial['linkCut']>} LinkCut as `cutLink` gives it: readings of the clock
 *
 * @typedef {object} Noted what the method of a trial noted, as the trial has it
 * @property {string} [protocol]
 * @property {CutsTrial['arrivals']} arrivals
 * @property {number[]} openedAtMs
 * @property {CutsTrial['losses']} losses
 * @property {number} repeatedCount
 *
 * @typedef {object} Fed what all methods of a cut share
 * @property {number} requestMs
 * @property {number} feedAtMs
 * @property {CutsTrial['linkCut']} [linkCut]
 * @property {CutsTrial['failure']} [failure] the server made no feed
 * @typedef {Fed & { startedAtMs: number, elapsedMs: number, noted: Readonly<Record<string, Noted>> }} Cut
 *
 * @typedef {{ trials: CutsTrial[], sinceMs: number }} CutSoFar what all methods have got of a cut that is under way, `sinceMs` after its
 *   start; no trials before its feed is made
 * @typedef {object} Shared by the trials of a run
 * @property {FeedClient} client
 * @property {PlannedFeed[]} feeds
 * @property {(() => number)[]} randoms of the reconnections of each method, all over the run
 * @property {Map<string, Promise<Cut>>} begun by block and cut
 * @property {() => void} close
 */

const LOOK_MS = 50;
/** The time that the server gets to make a feed. */
const MAKE_LIMIT_MS = 10_000;

/** @type {Measurement<Options, PlannedTrial, CutsTrial>} */
export const measurement = { schema: 'sockshootout/cuts/1', trialsOf, open, runTrial, watchFaults };

/** @param {Options} options @returns {Shared} */
function open({ createClient, plan }) {
  const client = createClient();
  return {
    client,
    feeds: feedsOf(plan),
    randoms: plan.deliveries.map((_, i) => createRandomOf(plan.seed, i + 1)),
    begun: new Map(),
    close: () => client.close(),
  };
}

/**
 * @param {PlannedTrial} planned @param {Options & { progress: any, shared: Shared }} options
 * @returns {Promise<CutsTrial | undefined>} absent if the run was stopped: nobody knows what would still have come
 */
async function runTrial(planned, options) {
  const { shared, signal } = options;
  const key = `${planned.block} ${planned.cut}`;
  const begun = shared.begun.get(key) ?? runCut(planned, options);
  shared.begun.set(key, begun);
  const { noted, failure, ...times } = await begun;
  if (signal?.aborted) return undefined;
  const own = noted[planned.delivery];
  const fault = failure ?? (own.arrivals.n.length === 0 ? NO_MESSAGE : findFallback(planned, own));
  return { ...planned, ...times, ...own, ...(fault && { failure: fault }) };
}

/** @type {NonNullable<CutsTrial['failure']>} */
const NO_MESSAGE = Object.freeze({ outcome: 'timeout', message: 'No message came.' });

/**
 * The server cuts connections and answers, but no session that goes over several requests.
 * @param {PlannedTrial} planned @param {Noted} noted @returns {CutsTrial['failure']} absent if the cut hit the connection
 */
function findFallback({ cut, delivery }, { protocol }) {
  const isSession = ['sockjs', 'socketio'].includes(feedMethods[delivery].transport);
  if (cut === 'watch' || !isSession || protocol === undefined || protocol === 'websocket') return undefined;
  return { outcome: 'mismatch', message: `Not cut: messages went over ${protocol}, not over a WebSocket.` };
}

/**
 * @param {PlannedTrial} planned @param {Options & { progress: any, shared: Shared }} options
 * @returns {Promise<Cut>}
 */
async function runCut({ block, cut }, { plan, cutLink, now, timers, signal, progress, shared }) {
  const { client, feeds, randoms } = shared;
  const feed = feeds.find((one) => one.block === block && one.cut === cut);
  const { options, instantMs } = /** @type {NonNullable<typeof feed>} */ (feed);
  const startedAtMs = now();
  const since = () => now() - startedAtMs;
  const recorders = plan.deliveries.map(() => createRecorder(since, () => progress.completedCount++));
  /** @type {Fed} */
  const made = { requestMs: 0, feedAtMs: 0 };
  /** @type {(() => void)[]} */
  const stops = [];
  try {
    const id = await makeFeed(client, options, { signal, timers });
    made.requestMs = since();
    made.feedAtMs = made.requestMs / 2;
    progress.soFar = () => ({
      sinceMs: since(),
      trials: plan.deliveries.map((delivery, i) => ({
        ...{ block, cut, delivery, startedAtMs, ...made, elapsedMs: since() },
        ...recorders[i].noted(),
      })),
    });
    const { intervalMs, timeoutMs } = plan;
    for (const [i, delivery] of plan.deliveries.entries()) {
      const random = randoms[i];
      stops.push(followFeed(delivery, { client, id, intervalMs, timeoutMs, timers, random }, recorders[i].followed));
    }
    const cutting =
      cut === 'watch' && cutLink
        ? cutAt(made.feedAtMs + instantMs, { cutLink, startedAtMs, since, timers, signal })
        : undefined;
    // An error is thrown when the trial is over; until then nobody waits for it.
    cutting?.catch(() => {});
    const endMs = made.feedAtMs + lengthMsOf(options) + GRACE_MS + intervalMs;
    const isWhole = () => recorders.every(({ hasLast }) => hasLast(options.count - 1));
    while (!signal?.aborted && since() < endMs && !isWhole()) await sleep(LOOK_MS, { signal, timers });
    // What was stopped need not wait for the rest of a cut: its trials are not kept.
    const linkCut = signal?.aborted ? undefined : await cutting;
    if (linkCut) made.linkCut = linkCut;
  } catch (error) {
    // A run that was stopped keeps what it has.
    if (!(error instanceof ExchangeError) && !signal?.aborted) throw error;
    if (error instanceof ExchangeError) made.failure = { outcome: error.outcome, message: error.message };
  } finally {
    for (const stop of stops) stop();
  }
  const noted = Object.fromEntries(plan.deliveries.map((delivery, i) => [delivery, recorders[i].noted()]));
  return { startedAtMs, ...made, elapsedMs: since(), noted };
}

/**
 * Has the link cut at an instant of a trial.
 * @param {number} atMs since the trial's start
 * @param {{ cutLink: () => Promise<LinkCut>, startedAtMs: number, since: () => number, timers?: Timers, signal?: AbortSignal
 *   }} options
 * @returns {Promise<LinkCut | undefined>} since the trial's start; absent if the run was stopped
 */
async function cutAt(atMs, { cutLink, startedAtMs, since, timers, signal }) {
  await sleep(atMs - since(), { signal, timers });
  if (signal?.aborted) return undefined;
  const { fromMs, toMs } = await cutLink();
  return { fromMs: fromMs - startedAtMs, ...(toMs !== undefined && { toMs: toMs - startedAtMs }) };
}

/**
 * @param {FeedClient} client @param {FeedOptions} options @param {{ signal?: AbortSignal, timers?: Timers }} run
 * @returns {Promise<string>} its id; rejects with an ExchangeError, or with the signal's reason
 */
async function makeFeed(client, { rate, count, cut, cutAtMs, cutMs }, { signal, timers = globalThis }) {
  const query = `rate=${rate}&count=${count}&cut=${cut}&at=${cutAtMs}&for=${cutMs}`;
  const limit = new AbortController();
  const message = `No feed within ${MAKE_LIMIT_MS / 1000} s.`;
  const timer = timers.setTimeout(() => limit.abort(new ExchangeError('timeout', message)), MAKE_LIMIT_MS);
  try {
    const both = AbortSignal.any(signal ? [signal, limit.signal] : [limit.signal]);
    const { status, answer } = await client.request('POST', `/feed?${query}`, { signal: both });
    if (status >= 400 || typeof answer?.id !== 'string') throw failureOf(status, answer);
    return answer.id;
  } finally {
    timers.clearTimeout(timer);
  }
}

/**
 * Keeps what a method got.
 * @param {() => number} since the trial's start, ms @param {() => void} onArrival
 * @returns {{ followed: Followed, hasLast: (n: number) => boolean, noted: () => Noted }}
 */
function createRecorder(since, onArrival) {
  /** @type {Noted} */
  const noted = { arrivals: { n: [], atMs: [] }, openedAtMs: [], losses: [], repeatedCount: 0 };
  const onNumber = (/** @type {number} */ n) => {
    noted.arrivals.n.push(n);
    noted.arrivals.atMs.push(since());
    onArrival();
  };
  return {
    followed: {
      onOpen(protocol) {
        // After a loss, it may be another.
        if (protocol && noted.losses.length === 0) noted.protocol = protocol;
        noted.openedAtMs.push(since());
      },
      onUpgrade(protocol) {
        if (noted.losses.length === 0) noted.protocol = protocol;
      },
      onMessage(text) {
        const n = numberIn(text);
        if (Number.isSafeInteger(n)) onNumber(n);
        return n;
      },
      onNumber,
      onLost: (reason) => void noted.losses.push({ atMs: since(), reason }),
      onHidden: () => noted.repeatedCount++,
    },
    hasLast: (n) => noted.arrivals.n.includes(n),
    noted: () => structuredClone(noted),
  };
}

/** @param {CutsPlan} plan @returns {FaultWatch<CutsTrial>} */
function watchFaults(plan) {
  const plannedCount = trialsOf(plan).length;
  /** @type {CutsTrial[]} */
  const trials = [];
  return {
    outlives: plan.cuts.includes('watch'),
    look(trial) {
      const isLost = trial.failure?.outcome === 'closed' && trials.some(({ failure }) => !failure);
      trials.push(trial);
      return isLost ? invalid('The connection to the server was lost.') : undefined;
    },
    lookBack() {
      if (trials.length < plannedCount || trials.some(({ failure }) => !failure)) return undefined;
      return invalid(`No method got a message. The last error: ${trials.at(-1)?.failure?.message}`);
    },
  };
}

/** @param {string} reason @returns {Ending} */
const invalid = (reason) => ({ kind: 'invalid', reason });
