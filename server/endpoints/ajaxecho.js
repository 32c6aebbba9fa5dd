/**
 * `/ajaxecho`: the AJAX echo of 2012. A GET's fields come back, a POST's JSON comes back; the count is one higher.
 */
import { isUtf8 } from 'node:buffer';
import { answerEcho } from '../echo/answer-echo.js';
import { queryOf } from '../http/url.js';

/**
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

/**
 * @param {Buffer} body
 * @returns {string | Buffer} the bytes as they are where they are no text
 */
export function textOf(body) {
  return isUtf8(body) ? body.toString() : body;
}
