/**
 * SockJS, over whatever transport its client gets: `protocol` says which, a fallback is never called WebSocket.
 */
import { createAbortListener } from '../abort-listener.js';
import { abortable } from '../abortable.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';

/**
 * By itself sockjs-client gives WebSocket 0.6 to 0.8 s and then falls back in silence; at a distance, or on a busy
 * machine, that would measure another transport than the network allows.
 */
const TRANSPORT_LIMIT_MS = 5000;

/**
 * @param {object} options
 * @param {typeof import('sockjs-client')} options.library
 * @param {string} options.url of the echo endpoint
 * @param {import('../clock.js').Now} [options.now]
 * @returns {import('./index.js').Transport}
 */
export function createSockjs({ library: SockJS, url, now = () => performance.now() }) {
  /**
   * Set-up is the whole way to a usable connection: `/info`, then the handshake, then SockJS's own open frame.
   *
   * @type {import('./index.js').Transport['connect']}
   */
  const connect = ({ signal }) =>
    abortable(signal, (resolve, reject) => {
      const startedAtMs = now();
      const socket = new SockJS(url, null, { timeout: TRANSPORT_LIMIT_MS });
      socket.onopen = () => resolve(createConnection(socket, SockJS.OPEN, now() - startedAtMs));
      socket.onclose = (event) => reject(toClosed(event));
      return () => socket.close();
    });

  return {
    name: 'sockjs',
    capabilities: { socket: true },
    connect,
  };
}

/**
 * @param {WebSocket & { transport?: string }} socket an open SockJS
 * @param {number} OPEN
 * @param {number} setUpMs
 * @returns {import('./index.js').Connection}
 */
function createConnection(socket, OPEN, setUpMs) {
  /** @type {{ resolve: (answer: any) => void, reject: (error: unknown) => void }[]} */
  const waiting = [];
  // Those that are given up stay in the list: their answers may still come, and must not be taken for the next one's.
  const listen = createAbortListener((reason) => {
    for (const { reject } of waiting) reject(reason);
  });
  let closed = new ExchangeError('closed', 'The connection was closed.');

  // Answers come in the order of the messages, whichever transport carries them.
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
    // The library forgets the name when the socket closes.
    protocol: socket.transport,
    setUpMs,
    exchange: (payload, { signal }) =>
      new Promise((resolve, reject) => {
        listen(signal);
        // SockJS drops what is sent to a socket that is not open, without a word.
        if (socket.readyState !== OPEN) throw closed;
        waiting.push({ resolve, reject });
        socket.send(JSON.stringify(payload));
      }),
    close: () => socket.close(),
  };
}

/**
 * @param {string} text
 * @returns {any} the answer, or the ExchangeError that it stands for
 */
function parseAnswer(text) {
  try {
    const answer = JSON.parse(text);
    return parseRejection(answer) ?? answer;
  } catch {
    return new ExchangeError('mismatch', 'The answer is not JSON.');
  }
}

/** @param {CloseEvent} event */
function toClosed({ code, reason }) {
  return new ExchangeError('closed', `The connection was closed: ${code} ${reason}`.trimEnd() + '.');
}
