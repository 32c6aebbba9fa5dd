import SockJS from 'sockjs-client';
import { createInbox } from './inbox.js';

/** @import { Options } from 'sockjs-client' */

const OPEN_LIMIT_MS = 60_000;

/**
 * A SockJS session over one transport, with a `next()` for its messages and a `closed` for its end.
 *
 * @param {string} url
 * @param {string} transport
 * @param {string} [sessionId] absent: one by chance
 */
export async function openSession(url, transport, sessionId) {
  /** @type {Options} */
  const options = { transports: transport, timeout: OPEN_LIMIT_MS };
  const socket = new SockJS(url, null, sessionId ? { ...options, sessionId: () => sessionId } : options);
  /** @type {{ put(message: string): void, next(): Promise<string> }} */
  const messages = createInbox();
  socket.onmessage = ({ data }) => messages.put(data);
  /** @type {Promise<{ code: number, reason: string }>} */
  const closed = new Promise((resolve) => (socket.onclose = ({ code, reason }) => resolve({ code, reason })));
  await Promise.race([
    new Promise((resolve) => (socket.onopen = resolve)),
    closed.then(({ code, reason }) =>
      Promise.reject(new Error(`${transport}: closed before it was open: ${code} ${reason}`)),
    ),
  ]);
  return {
    transport,
    closed,
    next: messages.next,
    /** @param {string} text */
    send: (text) => socket.send(text),
    /** @param {object} message */
    async ask(message) {
      socket.send(JSON.stringify(message));
      const answer = await Promise.race([
        messages.next(),
        closed.then(({ code, reason }) => Promise.reject(new Error(`${transport}: closed: ${code} ${reason}`))),
      ]);
      return JSON.parse(answer);
    },
    close: () => socket.close(),
  };
}
