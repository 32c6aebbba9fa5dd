/**
 * The echoes over plain HTTP. `/ajaxecho` is that of 2012: a GET's fields come back, a POST's JSON comes back; the count is
 * one higher. `/xhr` is the count-down of 2019: the count comes back one lower; a ping is answered with a pong.
 */
import { isUtf8 } from 'node:buffer';
import { answer } from '../http/answer.js';
import { queryOf } from '../http/url.js';

/**
 * @import { ServerResponse } from 'node:http'
 * @import { Echoed } from '../echo/echo.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { Parts } from '../parts.js'
 */

/** @param {Pick<Parts, 'echo' | 'metrics'>} parts @returns {Endpoint} */
export function createAjaxecho({ echo, metrics }) {
  return {
    methods: ['GET', 'POST'],
    answer(req, res, body) {
      const query = queryOf(req);
      const echoed = req.method === 'GET' ? echo.fromQuery(query) : echo.fromText(textOf(body));
      metrics.echoAnswered('ajaxecho', echoed.code);
      answerEcho(res, query, echoed);
    },
  };
}

/** @param {Pick<Parts, 'countDown' | 'metrics'>} parts @returns {Endpoint} */
export function createXhr({ countDown, metrics }) {
  return {
    methods: ['GET'],
    answer(req, res) {
      const query = queryOf(req);
      if (query === 'ping=1') {
        answer(res, 200, 'pong', 'text/plain');
        return;
      }
      const echoed = countDown.fromQuery(query);
      metrics.echoAnswered('xhr', echoed.code);
      answerEcho(res, query, echoed);
    },
  };
}

/** @param {Buffer} body @returns {string | Buffer} the bytes as they are where they are no text */
export function textOf(body) {
  return isUtf8(body) ? body.toString() : body;
}

/** @param {ServerResponse} res @param {string} query the request's @param {Echoed} echoed */
function answerEcho(res, query, { body, code }) {
  // A visitor who measures what a connection costs needs a new one, which a page cannot make by itself.
  if (query.includes('close=1') && /(?:^|&)close=1(?:&|$)/.test(query)) res.setHeader('Connection', 'close');
  answer(res, code === undefined ? 200 : 400, body);
}
