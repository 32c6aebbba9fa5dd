/** A server of feeds over virtual time, with a round trip of no time but the one that is asked for, and cuts as the real one makes them. */
import { abortable } from '../../core/base/async.js';
import { CUTS, dueMsOf, firstDueAt } from '../../core/net/feed/feed.js';

/**
 * @import { FeedClient, Followed } from '../../core/net/feed/index.js'
 * @import { createVirtualTime } from './virtual-time.js'
 * @typedef {ReturnType<typeof createVirtualTime>} Time
 * @typedef {{ open: boolean, isSilent: boolean, waiting: (() => void)[], say(act: () => void): void, end(): void }} Line
 */

const RECONNECT_MS = 3000;

/**
 * @param {Time} time
 * @param {{ roundTripMs?: number, drops?: readonly number[], doubles?: readonly number[], isGone?: boolean, fallback?: string, refusedPollCount?:
 *   number, isMute?: boolean, ownCut?: { cut: keyof typeof CUTS, at: number, for: number } }} [script] `drops`,
 *   `doubles`: messages over sockets; `ownCut`: of feeds that the server does not cut, ms; `fallback`: what SockJS has instead of a WebSocket; `refusedPollCount`: the first polls
 * @returns {{ createClient: () => FeedClient, timers: Time['timers'], now: () => number }}
 */
export function createScriptedFeed(
  time,
  {
    roundTripMs = 0,
    drops = [],
    doubles = [],
    isGone = false,
    isMute = false,
    fallback,
    refusedPollCount = 0,
    ownCut,
  } = {},
) {
  const { timers, now } = time;
  const later = (/** @type {() => void} */ act, ms = 0) => timers.setTimeout(act, ms);
  /** @type {{ startMs: number, rate: number, count: number, cut: keyof typeof CUTS, cutStartMs: number, cutEndMs: number }} */
  let feed;

  let refusedCount = 0;
  const isCutNow = () => now() >= feed.cutStartMs && now() < feed.cutEndMs;

  /**
   * A connection, which the cut of its feed hits.
   * @param {{ since?: number, onOpen(): void, onMessage(n: number): void, onEnd(code: number): void }} on @returns {Line}
   */
  const connect = ({ since, onOpen, onMessage, onEnd }) => {
    /** @type {Line} */
    const line = {
      open: true,
      isSilent: feed.cut === 'stall' && isCutNow(),
      waiting: [],
      say(act) {
        if (line.isSilent) line.waiting.push(act);
        else if (line.open) act();
      },
      end: () => (line.open = false),
    };
    const lift = () => {
      line.isSilent = false;
      for (const act of line.waiting.splice(0)) if (line.open) act();
    };
    const close = (/** @type {number} */ code) => {
      if (!line.open) return;
      line.open = false;
      onEnd(code);
    };
    const cut = () => {
      if (feed.cut === 'close') close(1001);
      else if (feed.cut === 'reset') close(1006);
      else line.isSilent = true;
    };
    if (line.isSilent) later(lift, feed.cutEndMs - now());
    else if (now() < feed.cutStartMs && feed.cut !== 'none') {
      later(cut, feed.cutStartMs - now());
      if (feed.cut === 'stall') later(lift, feed.cutEndMs - now());
      if (feed.cut === 'dead') later(() => close(1006), feed.cutEndMs - now());
    }
    later(() => line.say(onOpen), roundTripMs);
    for (let n = since ?? firstDueAt(now() - feed.startMs, feed); n < feed.count; n++) {
      const dueMs = feed.startMs + dueMsOf(n, feed);
      const times = drops.includes(n) ? 0 : doubles.includes(n) ? 2 : 1;
      for (let i = 0; i < times; i++)
        later(() => line.open && line.say(() => onMessage(n)), Math.max(roundTripMs, dueMs - now()));
    }
    return line;
  };

  /** @param {string} path @returns {any} as a WebSocket */
  const openSocket = (path) => {
    const since = new URLSearchParams(path.split('?')[1]).get('since');
    const socket = {
      readyState: 0,
      /** @type {any} */ onopen: null,
      /** @type {any} */ onmessage: null,
      /** @type {any} */ onclose: null,
      transport: fallback ?? 'websocket',
      send: () => later(() => line.say(() => socket.onmessage?.({ data: 'pong' })), roundTripMs),
      close: () => line.end(),
    };
    const line = connect({
      since: since === null ? undefined : Number(since),
      onOpen() {
        socket.readyState = 1;
        socket.onopen?.();
      },
      onMessage: (n) => socket.onmessage?.({ data: `{"n":${n}}` }),
      onEnd(code) {
        socket.readyState = 3;
        socket.onclose?.({ code, reason: '' });
      },
    });
    return socket;
  };

  /** @param {Followed} followed @returns {() => void} */
  const followEvents = (followed) => {
    /** @type {number | undefined} */
    let next;
    /** @type {Line} */
    let line;
    let timer = later(() => {});
    const open = () => {
      line = connect({
        since: next,
        onOpen: () => followed.onOpen('http/1.1'),
        onMessage: (n) => void (next = followed.onMessage(`{"n":${n}}`) + 1),
        onEnd() {
          followed.onLost('the event stream was interrupted');
          timer = later(open, RECONNECT_MS);
        },
      });
    };
    open();
    return () => {
      timers.clearTimeout(timer);
      line.end();
    };
  };

  /** @param {string} path @param {AbortSignal | undefined} signal @returns {Promise<any>} */
  const poll = (path, signal) => {
    if (refusedCount++ < refusedPollCount)
      return Promise.resolve({ status: 503, answer: { error: { message: 'Busy' } } });
    const query = new URLSearchParams(path.split('?')[1]);
    const isNext =
      query.has('last') && feed.startMs + Number(query.get('last')) < feed.cutStartMs && !query.has('failed');
    const isHit = isNext && now() >= feed.cutStartMs && (feed.cut === 'reset' || feed.cut === 'dead');
    const endMs = isHit || (feed.cut === 'stall' && isCutNow()) ? Math.max(feed.cutEndMs, now()) : now();
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      later(
        () => {
          if (isHit) return reject(new Error('No answer, because the connection failed.'));
          const end = Math.min(feed.count, firstDueAt(now() - feed.startMs, feed));
          const since = Number(query.get('since'));
          const messages = Array.from({ length: Math.max(0, end - since) }, (_, i) => since + i);
          return resolve({ status: 200, answer: { messages, sinceStartMs: now() - feed.startMs, wasCut: false } });
        },
        endMs - now() + roundTripMs,
      );
    });
  };

  /** @param {string} path @param {AbortSignal} signal @returns {Promise<any>} */
  const make = async (path, signal) => {
    if (isMute) return abortable(signal, () => {});
    await time.sleepUntil(now() + roundTripMs);
    if (isGone) return { status: 503, answer: { error: { message: 'The server is shutting down.' } } };
    const asked = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
    const { rate, count } = asked;
    const { cut, at, for: lasts } = asked.cut === 'none' && ownCut ? ownCut : asked;
    const startMs = now() - roundTripMs / 2;
    const kind = /** @type {keyof typeof CUTS} */ (cut);
    const cutStartMs = kind === 'none' ? Infinity : startMs + Number(at);
    const cutEndMs = cutStartMs + (CUTS[kind].lasts ? Number(lasts) : 0);
    feed = { startMs, rate: Number(rate), count: Number(count), cut: kind, cutStartMs, cutEndMs };
    return { status: 201, answer: { id: 'feed', startMs } };
  };

  return {
    timers,
    now,
    createClient: () =>
      /** @type {any} */ ({
        baseUrl: 'http://scripted',
        request: (/** @type {string} */ method, /** @type {string} */ path, /** @type {any} */ { signal }) =>
          method === 'POST' ? make(path, signal) : poll(path, signal),
        openSocket: (/** @type {string} */ _, /** @type {string} */ path) => openSocket(path),
        followEvents: (/** @type {string} */ _, /** @type {Followed} */ followed) => followEvents(followed),
        protocol: () => 'http/1.1',
        close() {},
      }),
  };
}
