/**
 * What floods cost in memory: ten clients for each flood, on each path of the list that the server itself uses, against
 * servers in processes of their own, by the most that they ever had.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openFlood } from '../../bench/floods/flood.js';
import { FLOOD_KINDS } from '../../bench/floods/kinds.js';
import { SOCKET_PATHS } from '../../server/sockets/list.js';
import { startMeasuredServer } from '../support/measured-server.js';
import { openWebSocket } from '../support/web-socket.js';

const MIB = 1024 * 1024;
const CLIENTS = 10;
const LARGE = '1 MiB messages';
/** Of each client; of large messages more than one. */
const FLOOD_BYTES = 3 * MIB;
/** Nobody reads them all: a server that does not go on is what some of these clients are for. */
const FLOOD_LIMIT_MS = 500;
/**
 * Twice what is measured at the worst (71 MB on Node.js 24), so that what the garbage collector happens to have left does not
 * matter: without the meter a flood takes hundreds of MB, or ends the server.
 */
const MOST_BYTES = 144 * MIB;
const MOST_BYTES_OF_LARGE = 400 * MIB;
const PATHS = SOCKET_PATHS.map(({ example }) => example);

/**
 * @param {number} port
 * @param {{ path: string, kind: string, reads: boolean }} flood
 * @param {{ clients: number, bytes: number, limitMs?: number }} size
 */
async function floodOnce(port, flood, { clients, bytes, limitMs = FLOOD_LIMIT_MS }) {
  const opened = await Promise.all(Array.from({ length: clients }, () => openFlood({ ...flood, port, bytes })));
  const limit = new Promise((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([Promise.all(opened.map(({ closed }) => closed)), limit]);
  for (const { stop } of opened) stop();
}

/**
 * @param {Awaited<ReturnType<typeof startMeasuredServer>>} server
 * @param {() => Promise<void>} flood
 * @returns {Promise<number>} bytes by which the server's memory grew at the worst
 */
async function growthBy(server, flood) {
  const before = await server.memory();
  await flood();
  const { peakRssBytes } = await server.memory();
  // Where it had more before that, it has not grown.
  return peakRssBytes > before.peakRssBytes ? peakRssBytes - before.rssBytes : 0;
}

describe('the memory of a server', () => {
  for (const path of PATHS) {
    it(`grows by less than ${MOST_BYTES / MIB} MB by a flood on ${path}, ${MOST_BYTES_OF_LARGE / MIB} by ${LARGE}`, async () => {
      const server = await startMeasuredServer();
      try {
        // What a server takes for good once it has seen them, compiled code above all.
        await floodOnce(server.port, { path, kind: 'tiny texts', reads: true }, { clients: 1, bytes: MIB });
        for (const kind of FLOOD_KINDS) {
          for (const reads of [true, false]) {
            const size = { clients: CLIENTS, bytes: FLOOD_BYTES };
            const grownBytes = await growthBy(server, () => floodOnce(server.port, { path, kind, reads }, size));
            const mostBytes = kind === LARGE ? MOST_BYTES_OF_LARGE : MOST_BYTES;
            assert.ok(grownBytes < mostBytes, `${kind}, ${reads}: ${grownBytes / MIB} MB`);
          }
        }
      } finally {
        await server.close();
      }
    });
  }
});

describe('one client that sends parts of a message without end', () => {
  it('does not end a server with a small heap, whichever library serves it', async () => {
    const server = await startMeasuredServer({}, ['--max-old-space-size=256']);
    try {
      for (const path of PATHS) {
        const flood = { path, kind: 'empty fragments', reads: true };
        await floodOnce(server.port, flood, { clients: 1, bytes: 40_000_000, limitMs: 10_000 });
      }
      const socket = await openWebSocket(`ws://127.0.0.1:${server.port}/echo/websocket`);
      assert.deepEqual(JSON.parse(await socket.ask('{"count":1}')), { count: 2 });
      socket.close();
    } finally {
      await server.close();
    }
  });
});
