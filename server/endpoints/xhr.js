/**
 * `/xhr`: the count-down of 2019 over HTTP. The count comes back one lower; a ping is answered with a pong.
 */
import { answer } from '../answer.js';
import { queryOf } from '../url.js';
import { answerEcho, asksToClose } from './ajaxecho.js';

/**
 * @param {{ countDown: import('../echo.js').Echo }} options
 * @returns {import('../gate.js').Endpoint}
 */
export function createXhr({ countDown }) {
  return {
    methods: ['GET'],
    answer(req, res) {
      const query = queryOf(req);
      if (asksToClose(query)) res.setHeader('Connection', 'close');
      if (query === 'ping=1') answer(res, 200, 'pong', 'text/plain');
      else answerEcho(res, countDown.fromQuery(query));
    },
  };
}
