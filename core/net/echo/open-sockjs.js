import { sleep } from '../../base/async.js';
import { ExchangeError } from '../exchange-error.js';
import { reachServer } from '../reach-server.js';
import { CLOSE_GONE, CLOSE_SILENT } from '../sockets.js';

/**
 * By itself sockjs-client gives WebSocket 0.6 to 0.8 s and then falls back in silence; at a distance, or on a busy
 * machine, that would measure another transport than the network allows.
 */
const TRANSPORT_LIMIT_MS = 5000;

/** Longer than connecting takes where nothing is wrong, so that asking does not go on beside it. */
const ASK_EVERY_MS = 500;

/**
 * Begins to connect. The library tries each of its transports for seconds where the server is gone. So while it tries, the
 * server is asked: where that is refused, or gets no answer, the socket closes.
 *
 * @param {typeof import('sockjs-client')} SockJS
 * @param {string} url of the endpoint
 * @param {{ transports?: string }} [options] `transports`: which of SockJS's own it may use, by its client's name for it
 * @returns {WebSocket & { transport?: string }}
 */
export function openSockjs(SockJS, url, { transports } = {}) {
  const socket = new SockJS(url, null, { timeout: TRANSPORT_LIMIT_MS, ...(transports && { transports }) });
  const settled = new AbortController();
  const settle = () => settled.abort();
  for (const name of ['open', 'close', 'error']) socket.addEventListener(name, settle);
  watchServer(infoUrlOf(url), settled.signal).catch((error) => {
    if (!(error instanceof ExchangeError)) throw error;
    socket.close(error.outcome === 'timeout' ? CLOSE_SILENT : CLOSE_GONE, 'The server does not answer');
  });
  return socket;
}

/**
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<void>} when the signal says that nobody needs to know any more
 * @throws {ExchangeError} where no answer came
 */
async function watchServer(url, signal) {
  for (;;) {
    await sleep(ASK_EVERY_MS, { signal });
    if (signal.aborted) return;
    await reachServer(fetch, url, signal);
  }
}

/** @param {string} url of an endpoint, which may have a query */
function infoUrlOf(url) {
  const info = new URL(url);
  info.pathname += '/info';
  return info.href;
}
