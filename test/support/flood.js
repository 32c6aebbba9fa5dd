/**
 * Clients that keep a server busy: each repeats a block of frames, as fast as the connection takes it, until it has sent
 * enough, is closed or is told to stop.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { frame, upgradeHead } from './payload-client.js';

/** @import { Socket } from 'node:net' */

const MIB = 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;
const PARTS = 1000;
/** In a frame of SockJS's; to the others it is one message. */
const MESSAGES = 10_000;
/**
 * How each kind of socket takes a message: a session of SockJS's in a frame of messages, one of Socket.IO's as an event with a
 * value, which is an object for the echo and text for the others; all other sockets as it is.
 * @type {[kind: string, path: RegExp, wrap: (text: string) => string][]}
 */
const WRAPS = [
  ['SockJS', /\/[^/]+\/[^/]+\/websocket/, (text) => JSON.stringify([text])],
  ['Socket.IO', /^\/socket\.io\/\?/, (text) => `42["message",${text}]`],
  ['Socket.IO for text', /\/socket\.io\//, (text) => `42["message",${JSON.stringify(text)}]`],
  ['others', /^/, (text) => text],
];
const TAIL_CHARACTERS = 300;
/** The first byte of a close frame; answers are ASCII. */
const CLOSE = '\x88';
const SOCKJS_CLOSE = /c\[(\d{4}),/;

/** @typedef {{ opening?: Buffer, block: Buffer, frameCount: number }} Flood blocks of whole frames, after an opening */

/** @param {Buffer} one frame @param {Buffer} [opening] @returns {Flood} */
function repeated(one, opening) {
  const frameCount = Math.ceil(BLOCK_BYTES / one.length);
  return { opening, block: Buffer.concat(Array(frameCount).fill(one)), frameCount };
}

/** @type {Record<string, (wrap: (text: string) => string, isEvents: boolean) => Flood>} */
const FLOODS = {
  pings: () => repeated(frame('', { opcode: 9 })),
  pongs: () => repeated(frame('', { opcode: 10 })),
  'tiny texts': (wrap) => repeated(frame(wrap('{}'))),
  'empty texts': () => repeated(frame('')),
  'empty fragments': () => repeated(frame('', { opcode: 0, fin: false }), frame('', { fin: false })),
  'one-byte fragments': () => repeated(frame('x', { opcode: 0, fin: false }), frame('x', { fin: false })),
  'messages in 1,000 parts': (wrap) => ({ block: inParts(echoOf(PARTS, wrap)), frameCount: PARTS }),
  'frames full of messages': (_wrap, isEvents) => {
    const messages = JSON.stringify(Array(MESSAGES).fill('{}'));
    return { block: frame(isEvents ? `42["message",${messages}]` : messages), frameCount: 1 };
  },
  '1 MiB messages': (wrap) => ({ block: frame(echoOf(MIB, wrap)), frameCount: 1 }),
};

/** A stream as fast as possible, of as many pieces as may be. */
const ASK = JSON.stringify({ pieces: 1000, bytes: 100, rate: 0, tag: 'one' });
const STOP = JSON.stringify({ stop: 'one' });
/** Only of use where streams are asked for. @type {Record<string, (wrap: (text: string) => string) => Flood>} */
const STREAM_FLOODS = {
  'asks for streams': (wrap) => repeated(frame(wrap(ASK))),
  'asks for streams that are stopped at once': (wrap) =>
    repeated(Buffer.concat([ASK, STOP].map((text) => frame(wrap(text))))),
};

export const FLOOD_KINDS = Object.keys(FLOODS);
export const STREAM_FLOOD_KINDS = Object.keys(STREAM_FLOODS);

/** Made once: a block takes longer to make than to send. @type {Map<string, Flood>} */
const made = new Map();

/** @param {string} kind of {@link FLOOD_KINDS} or {@link STREAM_FLOOD_KINDS} @param {string} path of the socket @returns {Flood} */
export function floodOf(kind, path) {
  const [of, , wrap] = WRAPS.find(([, pattern]) => pattern.test(path)) ?? WRAPS[WRAPS.length - 1];
  const key = `${kind} ${of}`;
  const flood = made.get(key) ?? { ...FLOODS, ...STREAM_FLOODS }[kind](wrap, isSocketio(path));
  made.set(key, flood);
  return flood;
}

/** @param {string} path of a socket */
export const isSocketio = (path) => path.includes('/socket.io/');

/** A message that the echoes answer with as many bytes. @param {number} bytes @param {(text: string) => string} wrap */
function echoOf(bytes, wrap) {
  const textOf = (/** @type {number} */ length) => wrap(JSON.stringify({ count: 1, body: 'x'.repeat(length) }));
  return textOf(bytes - textOf(0).length);
}

/** @param {string} text of one byte a part */
function inParts(text) {
  const last = text.length - 1;
  return Buffer.concat([...text].map((byte, i) => frame(byte, { opcode: i === 0 ? 1 : 0, fin: i === last })));
}

/**
 * @param {{ port: number, path: string, kind: string, reads: boolean, bytes: number }} options `kind`: of {@link FLOOD_KINDS};
 *   `reads`: what it is answered; `bytes`: to send, at most
 * @returns {Promise<{ closed: Promise<number | undefined>, sent: Promise<unknown>, stop: () => void }>} `closed`: the code of
 *   the close, absent where none was read; `sent`: all that it was to send, or it was closed
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
  if (isSocketio(path)) await connectSocketio(socket);
  socket.on('data', (chunk) => {
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - TAIL_CHARACTERS))).slice(-TAIL_CHARACTERS);
  });
  if (!reads) socket.pause();
  // Not by once() of node:events, which rejects where a reset came before.
  const closed = new Promise((resolve) => socket.once('close', resolve)).then(() => closeCodeIn(tail));
  if (opening) socket.write(opening);
  return { closed, sent: send(socket, block, bytes), stop: () => socket.destroy() };
}

/** Has a session of Socket.IO's take messages, which it does when it has answered. @param {Socket} socket */
async function connectSocketio(socket) {
  socket.write(frame('40'));
  for (let said = ''; !said.includes('40{'); said += String((await once(socket, 'data'))[0]));
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
