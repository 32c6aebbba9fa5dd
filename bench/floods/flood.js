/**
 * Clients that send as fast as the connection takes it, until they have sent enough, are closed or are told to stop.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { upgradeHead } from '../../test/support/payload-client.js';
import { floodOf } from './kinds.js';

/** @import { Socket } from 'node:net' */

const TAIL_CHARACTERS = 300;
/** The first byte of a close frame; answers are ASCII. */
const CLOSE = '\x88';
const SOCKJS_CLOSE = /c\[(\d{4}),/;

/**
 * @typedef {object} FloodClient
 * @property {Promise<number | undefined>} closed the code of the close; absent where none was read
 * @property {Promise<unknown>} sent all that it was to send, or it was closed
 * @property {() => void} stop
 */

/**
 * @param {object} options
 * @param {number} options.port on the loopback interface
 * @param {string} options.path
 * @param {string} options.kind of FLOOD_KINDS
 * @param {boolean} options.reads what it is answered
 * @param {number} options.bytes to send, at most
 * @returns {Promise<FloodClient>}
 */
export async function openFlood({ port, path, kind, reads, bytes }) {
  const { opening, block } = floodOf(kind, path);
  const socket = connect(port, '127.0.0.1');
  // A reset is one way to be closed.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(upgradeHead(path));
  let tail = '';
  const [answer] = await once(socket, 'data');
  if (!String(answer).startsWith('HTTP/1.1 101')) throw new Error(`${path}: expected an upgrade, got ${answer}`);
  socket.on('data', (chunk) => {
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - TAIL_CHARACTERS))).slice(-TAIL_CHARACTERS);
  });
  if (!reads) socket.pause();
  // Not by once() of node:events, which rejects where a reset came before.
  const closed = new Promise((resolve) => socket.once('close', resolve)).then(() => closeCodeIn(tail));
  const stop = () => socket.destroy();
  if (opening) socket.write(opening);
  const sent = send(socket, block, bytes);
  return { closed, sent, stop };
}

/** @param {Socket} socket @param {Buffer} block @param {number} bytes */
async function send(socket, block, bytes) {
  const ended = new AbortController();
  socket.once('close', () => ended.abort());
  for (let left = bytes; left > 0 && socket.writable; left -= block.length) {
    if (socket.write(block)) continue;
    await once(socket, 'drain', { signal: ended.signal }).catch(() => {});
  }
}

/** @param {string} text */
function closeCodeIn(text) {
  const bySockjs = SOCKJS_CLOSE.exec(text)?.[1];
  if (bySockjs) return Number(bySockjs);
  const at = text.lastIndexOf(CLOSE);
  return at < 0 ? undefined : text.charCodeAt(at + 2) * 256 + text.charCodeAt(at + 3);
}
