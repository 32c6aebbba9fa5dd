/**
 * Clients of the payload experiment on bare connections, sent and read byte by byte.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** How often a server is asked: not all the time, as it has other things to do. */
const LOOK_MS = 25;
const SHOWN_CHARACTERS = 10_000;

/**
 * One frame of a WebSocket client, its mask all zeros so that the payload is seen as it is.
 *
 * @param {string | Buffer} payload
 * @param {{ opcode?: number, fin?: boolean }} [options] opcode 1 is text, 2 bytes, 0 a part after the first, 9 a ping
 * @returns {Buffer}
 */
export function frame(payload, { opcode = typeof payload === 'string' ? 1 : 2, fin = true } = {}) {
  const bytes = Buffer.from(payload);
  const length = bytes.length;
  const extended = Buffer.alloc(length > 0xffff ? 8 : length > 125 ? 2 : 0);
  if (extended.length === 8) extended.writeUInt32BE(length, 4);
  if (extended.length === 2) extended.writeUInt16BE(length);
  const short = length > 0xffff ? 127 : length > 125 ? 126 : length;
  return Buffer.concat([Buffer.of((fin ? 0x80 : 0) | opcode, 0x80 | short), extended, Buffer.alloc(4), bytes]);
}

/**
 * @param {string} path
 * @param {{ method?: string, length?: number }} [options] `length` of a body that is not part of it
 */
export function requestHead(path, { method = 'GET', length = 0 } = {}) {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
}

/** @param {string} path */
export function upgradeHead(path) {
  const key = randomBytes(16).toString('base64');
  return [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${key}`,
    '\r\n',
  ].join('\r\n');
}

/** @param {number} port */
export async function openRaw(port) {
  const socket = connect(port, '127.0.0.1');
  let receivedBytes = 0;
  let text = '';
  let wake = () => {};
  socket.on('data', (chunk) => {
    receivedBytes += chunk.length;
    if (text.length < SHOWN_CHARACTERS) text += chunk.toString('latin1');
    wake();
  });
  // A reset is one way for a server to close.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return {
    socket,
    closed,
    /** The beginning of what it got. */
    text: () => text,
    /** @param {string | Buffer} bytes */
    send: (bytes) => void socket.write(bytes),
    /** @param {number} bytes of all that it gets */
    async received(bytes) {
      while (receivedBytes < bytes && !socket.destroyed) {
        await new Promise((resolve) => {
          wake = () => resolve(undefined);
          void closed.then(wake);
        });
      }
      return receivedBytes;
    },
  };
}

/**
 * @param {string} origin
 * @returns {Promise<number>} what the server says that it has on hand
 */
export async function bytesInFlight(origin) {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^sockshootout_payload_bytes_in_flight\{.*\} (\d+)$/m.exec(text)?.[1]);
}

/**
 * Asks until the answer pleases.
 *
 * @param {string} origin
 * @param {(bytes: number) => boolean} isEnough
 */
export async function untilInFlight(origin, isEnough) {
  while (!isEnough(await bytesInFlight(origin))) await setTimeout(LOOK_MS);
}
