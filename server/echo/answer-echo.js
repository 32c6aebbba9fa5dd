/**
 * What the HTTP echoes have in common.
 */
import { answer } from '../http/answer.js';

/**
 * @import { ServerResponse } from 'node:http'
 * @import { Echoed } from './echo.js'
 */

/**
 * @param {ServerResponse} res
 * @param {string} query the request's
 * @param {Echoed} echoed
 */
export function answerEcho(res, query, { body, code }) {
  if (asksToClose(query)) res.setHeader('Connection', 'close');
  answer(res, code === undefined ? 200 : 400, body);
}

/**
 * A visitor who measures what a connection costs needs a new one, which a page cannot make by itself.
 *
 * @param {string} query
 */
function asksToClose(query) {
  return query.includes('close=1') && /(?:^|&)close=1(?:&|$)/.test(query);
}
