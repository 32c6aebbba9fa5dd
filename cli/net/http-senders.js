/**
 * Sends requests like a browser: over six keep-alive connections of HTTP/1.1, or as streams of one HTTP/2 connection.
 * HTTP/1.1 does not use fetch, which costs much more per request: thousands of jobs wait in one process, and a busy
 * process receives notifications late. HTTP/2 uses Node's own client, as undici 7.30 gives up all open requests when a
 * server accepts no more on a connection (GOAWAY). nginx does that after some number of them, and at each reload.
 */
import { connect, constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { HTTP1_CONNECTION_COUNT } from '../../core/net/http.js';

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants;

/**
 * @import { ClientHttp2Session } from 'node:http2'
 * @import { Readable } from 'node:stream'
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, signal?: AbortSignal }} SentRequest
 * @typedef {{ status: number, body: Readable, text: () => Promise<string> }} Response whose body is to be read, by
 *   either
 * @typedef {object} Sender
 * @property {(request: SentRequest) => Promise<Response>} send rejects if no answer comes, with the library's error
 * @property {() => string | undefined} protocol as negotiated; absent before there is a connection
 * @property {() => void} close ends all that is open
 */

/** @param {string} origin @returns {Sender} */
export function createHttp1Sender(origin) {
  /** @type {string | undefined} */
  let protocol;
  // The pool has no timeouts, as each job has its own. It would find a dead connection after 70 s by TCP's keep-alive;
  // Chromium's takes more than 7 minutes: 45 s, and as long for each of nine probes.
  const pool = new Pool(origin, {
    connections: HTTP1_CONNECTION_COUNT,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { keepAlive: false },
  });
  pool.once('connect', () => {
    protocol = 'http/1.1';
  });
  return {
    async send({ method, ...options }) {
      const { statusCode: status, body } = await pool.request({ method: /** @type {any} */ (method), ...options });
      return { status, body, text: () => body.text() };
    },
    protocol: () => protocol,
    close() {
      pool.destroy().catch(() => {});
    },
  };
}

/** @param {string} origin @returns {Sender} */
export function createHttp2Sender(origin) {
  /** @type {Set<ClientHttp2Session>} */
  const sessions = new Set();
  /** @type {ClientHttp2Session | undefined} */
  let current;
  /** @type {string | undefined} */
  let protocol;

  const openSession = () => {
    const session = connect(origin, { settings: { enablePush: false } });
    sessions.add(session);
    session.once('connect', () => {
      protocol = session.alpnProtocol;
    });
    // The streams tell of it.
    session.on('error', () => {});
    session.once('close', () => sessions.delete(session));
    return session;
  };

  return {
    async send(request) {
      for (;;) {
        request.signal?.throwIfAborted();
        // After a GOAWAY the open requests are still answered, and new ones go to another connection.
        if (!current || current.closed || current.destroyed) current = openSession();
        const response = await sendOn(current, request);
        if (response) return response;
      }
    },
    protocol: () => protocol,
    close() {
      for (const session of sessions) session.destroy();
    },
  };
}

/**
 * @param {ClientHttp2Session} session @param {SentRequest} request
 * @returns {Promise<Response | undefined>} absent if the server has not processed it, so that it may be sent again:
 *   https://www.rfc-editor.org/rfc/rfc9113#section-8.7
 */
function sendOn(session, { method, path, headers, signal }) {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: true });
    const cancel = () => stream.close(NGHTTP2_CANCEL);
    signal?.addEventListener('abort', cancel, { once: true });
    stream.once('response', ({ ':status': status }) =>
      resolve({ status: Number(status), body: stream, text: () => text(stream) }),
    );
    // After the response, the error goes to the reader of the body.
    stream.on('error', (/** @type {Error & { code?: string }} */ error) => {
      const isUnseen = stream.rstCode === NGHTTP2_REFUSED_STREAM || error.code === 'ERR_HTTP2_GOAWAY_SESSION';
      if (isUnseen) resolve(undefined);
      else reject(error);
    });
    stream.once('close', () => {
      signal?.removeEventListener('abort', cancel);
      reject(new Error('The stream ended without an answer.'));
    });
  });
}
