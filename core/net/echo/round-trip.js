/** The only place where a round trip is timed: stringify, network, parse; not creating or checking the payload. */
import { ExchangeError } from '../exchange-error.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Outcome } from '../exchange-error.js'
 * @import { Connection } from './index.js'
 * @typedef {{ count: number, body?: string }} Payload what is echoed: `{"count":N}`, as in 2012, and more
 * @typedef {{ outcome: Outcome, sentAtMs: number, endedAtMs: number, message?: string }} RoundTrip the clock just before the
 *   exchange, and at the answer or the failure; `message`: what went wrong, absent when ok
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Creates a body of ASCII, one byte each; absent for 0, so that the classic structure stays as it was.
 * @param {number} payloadBytes
 */
export function createBody(payloadBytes) {
  if (payloadBytes === 0) return undefined;
  return LETTERS.repeat(Math.ceil(payloadBytes / LETTERS.length)).slice(0, payloadBytes);
}

/** @param {number} count changed by the server by one step @param {string} [body] @returns {Payload} */
export const createPayload = (count, body) => (body === undefined ? { count } : { count, body });

/**
 * Checks whether an answer echoes the payload, with its count changed by one step.
 * @param {unknown} answer @param {Payload} payload @param {1 | -1} [step] of the server
 */
export function isEchoOf(answer, payload, step = 1) {
  if (typeof answer !== 'object' || answer === null) return false;
  const { count, body } = /** @type {Payload} */ (answer);
  return count === payload.count + step && body === payload.body;
}

/**
 * Measures a round trip. A failed iteration is a result, not a rejection.
 * @param {Connection} connection @param {Payload} payload
 * @param {{ now: Now, signal?: AbortSignal, step?: 1 | -1 }} options `step` is what the server does to the count
 * @returns {Promise<RoundTrip>}
 */
export async function measureRoundTrip(connection, payload, { now, signal, step = 1 }) {
  const sentAtMs = now();
  try {
    const answer = await connection.exchange(payload, { signal });
    const endedAtMs = now();
    return isEchoOf(answer, payload, step)
      ? { outcome: 'ok', sentAtMs, endedAtMs }
      : { outcome: 'mismatch', sentAtMs, endedAtMs, message: mismatchMessage(answer, payload.count + step) };
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return { outcome: error.outcome, sentAtMs, endedAtMs: now(), message: error.message };
  }
}

/** @param {unknown} answer @param {number} count that was expected */
function mismatchMessage(answer, count) {
  const got = JSON.stringify(answer) ?? String(answer);
  return `Expected the echo with count ${count}, got ${got.slice(0, 80)}.`;
}
