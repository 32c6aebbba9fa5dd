/**
 * The structure that is sent to and fro.
 *
 * The classic one is `{"count":N}`, as the 2012 experiment sent it. A plan that asks for more adds `body`.
 *
 * @typedef {{ count: number, body?: string }} Payload
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The text that fills a payload up.
 *
 * @param {number} payloadBytes length in bytes; the letters are ASCII, so a letter is a byte
 * @returns {string | undefined} absent for 0, so that the classic structure stays as it was
 */
export function createBody(payloadBytes) {
  if (payloadBytes === 0) return undefined;
  return LETTERS.repeat(Math.ceil(payloadBytes / LETTERS.length)).slice(0, payloadBytes);
}

/**
 * @param {number} count what the server moves one step on
 * @param {string} [body] from {@link createBody}
 * @returns {Payload}
 */
export function createPayload(count, body) {
  return body === undefined ? { count } : { count, body };
}

/**
 * Is this the echo of that payload: its count one step further, and the rest untouched?
 *
 * @param {unknown} answer what the transport brought back
 * @param {Payload} payload what was sent
 * @param {1 | -1} [step] the server's: 1 for the echo of 2012, -1 for the count-down of 2019
 * @returns {boolean}
 */
export function isEchoOf(answer, payload, step = 1) {
  if (typeof answer !== 'object' || answer === null) return false;
  const { count, body } = /** @type {Payload} */ (answer);
  return count === payload.count + step && body === payload.body;
}
