/**
 * A path to a server over virtual time, with whatever obstacle a script names: every message takes half of a round trip, and
 * nothing else takes any time.
 */
import { ExchangeError } from '../../core/net/exchange-error.js';

/** @import { Transport } from '../../core/net/echo/index.js' */

const HALF_MS = 5;
const SOCKJS_LIMIT_MS = 5000;

/**
 * @typedef {object} Script
 * @property {'never' | 'plain' | 'refused' | 'swallowed'} [upgrade] what becomes of it
 * @property {number} [cutMs] after which every WebSocket is cut
 * @property {number} [idleMs] after which a silent one is
 * @property {boolean} [isCutSilently] no close is seen
 * @property {number} [passes] messages of a WebSocket
 * @property {boolean} [dropsBinary]
 * @property {number} [maxBytes] of a message
 * @property {boolean} [buffers] streams come when they end
 * @property {number} [pollMs] after which a request is cut
 * @property {number} [fallbackMs] what a message takes by the fallback
 * @property {number} [lostAtMs] from when on nothing is answered
 */

/**
 * @param {ReturnType<typeof import('./virtual-time.js').createVirtualTime>} time
 * @param {Script} [script]
 */
export function createScriptedReach(time, script = {}) {
  const startedAtMs = time.now();
  const state = { openCount: 0, closedCount: 0 };
  const isLost = () => script.lostAtMs !== undefined && time.now() - startedAtMs >= script.lostAtMs;
  /** @type {Map<string, any>} by probe */
  const seen = new Map();
  const isBlocked = script.upgrade !== undefined;
  return {
    state,
    baseUrl: 'http://scripted',
    timers: time.timers,
    sockjsNames: ['websocket', 'xhr-streaming', 'xhr-polling'],
    transports: { fetch: createTransport(time, { name: 'fetch', protocol: 'http/1.1', isLost }) },
    openSocket: (/** @type {string} */ path) => openSocket(time, { script, state, seen, isLost }, path),
    /** @param {{ only?: string, timeoutMs?: number }} options */
    createSockjs({ only, timeoutMs = SOCKJS_LIMIT_MS }) {
      const asksWebSocket = only === undefined || only === 'websocket';
      const protocol = only ? only : asksWebSocket && !isBlocked ? 'websocket' : 'xhr-streaming';
      return createTransport(time, {
        name: 'sockjs',
        protocol,
        isLost,
        setUpMs: isBlocked && asksWebSocket ? Math.max(timeoutMs, 600) : 0,
        fails: isBlocked && only === 'websocket',
        passes: protocol === 'websocket' ? script.passes : undefined,
        cutMs: protocol === 'websocket' ? script.cutMs : undefined,
        answerMs: protocol === 'websocket' ? 0 : script.fallbackMs,
      });
    },
    fetch: (/** @type {string} */ url, /** @type {RequestInit} */ { signal } = {}) =>
      answer(time, { script, seen, isLost }, new URL(url), /** @type {AbortSignal} */ (signal)),
  };
}

/**
 * @param {any} time @param {{ name: string, protocol: string, isLost: () => boolean, setUpMs?: number, fails?: boolean, passes?: number,
 *   cutMs?: number, answerMs?: number }} options
 * @returns {Transport}
 */
function createTransport(
  time,
  { name, protocol, isLost, setUpMs = 0, fails = false, passes = Infinity, cutMs = Infinity, answerMs = 0 },
) {
  const closed = () => new ExchangeError('closed', 'The connection was closed: 1006.');
  return {
    name,
    capabilities: { socket: true },
    measureColdSetUp: async () => 10,
    async connect() {
      await time.sleepUntil(time.now() + setUpMs + 2 * HALF_MS);
      if (fails || isLost()) throw closed();
      const openedAtMs = time.now();
      let count = 0;
      return {
        protocol,
        setUpMs: setUpMs + 2 * HALF_MS,
        async exchange(/** @type {any} */ payload) {
          await time.sleepUntil(time.now() + 2 * HALF_MS + answerMs);
          if (isLost() || ++count > passes || time.now() - openedAtMs > cutMs) throw closed();
          return { count: payload.count + 1 };
        },
        close() {},
      };
    },
  };
}

/** @param {any} time @param {any} path @param {string} address @returns {any} */
function openSocket(time, { script, state, seen, isLost }, address) {
  const probe = String(new URL(address, 'http://x').searchParams.get('probe'));
  const {
    upgrade,
    cutMs = Infinity,
    idleMs = Infinity,
    isCutSilently,
    passes = Infinity,
    dropsBinary,
    maxBytes = Infinity,
  } = script;
  const own = { plainCount: 0, upgradeCount: 0, openCount: 0, textCount: 0, binaryCount: 0, httpVersion: '1.1' };
  seen.set(probe, own);
  let messageCount = 0;
  let isDead = false;
  /** @type {any} */
  let idle;
  /** @type {any} */
  const socket = { readyState: 0, close: () => end(1000, true) };
  /** @param {number} ms @param {() => void} act */
  const later = (ms, act) => time.timers.setTimeout(act, ms);
  /** @param {number} code @param {boolean} [isOwn] */
  const end = (code, isOwn = false) => {
    if (socket.readyState === 3) return;
    if (socket.readyState === 1) state.closedCount++;
    time.timers.clearTimeout(idle);
    const wasCut = !isOwn && isCutSilently;
    isDead = true;
    if (wasCut) return;
    socket.readyState = 3;
    socket.onclose?.({ code, reason: '' });
  };
  const watchSilence = () => {
    time.timers.clearTimeout(idle);
    if (idleMs < Infinity) idle = later(idleMs, () => end(1006));
  };
  socket.send = (/** @type {string | Uint8Array} */ data) => {
    watchSilence();
    const isBinary = typeof data !== 'string';
    if (isDead || isLost() || (isBinary && dropsBinary) || data.length > maxBytes) return;
    own[isBinary ? 'binaryCount' : 'textCount']++;
    if (++messageCount > passes) return;
    later(2 * HALF_MS, () => {
      if (socket.readyState !== 1 || isDead) return;
      watchSilence();
      socket.onmessage({ data: isBinary ? data.buffer : data });
    });
  };
  later(2 * HALF_MS, () => {
    if (socket.readyState !== 0) return;
    if (upgrade === 'swallowed') return;
    if (upgrade || isLost()) {
      if (upgrade === 'plain') own.plainCount++;
      if (upgrade === 'refused') Object.assign(own, { upgradeCount: 1, refusal: 'busy' });
      end(1006);
      return;
    }
    Object.assign(own, { upgradeCount: 1, openCount: 1 });
    socket.readyState = 1;
    state.openCount++;
    if (cutMs < Infinity) later(cutMs, () => end(1006));
    watchSilence();
    socket.onopen();
  });
  return socket;
}

/** @param {any} time @param {any} path @param {URL} url @param {AbortSignal} signal @returns {Promise<Response>} */
async function answer(time, { script, seen, isLost }, { pathname, searchParams }, signal) {
  await time.sleepUntil(time.now() + 2 * HALF_MS);
  if (isLost()) throw new TypeError('fetch failed');
  if (pathname === '/reach/seen') return Response.json(seen.get(searchParams.get('probe')));
  if (pathname === '/reach/poll') {
    const ms = Number(searchParams.get('ms'));
    await time.sleepUntil(time.now() + Math.min(ms, script.pollMs ?? Infinity));
    if (ms > (script.pollMs ?? Infinity)) throw new TypeError('fetch failed');
    return Response.json({ waitedMs: ms });
  }
  if (pathname === '/reach/events' || pathname === '/reach/stream') return stream(time, script, searchParams, signal);
  return Response.json({});
}

/** @param {any} time @param {Script} script @param {URLSearchParams} query @param {AbortSignal} signal */
function stream(time, { buffers }, query, signal) {
  const [count, interval] = ['count', 'interval'].map((name) => Number(query.get(name)));
  const encoder = new TextEncoder();
  const lineOf = (/** @type {number} */ event) =>
    encoder.encode(`data: {"event":${event},"sentMs":${event * interval}}\n\n`);
  const body = new ReadableStream({
    async start(controller) {
      for (let event = 0; event < count && !signal.aborted; event++) {
        if (!buffers) controller.enqueue(lineOf(event));
        if (event < count - 1) await time.sleepUntil(time.now() + interval);
      }
      if (buffers) for (let event = 0; event < count; event++) controller.enqueue(lineOf(event));
      controller.close();
    },
  });
  return new Response(body);
}
