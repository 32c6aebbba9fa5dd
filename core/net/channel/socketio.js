/** The kind of Socket.IO, with its defaults or over one of its own transports. */
import { SOCKETIO } from '../protocols.js';
import { CLOSED, CONNECTING, OPEN } from './channel.js';

/**
 * @import { Socket as Client } from 'socket.io-client'
 * @import { Socket } from './channel.js'
 * @import { Kind } from './index.js'
 * @typedef {typeof import('socket.io-client').io} Io
 * @typedef {ReturnType<typeof setTimeout>} Timer a number in browsers, an object in Node.js
 */

/** @type {Kind} */
export const socketio = {
  name: 'socketio',
  label: 'Socket.IO',
  paths: {
    echo: '/socket.io',
    payload: '/payload/socket.io',
    jobs: '/socket.io/jobs',
    feed: '/socket.io/feeds',
    stream: '/pieces/socket.io',
  },
  library: 'socket.io-client',
  protocols: SOCKETIO,
  isSocket: true,
  carries: ['text', 'value'],
};

/** The event of all messages, in both directions. */
const EVENT = 'message';
/** The time that the upgrade gets: as long as each transport of SockJS. */
const UPGRADE_LIMIT_MS = 5000;
/** The close code of a WebSocket that takes no message of this size: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const TOO_LARGE = 1009;
const LIMIT_WORDS = 'Socket.IO’s default limit for a message is 1 MB, maxHttpBufferSize';

/**
 * Begins to connect. The socket is open when the library has a WebSocket, or has given one up. Messages are values, not
 * texts, as the library formats them itself.
 * @param {Io} io @param {string} url of its path on the server, which may have a query
 * @param {{ only?: string, now?: () => number }} [options] `only`: one of the library's transports, not its defaults
 * @returns {Socket}
 */
export function openSocketio(io, url, { only, now = () => performance.now() } = {}) {
  const startedAtMs = now();
  /** @type {Client} */
  let client;
  /** @type {Timer | undefined} */
  let limit;
  /** @type {any} */
  const socket = {
    readyState: CONNECTING,
    send: (/** @type {any} */ value) => void client.emit(EVENT, value),
    close() {
      if (socket.readyState !== CLOSED) {
        socket.readyState = CLOSED;
        clearTimeout(limit);
        // Whoever waits for the end of this socket is not to wait for the end of a limit.
        client.io.engine.once('close', (reason) => socket.onclose?.({ code: undefined, reason }));
      }
      // Also after a limit, at which the library may still try.
      client.disconnect();
    },
  };
  /** @param {number | undefined} code @param {string} reason */
  const end = (code, reason) => {
    if (socket.readyState === CLOSED) return;
    socket.readyState = CLOSED;
    clearTimeout(limit);
    socket.onclose?.({ code, reason: code === TOO_LARGE ? LIMIT_WORDS : reason });
  };
  // An upgrade that came after all, in the middle of the messages, would mix two transports.
  const giveUpgradeUp = () => {
    const former = client;
    begin(['polling']);
    former.disconnect();
  };

  /** @param {readonly string[]} [transports] by default the library's */
  const begin = (transports) => {
    const attempt = (client = connect(io, url, transports));
    const { engine } = attempt.io;
    const isCurrent = () => attempt === client;
    const isUpgraded = () => engine.transport.name === 'websocket';
    const beganWithPolls = !isUpgraded();
    let mayUpgrade = transports === undefined;
    const open = () => {
      if (!isCurrent() || socket.readyState !== CONNECTING || !attempt.connected) return;
      clearTimeout(limit);
      socket.readyState = OPEN;
      socket.transport = engine.transport.name;
      if (beganWithPolls && isUpgraded()) socket.upgradeMs = now() - startedAtMs;
      socket.onopen?.();
    };
    attempt.on('connect', () => {
      socket.setUpMs = now() - startedAtMs;
      if (isUpgraded() || !mayUpgrade) open();
      // A proxy may leave the WebSocket without any answer.
      else limit = setTimeout(giveUpgradeUp, UPGRADE_LIMIT_MS);
    });
    engine.on('upgrade', open);
    engine.on('upgradeError', () => {
      mayUpgrade = false;
      open();
    });
    attempt.on(EVENT, (data) => isCurrent() && socket.onmessage?.({ data }));
    attempt.on('connect_error', ({ message }) => isCurrent() && end(undefined, message));
    attempt.on(
      'disconnect',
      (reason, /** @type {any} */ details) => isCurrent() && end(details?.context?.code, reason),
    );
  };
  begin(only === undefined ? undefined : [only]);
  return socket;
}

/** @param {Io} io @param {string} url @param {readonly string[]} [transports] */
function connect(io, url, transports) {
  const { origin, pathname, searchParams } = new URL(url);
  return io(origin, {
    path: pathname,
    query: Object.fromEntries(searchParams),
    forceNew: true,
    // A lost connection is a result.
    reconnection: false,
    ...(transports && { transports: [...transports] }),
  });
}
