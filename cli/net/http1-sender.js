/**
 * Requests over HTTP/1.1 as one browser sends them: by six connections that are kept.
 *
 * Not by fetch, which costs much more for each: thousands of jobs wait in one process, and one that is busy learns late
 * what was said in time.
 */
import { Pool } from 'undici';
import { HTTP1_CONNECTION_COUNT } from '../../core/net/http.js';

/** @import { Readable } from 'node:stream' */

/**
 * @typedef {object} SentRequest
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} Response whose body is to be read, by either
 * @property {number} status
 * @property {Readable} body
 * @property {() => Promise<string>} text
 *
 * @typedef {object} Sender
 * @property {(request: SentRequest) => Promise<Response>} send rejects where no answer comes, with what the library says
 * @property {() => string | undefined} protocol as negotiated; absent before there is a connection
 * @property {() => void} close ends all that is open
 */

/**
 * @param {string} origin
 * @returns {Sender}
 */
export function createHttp1Sender(origin) {
  /** @type {string | undefined} */
  let protocol;
  // No limits of its own: those are the job's.
  const pool = new Pool(origin, { connections: HTTP1_CONNECTION_COUNT, headersTimeout: 0, bodyTimeout: 0 });
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
