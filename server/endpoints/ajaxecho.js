/**
 * `/ajaxecho`: the AJAX echo of 2012. A GET's fields come back, a POST's JSON comes back; the count is one higher.
 */
import { isUtf8 } from 'node:buffer';
import { answer, answerError } from '../answer.js';
import { queryOf } from '../url.js';

/**
 * @param {{ echo: import('../echo.js').Echo }} options
 * @returns {import('../gate.js').Endpoint}
 */
export function createAjaxecho({ echo }) {
  return {
    methods: ['GET', 'POST'],
    answer(req, res, body) {
      const query = queryOf(req);
      if (asksToClose(query)) res.setHeader('Connection', 'close');
      if (req.method === 'GET') {
        answerEcho(res, echo.fromQuery(query));
      } else if (isUtf8(body)) {
        answerEcho(res, echo.fromText(body.toString()));
      } else {
        answerError(res, 400, 'bad-text', 'body: expected UTF-8');
      }
    },
  };
}

/**
 * @param {import('node:http').ServerResponse} res
 * @param {import('../echo.js').Echoed} echoed
 */
export function answerEcho(res, { ok, body }) {
  answer(res, ok ? 200 : 400, body);
}

/**
 * A visitor who measures what a connection costs needs a new one, which a page cannot make by itself.
 *
 * @param {string} query
 */
export function asksToClose(query) {
  return query.includes('close=1') && /(?:^|&)close=1(?:&|$)/.test(query);
}
