/** Plays a sequence on a connection of its own. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @import { Socket } from 'node:net'
 * @import { Sequence, Step } from './sequence.js'
 */

/** Others than visitors have, as the server may give an address only a share of what there is. */
const FUZZ_ADDRESS = '127.0.0.2';
/** An upgrade may have been refused, or wait for ever. */
const UPGRADE_LIMIT_MS = 150;
/** Without a byte, after some: nothing more is expected. */
const IDLE_MS = 30;
const READ_LIMIT_MS = 250;
/** Of what comes, as much is looked at. */
const KEPT_BYTES = 512 * 1024;

/**
 * @param {number} port @param {Sequence} sequence
 * @returns {Promise<Buffer>} what came, from the beginning
 */
export async function playSequence(port, { steps, ending }) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: FUZZ_ADDRESS, allowHalfOpen: true });
  // A reset is one way for a server to close.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const received = listen(socket);
  await Promise.race([once(socket, 'connect').catch(() => {}), closed]);
  for (const step of steps) {
    if (socket.destroyed) break;
    await take(socket, step, received);
  }
  if (!socket.destroyed) await end(socket, ending, received);
  socket.destroy();
  await closed;
  return received.bytes();
}

/** @param {Socket} socket */
function listen(socket) {
  /** @type {Buffer[]} */
  const chunks = [];
  let keptBytes = 0;
  /** When something came last; before that it is waited for. */
  let lastAtMs = Infinity;
  socket.on('data', (chunk) => {
    lastAtMs = performance.now();
    if (keptBytes < KEPT_BYTES) chunks.push(chunk);
    keptBytes += chunk.length;
  });
  return {
    bytes: () => Buffer.concat(chunks),
    idleMs: () => performance.now() - lastAtMs,
    isUpgraded: () => chunks.some((chunk) => chunk.includes('HTTP/1.1 101')),
  };
}

/** @param {Socket} socket @param {Step} step @param {ReturnType<typeof listen>} received */
async function take(socket, step, received) {
  if ('bytes' in step) {
    if (socket.writable) socket.write(step.bytes);
  } else if ('waitMs' in step) await sleep(step.waitMs);
  else if ('reads' in step) socket.pause();
  else {
    const giveUpAtMs = performance.now() + UPGRADE_LIMIT_MS;
    while (!received.isUpgraded() && !socket.destroyed && performance.now() < giveUpAtMs) await sleep(2);
  }
}

/** @param {Socket} socket @param {Sequence['ending']} ending @param {ReturnType<typeof listen>} received */
async function end(socket, ending, received) {
  if (ending === 'destroy') return;
  if (ending === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  if (ending === 'stall') {
    socket.pause();
    await sleep(READ_LIMIT_MS / 2);
    return;
  }
  if (ending === 'read') await untilIdle(socket, received);
  if (socket.destroyed) return;
  socket.end();
  await untilIdle(socket, received);
}

/** @param {Socket} socket @param {ReturnType<typeof listen>} received */
async function untilIdle(socket, received) {
  const giveUpAtMs = performance.now() + READ_LIMIT_MS;
  socket.resume();
  do await sleep(5);
  while (!socket.destroyed && performance.now() < giveUpAtMs && received.idleMs() < IDLE_MS);
}
