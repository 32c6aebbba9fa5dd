/**
 * What the library behind the meter refuses by itself: WebSockets without a meter.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { createWebSockets, IGNORE } from '../../../server/channel/web-socket.js';
import { frame, openRaw, upgradeHead } from '../../support/payload-client.js';

/** @import { AddressInfo } from 'node:net' */

const LIMITS = { messageBytes: 100, partCount: 3, packetCount: 5 };
const part = (/** @type {number} */ opcode) => frame('x', { opcode, fin: false });
const whole = frame('x'.repeat(20));

/** @param {readonly Buffer[]} chunks that the library gets, each apart @returns {Promise<string>} in Latin-1, what the client got */
async function answerTo(chunks) {
  const sockets = createWebSockets(LIMITS);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('upgrade', (req, socket) =>
    sockets.open(req, socket, (ws) => {
      ws.on('error', IGNORE);
      ws.on('message', () => ws.close(1000));
      for (const chunk of chunks) socket.emit('data', chunk);
    }),
  );
  const { port } = /** @type {AddressInfo} */ (server.address());
  const client = await openRaw(port);
  client.send(upgradeHead('/'));
  await client.received(1);
  while (!/\x88[^]{3}/.test(client.text())) await new Promise(setImmediate);
  client.socket.destroy();
  server.close();
  return client.text();
}

describe('the library behind the meter', () => {
  for (const [what, code, chunks] of /** @type {[string, number, Buffer[]][]} */ ([
    ['takes as many parts as there may be', 1000, [part(1), part(0), frame('x', { opcode: 0 })]],
    ['refuses one part more', 1008, [part(1), part(0), part(0), part(0)]],
    [
      'takes as many packets as there may be',
      1000,
      [0, 1, 2, 3, 20].map((at, i, all) => whole.subarray(at, all[i + 1])),
    ],
    ['refuses one packet more', 1008, [6, 7, 8, 9, 10, 11, 12].map((at, i) => whole.subarray(i && at - 1, at))],
    ['refuses a larger message', 1009, [frame('x'.repeat(101))]],
  ])) {
    it(what, async () => {
      const text = await answerTo(chunks);
      assert.equal(Buffer.from(text.slice(text.indexOf('\x88')), 'latin1').readUInt16BE(2), code);
    });
  }
});
