/**
 * `/xhr`: the count-down of 2019 over HTTP. The count comes back one lower; a ping is answered with a pong.
 */
import { answer } from '../http/answer.js';
import { answerEcho } from '../echo/answer-echo.js';
import { queryOf } from '../http/url.js';

/**
 * @import { Endpoint } from '../http/gate.js'
 * @import { Parts } from '../parts.js'
 */

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
