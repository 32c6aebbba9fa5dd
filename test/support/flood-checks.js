/**
 * A server whose sockets are watched, and what must hold for each of them under each flood.
 */
import assert from 'node:assert/strict';
import { isSocketio, openFlood, floodOf } from './flood.js';
import { LIMITS } from '../../server/http/limits.js';
import { meterOf } from '../../server/sockets/socket-meter.js';
import { openServer } from './server.js';

/**
 * @import { Socket } from 'node:net'
 * @import { TestServer } from './server.js'
 * @import { SocketPath } from './socket-paths.js'
 */

const MIB = 1024 * 1024;
/** A socket's buffer, a chunk that is coming, and one that waits. */
const MOST_HELD_BYTES = 3 * 64 * 1024;
/** What waited, what came after it, and what may come between two looks. */
const MOST_FRAMES_IN_A_TURN = 3 * LIMITS.framesPerTurn;
/** A frame's head, and SockJS's framing. */
const MOST_FRAMING_BYTES = 20;
/** More parts than the payload may come in, each at least six bytes. */
const FLOOD_BYTES = 200_000;

/** The codes that each flood is closed with; absent: it goes on. @type {Record<string, number[]>} */
const CLOSED_WITH = {
  pings: [1008],
  pongs: [1008],
  'empty fragments': [1008],
  'one-byte fragments': [1008, 1009],
};

/** Those of Socket.IO besides: each message is checked before its library parses it. @type {Record<string, number[]>} */
const SOCKETIO_CLOSED_WITH = { 'frames full of messages': [1008] };

/**
 * @typedef {object} WatchedServer
 * @property {TestServer} server
 * @property {Socket[]} sockets the server's ends, in the order in which they were upgraded
 */

/**
 * @param {Parameters<typeof openServer>[0]} [options]
 * @returns {Promise<WatchedServer>}
 */
export async function openWatchedServer(options) {
  /** @type {Socket[]} */
  const sockets = [];
  const server = await openServer(options);
  server.server.on('upgrade', (_req, socket) => sockets.push(/** @type {any} */ (socket)));
  return { server, sockets };
}

/** Looks at a connection in each turn of the event loop, until told to stop. */
export function watch(/** @type {Socket} */ socket) {
  const meter = meterOf(socket);
  assert.ok(meter);
  const most = { frames: 0, heldBytes: 0, drainListeners: 0 };
  let { frameCount } = meter.frames;
  const look = () => {
    most.frames = Math.max(most.frames, meter.frames.frameCount - frameCount);
    most.heldBytes = Math.max(most.heldBytes, meter.heldBytes + socket.readableLength);
    most.drainListeners = Math.max(most.drainListeners, socket.listenerCount('drain'));
    ({ frameCount } = meter.frames);
    timer = setImmediate(look);
  };
  let timer = setImmediate(look);
  return () => {
    clearImmediate(timer);
    return most;
  };
}

/** @param {() => boolean} isSo */
export async function until(isSo) {
  while (!isSo()) await new Promise(setImmediate);
}

/**
 * @param {WatchedServer} watched
 * @param {{ path: SocketPath, kind: string, reads: boolean }} flood
 * @throws {assert.AssertionError} unless it is handled in small portions, and closed exactly where it must be
 */
export async function checkFlood({ server, sockets }, { path: { example, limits }, kind, reads }) {
  sockets.length = 0;
  const bytes = kind === '1 MiB messages' ? 2 * MIB : FLOOD_BYTES;
  const client = await openFlood({ port: server.port, path: example, kind, reads, bytes });
  const [socket] = sockets;
  const stop = watch(socket);
  const { block, frameCount } = floodOf(kind, example);
  const isTooLarge = frameCount === 1 && block.length > limits.messageBytes + MOST_FRAMING_BYTES;
  const codes = isTooLarge ? [1009] : (isSocketio(example) && SOCKETIO_CLOSED_WITH[kind]) || CLOSED_WITH[kind];
  if (codes) {
    await until(() => Boolean(meterOf(socket)?.isClosing));
    if (reads) assert.ok(codes.includes(Number(await client.closed)), String(await client.closed));
  } else {
    await client.sent;
    const meter = meterOf(socket);
    await until(() => Number(meter?.frames.frameCount) > MOST_FRAMES_IN_A_TURN || frameCount === 1);
    assert.ok(!socket.writableEnded && !socket.destroyed);
  }
  const most = stop();
  client.stop();
  assert.ok(most.frames <= MOST_FRAMES_IN_A_TURN, JSON.stringify(most));
  assert.ok(most.heldBytes <= MOST_HELD_BYTES, JSON.stringify(most));
  assert.ok(most.drainListeners <= 2, JSON.stringify(most));
}
