/**
 * What all transports over a socket have in common: connecting, and answers that belong to the messages in their order.
 * Which socket it is, is each one's own.
 */
import { createAbortListener } from '../../base/abort-listener.js';
import { abortable } from '../../base/abortable.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Connection, Transport } from './index.js'
 */

/** The same for every library: https://websockets.spec.whatwg.org/#dom-websocket-open */
export const OPEN = 1;

/** Why a page closes a socket before it is open, by the codes that applications may choose. */
export const CLOSE_GONE = 4001;
export const CLOSE_SILENT = 4002;

/**
 * @typedef {Pick<WebSocket, 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'onerror' | 'send' | 'close'>} Socket what a
 *   WebSocket and a SockJS have both
 */

/**
 * @template {Socket} S
 * @param {object} options
 * @param {string} options.name
 * @param {() => S} options.open begins to connect
 * @param {(socket: S) => () => string | undefined} options.protocolOf an open socket; what it gives is asked later, when more
 *   may be known
 * @param {(socket: S) => void} [options.close] an open socket, where there is more to it
 * @param {boolean} [options.doesFallBack] does connecting try one transport after the other?
 * @param {Now} options.now
 * @returns {Transport}
 */
export function createSocketTransport({
  name,
  open,
  protocolOf,
  close = (socket) => socket.close(),
  doesFallBack,
  now,
}) {
  return {
    name,
    capabilities: { socket: true, doesFallBack },

    /** Set-up is the whole way to a usable connection: it ends when messages may be sent. */
    connect: ({ signal }) =>
      abortable(signal, (resolve, reject) => {
        const startedAtMs = now();
        const socket = open();
        socket.onopen = () => {
          const setUpMs = now() - startedAtMs;
          const end = () => close(socket);
          resolve(createConnection(socket, { protocol: protocolOf(socket), setUpMs, end }));
        };
        socket.onclose = (event) => reject(toClosed(event));
        // Where its policy forbids the address, Chromium tells of an error and of no close. (And in Node, ws throws an
        // error that nobody listens to.) Once the socket is open, a close follows each error and says it all.
        socket.onerror = () => reject(new ExchangeError('closed', 'The connection could not be opened.'));
        return () => socket.close();
      }),
  };
}

/**
 * @param {Socket} socket an open one
 * @param {{ protocol: () => string | undefined, setUpMs: number, end: () => void }} options
 * @returns {Connection}
 */
function createConnection(socket, { protocol, setUpMs, end }) {
  /** @type {{ resolve: (answer: any) => void, reject: (error: unknown) => void }[]} */
  const waiting = [];
  // Those that are given up stay in the list: their answers may still come, and must not be taken for the next one's.
  const listen = createAbortListener((reason) => {
    for (const { reject } of waiting) reject(reason);
  });
  let closed = new ExchangeError('closed', 'The connection was closed.');

  // Answers come in the order of the messages, whatever carries them.
  socket.onmessage = ({ data }) => {
    const first = waiting.shift();
    if (!first) return;
    const answer = parseAnswer(data);
    if (answer instanceof ExchangeError) first.reject(answer);
    else first.resolve(answer);
  };
  socket.onclose = (event) => {
    closed = toClosed(event);
    for (const { reject } of waiting.splice(0)) reject(closed);
  };

  return {
    get protocol() {
      return protocol();
    },
    setUpMs,
    exchange: (payload, { signal }) =>
      new Promise((resolve, reject) => {
        listen(signal);
        // What is sent to a socket that is not open is dropped without a word.
        if (socket.readyState !== OPEN) throw closed;
        waiting.push({ resolve, reject });
        socket.send(JSON.stringify(payload));
      }),
    close: end,
  };
}

/** @param {string} text @returns {any} the answer, or the ExchangeError that it stands for */
function parseAnswer(text) {
  try {
    const answer = JSON.parse(text);
    return parseRejection(answer) ?? answer;
  } catch {
    return new ExchangeError('mismatch', 'The answer is not JSON.');
  }
}

/** @param {Pick<CloseEvent, "code" | "reason">} event @returns {ExchangeError} */
export function toClosed({ code, reason }) {
  if (code === CLOSE_SILENT) return new ExchangeError('timeout', `${reason}.`);
  return new ExchangeError('closed', `The connection was closed: ${code} ${reason}`.trimEnd() + '.');
}
