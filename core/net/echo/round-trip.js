/**
 * The one place where a round trip is timed, for every transport.
 *
 * Timed: making the request from the payload (stringify included), the way there and back, parsing the answer.
 * Not timed: making the payload, checking the answer.
 */
import { ExchangeError } from '../exchange-error.js';
import { isEchoOf } from './payload.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Outcome } from '../exchange-error.js'
 * @import { Connection } from './index.js'
 * @import { Payload } from './payload.js'
 */

/**
 * @typedef {object} RoundTrip
 * @property {Outcome} outcome
 * @property {number} sentAtMs the clock just before the exchange
 * @property {number} endedAtMs the clock at the answer, or at the failure
 * @property {string} [message] what went wrong; absent when ok
 */

/**
 * Sends a payload and waits for its echo.
 *
 * @param {Connection} connection
 * @param {Payload} payload
 * @param {{ now: Now, signal?: AbortSignal, step?: 1 | -1 }} options `step` is what the server does to the count
 * @returns {Promise<RoundTrip>} never rejects for a failed iteration: that is a result
 * @throws what is not an {@link ExchangeError}: a fault of the program
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
