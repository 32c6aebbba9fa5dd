/** The echo over Socket.IO, by the library's own client. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { untilTrue } from '../../support/job-client.js';
import { countOpen } from '../../support/metrics.js';
import { openServer } from '../../support/server.js';
import { openSocketioSession } from '../../support/socketio-session.js';

/** @import { TestServer } from '../../support/server.js' */

/** Opens a session in each way. @type {Record<string, (server: TestServer) => Promise<Awaited<ReturnType<typeof openSocketioSession>>>>} */
const OPENERS = {
  polling: ({ origin }) => openSocketioSession(`${origin}/socket.io`, { transports: ['polling'] }),
  'its defaults, after the upgrade': async ({ origin }) => {
    const session = await openSocketioSession(`${origin}/socket.io`);
    await session.upgraded;
    assert.equal(session.transport(), 'websocket');
    return session;
  },
  'a WebSocket alone': ({ origin }) => openSocketioSession(`${origin}/socket.io`, { transports: ['websocket'] }),
};

for (const [name, open] of Object.entries(OPENERS)) {
  describe(`the echo over Socket.IO by ${name}`, () => {
    /** @type {TestServer} */
    let server;
    before(async () => {
      server = await openServer();
    });
    after(() => server.close());

    it('answers in the order it was asked', async () => {
      const session = await open(server);
      for (let count = 0; count < 500; count++) session.send({ count });
      for (let count = 0; count < 500; count++) assert.deepEqual(await session.next(), { count: count + 1 });
      session.close();
    });

    it('answers each error, and goes on', async () => {
      const session = await open(server);
      for (const [value, code] of /** @type {[unknown, string][]} */ ([
        [{ count: -1 }, 'bad-count'],
        [{ count: '1' }, 'bad-count'],
        [{}, 'bad-count'],
        [[], 'bad-json'],
        [null, 'bad-json'],
        [7, 'bad-json'],
        ['{"count":1}', 'bad-json'],
      ])) {
        assert.equal((await session.ask(value)).error.code, code, JSON.stringify(value));
      }
      assert.deepEqual(await session.ask({ count: 1, body: 'Söckchen', x: [{ y: null }] }), {
        count: 2,
        body: 'Söckchen',
        x: [{ y: null }],
      });
      session.close();
    });

    it('answers a message without an argument in words, also where it is to be acknowledged', async () => {
      const session = await open(server);
      for (const args of [[], [() => assert.fail('nothing is acknowledged')]]) {
        session.socket.emit('message', ...args);
        const { error } = await session.next();
        assert.equal(error.code, 'bad-json');
        assert.match(error.message, /got none$/);
      }
      session.close();
    });

    it('ignores other events, further arguments and acknowledgements', async () => {
      const session = await open(server);
      session.socket.emit('other', { count: 1 });
      session.socket.emit('__proto__', { count: 1 });
      session.socket.emit('message', { count: 1 }, 2, () => assert.fail('nothing is acknowledged'));
      assert.deepEqual(await session.next(), { count: 2 });
      assert.deepEqual(await session.ask({ count: 2 }), { count: 3 });
      session.close();
    });

    it('ends with an event called error, and the server goes on', async () => {
      const session = await open(server);
      session.socket.emit('error', { message: 'of a client' });
      await session.closed;
      const next = await open(server);
      assert.deepEqual(await next.ask({ count: 1 }), { count: 2 });
      next.close();
    });

    it('is one session, and none when its client has left', async () => {
      const session = await open(server);
      assert.equal(await countOpen(server, 'socketio'), 1);
      session.close();
      await untilTrue(async () => (await countOpen(server, 'socketio')) === 0);
    });
  });
}
