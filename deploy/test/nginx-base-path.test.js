/**
 * A site below a path, behind a real nginx: the generated one, which keeps the path, and the one of docs/nginx.md, which
 * takes it off.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openSession } from '../../test/support/sockjs-session.js';
import { openSocketioSession } from '../../test/support/socketio-session.js';
import { openServer } from '../../test/support/server.js';
import { withTwoWorkers } from '../../test/support/two-workers.js';
import { openWebSocket } from '../../test/support/web-socket.js';
import { ask, askHttp2 } from './support/https-client.js';
import { requireNginx, withNginx } from './support/nginx.js';

/** @import { TestServer } from '../../test/support/server.js' */

const execute = promisify(execFile);
const SOCKJS_VISITOR = fileURLToPath(new URL('programs/sockjs-visitor.js', import.meta.url));
const DOCS = fileURLToPath(new URL('../../docs/nginx.md', import.meta.url));

const BASE_PATH = '/shootout';
const ENV = { BASE_PATH, TRUST_PROXY: '1' };
const FALLBACKS = ['xhr-streaming', 'eventsource', 'xhr-polling'];

before(requireNginx);

/** @param {string} html @returns {string[]} its assets */
const assetsIn = (html) => [...html.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]*)"/g)].map(([, url]) => url);

describe('the generated nginx in front of a site below a path', () => {
  it('keeps the path, which leaves the root to others, but for the clients of the old experiments', () =>
    withTwoWorkers(
      (_workers, port) =>
        withNginx(['--base-path', BASE_PATH, '--workers', '2', '--port', String(port)], async (nginx) => {
          const origin = `https://127.0.0.1:${nginx.port}`;
          const options = { ca: nginx.certificate };
          /** @param {string} path @param {Parameters<typeof ask>[1]} [others] */
          const askAt = (path, others) => ask(origin + path, { ...options, ...others });

          for (const path of ['', '/', '/results', '/healthz', '/status', '/api/results', '/echo/iframe.html']) {
            assert.equal((await askAt(BASE_PATH + path)).status, 200, path);
          }
          const [asset] = assetsIn((await askAt(`${BASE_PATH}/`)).text);
          assert.equal((await askAt(asset)).status, 200, asset);
          assert.equal((await askAt(`${BASE_PATH}/metrics`)).status, 403);
          assert.equal((await askHttp2(`${origin}${BASE_PATH}/ws`, options)).status, 426);

          for (const path of ['/ajaxecho?count=1', '/xhr?count=1', '/echo/info', '/echo2012/info']) {
            assert.equal((await askAt(BASE_PATH + path)).status, 200, path);
            assert.equal((await askAt(path)).status, 200, path);
          }
          for (const path of ['/job', '/submission']) {
            // Their workers refuse the form; nobody else has an answer to a post.
            const { status, headers } = await askAt(path, { method: 'POST' });
            assert.equal(status, path === '/job' ? 201 : 415, path);
            if (path === '/job') assert.match(String(headers.location), /^\/shootout\/job\//);
          }
          for (const path of ['/results', '/status', '/api/results', '/metrics', '/feed', '/pieces', '/shootouts']) {
            assert.equal((await askAt(path)).status, 404, path);
          }

          for (const url of [`${origin}${BASE_PATH}/echo`, `${origin}/echo`]) {
            // Sixteen sessions, of which some belong to either worker.
            const { stdout } = await execute(process.execPath, [SOCKJS_VISITOR, url, 'xhr-polling', '16', '2'], {
              env: { ...process.env, NODE_EXTRA_CA_CERTS: nginx.certificatePath },
            });
            for (const { counts } of JSON.parse(stdout)) assert.deepEqual(counts, [1, 2], url);
          }
        }),
      ENV,
    ));
});

describe('an nginx of one’s own in front of a site below a path', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer({ env: ENV });
  });
  after(() => server?.close());

  for (const [what, edit] of /** @type {const} */ ([
    ['strips the path', (/** @type {string} */ text) => text],
    ['keeps the path', (/** @type {string} */ text) => text.replace(/:(\d+)\/;/, ':$1;')],
  ])) {
    it(`${what}, as in docs/nginx.md`, async () => {
      const [, block] =
        /```nginx\n(location [\s\S]*?)```/.exec(await readFile(DOCS, 'utf8')) ?? assert.fail('No block');
      await withNginx(
        [],
        async ({ port }) => {
          const site = `http://127.0.0.1:${port}${BASE_PATH}`;
          const html = await (await fetch(`${site}/`)).text();
          for (const url of assetsIn(html)) assert.equal((await fetch(new URL(url, site))).status, 200, url);
          for (const path of ['', '/results', '/ajaxecho?count=1']) {
            assert.equal((await fetch(site + path)).status, 200, path);
          }
          for (const transport of ['websocket', ...FALLBACKS]) {
            const session = await openSession(`${site}/echo`, transport);
            assert.deepEqual(await session.ask({ count: 1 }), { count: 2 }, transport);
            session.close();
          }
          for (const transports of [['websocket'], ['polling']]) {
            const session = await openSocketioSession(`${site}/socket.io`, { transports });
            session.send({ count: 1 });
            assert.deepEqual(await session.next(), { count: 2 }, transports.join());
            session.close();
          }
          const socket = await openWebSocket(`${site.replace('http', 'ws')}/ws`);
          assert.equal(await socket.ask('{"count":2}'), '{"count":1}');
          socket.close();
        },
        (_site, port) => `server { listen 127.0.0.1:${port}; ${edit(block).replaceAll(':8000', `:${server.port}`)} }\n`,
      );
    });
  }
});
