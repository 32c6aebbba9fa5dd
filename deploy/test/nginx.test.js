/**
 * A real nginx, as `npm run nginx` makes it, in front of two workers that pm2 runs; a real Chromium and Node before it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { Agent } from 'node:https';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MAX_SUBMISSION_BYTES } from '../../server/saved-runs/submission.js';
import { launchBrowser } from '../../test/support/browser.js';
import { PAGES } from '../../test/support/page-uses.js';
import { withPm2 } from '../../test/support/pm2.js';
import { openSocketioSession } from '../../test/support/socketio-session.js';
import { openTab } from '../../test/support/tab.js';
import { openWebSocket } from '../../test/support/web-socket.js';
import { ask, askHttp2 } from './support/https-client.js';
import { requireNginx, withNginx } from './support/nginx.js';
import {
  keepSessions,
  sessionsWait,
  SOCKETIO_SCRIPT,
  visitFromPage,
  visitOverSocketio,
} from './support/page-sessions.js';
import { downloadRun } from '../../test/support/download.js';

/** @import { Browser, Page } from 'playwright-core' */
/** @import { Nginx as PlainNginx } from './support/nginx.js' */

const execute = promisify(execFile);
const SOCKJS_VISITOR = fileURLToPath(new URL('programs/sockjs-visitor.js', import.meta.url));

/** Not localhost, where a page is isolated without TLS, too. */
const DOMAIN = 'shootout.test';
const WORKERS = 2;
const SESSION_COUNT = 10;
const MESSAGE_COUNT = 3;
const NODE_TRANSPORTS = ['websocket', 'xhr-streaming', 'eventsource', 'xhr-polling'];
const PAGE_TRANSPORTS = [...NODE_TRANSPORTS, 'iframe-eventsource', 'iframe-xhr-polling', 'jsonp-polling'];
const LIMIT_BYTES = 1024 * 1024;
const TOO_LARGE = { code: 'too-large', message: `body: expected at most ${LIMIT_BYTES} bytes` };

before(requireNginx);

/** @typedef {Parameters<Parameters<typeof withPm2>[1]>[0]} Site */
/** @typedef {PlainNginx & { origin: string }} Nginx */

/**
 * @callback WithPage
 * @param {string} path
 * @param {(page: Page, tab: Awaited<ReturnType<typeof openTab>>) => Promise<unknown>} use
 * @returns {Promise<void>}
 */

/** @param {(site: Site, nginx: Nginx, withPage: WithPage) => Promise<unknown>} use */
function withSite(use) {
  return withPm2({ workers: WORKERS, env: { TRUST_PROXY: '1', LOG_LEVEL: 'warn' } }, (site) =>
    withNginx(['--domain', DOMAIN, '--workers', String(WORKERS), '--port', String(site.port)], (nginx) =>
      withBrowser((browser) =>
        use(site, { ...nginx, origin: `https://127.0.0.1:${nginx.port}` }, async (path, usePage) => {
          const tab = await openTab(browser, `https://${DOMAIN}:${nginx.port}${path}`, { ignoreHTTPSErrors: true });
          try {
            await usePage(tab.page, tab);
          } finally {
            await tab.close();
          }
        }),
      ),
    ),
  );
}

/** @param {(browser: Browser) => Promise<unknown>} use */
async function withBrowser(use) {
  const browser = await launchBrowser({ args: [`--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1`] });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

/** @param {{ worker: number, counts: number[] }[]} visits */
function checkVisits(visits) {
  assert.equal(visits.length, SESSION_COUNT);
  for (const { counts } of visits) assert.deepEqual(counts, [1, 2, 3]);
}

/**
 * @param {number} bytes
 * @returns {string} a message of so many
 */
function messageOf(bytes) {
  const empty = JSON.stringify({ count: 1, body: '' });
  return JSON.stringify({ count: 1, body: 'x'.repeat(bytes - empty.length) });
}

describe('nginx in front of two workers', () => {
  it('carries what Chromium and Node send', (t) =>
    withSite(async (site, nginx, withPage) => {
      await t.test('each SockJS transport from Chromium, ten sessions at once', (tt) =>
        withPage('/socktest', async (page, { complaints }) => {
          assert.equal(await page.evaluate(() => window.crossOriginIsolated), true);
          const workers = new Set();
          for (const transport of PAGE_TRANSPORTS) {
            await tt.test(transport, async () => {
              const visits = await visitFromPage(page, {
                transport,
                sessionCount: SESSION_COUNT,
                messageCount: MESSAGE_COUNT,
              });
              checkVisits(visits);
              for (const visit of visits) assert.equal(visit.transport, transport);
              for (const { worker } of visits) workers.add(worker);
            });
          }
          // Each of 70 sessions is on either: that all are on one happens once in 10 ** 20 times.
          assert.deepEqual([...workers].sort(), [0, 1]);
          // SockJS's frames try that for browsers of old.
          assert.deepEqual(
            complaints.filter((text) => !text.startsWith('document.domain mutation is ignored')),
            [],
          );
        }),
      );

      for (const transport of NODE_TRANSPORTS) {
        await t.test(`${transport} from Node, ten sessions at once`, async () => {
          const { stdout } = await execute(
            process.execPath,
            [SOCKJS_VISITOR, `${nginx.origin}/echo`, transport, String(SESSION_COUNT), String(MESSAGE_COUNT)],
            { env: { ...process.env, NODE_EXTRA_CA_CERTS: nginx.certificatePath } },
          );
          checkVisits(JSON.parse(stdout));
        });
      }

      await t.test('Socket.IO from Chromium, ten sessions at once: polls by HTTP/2, then a WebSocket', () =>
        withPage('/', async (page, { complaints }) => {
          await page.addInitScript({ path: SOCKETIO_SCRIPT });
          await page.reload();
          const options = { sessionCount: SESSION_COUNT, messageCount: MESSAGE_COUNT };
          const { visits, protocols } = await visitOverSocketio(page, options);
          checkVisits(visits);
          for (const { transport } of visits) assert.equal(transport, 'websocket');
          assert.deepEqual(protocols, ['h2']);
          assert.deepEqual(complaints, []);
        }),
      );

      for (const transports of [['polling'], ['polling', 'websocket'], ['websocket']]) {
        await t.test(`Socket.IO by ${transports.join(', then ')} from Node, ten sessions at once`, async () => {
          const visit = async () => {
            const options = { transports, ca: nginx.certificate.toString() };
            const session = await openSocketioSession(`${nginx.origin}/socket.io`, options);
            if (transports.length > 1) await session.upgraded;
            const { worker } = await session.ask({ whoami: true });
            const counts = [];
            for (let count = 0; count < MESSAGE_COUNT; count++) counts.push((await session.ask({ count })).count);
            session.close();
            return { worker, counts };
          };
          checkVisits(await Promise.all(Array.from({ length: SESSION_COUNT }, visit)));
        });
      }

      await t.test('AJAX over HTTP/2', () =>
        withPage('/ajaxtest', async (_page, tab) => {
          await tab.press('100');
          await tab.press('Measure');
          await tab.idleAfter(1);
          const [cells] = await tab.rows();
          assert.deepEqual([cells[0], cells[1], cells[7], cells[8]], ['100', 'h2', '100', '0']);
          assert.deepEqual(tab.complaints, []);
        }),
      );

      await t.test('a native WebSocket, from Chromium and from Node', async () => {
        const socket = await openWebSocket(`wss://127.0.0.1:${nginx.port}/ws`, { ca: nginx.certificate });
        try {
          assert.deepEqual([await socket.ask('ping'), await socket.ask('{"count":3}')], ['pong', '{"count":2}']);
        } finally {
          socket.close();
        }
        await withPage('/', async (page) => {
          const answer = await page.evaluate(
            () =>
              new Promise((resolve, reject) => {
                const native = new WebSocket(`wss://${location.host}/ws`);
                native.onopen = () => native.send('{"count":3}');
                native.onmessage = ({ data }) => resolve(data);
                native.onclose = ({ code }) => reject(new Error(`closed: ${code}`));
              }),
          );
          assert.equal(answer, '{"count":2}');
        });
      });

      await t.test('but a plain GET of the WebSocket’s path is refused so, over HTTP/2, too', async () => {
        const options = { ca: nginx.certificate, headers: { origin: 'https://elsewhere.example' } };
        const own = await ask(`${nginx.origin}/ws`, options);
        assert.deepEqual([own.status, own.headers.upgrade], [426, 'websocket']);
        const { status, headers, text } = await askHttp2(`${nginx.origin}/ws`, options);
        assert.deepEqual([status, headers.upgrade, text], [426, undefined, own.text]);
        for (const name of ['content-type', 'access-control-allow-origin']) {
          assert.equal(headers[name], own.headers[name], name);
        }
      });

      await t.test('bodies up to the limit; a larger one is refused with the reason', async () => {
        /** @param {number} bytes */
        const post = async (bytes) => {
          const headers = { origin: 'https://elsewhere.example' };
          const options = { method: 'POST', body: messageOf(bytes), headers, ca: nginx.certificate };
          const { status, headers: got, text } = await ask(`${nginx.origin}/ajaxecho`, options);
          assert.equal(got['access-control-allow-origin'], '*', `${bytes} bytes, for a page of another site`);
          return { status, answer: JSON.parse(text) };
        };
        const { status, answer } = await post(LIMIT_BYTES);
        assert.deepEqual([status, answer.count, JSON.stringify(answer).length], [200, 2, LIMIT_BYTES]);
        // The workers' own word just above it, nginx's far above.
        for (const bytes of [LIMIT_BYTES + 1, LIMIT_BYTES + 60_000, 3 * LIMIT_BYTES]) {
          assert.deepEqual(await post(bytes), { status: 413, answer: { error: TOO_LARGE } }, `${bytes} bytes`);
        }
      });

      await t.test('and so over HTTP/2', () =>
        withPage('/', async (page) => {
          for (const [bytes, expected] of /** @type {const} */ ([
            [LIMIT_BYTES, [200, undefined]],
            [LIMIT_BYTES + 60_000, [413, TOO_LARGE]],
            [3 * LIMIT_BYTES, [413, TOO_LARGE]],
          ])) {
            const got = await page.evaluate(async (body) => {
              const response = await fetch('/ajaxecho', { method: 'POST', body });
              return [response.status, (await response.json()).error];
            }, messageOf(bytes));
            assert.deepEqual(got, expected, `${bytes} bytes`);
          }
        }),
      );

      await t.test(
        'a new connection for each payload message by WebSocket; by HTTP/2, which has none, it says so',
        () => {
          const plan = 'transports=fetch,websocket-text&connections=kept,new&directions=up&sizes=1000&repeats=6';
          return withPage(`/payloadtest?${plan}&autostart=1`, async (page) => {
            const { trials } = JSON.parse(await downloadRun(page, { timeout: 60_000 }));
            /** @param {string} transport */
            const outcomesOf = (transport) => {
              const own = trials.filter((/** @type {any} */ trial) => trial.transport === transport);
              assert.equal(own.length, 6, transport);
              return [...new Set(own.map((/** @type {any} */ trial) => trial.failure?.outcome ?? 'ok'))].join();
            };
            const transports = ['fetch', 'websocket-text', 'websocket-text-new', 'fetch-new'];
            assert.deepEqual(transports.map(outcomesOf), ['ok', 'ok', 'ok', 'closed']);
          });
        },
      );

      await t.test('runs to be saved up to their own limit; a larger one is refused in the same words', async () => {
        /** @param {number} bytes */
        const save = async (bytes) => {
          const headers = { 'content-type': 'application/json' };
          const body = JSON.stringify({ document: 'x'.repeat(bytes - 15) });
          const options = { method: 'POST', body, headers, ca: nginx.certificate };
          const { status, text } = await ask(`${nginx.origin}/api/results`, options);
          return [status, JSON.parse(text).error.code, JSON.parse(text).error.message];
        };
        const [status, code] = await save(MAX_SUBMISSION_BYTES);
        assert.deepEqual([status, code], [400, 'bad-run']);
        const message = `body: expected at most ${MAX_SUBMISSION_BYTES} bytes`;
        for (const bytes of [MAX_SUBMISSION_BYTES + 1, 2 * MAX_SUBMISSION_BYTES]) {
          assert.deepEqual(await save(bytes), [413, 'too-large', message], `${bytes} bytes`);
        }
      });

      await t.test('pages and assets with their headers, and no HSTS on a laptop', async () => {
        const { ca, origin } = { ca: nginx.certificate, origin: nginx.origin };
        const page = await ask(`${origin}/socktest`, { ca, headers: { 'accept-encoding': 'br' } });
        assert.equal(page.status, 200);
        assert.equal(page.headers['content-encoding'], 'br');
        assert.equal(page.headers['strict-transport-security'], undefined);
        assert.equal(page.headers.server, 'nginx');
        const html = (await ask(`${origin}/socktest`, { ca })).text;
        const [asset] = /\/assets\/[^"]+\.js/.exec(html) ?? assert.fail(html);
        const { status, headers } = await ask(origin + asset, { ca });
        assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=31536000, immutable']);
      });

      await t.test('each page at once, without a redirect', async () => {
        // Those of saved runs are below the same prefixes, with others' names.
        const paths = Object.values(PAGES).map(({ path }) =>
          path({ url: '', ids: [], payloadIds: [], label: 'none', cell: '' }),
        );
        for (const path of paths) {
          const { status, headers } = await ask(nginx.origin + path, { ca: nginx.certificate });
          assert.ok(status < 300 || status >= 400, `${path}: ${status} ${headers.location}`);
        }
      });

      await t.test('but nobody who asks for the metrics', async () => {
        for (const metricsPath of ['/metrics', '/metrics/', '/metrics/own', '/METRICS', '/%6detrics', '//metrics']) {
          const { status } = await ask(nginx.origin + metricsPath, { ca: nginx.certificate });
          assert.equal(status, 403, metricsPath);
        }
        assert.equal((await fetch(`http://127.0.0.1:${site.port + 1}/metrics`)).status, 200);
      });

      await t.test('and goes on, for every method, when a visitor’s worker is gone', async () => {
        const keepAlive = new Agent({ keepAlive: true });
        const options = { ca: nginx.certificate, agent: keepAlive };
        const askWorker = async () => JSON.parse((await ask(`${nginx.origin}/ajaxecho?whoami=1`, options)).text).worker;
        try {
          const own = await askWorker();
          for (let i = 0; i < 5; i++) assert.equal(await askWorker(), own);
          const { pm_id: id } = /** @type {any} */ (
            (await site.list()).find(({ pm2_env: env }) => env.NODE_APP_INSTANCE === own)
          );
          await site.pm2('stop', String(id));
          assert.equal(await askWorker(), 1 - own);
          const post = await ask(`${nginx.origin}/ajaxecho`, { ...options, method: 'POST', body: '{"count":1}' });
          assert.deepEqual([post.status, post.text], [200, '{"count":2}']);
          await site.pm2('restart', String(id));
          // At once, not only after it has been held for dead for a while.
          assert.equal(await askWorker(), own);
        } finally {
          keepAlive.destroy();
        }
      });

      await t.test('a reload fails no request, and each session is closed with 1001 and comes back', () =>
        withPage('/socktest', async (page) => {
          await keepSessions(
            page,
            NODE_TRANSPORTS.flatMap((transport) => Array(SESSION_COUNT).fill(transport)),
          );
          const keepAlive = new Agent({ keepAlive: true });
          const options = { ca: nginx.certificate, agent: keepAlive };
          /** @type {Record<string, number>} */
          const outcomes = {};
          let isReloaded = false;
          const reload = site.pm2('reload', 'sockshootout').finally(() => (isReloaded = true));
          for (let count = 0; !isReloaded || count < 2; count++) {
            const body = count % 2 === 0 ? '{"count":1}' : undefined;
            const method = body ? 'POST' : 'GET';
            const { status } = await ask(`${nginx.origin}/ajaxecho?count=1`, { ...options, method, body });
            const outcome = `${method} ${status}`;
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          }
          await reload;
          keepAlive.destroy();
          const sessions = await sessionsWait(page, 2);
          t.diagnostic(`during the reload: ${JSON.stringify(outcomes)}`);
          assert.deepEqual(Object.keys(outcomes).sort(), ['GET 200', 'POST 200']);
          for (const { transport, closes } of sessions) assert.equal(closes[0].code, 1001, transport);
          // One that came back to a worker that was still to be replaced is closed again, maybe amid an echo.
          const again = sessions.flatMap(({ closes }) => closes.slice(1).map(({ code }) => code));
          t.diagnostic(
            `${sessions.length} sessions closed with 1001 and back, of which again: ${again.join(' ') || 'none'}`,
          );
        }),
      );
    }));
});
