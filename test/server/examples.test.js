/** What the servers of the examples about moving do with clients that are no pages of theirs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it, mock } from 'node:test';
import { WebSocket } from 'ws';
import { News } from '../../examples/news.js';

/** @import { AddressInfo } from 'node:net' */

const EXAMPLES = new URL('../../examples/', import.meta.url);
const PATHS = Object.freeze({ ws: '/messages', socketio: '/socket.io/?EIO=4&transport=websocket' });

/** Rejects when an exception ends the process. */
const failure = () => new Promise((_, reject) => process.once('uncaughtExceptionMonitor', reject));

for (const [method, path] of Object.entries(PATHS)) {
  describe(`the example of a server of ${method}`, () => {
    const server = createServer();
    /** @type {number} */
    let port;
    before(async () => {
      const { acceptSockets } = await import(new URL(`${method}/accept.js`, EXAMPLES).href);
      const { serveMessages } = await import(new URL(`${method}/request-server.js`, EXAMPLES).href);
      const io = method === 'socketio' ? acceptSockets(server) : undefined;
      serveMessages({ server, io, answer: (/** @type {{ n: number }} */ { n }) => n });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      port = /** @type {AddressInfo} */ (server.address()).port;
    });
    after(() => server.close());
    after(() => sockets.forEach((socket) => socket.terminate()));

    /** @type {WebSocket[]} */
    const sockets = [];
    const open = (origin = `http://127.0.0.1:${port}`) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { origin });
      sockets.push(socket);
      return socket;
    };

    it('accepts its own pages, and those of no other site', async () => {
      await once(open(), 'open');
      await assert.rejects(once(open('http://elsewhere.example'), 'open'));
    });

    it('closes a connection whose message has no answer', async () => {
      const socket = open();
      await once(socket, 'open');
      if (method === 'socketio') {
        socket.send('40');
        while (!String((await once(socket, 'message'))[0]).startsWith('40'));
      }
      const closed = once(socket, 'close');
      socket.send(method === 'socketio' ? '420["message",null]' : 'null');
      await Promise.race([failure(), closed]);
    });
  });
}

describe('the example that accepts WebSockets', () => {
  for (const [target, leave] of Object.entries({ '//': 'resume', '/nothing': 'resetAndDestroy' })) {
    it(`outlives an upgrade to ${target}`, async () => {
      const { acceptSockets } = await import(new URL('ws/accept.js', EXAMPLES).href);
      const server = createServer();
      acceptSockets(server, '/news', {});
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const client = connect(/** @type {AddressInfo} */ (server.address()).port, '127.0.0.1');
      const closed = new Promise((resolve) => {
        server.prependListener('upgrade', (_, socket) => {
          // Not by once(), which would listen for its errors, too.
          socket.on('close', resolve);
          client[/** @type {'resume'} */ (leave)]();
        });
      });
      client.write(`GET ${target} HTTP/1.1\r\nHost: site\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      try {
        await Promise.race([failure(), closed]);
      } finally {
        client.destroy();
        server.close();
      }
    });
  }
});

describe('the news of the examples', () => {
  it('have numbers above those from before a restart', () => {
    mock.timers.enable({ apis: ['Date'], now: 1e12 });
    try {
      const stopped = new News();
      stopped.add('old');
      stopped.add('old');
      const lastId = stopped.since(0).at(-1)?.id ?? NaN;
      mock.timers.tick(1000);
      const restarted = new News();
      restarted.add('new');
      assert.equal(restarted.since(lastId).length, 1);
    } finally {
      mock.timers.reset();
    }
  });
});
