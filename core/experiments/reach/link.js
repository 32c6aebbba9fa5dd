/** One WebSocket to `/reach/ws`: opened, asked, and watched for its end. */
import { abortable } from '../../base/async.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { toClosed } from '../../net/sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 *
 * @typedef {{ status: number, headers: string }} Answered the response to an upgrade that failed
 * @typedef {WebSocket & { answered?: Answered }} ReachSocket `answered` where the platform shows it
 *
 * @typedef {object} LinkOptions
 * @property {(path: string) => ReachSocket} openSocket begins to connect
 * @property {Now} now
 * @property {Timers} timers
 * @property {AbortSignal} signal ends everything
 *
 * @typedef {{ atMs: number, error: ExchangeError, code: number }} End
 * @typedef {Awaited<ReturnType<typeof openLink>>} Link
 */

/** Longer than connecting takes where nothing is wrong. */
const OPEN_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 5000;

/**
 * A promise that ends by itself.
 * @template T
 * @param {number} limitMs @param {Pick<LinkOptions, 'timers' | 'signal'>} options
 * @param {(resolve: (value: T) => void, reject: (reason: unknown) => void) => (() => void) | void} start as in {@link abortable}
 * @returns {Promise<T>} rejects with an ExchangeError `timeout`, or with the signal's reason
 */
export function within(limitMs, { timers, signal }, start) {
  return abortable(signal, (resolve, reject) => {
    /** @type {(() => void) | void} */
    let stop = undefined;
    const timer = timers.setTimeout(() => {
      reject(new ExchangeError('timeout', `No answer within ${limitMs} ms.`));
      stop?.();
    }, limitMs);
    /** @template V @param {(value: V) => void} settle @returns {(value: V) => void} */
    const clearing = (settle) => (value) => {
      timers.clearTimeout(timer);
      settle(value);
    };
    stop = start(clearing(resolve), clearing(reject));
    return () => {
      timers.clearTimeout(timer);
      stop?.();
    };
  });
}

/** @param {LinkOptions} options @param {string} probe its name at the server @throws {ExchangeError} with the response, where there is one */
export async function openLink(options, probe) {
  const { openSocket, now } = options;
  const startedAtMs = now();
  const socket = openSocket(`/reach/ws?probe=${probe}`);
  socket.binaryType = 'arraybuffer';
  /** @type {End | undefined} */
  let end;
  /** @type {(end: End) => void} */
  let resolveEnded = () => {};
  /** @type {Promise<End>} */
  const ended = new Promise((resolve) => (resolveEnded = resolve));
  const close = () => socket.close();

  await within(OPEN_LIMIT_MS, options, (resolve, reject) => {
    socket.onopen = () => resolve(undefined);
    socket.onclose = (event) => {
      end = { atMs: now(), error: toClosed(event), code: event.code };
      resolveEnded(end);
      reject(Object.assign(end.error, { answered: socket.answered }));
    };
    // A close follows.
    socket.onerror = () => {};
    return close;
  }).catch((error) => {
    close();
    throw error;
  });

  return {
    setUpMs: now() - startedAtMs,
    /** When, and how, it was closed. */
    ended,
    /**
     * Sends a message, and waits for its echo.
     * @param {string | Uint8Array<ArrayBuffer>} message @param {number} [limitMs]
     * @returns {Promise<number>} its round trip, ms @throws {ExchangeError}
     */
    exchange: (message, limitMs = ANSWER_LIMIT_MS) =>
      within(limitMs, options, (resolve, reject) => {
        if (end) throw end.error;
        ended.then(({ error }) => reject(error));
        const sentAtMs = now();
        socket.onmessage = ({ data }) => {
          const roundTripMs = now() - sentAtMs;
          if (isSame(data, message)) resolve(roundTripMs);
          else reject(new ExchangeError('mismatch', 'The echo differs from the message.'));
        };
        socket.send(message);
      }),
    close,
  };
}

/** @param {string | ArrayBuffer} got @param {string | Uint8Array} sent */
function isSame(got, sent) {
  if (typeof got === 'string' || typeof sent === 'string') return got === sent;
  const bytes = new Uint8Array(got);
  return bytes.length === sent.length && bytes.every((byte, i) => byte === sent[i]);
}
