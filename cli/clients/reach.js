/**
 * Creates the reachability test's WebSockets, which report the response to a failed handshake, and SockJS for Node.js.
 */
import SockJS from 'sockjs-client';
import { SOCKJS_ORDER } from '../../core/experiments/reach/plan.js';
import { createTransport } from '../../core/net/echo/index.js';
import { openNodeWebSocket } from '../net/job-client.js';
import { createTransports, NODE_TRANSPORTS } from '../net/transports.js';
import { client as echo } from './echo.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { ReachSocket } from '../../core/experiments/reach/link.js'
 * @import { NodeClient } from './index.js'
 */

const MAX_HEADERS = 500;
const CLOSE_LIMIT_MS = 500;

/** @type {NodeClient} */
export const client = {
  ...echo,
  async prepareRun({ baseUrl }) {
    const { fetch: transport } = await createTransports(baseUrl, ['fetch']);
    return {
      baseUrl,
      fetch,
      transports: { fetch: transport },
      sockjsNames: SOCKJS_ORDER.filter((name) => name === 'websocket' || NODE_TRANSPORTS.includes(`sockjs-${name}`)),
      createSockjs: (/** @type {object} */ options) =>
        createTransport('sockjs', { library: SockJS, url: `${baseUrl}/echo`, ...options }),
      openSocket: (/** @type {string} */ path) => openSocket(baseUrl + path),
    };
  },
};

/** @param {string} url @returns {ReachSocket} */
function openSocket(url) {
  const socket = openNodeWebSocket(url, { perMessageDeflate: false });
  socket.on('unexpected-response', (/** @type {unknown} */ _req, /** @type {IncomingMessage} */ response) => {
    socket.answered = answeredBy(response);
    socket.terminate();
  });
  const close = socket.close.bind(socket);
  // The library would wait for half a minute if something on the path swallowed the close frame.
  socket.close = () => {
    close();
    setTimeout(() => socket.terminate(), CLOSE_LIMIT_MS).unref();
  };
  return socket;
}

/** @param {IncomingMessage} response */
function answeredBy({ statusCode = 0, headers }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { status: statusCode, headers: lines.join('; ').slice(0, MAX_HEADERS) };
}
