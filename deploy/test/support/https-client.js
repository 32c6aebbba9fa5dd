/**
 * One request over TLS, to a server whose certificate only this test knows.
 */
import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';

/**
 * @import { IncomingHttpHeaders } from 'node:http'
 * @import { RequestOptions } from 'node:https'
 */

/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 120_000;

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {IncomingHttpHeaders} headers
 * @property {string} text
 */

/**
 * On a connection of its own: nginx closes one on which it has answered before the whole body was read, and the next
 * request on a kept one could be sent just then.
 *
 * @param {string} url
 * @param {RequestOptions & { body?: string }} options `ca`: the certificate
 * @returns {Promise<Answer>}
 */
export function ask(url, { body, ...options }) {
  return new Promise((resolve, reject) => {
    const req = request(url, { agent: false, ...options, signal: AbortSignal.timeout(LIMIT_MS) }, async (res) => {
      let text = '';
      for await (const chunk of res.setEncoding('utf8')) text += chunk;
      resolve({ status: Number(res.statusCode), headers: res.headers, text });
    });
    req.on('error', reject);
    req.end(body);
  });
}

/**
 * A GET over HTTP/2.
 *
 * @param {string} url
 * @param {{ ca: Buffer, headers?: Record<string, string> }} options
 * @returns {Promise<Answer>}
 */
export async function askHttp2(url, { ca, headers }) {
  const { origin, pathname } = new URL(url);
  const session = connect(origin, { ca });
  try {
    const stream = session.request({ ...headers, ':path': pathname }, { signal: AbortSignal.timeout(LIMIT_MS) });
    const [{ ':status': status, ...answered }] = await once(stream, 'response');
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    return { status, headers: answered, text };
  } finally {
    session.close();
  }
}
