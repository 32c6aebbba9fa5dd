/**
 * Measures streams. A trial asks for one or several at once, by one method, and keeps when each piece came. Connections that a method
 * keeps are opened before its first trial.
 */
import { sleep } from '../../base/async.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { createTrafficWatch, createTrialId, measureIdleServer } from '../../net/delivery/traffic.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';
import { followStream, openStreamSocket, streamMethods } from '../../net/stream/index.js';
import { textOf } from '../../net/stream/stream.js';
import { streamsOf, trialsOf } from './plan.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Now } from '../../base/clock.js'
 * @import { FaultWatch, Measured, Measurement } from '../../experiment/contract.js'
 * @import { IdleServer, ReadTraffic, WatchTraffic } from '../../net/delivery/traffic.js'
 * @import { StreamClient, StreamSocket } from '../../net/stream/index.js'
 * @import { Piece, StreamOptions } from '../../net/stream/stream.js'
 * @import { PlannedTrial, StreamPlan } from './plan.js'
 * @import { Stream, StreamTrial } from './schema.js'
 *
 * @typedef {object} Options
 * @property {StreamPlan} plan
 * @property {() => StreamClient} createClient one for the whole run
 * @property {ReadTraffic} readTraffic
 * @property {WatchTraffic} [watch] the same for all trials of a run
 * @property {Now} now
 * @property {Timers} [timers]
 * @property {AbortSignal} [signal]
 * @typedef {{ client: StreamClient, sockets: Map<string, StreamSocket>, warmed: Set<string>, askedCount: number, close: () => void
 *   }} Shared `sockets`: those that are kept, by method; `warmed`: the methods that were warmed up; `askedCount`: of streams so far
 * @typedef {{ method: string, streams: readonly StreamOptions[] }} Asked
 * @typedef {{ trials: readonly { streams: Stream[] }[] }} SoFar
 */

/** The time for what is due, for opening a connection, and for a cut that is noticed. */
const LIMIT_MS = 15_000;
const IDLE_MS = 500;
/** The warm-up: a server compiles code on first use, and a browser opens its connection. */
const WARM_UP = Object.freeze({ pieces: 10, bytes: 12, rate: 0, spread: 0, seed: 1 });
/** A connection that was closed is recorded a moment later. */
const CLOSING_MS = 5;

/** @type {Measurement<Options, PlannedTrial, StreamTrial, { idle?: IdleServer }>} */
export const measurement = { schema: 'sockshootout/stream/1', trialsOf, around, open, runTrial, watchFaults };

/** @param {Options} options @param {(options: Options) => Promise<Measured<StreamTrial>>} measure */
async function around(options, measure) {
  const { readTraffic, now, signal, timers } = options;
  const wait = (/** @type {number} */ ms) => sleep(ms, { signal, timers });
  const watch = createTrafficWatch({ readTraffic, now, sleep: wait });
  const idle = await measureIdleServer({ readTraffic, watch, wait: () => wait(IDLE_MS) });
  return { ...(await measure({ ...options, watch })), ...(idle && { idle }) };
}

/** @param {Options} options @returns {Shared} */
function open({ createClient }) {
  const sockets = new Map();
  return {
    client: createClient(),
    sockets,
    warmed: new Set(),
    askedCount: 0,
    close() {
      for (const socket of sockets.values()) socket.close();
    },
  };
}

/**
 * @param {PlannedTrial} planned @param {Options & { progress: any, shared: Shared }} options
 * @returns {Promise<StreamTrial | undefined>} absent if the run was stopped
 */
async function runTrial(planned, options) {
  const { plan, now, signal, timers, shared, progress, watch } = options;
  const { streamedBy: method } = planned;
  const trialId = createTrialId();
  const limit = limitOf(options, limitMsOf(plan, planned));
  try {
    const { keptSetUpMs, fault } = await prepare(method, { ...options, signal: limit.signal });
    const readGrown = await watch?.(trialId);
    const startedAtMs = now();
    const streams = await followAll(
      { method, streams: streamsOf(plan, planned) },
      { ...options, trialId, signal: limit.signal, startedAtMs, progress, fault },
    );
    const elapsedMs = now() - startedAtMs;
    await sleep(CLOSING_MS, { signal, timers });
    if (signal?.aborted) return undefined;
    const grown = await readGrown?.();
    const socket = shared.sockets.get(method);
    const protocol = socket?.protocol ?? protocolOf(method, shared.client);
    return { ...planned, ...(protocol && { protocol }), startedAtMs, elapsedMs, keptSetUpMs, streams, ...grown };
  } finally {
    limit.end();
  }
}

/** @param {string} method @param {StreamClient} client @returns {string | undefined} */
function protocolOf(method, client) {
  const { client: by, protocols } = streamMethods[method];
  return by === 'socket' && protocols.length === 1 ? protocols[0] : client.protocol();
}

/** @param {StreamPlan} plan @param {PlannedTrial} planned @returns {number} ms; over HTTP/1.1 some streams wait for others */
const limitMsOf = ({ pieces, rate }, { atOnce }) =>
  LIMIT_MS + (1 + Math.ceil(atOnce / HTTP1_CONNECTION_COUNT)) * (rate === 0 ? 0 : (1000 * pieces) / rate);

/**
 * Ends what takes too long, and what the visitor stops.
 * @param {Options} options @param {number} ms
 */
function limitOf({ signal, timers = globalThis }, ms) {
  const controller = new AbortController();
  const timer = timers.setTimeout(
    () => controller.abort(new ExchangeError('timeout', `Not all pieces within ${Math.round(ms / 1000)} s.`)),
    ms,
  );
  const onAbort = () => controller.abort(new ExchangeError('aborted', 'Stopped.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    signal: controller.signal,
    end() {
      timers.clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/**
 * Opens the connection that a method keeps, and warms it up, or the connection of requests, where that was not done yet.
 * @param {string} method @param {Options & { shared: Shared, signal: AbortSignal }} options
 * @returns {Promise<{ keptSetUpMs?: number, fault?: ExchangeError }>} `fault`: there is no connection, or it could not be warmed up
 */
async function prepare(method, options) {
  const { shared, now, signal } = options;
  const { sockets, warmed, client } = shared;
  const { isKept } = streamMethods[method];
  if (isKept && sockets.get(method)?.isOpen) return {};
  try {
    if (isKept) sockets.set(method, await openStreamSocket(method, { client, now, signal }));
    const warmUp = { ...options, startedAtMs: now(), progress: { completedCount: 0 }, trialId: createTrialId() };
    if (isKept || !warmed.has(method)) {
      const [{ failure }] = await followAll({ method, streams: [WARM_UP] }, warmUp);
      if (failure) {
        // A trial would have the warm-up in its figures; the next one tries it again, over a new connection.
        sockets.get(method)?.close();
        return { fault: new ExchangeError(failure.outcome, failure.message) };
      }
      warmed.add(method);
    }
    return { keptSetUpMs: sockets.get(method)?.setUpMs };
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return { fault: error };
  }
}

/**
 * @param {Asked} asked
 * @param {Options & { shared: Shared, trialId: string, startedAtMs: number, progress: any, signal: AbortSignal, fault?: ExchangeError
 *   }} options `fault`: why none can be asked for
 * @returns {Promise<Stream[]>}
 */
async function followAll({ method, streams }, options) {
  const { plan, now, timers, signal, shared, trialId, startedAtMs, progress, fault } = options;
  const { client, sockets } = shared;
  const { tellsReads } = streamMethods[method];
  const since = () => now() - startedAtMs;
  const records = streams.map((stream) => createRecord(stream, { since, progress, tellsReads }));
  progress.soFar = () => records.map(({ stream }) => stream);
  await Promise.all(
    records.map(async ({ stream, followed }, i) => {
      const own = {
        client,
        stream: streams[i],
        trialId,
        tag: String(shared.askedCount++),
        socket: sockets.get(method),
      };
      try {
        if (fault) throw fault;
        await followStream(method, { ...own, intervalMs: plan.intervalMs, now, signal, timers }, followed);
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        stream.failure = { outcome: error.outcome, message: error.message };
      }
    }),
  );
  return records.map(({ stream }) => stream);
}

/**
 * Keeps when each piece of a stream came; one that is not the next, or has another text, ends it.
 * @param {StreamOptions} options
 * @param {{ since: () => number, progress: { completedCount: number }, tellsReads?: boolean }} trial `since`: its start, ms
 */
function createRecord({ bytes }, { since, progress, tellsReads }) {
  const askedAtMs = since();
  const own = () => since() - askedAtMs;
  /** @type {Stream} */
  const stream = { askedAtMs, sentMs: [], atMs: [], ...(tellsReads && { reads: [] }), lostAtMs: [] };
  return {
    stream,
    followed: {
      onPieces(/** @type {Piece[]} */ pieces) {
        const atMs = own();
        for (const { n, ms, text } of pieces) {
          const expected = stream.atMs.length;
          if (n !== expected || text !== textOf(n, bytes)) {
            throw new ExchangeError('mismatch', `Expected piece ${expected} with its text, got ${Number(n)}.`);
          }
          stream.sentMs.push(ms);
          stream.atMs.push(atMs);
        }
        stream.reads?.push(pieces.length);
        progress.completedCount += pieces.length;
      },
      // A connection that resumes it is another.
      onOpen: (/** @type {number} */ setUpMs) => void (stream.setUpMs ??= setUpMs),
      onLost: () => void stream.lostAtMs.push(own()),
    },
  };
}

/**
 * Watches for a lost server: no method gets a piece any more.
 * @param {StreamPlan} plan @returns {FaultWatch<StreamTrial>}
 */
function watchFaults({ methods }) {
  /** @type {Set<string>} the methods that got nothing since the last piece */
  let silent = new Set();
  return {
    look({ streamedBy, streams }) {
      if (streams.some(({ atMs }) => atMs.length > 0)) {
        silent = new Set();
        return undefined;
      }
      silent.add(streamedBy);
      const message = streams[0].failure?.message;
      return silent.size < methods.length
        ? undefined
        : { kind: 'invalid', reason: `No method got a piece any more. The last error: ${message}` };
    },
  };
}
