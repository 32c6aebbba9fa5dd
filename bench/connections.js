/** Generates load with a limited number of connections to a server on this machine, each in a closed loop. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';

/** @import { EventEmitter } from 'node:events' */

/** The headers that Chromium sends with the page's requests, as a server may parse all of them. */
const BROWSER_HEADERS = [
  'Connection: keep-alive',
  'sec-ch-ua-platform: "Linux"',
  'X-Requested-With: XMLHttpRequest',
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
  'Accept: application/json, text/javascript, */*; q=0.01',
  'sec-ch-ua: "Chromium";v="147", "Not.A/Brand";v="8"',
  'sec-ch-ua-mobile: ?0',
  'Sec-Fetch-Site: same-origin',
  'Sec-Fetch-Mode: cors',
  'Sec-Fetch-Dest: empty',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Accept-Language: en-US,en;q=0.9',
];

/**
 * @typedef {object} Connection
 * @property {(count: number) => Promise<number>} exchange sends a count and returns the one in the answer
 * @property {() => void} close
 *
 * @typedef {{ path: string, greeting?: RegExp, wrap: (text: string) => string, unwrap: (frame: string) => string }} Framing how
 *   a text is sent and echoed in frames, after a greeting
 */

/** @param {readonly Connection[]} connections @param {number} echoCount of all together @throws {Error} for a wrong answer */
export async function burst(connections, echoCount) {
  let sentCount = 0;
  const loop = async (/** @type {Connection} */ connection) => {
    while (sentCount < echoCount) {
      const count = sentCount++;
      const answer = await connection.exchange(count);
      if (answer !== count + 1) throw new Error(`count: expected ${count + 1}, got ${answer}`);
    }
  };
  await Promise.all(connections.map(loop));
}

/** @param {readonly Connection[]} connections */
export function closeAll(connections) {
  for (const connection of connections) connection.close();
}

/**
 * Opens a keep-alive connection that requests `/ajaxecho?count=N`. It is a bare socket: a client on node:http needs
 * several times the CPU of the server, which would then wait most of the time.
 * @param {number} port @returns {Promise<Connection>}
 */
export async function openHttp(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const headers = [`Host: 127.0.0.1:${port}`, ...BROWSER_HEADERS, `Referer: http://127.0.0.1:${port}/ajaxtest`];
  const afterTarget = ` HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  const waiter = createWaiter(socket);
  let text = '';

  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    const headLength = text.indexOf('\r\n\r\n') + 4;
    const bodyLength = Number(/\r\nContent-Length: (\d+)\r\n/i.exec(text)?.[1]);
    if (headLength < 4 || text.length < headLength + bodyLength) return;
    const body = text.slice(headLength);
    text = '';
    waiter.resolve(JSON.parse(body).count);
  });

  return {
    exchange(count) {
      socket.write(`GET /ajaxecho?count=${count}${afterTarget}`);
      return waiter.next();
    },
    close: () => socket.destroy(),
  };
}

/** @param {number} port @returns {Promise<Connection>} */
export async function openSockjs(port) {
  const framing = {
    path: `/echo/000/${randomUUID()}/websocket`,
    greeting: /^o$/,
    wrap: (/** @type {string} */ text) => JSON.stringify([text]),
    unwrap: (/** @type {string} */ frame) => JSON.parse(frame.slice(1))[0],
  };
  return createConnection(await openSocket(port, framing), framing);
}

/** @param {number} port @returns {Promise<Connection>} */
export const openWs = async (port) => {
  const framing = { path: '/ws/echo', wrap: (/** @type {string} */ text) => text, unwrap: String };
  return createConnection(await openSocket(port, framing), framing);
};

const SOCKETIO_HEAD = '42["message",';

/** Opens a connection that begins with a WebSocket. @param {number} port @returns {Promise<Connection>} */
export async function openSocketio(port) {
  const framing = {
    path: '/socket.io/?EIO=4&transport=websocket',
    greeting: /^0\{/,
    wrap: (/** @type {string} */ text) => `${SOCKETIO_HEAD}${text}]`,
    unwrap: (/** @type {string} */ frame) => frame.slice(SOCKETIO_HEAD.length, -1),
  };
  const socket = await openSocket(port, framing);
  // It connects to the namespace, which the server confirms.
  socket.send('40');
  await once(socket, 'message');
  socket.on('message', (message) => String(message) === '2' && socket.send('3'));
  return createConnection(socket, framing);
}

/** @param {number} port @param {Framing} framing */
async function openSocket(port, { path, greeting }) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
  // Both listeners start at once: the greeting may come in the same packet as the handshake's answer.
  const [, [frame] = ['']] = await Promise.all([once(socket, 'open'), greeting && once(socket, 'message')]);
  if (greeting && !greeting.test(String(frame))) throw new Error(`Greeting: expected ${greeting}, got '${frame}'`);
  return socket;
}

/** @param {WebSocket} socket @param {Framing} framing @returns {Connection} */
function createConnection(socket, { wrap, unwrap }) {
  const waiter = createWaiter(socket);
  socket.on('message', (message) => {
    const text = unwrap(String(message));
    // A heartbeat has none.
    if (text !== '') waiter.resolve(JSON.parse(text).count);
  });
  return {
    exchange(count) {
      socket.send(wrap(JSON.stringify({ count })));
      return waiter.next();
    },
    close: () => socket.terminate(),
  };
}

/** Waits for one answer at a time; once the socket is closed, all others are rejected. @param {EventEmitter} socket */
function createWaiter(socket) {
  /** @type {{ resolve: (count: number) => void, reject: (error: Error) => void } | undefined} */
  let waiting;
  /** @type {Error | undefined} */
  let failure;
  const fail = (/** @type {Error} */ error) => {
    failure ??= error;
    waiting?.reject(failure);
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection')));

  return {
    /** @returns {Promise<number>} */
    next: () =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure);
        else waiting = { resolve, reject };
      }),
    resolve: (/** @type {number} */ count) => waiting?.resolve(count),
  };
}
