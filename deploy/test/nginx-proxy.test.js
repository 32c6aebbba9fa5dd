/** What a real nginx does with requests, seen from behind it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { before, describe, it } from 'node:test';
import { requireNginx } from './support/nginx.js';
import { answerOk, withProxy, WORKERS } from './support/played-workers.js';

/** @import { withWorkers } from './support/played-workers.js' */

/** nginx draws each one's worker, anew for each port: that all are on one of two happens once in 8 million times. */
const SESSIONS = 24;

before(requireNginx);

/**
 * As if each worker were a machine of its own.
 *
 * @param {number} port
 */
function machinesAt(port) {
  return Array.from({ length: WORKERS }, (_, worker) => ['--upstream', `127.0.0.1:${port + 1 + worker}`]).flat();
}

/** @type {Parameters<typeof withWorkers>[0]} */
const breakFirst = (count, req, res) => {
  if (count === 0) req.socket.destroy();
  else answerOk(count, req, res);
};

describe('a request through nginx', () => {
  it('says who the visitor is, whatever the visitor says', () =>
    withProxy(answerOk, async ({ ask: askProxy, received, nginx }) => {
      const headers = {
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'localhost',
        'x-sockshootout-relayed': '1',
        connection: 'upgrade',
        upgrade: 'h2c',
      };
      await askProxy('/ajaxecho?count=1', { headers });
      const [{ req }] = received;
      const host = `127.0.0.1:${nginx.port}`;
      const { headers: got } = req;
      assert.deepEqual(
        [got['x-forwarded-for'], got['x-forwarded-proto'], got['x-forwarded-host'], got.host, got.upgrade, req.url],
        ['127.0.0.1', 'https', host, host, undefined, '/ajaxecho?count=1'],
      );
      assert.equal(got['x-sockshootout-relayed'], undefined);
    }));

  it('uses a kept connection, but a new one where it belongs to a session', () =>
    withProxy(answerOk, async ({ ask: askProxy, received }) => {
      const ports = async (/** @type {string} */ urlPath, headers = {}) => {
        received.length = 0;
        for (let i = 0; i < 4; i++) await askProxy(urlPath, { headers });
        return new Set(received.map(({ remotePort }) => remotePort)).size;
      };
      assert.ok((await ports('/ajaxecho?count=1')) < 4);
      for (const infoPath of ['/echo/info', '/echo2012/info']) assert.ok((await ports(infoPath)) < 4, infoPath);
      for (const action of ['xhr', 'xhr_send', 'xhr_streaming', 'eventsource', 'jsonp', 'jsonp_send', 'websocket']) {
        for (const prefix of ['/echo', '/echo2012']) {
          assert.equal(await ports(`${prefix}/000/abcdefgh/${action}`), 4, prefix + action);
        }
      }
      assert.ok((await ports('/job/abc?wait=1')) < 4);
      assert.equal(await ports('/jobs/000/abcdefgh/xhr'), 4);
      assert.equal(await ports('/payload/sockjs/000/abcdefgh/xhr'), 4);
      assert.equal(await ports('/pieces/sockjs/000/abcdefgh/xhr'), 4);
      assert.ok((await ports('/pieces/events?id=abc')) < 4);
      assert.equal(await ports('/sse/abcdefgh'), 4);
      assert.equal(await ports('/socket.io/?EIO=4&transport=polling&sid=abcdefgh'), 4);
      const socketioPath = '/socket.io/?EIO=4&transport=websocket&sid=abcdefgh';
      assert.equal(await ports(socketioPath, { connection: 'upgrade', upgrade: 'websocket' }), 4);
      const socketPaths = [
        '/ws',
        '/ws/echo',
        '/ws/job',
        '/ws/pieces',
        '/echo/websocket',
        '/payload/ws/up',
        '/reach/ws',
      ];
      for (const socketPath of socketPaths) {
        assert.equal(await ports(socketPath, { connection: 'upgrade', upgrade: 'websocket' }), 4, socketPath);
        assert.ok((await ports(socketPath)) < 4, socketPath);
      }
    }));

  it('stays with its session’s worker, else with its visitor’s', () =>
    withProxy(answerOk, async ({ ask: askProxy, received }) => {
      const workersOf = async (/** @type {string[]} */ paths) => {
        received.length = 0;
        for (const urlPath of paths) await askProxy(urlPath);
        return new Set(received.map(({ worker }) => worker));
      };
      const all = new Set();
      for (let session = 0; session < SESSIONS; session++) {
        const base = `/echo/${100 + session}/session${session}`;
        const workers = await workersOf([
          `${base}/xhr`,
          `${base}/xhr_send`,
          `${base}/xhr_streaming?t=1`,
          `/echo2012/000/session${session}/xhr`,
          `/sse/session${session}`,
          `/jobs/000/session${session}/xhr`,
          `/pieces/sockjs/000/session${session}/xhr`,
        ]);
        assert.equal(workers.size, 1, base);
        for (const worker of workers) all.add(worker);
      }
      assert.equal(all.size, WORKERS);
      assert.equal(
        (
          await workersOf([
            '/ajaxecho',
            '/xhr',
            '/',
            '/echo/info',
            '/echo/iframe-1.6.1.html',
            '/echo2012/info',
            '/ws',
            '/job',
            '/jobs/info',
            // Workers relay these by themselves.
            '/socket.io/?EIO=4&transport=polling&sid=abcdefgh',
            '/socket.io/?EIO=4&transport=polling&sid=ijklmnop',
          ])
        ).size,
        1,
      );
    }));

  it('goes to its visitor’s machine, whatever session it belongs to', () =>
    withProxy(
      answerOk,
      async ({ ask: askProxy, received }) => {
        const all = new Set();
        for (let visitor = 0; visitor < SESSIONS; visitor++) {
          const session = `session${visitor}`;
          received.length = 0;
          for (const urlPath of [
            '/',
            '/ajaxecho?count=1',
            '/ws',
            `/echo/000/${session}/websocket`,
            `/echo/000/other${session}/xhr`,
            `/echo2012/000/${session}/xhr`,
            `/jobs/000/${session}/xhr_send`,
            `/sse/${session}`,
            `/socket.io/?EIO=4&transport=polling&sid=${session}`,
            '/payload/echo',
            `/payload/sockjs/000/${session}/xhr?direction=up`,
            '/api/results',
          ]) {
            await askProxy(urlPath, { localAddress: `127.0.0.${2 + visitor}` });
          }
          const machines = new Set(received.map(({ worker }) => worker));
          assert.deepEqual([received.length, machines.size], [12, 1], session);
          for (const machine of machines) all.add(machine);
        }
        assert.equal(all.size, WORKERS);
      },
      machinesAt,
    ));

  it('is asked again of the next worker when one breaks, if it is a GET', () =>
    withProxy(breakFirst, async ({ ask: askProxy, received }) => {
      assert.equal((await askProxy('/ajaxecho?count=1')).status, 200);
      assert.deepEqual(received.map(({ worker }) => worker).sort(), [0, 1]);
    }));

  it('is not, if it is a POST: it would be echoed twice', () =>
    withProxy(breakFirst, async ({ ask: askProxy, received }) => {
      const { status } = await askProxy('/ajaxecho', { method: 'POST', body: '{"count":1}' });
      assert.deepEqual([status, received.length], [502, 1]);
    }));

  it('finds an asset of the old version as long as one worker has it', () =>
    withProxy(
      (count, req, res) => {
        if (count === 0) res.statusCode = 404;
        answerOk(count, req, res);
      },
      async ({ ask: askProxy, received }) => {
        assert.equal((await askProxy('/assets/0123456789abcdef/js/ajaxtest.js')).status, 200);
        assert.deepEqual(received.map(({ worker }) => worker).sort(), [0, 1]);
        received.length = 0;
        assert.equal((await askProxy('/nowhere')).status, 404);
      },
    ));

  it('may send a whole body at once over HTTP/2', () =>
    withProxy(answerOk, async ({ nginx }) => {
      const session = connect(`https://127.0.0.1:${nginx.port}`, { ca: nginx.certificate });
      try {
        const [{ initialWindowSize }] = await once(session, 'remoteSettings');
        assert.ok(initialWindowSize > 1024 * 1024, String(initialWindowSize));
      } finally {
        session.close();
      }
    }));

  it('of payload over a fallback of SockJS stays with its session’s worker', () =>
    withProxy(answerOk, async ({ ask: askProxy, received }) => {
      const all = new Set();
      for (let session = 0; session < SESSIONS; session++) {
        received.length = 0;
        const base = `/payload/sockjs/${session}/session${session}`;
        for (const action of ['xhr', 'xhr_send']) await askProxy(`${base}/${action}?direction=up`);
        const workers = new Set(received.map(({ worker }) => worker));
        assert.equal(workers.size, 1, base);
        for (const worker of workers) all.add(worker);
      }
      assert.equal(all.size, WORKERS);
    }));
});
