/**
 * The one echo that every endpoint calls: the same structure back, its count changed by one step; and the echoes over plain
 * HTTP. `/ajaxecho` is that of 2012: a GET's fields or a POST's JSON come back, the count one higher. `/xhr` is the
 * count-down of 2019: the count comes back one lower; a ping is answered with a pong.
 */
import { parse } from 'node:querystring';
import { textOf } from '../http/body.js';
import { isTooComplex, MAX_JSON_DEPTH, MAX_JSON_STRUCTURE } from '../http/json.js';
import { answer, closeIfAsked, formatError, isObject, parseObject, queryOf, show } from '../http/exchange.js';

/**
 * @import { Endpoint } from '../http/gate.js'
 * @import { ServerResponse as Response } from 'node:http'
 * @import { Server } from '../../core/net/echo/trial.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { DelayAnswer } from '../app.js'
 * @import { Protocol, ProtocolOverOne } from '../channel/index.js'
 * @import { Limits } from '../http/limits.js'
 * @typedef {{ body: string, code?: string }} Echoed `body`: JSON of the echo, or of the error; `code`: of the error
 * @typedef {{ value: object, code?: string }} EchoedValue the same as a value, for libraries that format it themselves
 * @typedef {object} Echo none of its functions throws
 * @property {(message: any) => EchoedValue} fromValue of parsed JSON
 * @property {(query: string) => Echoed} fromQuery of what follows the `?` of a URL
 * @property {(text: unknown) => Echoed} fromText of a body, or a message; anything but a string is an error
 */

const CLASSIC_START = 'count=';
/** Every number with this many digits is a safe integer. */
const MAX_DIGITS = 15;
const ZERO = '0'.charCodeAt(0);
const TOO_COMPLEX = `message: expected at most ${MAX_JSON_DEPTH} levels of nesting, and ${MAX_JSON_STRUCTURE} brackets, colons and commas`;

/** @param {{ step: 1 | -1, server: Server }} options 1 as in 2012, -1 for the count-down of 2019 @returns {Echo} */
export function createEcho({ step, server }) {
  const whoami = { body: JSON.stringify(server) };

  /** @type {Echo['fromValue']} */
  const fromValue = (message) => {
    if (!isObject(message)) return toValue(failed('bad-json', `message: expected a JSON object, got ${show(message)}`));
    if (message.whoami === true) return { value: server };
    if (!isCount(message.count)) return toValue(badCount(message.count));
    message.count += step;
    return { value: message };
  };

  return {
    fromValue,

    fromQuery(query) {
      const classic = classicCountOf(query);
      if (classic !== undefined) return { body: `{"count":${classic + step}}` };

      const fields = parse(query, '&', '=', { maxKeys: 0 });
      if (fields.whoami === '1') return whoami;
      const count = typeof fields.count === 'string' && /^\d+$/.test(fields.count) ? Number(fields.count) : undefined;
      if (!isCount(count)) return badCount(fields.count);
      return { body: JSON.stringify({ ...fields, count: count + step }) };
    },

    fromText(text) {
      if (typeof text !== 'string') {
        return failed(
          'bad-message',
          'message: expected UTF-8 text with a JSON object, got binary data or a value that is not a string',
        );
      }
      if (isTooComplex(text)) return failed('too-deep', TOO_COMPLEX);
      const message = parseObject(text);
      if (!message) return failed('bad-json', `message: expected a JSON object, got ${show(text)}`);
      const { value, code } = fromValue(message);
      return { body: JSON.stringify(value), code };
    },
  };
}

/**
 * Parses what the classic clients send. It has its own code, as it is all that is timed.
 * @param {string} query @returns {number | undefined} absent where it is anything else
 */
function classicCountOf(query) {
  const { length } = query;
  const start = CLASSIC_START.length;
  if (!query.startsWith(CLASSIC_START) || length === start || length > start + MAX_DIGITS) return undefined;
  let count = 0;
  for (let at = start; at < length; at++) {
    const digit = query.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    count = count * 10 + digit;
  }
  return count;
}

/** @param {Echoed} failed @returns {EchoedValue} */
const toValue = ({ body, code }) => ({ value: JSON.parse(body), code });

/** @param {unknown} value @returns {value is number} */
function isCount(value) {
  return Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
}

/** @param {unknown} got */
function badCount(got) {
  const expected = `a single whole number in decimal digits, from 0 to ${Number.MAX_SAFE_INTEGER}`;
  return failed('bad-count', `count: expected ${expected}, got ${show(got)}`);
}

/** @param {string} code @param {string} message @returns {Echoed} */
function failed(code, message) {
  return { body: formatError(code, message), code };
}

/**
 * The echo over any connection that lasts.
 * @param {{ echo: Echo, limits: Limits, metrics: Metrics, delayAnswer?: DelayAnswer, sendsValues?: boolean }} parts
 * @returns {Protocol}
 */
export function createEchoProtocol({ echo, limits, metrics, delayAnswer, sendsValues }) {
  return {
    limits,
    delayAnswer,
    sendsValues,
    isUnframed: true,
    converse({ transport, say, takesValues, isCounted }) {
      const count = (/** @type {string | undefined} */ code) =>
        isCounted ? metrics.echoAnswered(transport, code) : metrics.socketEchoAnswered(transport, code);
      const onText = (/** @type {unknown} */ message) => {
        const { body, code } = echo.fromText(message);
        count(code);
        say(body);
      };
      const onValue = (/** @type {unknown} */ message) => {
        const { value, code } = echo.fromValue(message);
        count(code);
        say(value);
      };
      return { onMessage: takesValues ? onValue : onText };
    },
  };
}

/** The echo of 2012, which only SockJS had. @param {Protocol} echoes @returns {ProtocolOverOne} */
export const createEcho2012Protocol = (echoes) => ({
  ...echoes,
  only: { kind: 'sockjs', path: '/echo2012', name: 'sockjs 2012' },
  sendsValues: true,
});

/**
 * The count-down of 2019: a count comes back one lower; a ping is answered with a pong.
 * @param {{ countDown: Echo, limits: Limits, metrics: Metrics }} parts @returns {ProtocolOverOne}
 */
export function createCountDownProtocol({ countDown, ...parts }) {
  const protocol = createEchoProtocol({ echo: countDown, ...parts });
  return {
    ...protocol,
    only: { kind: 'websocket', path: '/ws', name: 'ws' },
    converse(speaker) {
      const { onMessage } = protocol.converse(speaker);
      return {
        onMessage(message) {
          if (message !== 'ping') return onMessage(message);
          parts.metrics.pingAnswered();
          return speaker.say('pong');
        },
      };
    },
  };
}

/** @param {{ echo: Echo, metrics: Metrics }} parts @returns {Endpoint} */
export function createAjaxecho({ echo, metrics }) {
  return {
    methods: ['GET', 'POST'],
    query: 'count=1',
    answer(req, res, body) {
      const query = queryOf(req);
      const echoed = req.method === 'GET' ? echo.fromQuery(query) : echo.fromText(textOf(body));
      metrics.echoAnswered('ajaxecho', echoed.code);
      answerEcho(res, query, echoed);
    },
  };
}

/** @param {{ countDown: Echo, metrics: Metrics }} parts @returns {Endpoint} */
export function createXhr({ countDown, metrics }) {
  return {
    methods: ['GET'],
    query: 'count=1',
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

/** @param {Response} res @param {string} query the request's @param {Echoed} echoed */
function answerEcho(res, query, { body, code }) {
  closeIfAsked(res, query);
  answer(res, code === undefined ? 200 : 400, body);
}
