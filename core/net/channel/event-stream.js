/** The kind of server-sent events. */
import { ExchangeError } from '../exchange-error.js';
import { failureOf } from '../http.js';
import { HTTP } from '../protocols.js';
import { ABNORMAL, CLOSED, CONNECTING, construct, OPEN } from './channel.js';

/**
 * @import { Socket } from './channel.js'
 * @import { Kind } from './index.js'
 */

/** @type {Kind} */
export const eventStream = {
  name: 'event-stream',
  label: 'EventSource',
  paths: { echo: '/sse', jobs: '/job', feed: '/feed', stream: '/pieces/events' },
  library: 'EventSource',
  protocols: HTTP,
  isSocket: true,
  carries: ['text'],
  sendsNothing: true,
};

/**
 * Begins to connect.
 * @param {(new (url: string) => EventSource) | undefined} Source EventSource; absent where the platform has it @param {string} url
 * @param {{ postsTo?: string | false }} [options] where each message that is sent goes, by a POST; absent where none is
 * @returns {Socket}
 */
export function openEventStream(Source = globalThis.EventSource, url, { postsTo } = {}) {
  const source = construct(() => new Source(url));
  /** @param {string} reason */
  const end = (reason) => {
    if (socket.readyState === CLOSED) return;
    socket.readyState = CLOSED;
    source.close();
    socket.onclose?.({ code: ABNORMAL, reason });
  };
  /** @type {any} */
  const socket = {
    readyState: CONNECTING,
    send(/** @type {string} */ text) {
      if (!postsTo) throw new ExchangeError('closed', 'An event stream sends nothing.');
      post(postsTo, text).catch(({ message }) => end(message));
    },
    close: () => end(''),
  };
  source.onopen = () => {
    socket.readyState = OPEN;
    socket.onopen?.();
  };
  source.onmessage = (event) => socket.onmessage?.(event);
  // EventSource would reconnect: nobody would know what was lost until then, or the server would send all again.
  source.onerror = () => end('The event stream was interrupted.');
  return socket;
}

/** @param {string} address @param {string} body @throws {ExchangeError} where the server did not take it */
async function post(address, body) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body }).catch(() => {
    // The browser's message is not for visitors.
    throw failureOf(0);
  });
  if (!response.ok) throw failureOf(response.status);
}
