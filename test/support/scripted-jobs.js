/**
 * A server of jobs and its clients over virtual time: every message takes half of a round trip, and nothing else takes any
 * time, so all that is measured has one right value.
 */
import { ExchangeError } from '../../core/net/exchange-error.js';
import { drawDurationMs } from '../../core/net/delivery/job.js';

/**
 * @import { Socket } from '../../core/net/channel/channel.js'
 * @import { JobClient } from '../../core/net/delivery/index.js'
 * @import { ReadTraffic } from '../../core/net/delivery/traffic.js'
 */

/** What each message is recorded with. */
export const UP_BYTES = 100;
export const DOWN_BYTES = 200;
/** Of the server, for each request, upgrade and message; and by itself, for each ms. */
export const CPU_MS = 0.05;
export const IDLE_CPU_RATIO = 0.0005;
/** Of the server, for being asked what was recorded. */
export const READING_CPU_MS = 2;

/**
 * @typedef {object} Script what goes wrong
 * @property {(kind: string, number: number) => 'silence' | 'lost' | { status: number, answer?: any } | undefined} [request] by
 *   `create`, `poll`, `wait`, and how many of its kind came before
 * @property {(answer: any) => any} [answer] makes another of each that says that a job is done
 * @property {(path: string) => boolean} [refusesSocket]
 * @property {(number: number) => string | undefined} [message] another text than a socket's or a stream's own, by how many came
 *   before; 'close' closes it
 * @property {string} [sockjs] which transport SockJS gets
 * @property {Partial<Record<'requestCount' | 'servedCount' | 'openCount', number>>} [recorded] by how much the ledger is off
 * @property {boolean} [isUnread] nobody reports the traffic
 */

/**
 * @param {ReturnType<typeof import('./virtual-time.js').createVirtualTime>} time
 * @param {{ roundTripMs?: number } & Script} [options]
 */
export function createScriptedJobs(time, options = {}) {
  const { roundTripMs = 10 } = options;
  const { now, timers } = time;
  /** @type {Map<string, { dueAtMs: number, durationMs: number, createTime: number }>} */
  const jobs = new Map();
  /** @type {Map<string, any>} */
  const ledgers = new Map();
  /** @type {Record<string, number>} */
  const counts = {};
  const total = { servedCount: 0, cpuMs: 0 };
  const state = { openCount: 0, clientCount: 0, closedClientCount: 0, paths: /** @type {string[]} */ ([]) };

  /** @param {string} trialId @param {'requestCount' | 'messageCount' | 'notifiedCount'} kind */
  const record = (trialId, kind) => {
    const ledger = ledgers.get(trialId) ?? {
      requestCount: 0,
      messageCount: 0,
      notifiedCount: 0,
      receivedBytes: 0,
      sentBytes: 0,
    };
    ledgers.set(trialId, ledger);
    ledger[kind]++;
    // A message's answers are notified by themselves.
    if (kind !== 'messageCount') ledger.sentBytes += DOWN_BYTES;
    total.servedCount++;
    if (kind === 'notifiedCount') return;
    ledger.receivedBytes += UP_BYTES;
    total.cpuMs += CPU_MS;
  };
  /** @param {() => void} then */
  const travel = (then) => timers.setTimeout(then, roundTripMs / 2);
  /** @param {any} fields */
  const make = ({ seed, min, max }) => {
    const id = `job-${jobs.size}`;
    const durationMs = drawDurationMs({ seed: Number(seed), minMs: Number(min), maxMs: Number(max) });
    jobs.set(id, { dueAtMs: now() + durationMs, durationMs, createTime: now() });
    return id;
  };
  /** @param {string} id */
  const answerOf = (id) => {
    const { dueAtMs, durationMs, createTime } = /** @type {any} */ (jobs.get(id));
    if (now() < dueAtMs) return { id, createTime, complete: false };
    const answer = { id, createTime, complete: true, durationMs };
    return options.answer ? options.answer(answer) : answer;
  };
  /** @param {string} id @param {() => void} then @param {number} [maxMs] */
  const whenDue = (id, then, maxMs = Infinity) =>
    timers.setTimeout(then, Math.min(maxMs, Math.max(0, Number(jobs.get(id)?.dueAtMs) - now())));
  /** @type {Map<string, string>} */
  const runs = new Map();

  /** @param {string} method @param {string} path @param {(answer: any) => void} answer @param {(error: unknown) => void} lose */
  const serve = (method, path, answer, lose) => {
    const { pathname, searchParams: query } = new URL(path, 'http://test');
    const kind = method === 'POST' ? 'create' : query.has('wait') ? 'wait' : 'poll';
    const number = (counts[kind] = (counts[kind] ?? 0) + 1) - 1;
    const scripted = options.request?.(kind, number);
    if (scripted === 'silence') return;
    if (scripted === 'lost') return lose(new ExchangeError('closed', 'scripted loss'));
    if (scripted) return answer(scripted);
    if (kind === 'create') {
      const trialId = String(query.get('trial'));
      const id = make(Object.fromEntries(query));
      runs.set(id, trialId);
      record(trialId, 'requestCount');
      return answer({ status: 201, answer: { ...answerOf(id), complete: false } });
    }
    const id = pathname.slice('/job/'.length);
    record(String(runs.get(id)), 'requestCount');
    if (kind === 'poll') return answer({ status: 200, answer: answerOf(id) });
    whenDue(id, () => answer({ status: 200, answer: answerOf(id) }), Number(query.get('wait')));
  };

  /** @param {string} path @param {string} transport */
  const openSocket = (path, transport) => {
    state.paths.push(path);
    const { pathname, searchParams: query } = new URL(path, 'http://test');
    const trialId = String(query.get('trial'));
    let textCount = 0;
    /** @type {any} */
    const socket = { readyState: 0, onopen: null, onmessage: null, onclose: null, onerror: null, transport };
    const isOpen = () => socket.readyState === 1;
    const end = (/** @type {number} */ code) => {
      if (socket.readyState === 3) return;
      if (isOpen()) state.openCount--;
      socket.readyState = 3;
      socket.onclose?.({ code, reason: '' });
    };
    const notify = (/** @type {any} */ answer, /** @type {number} */ code) => {
      const own = JSON.stringify(answer);
      const text = options.message?.(textCount++) ?? own;
      record(trialId, 'notifiedCount');
      travel(() => {
        if (text === 'close') return end(1006);
        if (isOpen()) socket.onmessage?.({ data: text });
        if (code) end(code);
      });
    };
    const follow = (/** @type {string} */ id, /** @type {number} */ code) =>
      whenDue(id, () => notify(answerOf(id), code));
    socket.send = (/** @type {string} */ text) =>
      travel(() => {
        record(trialId, 'messageCount');
        const id = make(JSON.parse(text));
        notify({ ...answerOf(id), complete: false }, 0);
        follow(id, 0);
      });
    socket.close = () => travel(() => end(1000));
    travel(() => {
      const isRefused = options.refusesSocket?.(pathname);
      record(trialId, 'requestCount');
      if (pathname === '/jobs') record(trialId, 'requestCount');
      if (pathname === '/ws/job' && !isRefused) follow(make(Object.fromEntries(query)), 1000);
      travel(() => {
        if (isRefused) return end(1006);
        if (socket.readyState !== 0) return;
        socket.readyState = 1;
        state.openCount++;
        socket.onopen?.({});
      });
    });
    return socket;
  };

  /** @param {string} path @returns {Socket} which only receives */
  const openEvents = (path) => {
    state.paths.push(path);
    const ids = String(new URL(path, 'http://test').searchParams.get('ids')).split(',');
    let isClosed = false;
    /** @type {any} */
    const stream = {
      close() {
        if (!isClosed) state.openCount--;
        isClosed = true;
      },
    };
    state.openCount++;
    const trialId = String(runs.get(ids[0]));
    travel(() => {
      record(trialId, 'requestCount');
      let textCount = 0;
      for (const id of ids) {
        whenDue(id, () => {
          const own = JSON.stringify(answerOf(id));
          const text = options.message?.(textCount++) ?? own;
          record(trialId, 'notifiedCount');
          travel(() => {
            if (isClosed) return;
            if (text === 'close') stream.onclose?.({ reason: 'The stream of events broke off.' });
            else stream.onmessage?.({ data: text });
          });
        });
      }
    });
    return stream;
  };

  /** @returns {JobClient} */
  const createClient = () => {
    state.clientCount++;
    return {
      request: (method, path, { signal }) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) throw signal.reason;
          state.paths.push(`${method} ${path}`);
          const onAbort = () => reject(signal?.reason);
          signal?.addEventListener('abort', onAbort);
          const end = (/** @type {() => void} */ settle) =>
            travel(() => {
              signal?.removeEventListener('abort', onAbort);
              settle();
            });
          travel(() =>
            serve(
              method,
              path,
              (answer) => end(() => resolve(answer)),
              (error) => end(() => reject(error)),
            ),
          );
        }),
      openSocket: (kind, path) =>
        kind === 'event-stream'
          ? openEvents(path)
          : openSocket(path, (kind === 'sockjs' && options.sockjs) || 'websocket'),
      protocol: () => 'http/1.1',
      close: () => state.closedClientCount++,
    };
  };

  /** @type {ReadTraffic} */
  const readTraffic = async (trialId) => {
    await time.sleepUntil(now() + roundTripMs);
    if (options.isUnread) return undefined;
    total.cpuMs += READING_CPU_MS;
    const own = ledgers.get(trialId) ?? {
      requestCount: 0,
      messageCount: 0,
      notifiedCount: 0,
      receivedBytes: 0,
      sentBytes: 0,
    };
    const off = ledgers.has(trialId) ? options.recorded : undefined;
    const worker = {
      worker: 0,
      startedAt: '2026-11-21T07:00:00.000Z',
      messageCount: own.messageCount,
      notifiedCount: own.notifiedCount,
      receivedBytes: own.receivedBytes,
      sentBytes: own.sentBytes,
      openCount: off?.openCount ?? 0,
      requestCount: own.requestCount + (off?.requestCount ?? 0),
      servedCount: total.servedCount + (off?.requestCount ?? 0) + (off?.servedCount ?? 0),
      cpuMs: total.cpuMs + now() * IDLE_CPU_RATIO,
      rssBytes: 50e6,
    };
    return { workers: [worker], silentWorkerCount: 0 };
  };

  return { createClient, readTraffic, readRoundTrips: async () => [roundTripMs + 1, roundTripMs], state };
}
