/** The real site through a real nginx: jobs, upgrades, and payloads. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:https';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createContent } from '../../core/net/transfer/content.js';
import { openServer } from '../../test/support/server.js';
import { withTwoWorkers } from '../../test/support/two-workers.js';
import { openWebSocket } from '../../test/support/web-socket.js';
import { ask, askHttp2 } from './support/https-client.js';
import { requireNginx, withFolder, withNginx } from './support/nginx.js';

/** @import { TestServer } from '../../test/support/server.js' */

const WORKERS = 2;

/** @type {TestServer} */
let server;
before(async () => {
  await requireNginx();
  server = await openServer({ env: { TRUST_PROXY: '1', ALLOWED_ORIGINS: 'https://friend.example' } });
});
after(() => server?.close());

describe('a job through nginx', () => {
  it('is notified of by every delivery method, at once', () =>
    withFolder((folder) =>
      withTwoWorkers(
        (_workers, port) =>
          withNginx(['--workers', String(WORKERS), '--port', String(port)], async (nginx) => {
            const host = `127.0.0.1:${nginx.port}`;
            const options = { ca: nginx.certificate };
            /** @param {string} urlPath @param {Parameters<typeof ask>[1]} [others] */
            const askSite = (urlPath, others) => ask(`https://${host}${urlPath}`, { ...options, ...others });
            const post = { method: 'POST' };

            const [made, late] = await Promise.all(
              [20, 600_000].map((ms) => askSite(`/job?min=${ms}&max=${ms}`, post)),
            );
            assert.equal(made.status, 201);
            const notified = { ...JSON.parse(made.text), complete: true, durationMs: 20 };
            assert.deepEqual(JSON.parse((await askSite(`/job/${notified.id}?wait=25000`)).text), notified);
            assert.deepEqual(JSON.parse((await askSite(`/job/${notified.id}`)).text), notified);

            // What is due comes although the stream goes on.
            const ids = `${notified.id},${JSON.parse(late.text).id}`;
            const [stream] = await once(get(`https://${host}/job/events?ids=${ids}`, options), 'response');
            let events = '';
            for await (const chunk of stream) {
              events += chunk;
              if (events.includes('data: ')) break;
            }
            assert.match(events, new RegExp(`^data: .*"id":"${notified.id}"`, 'm'));

            const single = await openWebSocket(`wss://${host}/ws/job?max=5`, options);
            assert.equal(JSON.parse(await single.next()).complete, true);
            assert.equal((await single.closed).code, 1000);
            for (const socketPath of ['/ws/jobs', '/jobs/websocket']) {
              const shared = await openWebSocket(`wss://${host}${socketPath}`, options);
              assert.equal(JSON.parse(await shared.ask('{"max":5}')).complete, false);
              assert.equal(JSON.parse(await shared.next()).complete, true);
              shared.close();
            }
            // Of four sessions some belong to either worker.
            for (let session = 0; session < 4; session++) {
              const base = `/jobs/000/session${session}`;
              assert.equal((await askSite(`${base}/xhr`, post)).text, 'o\n');
              await askSite(`${base}/xhr_send`, { ...post, body: '["{\\"max\\":5}"]' });
              let answers = '';
              while (!answers.includes('true')) answers += (await askSite(`${base}/xhr`, post)).text;
            }
            for (const socketPath of ['/ws/job', '/ws/jobs']) {
              assert.equal((await askHttp2(`https://${host}${socketPath}`, options)).status, 426, socketPath);
            }
          }),
        { DATA_DIR: path.join(folder, 'data'), TRUST_PROXY: '1' },
      ),
    ));
});

describe('an upgrade through nginx', () => {
  it('to a protocol that there is not is ignored, but where a socket is meant', () =>
    withNginx(['--upstream', `127.0.0.1:${server.port}`], async (nginx) => {
      const headers = { connection: 'upgrade, http2-settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
      for (const [urlPath, status] of /** @type {const} */ ([
        ['/ajaxecho?count=1', 200],
        ['/', 200],
        ['/ws', 426],
        ['/ws/echo', 426],
      ])) {
        const answer = await ask(`https://127.0.0.1:${nginx.port}${urlPath}`, { ca: nginx.certificate, headers });
        assert.equal(answer.status, status, urlPath);
      }
    }));

  it('to a probe that is refused gets an answer, and the worker lives', () =>
    withNginx(['--upstream', `127.0.0.1:${server.port}`], async (nginx) => {
      const askFor = (/** @type {string} */ urlPath, headers = {}) =>
        ask(`https://127.0.0.1:${nginx.port}${urlPath}`, { ca: nginx.certificate, headers });
      const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      for (const [query, headers, status] of /** @type {const} */ ([
        ['probe=example-1&x=1', {}, 400],
        ['probe=example-1&probe=example-2', {}, 400],
        ['probe=example-1&x=1', { origin: 'https://stranger.example' }, 403],
      ])) {
        const key = 'dGhlIHNhbXBsZSBub25jZQ==';
        const answer = await askFor(`/reach/ws?${query}`, { ...upgrade, 'sec-websocket-key': key, ...headers });
        assert.equal(answer.status, status, query);
      }
      assert.equal((await askFor('/ajaxecho?count=1')).status, 200);
    }));
});

describe('payload through nginx', () => {
  const MOST_BYTES = 16 * 1024 * 1024;

  it('of 16 MiB comes back as it is, and of a byte more is refused', () =>
    withNginx(['--upstream', `127.0.0.1:${server.port}`], async (nginx) => {
      const host = `127.0.0.1:${nginx.port}`;
      const options = { ca: nginx.certificate, headers: { 'accept-encoding': 'gzip, br' } };
      const content = Buffer.from(createContent(MOST_BYTES + 100_000)).toString('latin1');
      /** @param {number} bytes */
      const echo = (bytes) =>
        ask(`https://${host}/payload/echo`, { ...options, method: 'POST', body: content.slice(0, bytes) });

      const { status, headers, text } = await echo(MOST_BYTES);
      assert.deepEqual([status, headers['content-encoding']], [200, undefined]);
      assert.ok(text === content.slice(0, MOST_BYTES));
      // The worker refuses the one, nginx the other.
      for (const bytes of [MOST_BYTES + 1, MOST_BYTES + 100_000]) {
        const refused = await echo(bytes);
        const message = `body: expected at most ${MOST_BYTES} bytes`;
        assert.deepEqual([refused.status, JSON.parse(refused.text).error], [413, { code: 'too-large', message }]);
      }

      const down = await ask(`https://${host}/payload/down?bytes=${MOST_BYTES}`, options);
      assert.deepEqual([down.status, down.headers['content-encoding']], [200, undefined]);
      assert.ok(down.text === content.slice(0, MOST_BYTES));

      const socket = await openWebSocket(`wss://${host}/payload/ws/echo`, options);
      assert.ok((await socket.ask(content.slice(0, MOST_BYTES))) === content.slice(0, MOST_BYTES));
      socket.close();
      const session = await openWebSocket(`wss://${host}/payload/sockjs/000/abc/websocket?direction=down`, options);
      assert.equal(await session.next(), 'o');
      assert.equal(await session.ask(JSON.stringify(['{"bytes":3}'])), `a["${content.slice(0, 3)}"]`);
      session.close();
      assert.equal((await askHttp2(`https://${host}/payload/ws/up`, { ca: nginx.certificate })).status, 426);
    }));
});
