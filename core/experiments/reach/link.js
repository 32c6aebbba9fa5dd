/**
 * Defines the shared parts of the checks: their failure, their limit, and one WebSocket to `/reach/ws`, watched for its
 * end.
 */
import { abortable, sleep } from '../../base/async.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { toClosed } from '../../net/channel/channel.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Context, Observed } from './measure.js'
 *
 * @typedef {{ status: number, headers: string }} Answered the response to an upgrade that failed
 * @typedef {WebSocket & { answered?: Answered }} ReachSocket `answered` if the platform shows it
 * @typedef {object} Link
 * @property {Promise<{ atMs: number, code: number }>} ended when, and how, it was closed
 * @property {() => Promise<unknown>} open waits until it is open; rejects with an ExchangeError, as those below
 * @property {(message: string | Uint8Array<ArrayBuffer>, limitMs?: number) => Promise<number>} exchange sends a message, and waits for
 *   its echo; its round trip, ms
 * @property {(ms: number) => Promise<void>} pause waits, unless the link is closed
 */

/** The time limit of connecting, longer than it takes on a working path. */
const OPEN_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 5000;

/**
 * Makes a check, whose failure is a result, too.
 * @param {(found: Observed) => Promise<void>} work adds to what was found; may throw an ExchangeError
 * @returns {Promise<Observed>}
 */
export async function attempt(work) {
  /** @type {Observed} */
  const found = {};
  try {
    await work(found);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    found.failure = { outcome: error.outcome, message: error.message };
  }
  return found;
}

/**
 * Runs work that ends by itself.
 * @template T
 * @param {number} limitMs @param {{ timers: Timers, signal: AbortSignal }} context
 * @param {(signal: AbortSignal) => Promise<T>} work is to end by the signal; nobody waits for it then
 * @returns {Promise<T>} rejects with an ExchangeError `timeout`, or with the reason of the context's signal
 */
export async function within(limitMs, { timers, signal }, work) {
  const limit = new AbortController();
  const giveUp = () => limit.abort(new ExchangeError('timeout', `No answer within ${limitMs} ms.`));
  const timer = timers.setTimeout(giveUp, limitMs);
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await abortable(either, (resolve, reject) => void work(either).then(resolve, reject));
  } finally {
    timers.clearTimeout(timer);
  }
}

/**
 * @param {ReachSocket} socket that begins to connect @param {Context} context @param {Observed} found gets the round trips
 * @returns {Link}
 */
export function watchLink(socket, { now, timers, signal: runSignal }, found) {
  const closing = new AbortController();
  const signal = AbortSignal.any([runSignal, closing.signal]);
  const context = { timers, signal };
  socket.binaryType = 'arraybuffer';
  /** @type {Link['ended']} */
  const ended = new Promise((resolve) => {
    socket.onclose = (event) => {
      resolve({ atMs: now(), code: event.code });
      closing.abort(toClosed(event));
    };
  });
  // A close event follows.
  socket.onerror = () => {};

  return {
    ended,
    open: () => within(OPEN_LIMIT_MS, context, () => new Promise((resolve) => (socket.onopen = resolve))),
    async exchange(message, limitMs = ANSWER_LIMIT_MS) {
      const roundTripMs = await within(limitMs, context, () => sendAndReceive(socket, message, now));
      found.roundTripMs?.push(roundTripMs);
      return roundTripMs;
    },
    async pause(ms) {
      // Even a wait of 0 ms lets the event of a close that has arrived run.
      await sleep(Math.max(0, ms), context);
      signal.throwIfAborted();
    },
  };
}

/**
 * @param {ReachSocket} socket open @param {string | Uint8Array<ArrayBuffer>} message @param {Now} now
 * @returns {Promise<number>} ms
 */
function sendAndReceive(socket, message, now) {
  return new Promise((resolve, reject) => {
    const sentAtMs = now();
    socket.onmessage = ({ data }) => {
      const roundTripMs = now() - sentAtMs;
      if (isSame(data, message)) resolve(roundTripMs);
      else reject(new ExchangeError('mismatch', 'The echo differs from the message.'));
    };
    socket.send(message);
  });
}

/** @param {string | ArrayBuffer} got @param {string | Uint8Array} sent */
function isSame(got, sent) {
  if (typeof got === 'string' || typeof sent === 'string') return got === sent;
  const bytes = new Uint8Array(got);
  return bytes.length === sent.length && bytes.every((byte, i) => byte === sent[i]);
}
