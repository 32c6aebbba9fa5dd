/**
 * Sessions of Socket.IO: by its own client, and packet by packet, as no client sends them.
 */
import { io } from 'socket.io-client';
import { createInbox } from './inbox.js';
import { openWebSocket } from './web-socket.js';

/**
 * @import { ManagerOptions, SocketOptions } from 'socket.io-client'
 * @import { Inbox } from './inbox.js'
 */

export const SOCKETIO_PATH = '/socket.io/?EIO=4';
export const POLLING = `${SOCKETIO_PATH}&transport=polling`;
export const WEBSOCKET = `${SOCKETIO_PATH}&transport=websocket`;
/** Separates the packets of a post, and those of a poll's answer. */
export const SEPARATOR = '\x1e';

/** @param {unknown} value @returns {string} the packet that sends it */
export const messageOf = (value) => `42${JSON.stringify(['message', value])}`;

/** @param {string} packet @returns {any} what it sends */
export function valueOf(packet) {
  const [event, value] = JSON.parse(packet.slice(2));
  if (event !== 'message') throw new Error(`expected a message, got ${packet}`);
  return value;
}

/**
 * A session of Socket.IO's own client, with a `next()` for its messages and a `closed` for its end.
 *
 * @param {string} url
 * @param {Partial<ManagerOptions & SocketOptions>} [options]
 */
export async function openSocketioSession(url, options) {
  const { origin, pathname, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  const socket = io(origin, { path: pathname, query, forceNew: true, reconnection: false, ...options });
  const { engine } = socket.io;
  /** @type {Inbox<any>} */
  const messages = createInbox();
  socket.on('message', messages.put);
  /** @type {Promise<{ code?: number, reason: string }>} `code`: of the WebSocket, where nothing was said before */
  const closed = new Promise((resolve) =>
    socket.on('disconnect', (reason, details) => {
      const { context } = /** @type {any} */ (details ?? {});
      resolve({ code: context?.code, reason });
      messages.end(new Error(`The session was closed: ${reason}`));
    }),
  );
  /** @type {Promise<void>} */
  const upgraded = new Promise((resolve) => engine.on('upgrade', () => resolve()));
  await new Promise((resolve, reject) => {
    socket.on('connect', () => resolve(undefined));
    socket.on('connect_error', reject);
  });
  return {
    socket,
    id: String(/** @type {any} */ (engine).id),
    closed,
    upgraded,
    transport: () => engine.transport.name,
    next: messages.next,
    /** @param {unknown} value */
    send: (value) => void socket.emit('message', value),
    /** @param {unknown} value */
    async ask(value) {
      socket.emit('message', value);
      return messages.next();
    },
    close: () => void socket.disconnect(),
  };
}

/**
 * A session that polls, request by request.
 *
 * @param {string} origin
 * @param {{ path?: string, headers?: Record<string, string> }} [options] `path`: with the query of a WebSocket, without a transport
 */
export async function openPolling(origin, { path = SOCKETIO_PATH, headers } = {}) {
  const url = `${origin}${path}&transport=polling`;
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  const { sid } = JSON.parse(text.slice(1));
  const own = `${url}&sid=${sid}`;
  const session = {
    sid: String(sid),
    /** @type {{ pingInterval: number, upgrades: string[] }} */
    opened: JSON.parse(text.slice(1)),
    url: own,
    /** @param {string | readonly string[]} packets @param {RequestInit} [init] */
    async post(packets, init) {
      const body = typeof packets === 'string' ? packets : packets.join(SEPARATOR);
      const posted = await fetch(own, { method: 'POST', body, ...init });
      return { status: posted.status, text: await posted.text() };
    },
    /** @returns {Promise<string[]>} the packets of the next answer; of one that is refused its status and code */
    async poll() {
      const polled = await fetch(own);
      const answer = await polled.text();
      return polled.status === 200 ? answer.split(SEPARATOR) : [String(polled.status), JSON.parse(answer).error?.code];
    },
    /** Connects, as a client does before it sends a message. */
    async connect() {
      await session.post('40');
      const [packet] = await session.poll();
      if (!packet.startsWith('40{')) throw new Error(`expected to be connected, got ${packet}`);
      return session;
    },
    /** @param {unknown} value @returns {Promise<any>} */
    async ask(value) {
      await session.post(messageOf(value));
      return valueOf((await session.poll())[0]);
    },
  };
  return session;
}

/**
 * A WebSocket of Socket.IO's, packet by packet: it opens a session, and connects.
 *
 * @param {number} port
 * @param {{ path?: string }} [options] as of {@link openPolling}
 */
export async function openPackets(port, { path = SOCKETIO_PATH } = {}) {
  const packets = await openWebSocket(`ws://127.0.0.1:${port}${path}&transport=websocket`);
  await packets.next();
  const connected = await packets.ask('40');
  if (!connected.startsWith('40{')) throw new Error(`expected to be connected, got ${connected}`);
  return packets;
}

/**
 * Upgrades a session that polls, as far as until its WebSocket may be used.
 *
 * @param {number} port
 * @param {Awaited<ReturnType<typeof openPolling>>} session
 * @param {{ path?: string }} [options]
 */
export async function upgradeSession(port, { sid, poll }, { path = SOCKETIO_PATH } = {}) {
  const packets = await openWebSocket(`ws://127.0.0.1:${port}${path}&transport=websocket&sid=${sid}`);
  // A poll that waits is answered, so that none is in the way.
  const polled = poll();
  const probed = await packets.ask('2probe');
  if (probed !== '3probe') throw new Error(`expected to be probed, got ${probed}`);
  await polled;
  packets.socket.send('5');
  return packets;
}
