/**
 * Makes the checks one after the other, except those that only wait. Silent WebSockets and a long poll begin as soon as they can
 * work, and wait while the others run.
 */
import { measureColdSetUp } from '../../net/echo/probe.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { fetchBeside } from '../../net/http.js';
import { limitMsOf, trialsOf } from './plan.js';
import {
  checkBinary,
  checkHeartbeat,
  checkSilence,
  checkSize,
  checkText,
  checkUpgrade,
  searchIdleTimeout,
} from './socket-checks.js';
import { checkFallback, checkTransport, echoBy, measureLatency } from './sockjs-checks.js';
import { checkPoll, checkStream } from './stream-checks.js';
import { bracketOf } from './summary.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 * @import { Ending, Measurement } from '../../experiment/contract.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { ReachSocket } from './link.js'
 * @import { Check, PlannedTrial, ReachPlan } from './plan.js'
 * @import { ReachTrial } from './schema.js'
 *
 * @typedef {object} Means the platform's functions for the checks
 * @property {string} baseUrl of the server
 * @property {typeof globalThis.fetch} fetch
 * @property {{ fetch: Transport }} transports
 * @property {readonly string[]} sockjsNames those of SockJS's own transports that this client has
 * @property {(options: { only?: string, timeoutMs?: number }) => Transport} createSockjs `only`: one of its
 *   own; `timeoutMs`: the minimum that it gives each
 * @property {(path: string) => ReachSocket} openSocket begins to connect
 * @property {Timers} [timers]
 *
 * @typedef {Means & { plan: ReachPlan, now: Now, signal?: AbortSignal }} Options
 * @typedef {Required<Omit<Options, 'signal'>> & { signal: AbortSignal }} Context
 *
 * @typedef {Omit<ReachTrial, keyof PlannedTrial | 'untested'>} Observed by a check; what does not apply is absent
 *
 * @typedef {object} Shared by the checks of a run
 * @property {Context} context
 * @property {Map<string, Promise<Observed>>} begun the checks that began early
 * @property {boolean} isWebSocketUsable are text messages echoed over a WebSocket?
 * @property {string} [fallback] the first of SockJS's transports that works but WebSocket
 * @property {Set<string>} failed checks that have failed, with their transports
 * @property {{ found: Observed, silenceMs: number }[]} silences of the plan
 * @property {() => void} close
 */

const TIME_LIMIT_REACHED = 'The run reached its time limit.';
const HTTP = Object.freeze({ iterations: 5, warmUpCount: 1, timeoutMs: 5000, maxFailuresInARow: 1 });

/** @type {Measurement<Options, PlannedTrial, ReachTrial>} */
export const measurement = { schema: 'sockshootout/reach/1', trialsOf, open, runTrial, watchFaults };

/** @param {Options} options @returns {Shared} */
function open({ plan, now, signal, timers = globalThis, ...means }) {
  const controller = new AbortController();
  const limit = timers.setTimeout(
    () => controller.abort(new ExchangeError('timeout', TIME_LIMIT_REACHED)),
    limitMsOf(plan),
  );
  return {
    context: {
      ...means,
      plan,
      now,
      timers,
      signal: AbortSignal.any(signal ? [signal, controller.signal] : [controller.signal]),
    },
    begun: new Map(),
    isWebSocketUsable: false,
    fallback: undefined,
    failed: new Set(),
    silences: [],
    close() {
      timers.clearTimeout(limit);
      controller.abort(new ExchangeError('aborted', 'The run has ended.'));
    },
  };
}

/**
 * @param {PlannedTrial} planned @param {Options & { shared: Shared }} options
 * @returns {Promise<ReachTrial | undefined>}
 */
async function runTrial(planned, { shared, signal }) {
  const untested = reasonToSkip(planned, shared);
  if (untested) return { ...planned, untested };
  try {
    const found = await (shared.begun.get(keyOf(planned)) ?? runCheck(planned, shared));
    if (signal?.aborted) return undefined;
    note(planned, found, shared);
    await markIfLost(planned, found, shared.context);
    return { ...planned, ...found };
  } catch (error) {
    // The failure is the run's ending.
    if (signal?.aborted) return undefined;
    throw error;
  }
}

/** @param {PlannedTrial} planned */
const keyOf = ({ check, silenceMs = 0 }) => `${check} ${silenceMs}`;

/** The checks that need a WebSocket that echoes messages. @type {readonly Check[]} */
const NEED_WEB_SOCKET = ['binary', 'size-64k', 'size-1m', 'silence', 'heartbeat', 'idle'];

/** @param {PlannedTrial} planned @param {Shared} shared @returns {string | undefined} */
function reasonToSkip({ check, transport = '' }, { context, isWebSocketUsable, failed, fallback }) {
  if (context.signal.aborted) return TIME_LIMIT_REACHED;
  const needsWebSocket = NEED_WEB_SOCKET.includes(check) || (check === 'latency' && transport === 'websocket');
  if (needsWebSocket && !isWebSocketUsable) return 'WebSockets do not work here.';
  if (check === 'text' && failed.has('upgrade ')) return 'No WebSocket could be opened.';
  if (check === 'sockjs' && !context.sockjsNames.includes(transport)) return 'This client does not support it.';
  if (check !== 'latency') return undefined;
  if (transport === 'fallback' && !fallback) return 'No fallback works here.';
  return failed.has(`latency ${transport}`) ? 'It failed in an earlier block.' : undefined;
}

/** @type {Record<Check, (context: Context, planned: PlannedTrial, shared: Shared) => Promise<Observed>>} */
const RUN = {
  http: checkHttp,
  upgrade: checkUpgrade,
  text: checkText,
  binary: checkBinary,
  'size-64k': checkSize(64 * 1024),
  'size-1m': checkSize(1024 * 1024),
  sockjs: (context, { transport = '' }) => checkTransport(context, transport),
  fallback: (context) => checkFallback(context, 5000),
  'fallback-default': (context) => checkFallback(context, 0),
  latency: (context, { transport = '' }, { fallback = '' }) =>
    measureLatency(context, transport === 'fallback' ? fallback : transport),
  events: checkStream('/reach/events'),
  stream: checkStream('/reach/stream'),
  poll: checkPoll,
  silence: (context, { silenceMs = 0 }) => checkSilence(context, silenceMs),
  heartbeat: checkHeartbeat,
  idle: (context, _, { silences }) => searchIdleTimeout(context, bracketOf(silences)),
};

/** @param {PlannedTrial} planned @param {Shared} shared */
const runCheck = (planned, shared) => RUN[planned.check](shared.context, planned, shared);

/** @param {Context} context @returns {Promise<Observed>} */
async function checkHttp(context) {
  const { transports, now, signal } = context;
  const setUpMs = await measureColdSetUp({ transport: transports.fetch, now, signal });
  return { ...(await echoBy(context, transports.fetch, HTTP)), setUpMs };
}

/**
 * Records what a check says about later ones, some of which begin now.
 * @param {PlannedTrial} planned @param {Observed} found @param {Shared} shared
 */
function note({ check, transport = '', silenceMs = 0 }, found, shared) {
  const { silences, failed } = shared;
  if (found.failure) failed.add(`${check} ${transport}`);
  else if (check === 'sockjs' && transport !== 'websocket') shared.fallback ??= transport;
  if (check === 'silence') silences.push({ found, silenceMs });
  if (check === 'http' && !found.failure) begin(['poll'], shared);
  if (check === 'text' && !found.failure) {
    shared.isWebSocketUsable = true;
    begin(['silence', 'heartbeat'], shared);
  }
}

/**
 * Marks a check that failed because the server was lost: nothing follows from it.
 * @param {PlannedTrial} planned @param {Observed} found @param {Context} context
 */
async function markIfLost({ check }, found, { fetch, baseUrl, signal }) {
  if (!found.failure || found.seen || check === 'http') return;
  const isThere = await fetchBeside(fetch, `${baseUrl}/status`, () => true, signal);
  if (!isThere && !signal.aborted) found.failure = { outcome: 'closed', message: LOST };
}

/** @param {readonly Check[]} checks @param {Shared} shared */
function begin(checks, shared) {
  for (const planned of trialsOf(shared.context.plan).filter(({ check }) => checks.includes(check))) {
    const found = runCheck(planned, shared);
    // The caller that waits for it gets the error.
    found.catch(() => {});
    shared.begun.set(keyOf(planned), found);
  }
}

const LOST = 'The server did not answer over HTTP either.';

/** Watches for a lost server only, as the failure of a check is a result. */
function watchFaults() {
  return {
    /** @param {ReachTrial} trial @returns {Ending | undefined} */
    look({ check, failure }) {
      if (check === 'http' && failure)
        return { kind: 'invalid', reason: `The server did not answer over HTTP: ${failure.message}` };
      if (failure?.message !== LOST) return undefined;
      return { kind: 'invalid', reason: 'The connection to the server was lost during the run.' };
    },
  };
}
