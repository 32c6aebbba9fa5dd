/**
 * The one echo that every endpoint calls: the same structure back, its count changed by one step.
 */
import { parse } from 'node:querystring';
import { formatError } from '../http/answer.js';
import { parseObject, show } from '../http/input.js';

/** @import { Server } from '../../core/net/echo/trial.js' */

/** What the classic clients send, and nothing else: worth a way of its own, as it is all that is timed. */
const CLASSIC_QUERY = /^count=(\d{1,15})$/;

/**
 * @typedef {object} Echoed
 * @property {string} body JSON: the echo, or the error
 * @property {string} [code] of the error; absent for an echo
 *
 * @typedef {object} Echo
 * @property {(query: string) => Echoed} fromQuery what follows the `?` of a URL
 * @property {(text: unknown) => Echoed} fromText a body, or a message; anything but a string is an error
 */

/**
 * @param {{ step: 1 | -1, server: Server }} options `step` is 1 for the echo of 2012 and -1 for the count-down of 2019
 * @returns {Echo} neither function throws
 */
export function createEcho({ step, server }) {
  const whoami = { body: JSON.stringify(server) };

  return {
    fromQuery(query) {
      const classic = CLASSIC_QUERY.exec(query);
      if (classic) return { body: `{"count":${Number(classic[1]) + step}}` };

      const fields = parse(query, '&', '=', { maxKeys: 0 });
      if (fields.whoami === '1') return whoami;
      const count = parseDigits(fields.count);
      if (count === undefined) return badCount(fields.count);
      return { body: JSON.stringify({ ...fields, count: count + step }) };
    },

    fromText(text) {
      if (typeof text !== 'string') {
        return failed(
          'bad-message',
          'message: expected text holding a JSON object, got bytes that are none or another type',
        );
      }
      const message = parseObject(text);
      if (!message) return failed('bad-json', `message: expected a JSON object, got ${show(text)}`);
      if (message.whoami === true) return whoami;
      if (!isCount(message.count)) return badCount(message.count);
      message.count += step;
      return stringify(message);
    },
  };
}

/** @param {object} message @returns {Echoed} */
function stringify(message) {
  try {
    return { body: JSON.stringify(message) };
  } catch {
    // JSON.parse takes any depth, JSON.stringify overflows the stack at some thousand levels.
    return failed('too-deep', 'message: expected less nesting');
  }
}

/** @param {string | string[] | undefined} text */
function parseDigits(text) {
  if (typeof text !== 'string' || !/^\d+$/.test(text)) return undefined;
  const count = Number(text);
  return isCount(count) ? count : undefined;
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
}

/** @param {unknown} got */
function badCount(got) {
  const expected = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER} in digits, given once`;
  return failed('bad-count', `count: expected ${expected}, got ${show(got)}`);
}

/** @param {string} code @param {string} message @returns {Echoed} */
function failed(code, message) {
  return { body: formatError(code, message), code };
}
