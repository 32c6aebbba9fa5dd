/**
 * What floods cost in memory: ten clients for each flood, against servers in processes of their own, by the most that they
 * hold while the clients are there. That each path handles each flood in small portions, of clients that read and of clients
 * that do not, is in flood-pairs.test.js; here each library that serves sockets gets each flood, of the one and of the other in
 * turn, at its paths in turn.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openFlood, FLOOD_KINDS } from '../support/flood.js';
import { startMeasuredServer } from '../support/measured-server.js';
import { listSocketPaths } from '../support/socket-paths.js';
import { openWebSocket } from '../support/web-socket.js';

/**
 * @import { Held } from '../support/measured-server.js'
 * @import { SocketPath } from '../support/socket-paths.js'
 */

const MIB = 1024 * 1024;
const CLIENTS = 10;
const LARGE = '1 MiB messages';
/** Of each client; of large messages more than one. */
const FLOOD_BYTES = 3 * MIB;
/** Nobody reads them all: a server that does not go on is what some of these clients are for. */
const FLOOD_LIMIT_MS = 250;
/**
 * Of what something still refers to, and of what the system has given, while garbage is collected ten times a second. By
 * itself Node.js leaves garbage lying that costs nothing: chunks that were read and are done with alone grow to 32 MB on
 * 20 and to 80 MB on 24 before it looks at them, which tells of V8 and not of this server.
 */
const MOST_BYTES = 64 * MIB;
const MOST_BYTES_OF_LARGE = 200 * MIB;
/** For the same reason: on a busy machine, where a collection comes late, the space for new objects alone grew by 74 MB on 24. */
const SMALL_NEW_SPACE = ['--max-semi-space-size=4'];
const SOCKET_PATHS = await listSocketPaths();
/** The first matching pattern decides. */
const LIBRARIES = Object.entries({
  'Socket.IO': /\/socket\.io\//,
  'sessions of SockJS': /\/[^/]+\/[^/]+\/websocket/,
  'raw sockets of SockJS': /\/websocket$/,
  ws: /^/,
});

/** @type {Record<string, SocketPath[]>} */
const PATHS_BY_LIBRARY = {};
for (const path of SOCKET_PATHS) {
  const [library] = LIBRARIES.find(([, pattern]) => pattern.test(path.example)) ?? assert.fail(path.example);
  (PATHS_BY_LIBRARY[library] ??= []).push(path);
}

/** @param {readonly SocketPath[]} paths @returns {string} the one that takes a message in the most parts */
const mostParts = (paths) =>
  paths.reduce((most, one) => (one.limits.partCount > most.limits.partCount ? one : most)).example;

/**
 * @param {number} port
 * @param {{ path: string, kind: string, reads: boolean }} flood
 * @param {{ clients: number, bytes: number, limitMs?: number }} size
 * @returns {Promise<() => void>} ends the connections that the server has not closed
 */
async function floodOnce(port, flood, { clients, bytes, limitMs = FLOOD_LIMIT_MS }) {
  const opened = await Promise.all(Array.from({ length: clients }, () => openFlood({ ...flood, port, bytes })));
  const limit = new Promise((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([Promise.all(opened.map(({ closed }) => closed)), limit]);
  return () => {
    for (const { stop } of opened) stop();
  };
}

/**
 * @param {Awaited<ReturnType<typeof startMeasuredServer>>} server
 * @param {() => Promise<() => void>} flood
 * @returns {Promise<Held>} by how much each grew at the worst
 */
async function growthBy(server, flood) {
  const before = await server.watch();
  const stop = await flood();
  const most = await server.unwatch();
  stop();
  return { heldBytes: most.heldBytes - before.heldBytes, rssBytes: most.rssBytes - before.rssBytes };
}

describe('the memory of a server', () => {
  for (const [i, [library, socketPaths]] of Object.entries(PATHS_BY_LIBRARY).entries()) {
    const paths = socketPaths.map(({ example }) => example);
    it(`grows by less than ${MOST_BYTES / MIB} MB by a flood on ${library}, ${MOST_BYTES_OF_LARGE / MIB} by ${LARGE}`, async () => {
      const server = await startMeasuredServer({}, SMALL_NEW_SPACE);
      try {
        for (const path of paths) {
          // What a server takes for good once it has seen them, compiled code above all.
          const stop = await floodOnce(
            server.port,
            { path, kind: 'tiny texts', reads: true },
            { clients: 1, bytes: MIB },
          );
          stop();
        }
        for (const [j, kind] of FLOOD_KINDS.entries()) {
          const reads = (i + j) % 2 === 0;
          const path = paths[j % paths.length];
          const size = { clients: CLIENTS, bytes: FLOOD_BYTES };
          const grown = await growthBy(server, () => floodOnce(server.port, { path, kind, reads }, size));
          const mostBytes = kind === LARGE ? MOST_BYTES_OF_LARGE : MOST_BYTES;
          for (const [name, bytes] of Object.entries(grown)) {
            assert.ok(bytes < mostBytes, `${path}: ${kind}, ${reads}: ${name} grew by ${bytes / MIB} MB`);
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
      for (const paths of Object.values(PATHS_BY_LIBRARY)) {
        const flood = { path: mostParts(paths), kind: 'empty fragments', reads: true };
        const stop = await floodOnce(server.port, flood, { clients: 1, bytes: 40_000_000, limitMs: 10_000 });
        stop();
      }
      const socket = await openWebSocket(`ws://127.0.0.1:${server.port}/echo/websocket`);
      assert.deepEqual(JSON.parse(await socket.ask('{"count":1}')), { count: 2 });
      socket.close();
    } finally {
      await server.close();
    }
  });
});
