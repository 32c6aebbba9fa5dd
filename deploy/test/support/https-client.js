/**
 * One request over TLS, to a server whose certificate only this test knows.
 */
import { request } from 'node:https';

const LIMIT_MS = 10_000;

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text
 */

/**
 * @param {string} url
 * @param {import('node:https').RequestOptions & { body?: string }} options `ca`: the certificate
 * @returns {Promise<Answer>}
 */
export function ask(url, { body, ...options }) {
  return new Promise((resolve, reject) => {
    const req = request(url, { ...options, signal: AbortSignal.timeout(LIMIT_MS) }, async (res) => {
      let text = '';
      for await (const chunk of res.setEncoding('utf8')) text += chunk;
      resolve({ status: Number(res.statusCode), headers: res.headers, text });
    });
    req.on('error', reject);
    req.end(body);
  });
}
