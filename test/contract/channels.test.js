/** The contract of kinds of connection, and what only their two halves together show: the client's over the server's. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { io } from 'socket.io-client';
import SockJS from 'sockjs-client';
import { EventSource } from 'undici';
import { WebSocket } from 'ws';
import { kinds } from '../../core/net/channel/index.js';
import { transports } from '../../core/net/echo/index.js';
import { transfers } from '../../core/net/transfer/index.js';
import { upgradeHead } from '../support/payload-client.js';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { fillPattern } from '../support/socket-paths.js';
import { withServer, withTwoWorkers } from '../support/two-workers.js';
import { channelContractOf, exchange, toMessage, withChannel } from './channel-contract.js';

/**
 * @import { AddressInfo, Socket } from 'node:net'
 * @import { Subject } from './channel-contract.js'
 * @import { TestServer } from '../support/server.js'
 */

/** A row of each kind, and what it is built on here. @type {Record<string, any>} */
const LIBRARIES = { ws: WebSocket, sockjs: SockJS, socketio: io, 'socketio-websocket': io, sse: EventSource, fetch };
const NAMES = Object.keys(LIBRARIES);
const LASTING = NAMES.filter((name) => transports[name].isSocket);
const NOBODY = 'http://127.0.0.1:1';
/** Long answers that do not fit into the system's own memory for two connections. */
const LONG = 'x'.repeat(60_000);
const LONG_COUNT = 400;
const UNSENT_BYTES = 100_000;
/** Above what a server takes in one message. */
const TOO_LONG = 1_200_000;

/** @param {string} name @param {string} origin @returns {Subject} */
function subjectOf(name, origin) {
  const row = transports[name];
  return { row, library: LIBRARIES[name], url: origin + row.endpoint, lostUrl: NOBODY + row.endpoint };
}

describe('a kind of connection', () => {
  /** @type {TestServer} */
  let server;
  /** @type {Set<Socket>} */
  const sockets = new Set();
  before(async () => {
    server = await openServer();
    server.server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  });
  after(() => server.close());

  it('is the row of what is tested here', () => {
    assert.deepEqual(new Set(NAMES.map((name) => transports[name].kind)), new Set(Object.keys(kinds)));
  });

  it('carries what is binary where a transfer method sends that', () => {
    const binary = Object.values(transfers).filter(({ form }) => form === 'binary');
    assert.ok(binary.length > 0);
    for (const { kind } of binary) assert.ok(kinds[kind].carries.includes('binary'), kind);
  });

  for (const name of NAMES) {
    describe(`${name}, in Node`, () => {
      for (const [words, check] of Object.entries(channelContractOf(transports[name])))
        it(words, () => check(subjectOf(name, server.origin)));
    });
  }

  for (const name of LASTING) {
    /** @param {(subject: Subject) => void} hit what ends it @returns {Promise<any>} the error by which it ended */
    const endOf = (hit) =>
      new Promise((resolve, reject) => {
        const subject = subjectOf(name, server.origin);
        withChannel(subject, async (channel) => {
          await exchange(subject, channel);
          const error = await new Promise((end) => {
            channel.on({ end });
            hit({ ...subject, ...{ channel } });
          });
          assert.equal(channel.isOpen, false);
          assert.throws(() => channel.send(toMessage(subject, 1)), error);
          resolve(error);
        }).catch(reject);
      });

    it(`${name} ends where the server goes away, and then takes nothing`, async () => {
      const { outcome } = await endOf(() => sockets.forEach((socket) => socket.destroy()));
      assert.equal(outcome, 'closed');
    });

    it(`${name} ends where a message is longer than the server takes`, async () => {
      const { outcome } = await endOf((/** @type {any} */ { channel, ...subject }) =>
        channel.send(toMessage(subject, { count: 1, body: 'x'.repeat(TOO_LONG) })),
      );
      assert.equal(outcome, 'closed');
    });
  }

  it('says the code by which a WebSocket was closed', async () => {
    const subject = subjectOf('ws', server.origin);
    await withChannel(subject, async (channel) => {
      const [error, event] = await new Promise((resolve) => {
        channel.on({ end: (...all) => resolve(all) });
        channel.send(toMessage(subject, { count: 1, body: 'x'.repeat(TOO_LONG) }));
      });
      assert.equal(event.code, 1009);
      assert.match(error.message, /with code 1009/);
    });
  });
});

describe('a kind of connection to a server that drains', () => {
  /** Those that have codes. @type {Record<string, number>} */
  const CODES = { ws: 1001, sockjs: 1001 };

  for (const name of LASTING) {
    it(`${name} is closed, with 1001 where it has codes`, () =>
      withServer({}, async (server) => {
        const subject = subjectOf(name, server.origin);
        await withChannel(subject, async (channel) => {
          await exchange(subject, channel);
          const ended = new Promise((resolve) => channel.on({ end: (...all) => resolve(all) }));
          const drained = server.drain();
          const [error, event] = await ended;
          assert.equal(error.outcome, 'closed');
          if (name in CODES) assert.equal(event.code, CODES[name]);
          await drained;
        });
      }));
  }
});

describe('a kind of connection to two workers', () => {
  for (const name of ['sockjs-xhr-polling', 'sockjs-xhr-streaming', 'socketio', 'sse']) {
    it(`${name} works though each of its requests may come to either`, () =>
      withTwoWorkers(async (workers) => {
        let relayedCount = 0;
        for (const { ownServer } of workers) ownServer?.on('request', () => relayedCount++);
        const proxy = await openProxy(workers.map(({ port }) => port));
        try {
          const subject = { ...subjectOf(name, proxy.origin), library: LIBRARIES[name.split('-')[0]] };
          // Of a session that has both its requests at its owner, none is relayed.
          for (let i = 0; i < 10 && relayedCount === 0; i++)
            for (const check of Object.values(channelContractOf(transports[name]))) await check(subject);
          assert.ok(relayedCount > 0);
        } finally {
          await proxy.close();
        }
      }));
  }
});

describe('a kind of connection whose client does not read', () => {
  for (const name of LASTING) {
    it(`${name} fills no memory of the server, which reads no more of it, or ends it`, { timeout: 60_000 }, () =>
      withServer({ limits: { unsentBytes: UNSENT_BYTES } }, async (server) => {
        /** @type {Set<Socket>} */
        const sockets = new Set();
        server.server.on('connection', (socket) => sockets.add(socket));
        const proxy = await openProxy([server.port]);
        const subject = subjectOf(name, proxy.origin);
        try {
          await withChannel(subject, async (channel) => {
            await exchange(subject, channel);
            channel.on({});
            let mostUnsent = 0;
            const isHeld = (/** @type {Socket} */ one) => one.destroyed || (one.isPaused() && one.writableLength > 0);
            proxy.stall();
            for (let count = 0; channel.isOpen && (mostUnsent === 0 || ![...sockets].some(isHeld)); count++) {
              if (count < LONG_COUNT) channel.send(toMessage(subject, { count, body: LONG }));
              await nextTask();
              mostUnsent = Math.max(mostUnsent, ...[...sockets].map(({ writableLength }) => writableLength));
            }
            assert.ok(mostUnsent < UNSENT_BYTES + 2 * LONG.length, `${mostUnsent}`);
          });
        } finally {
          await proxy.close();
        }
      }),
    );
  }
});

describe('a kind of connection to a server for its own pages', () => {
  for (const { name, paths } of Object.values(kinds)) {
    it(`${name} is refused to others`, () =>
      withServer({ env: { ALLOWED_ORIGINS: 'https://friend.example' } }, async ({ port, paths: all }) => {
        const own = all.filter(({ pattern }) => Object.values(paths).some((path) => isBelow(pattern, path)));
        assert.ok(own.length > 0);
        for (const { pattern, methods, socketLimits } of own) {
          const heads = [
            requestHeadOf(pattern, methods[0]),
            ...(socketLimits ? [upgradeHead(fillPattern(pattern))] : []),
          ];
          for (const head of heads) {
            const strange = head.replace('\r\n', '\r\nOrigin: https://stranger.example\r\nConnection: close\r\n');
            assert.match(await sendRaw(port, strange), /^HTTP\/1.1 403 /, pattern);
          }
        }
      }));
  }
});

/** @param {string} pattern @param {string} path */
const isBelow = (pattern, path) => pattern === path || ['/', '?'].some((mark) => pattern.startsWith(path + mark));

/** @param {string} pattern @param {string} method */
const requestHeadOf = (pattern, method) =>
  `${method} ${fillPattern(pattern)} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;

/**
 * A proxy that hands connections out to servers in turn, and may keep back what these answer.
 * @param {readonly number[]} ports of the servers
 */
async function openProxy(ports) {
  /** @type {Set<[Socket, Socket]>} */
  const pairs = new Set();
  let count = 0;
  let isStalled = false;
  const proxy = createServer((client) => {
    const server = connectTo(ports[count++ % ports.length], '127.0.0.1');
    const pair = /** @type {[Socket, Socket]} */ ([client, server]);
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server);
    server.on('data', (chunk) => {
      if (!client.write(chunk)) server.pause();
    });
    client.on('drain', () => {
      if (!isStalled) server.resume();
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    origin: `http://127.0.0.1:${/** @type {AddressInfo} */ (proxy.address()).port}`,
    stall() {
      isStalled = true;
      for (const [, server] of pairs) server.pause();
    },
    async close() {
      for (const sockets of pairs) for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));
