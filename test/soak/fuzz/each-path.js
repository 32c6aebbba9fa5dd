/** What each path of the product's list answers to a request as it should be. */
import { once } from 'node:events';
import { request } from 'node:http';
import { sendRaw } from '../../support/raw-http.js';
import { upgradeHead } from '../../support/payload-client.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Known } from './requests.js' */

/**
 * @param {number} port @param {Known} known
 * @returns {Promise<Record<string, string>>} status and type of the answer, or the status of the upgrade, by method and path
 */
export async function askEachPath(port, { paths, ids }) {
  /** @type {Record<string, string>} */
  const answers = {};
  for (const { pattern, methods, socketLimits } of paths) {
    // Of a session that is nobody else's.
    const fill = () => pattern.replace(/([:*])(\w+)/g, (_, _mark, name) => ids[name]?.[0] ?? createName());
    for (const method of methods) answers[`${method} ${pattern}`] = await ask(port, method, fill());
    if (socketLimits) answers[`WebSocket ${pattern}`] = await upgrade(port, fill());
  }
  return answers;
}

const createName = () => `name-${Math.random().toString(36).slice(2, 10)}`;

/** @param {number} port @param {string} method @param {string} path @returns {Promise<string>} not the whole answer: it may have no end */
async function ask(port, method, path) {
  const headers = { 'Content-Type': 'text/plain' };
  const asked = request({ port, host: '127.0.0.1', method, path, headers, agent: false });
  asked.end(method === 'POST' ? '{"count":1}' : undefined);
  const [response] = /** @type {[IncomingMessage]} */ (await once(asked, 'response'));
  response.on('error', () => {});
  asked.on('error', () => {}).destroy();
  return `${response.statusCode} ${response.headers['content-type']}`;
}

/** @param {number} port @param {string} path @returns {Promise<string>} its WebSocket is closed by a frame that is not masked */
async function upgrade(port, path) {
  const answer = await sendRaw(port, `${upgradeHead(path)}\x81\x01x`);
  return answer.slice(0, answer.indexOf('\r\n'));
}
