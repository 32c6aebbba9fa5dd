/**
 * What a real nginx does with requests, seen from behind it: workers that this test plays itself, to break at will.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { get } from 'node:https';
import { connect } from 'node:http2';
import os from 'node:os';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createContent } from '../../core/net/transfer/content.js';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { openServer } from '../../test/support/server.js';
import { withTwoWorkers } from '../../test/support/two-workers.js';
import { openWebSocket } from '../../test/support/web-socket.js';
import { ask, askHttp2 } from './support/https-client.js';
import { render, requireNginx, runNginx, withFolder, withNginx } from './support/nginx.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Nginx } from './support/nginx.js'
 */

const execute = promisify(execFile);
const WORKERS = 2;
const NOBODY = 65534;
/** nginx draws each one's worker, anew for each port: that all are on one of two happens once in 10 ** 12 times. */
const SESSIONS = 40;

before(requireNginx);

/**
 * @typedef {object} Received
 * @property {number} worker
 * @property {number | undefined} remotePort of the connection that it came on
 * @property {IncomingMessage} req
 */

/**
 * @param {(count: number, req: IncomingMessage, res: ServerResponse) => void} answer is given how many requests came
 *   before, to any worker
 * @param {(options: { port: number, received: Received[] }) => Promise<unknown>} use `port` is the one that they would
 *   share
 */
async function withWorkers(answer, use) {
  const port = await findFreePorts(WORKERS + 1);
  /** @type {Received[]} */
  const received = [];
  const servers = Array.from({ length: WORKERS }, (_, worker) =>
    createServer((req, res) => {
      received.push({ worker, remotePort: req.socket.remotePort, req });
      answer(received.length - 1, req, res);
    }).listen(port + 1 + worker, '127.0.0.1'),
  );
  try {
    await Promise.all(servers.map((server) => once(server, 'listening')));
    await use({ port, received });
  } finally {
    for (const server of servers) server.close().closeAllConnections();
  }
}

/**
 * @param {Parameters<typeof withWorkers>[0]} answer
 * @param {(proxy: { received: Received[], ask: (path: string, options?: Parameters<typeof ask>[1]) => ReturnType<typeof
 *   ask>, nginx: Nginx }) => Promise<unknown>} use
 * @param {(port: number) => string[]} [argsOf] for workers of one machine by default
 */
function withProxy(answer, use, argsOf = (port) => ['--workers', String(WORKERS), '--port', String(port)]) {
  return withWorkers(answer, ({ port, received }) =>
    withNginx(argsOf(port), (nginx) =>
      use({
        received,
        nginx,
        ask: (urlPath, options) =>
          ask(`https://127.0.0.1:${nginx.port}${urlPath}`, { ca: nginx.certificate, ...options }),
      }),
    ),
  );
}

/**
 * As if each worker were a machine of its own.
 *
 * @param {number} port
 */
function machinesAt(port) {
  return Array.from({ length: WORKERS }, (_, worker) => ['--upstream', `127.0.0.1:${port + 1 + worker}`]).flat();
}

/** @type {Parameters<typeof withWorkers>[0]} */
const answerOk = (_count, req, res) => {
  req.resume();
  res.end('ok');
};

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
      assert.equal(await ports('/sse/abcdefgh'), 4);
      assert.equal(await ports('/socket.io/?EIO=4&transport=polling&sid=abcdefgh'), 4);
      const socketioPath = '/socket.io/?EIO=4&transport=websocket&sid=abcdefgh';
      assert.equal(await ports(socketioPath, { connection: 'upgrade', upgrade: 'websocket' }), 4);
      for (const socketPath of ['/ws', '/ws/echo', '/ws/job', '/echo/websocket', '/payload/ws/up', '/reach/ws']) {
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
});

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
              await askSite(`${base}/xhr_send`, { ...post, body: '["{\\"most\\":5}"]' });
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

describe('an upgrade to a protocol that there is not, through nginx', () => {
  it('is ignored, but where a socket is meant', async () => {
    const server = await openServer({ env: { TRUST_PROXY: '1' } });
    try {
      await withNginx(['--upstream', `127.0.0.1:${server.port}`], async (nginx) => {
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
      });
    } finally {
      await server.close();
    }
  });
});

describe('a refused upgrade to a probe, through nginx', () => {
  it('gets an answer, and the worker lives', async () => {
    const env = { TRUST_PROXY: '1', ALLOWED_ORIGINS: 'https://friend.example' };
    const server = await openServer({ env });
    try {
      await withNginx(['--upstream', `127.0.0.1:${server.port}`], async (nginx) => {
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
      });
    } finally {
      await server.close();
    }
  });
});

describe('payload through nginx', () => {
  const MOST_BYTES = 16 * 1024 * 1024;

  it('of 16 MiB comes back as it is, and of a byte more is refused', async () => {
    const server = await openServer({ env: { TRUST_PROXY: '1' } });
    try {
      await withNginx(['--upstream', `127.0.0.1:${server.port}`], async (nginx) => {
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
      });
    } finally {
      await server.close();
    }
  });

  it('over a fallback of SockJS stays with its session’s worker', () =>
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

describe('npm run nginx -- --local', () => {
  it('makes an nginx that starts without root, and keeps its log to its folder', () =>
    withFolder(async (folder) => {
      // Who is not root is the proof himself.
      const isRoot = process.getuid?.() === 0;
      const port = await findFreePorts(1);
      const { stdout } = await render('--local', '--folder', folder, '--listen', String(port));
      const [startCommand, stopCommand] = /** @type {string[]} */ (stdout.match(/^ {2}nginx .+$/gm));
      if (isRoot) {
        await chown(folder, NOBODY, NOBODY);
        for (const name of await readdir(folder)) await chown(path.join(folder, name), NOBODY, NOBODY);
      }
      const options = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
      await runNginx({ folder, startCommand, stopCommand, options }, async () => {
        const { status } = await ask(`https://localhost:${port}/`, {
          ca: await readFile(path.join(folder, 'certificate.pem')),
        });
        // It is there; the site behind it is not.
        assert.equal(status, 502);
      });
      assert.match(await readFile(path.join(folder, 'access.log'), 'utf8'), /"GET \/ HTTP\/1\.1" 502/);
    }));
});

describe('npm run nginx -- --domain', () => {
  /**
   * The configuration for a real name in a frame of its own, with a certificate made for the test.
   *
   * @param {string} folder
   * @param {string[]} args
   */
  const writeSite = async (folder, args) => {
    // For its frame and its certificate.
    await render('--local', '--folder', folder, '--domain', 'example.org');
    const files = ['--certificate', path.join(folder, 'certificate.pem'), '--key', path.join(folder, 'key.pem')];
    const out = path.join(folder, 'site.conf');
    const { code, stderr } = await render('--domain', 'example.org', ...files, '--out', out, ...args);
    assert.deepEqual([code, stderr], [0, '']);
    return { out, nginx: ['-p', folder, '-e', path.join(folder, 'error.log'), '-c', path.join(folder, 'nginx.conf')] };
  };

  it('for three machines passes nginx -t', () =>
    withFolder(async (folder) => {
      const machines = ['10.0.0.1:8000', '10.0.0.2:8000', '[fd00::3]:8000'];
      const { nginx } = await writeSite(
        folder,
        machines.flatMap((address) => ['--upstream', address]),
      );
      const { stderr } = await execute('nginx', [...nginx, '-t']);
      assert.match(stderr, /test is successful/);
      assert.doesNotMatch(stderr, /warn|emerg/);
    }));

  it('redirects to https, which sends HSTS', () =>
    withWorkers(answerOk, ({ port }) =>
      withFolder(async (folder) => {
        const { out, nginx } = await writeSite(folder, ['--workers', String(WORKERS), '--port', String(port)]);
        const http = await findFreePorts(2);
        const https = http + 1;
        // The usual ports may be taken here.
        const text = await readFile(out, 'utf8');
        await writeFile(
          out,
          text.replace(
            /(listen (?:\[::\]:)?)(80|443)\b/g,
            (_all, word, usual) => word + (usual === '80' ? http : https),
          ),
        );
        const command = ['nginx', ...nginx.map((word) => `'${word}'`)].join(' ');

        await runNginx({ folder, startCommand: command, stopCommand: `${command} -s stop` }, async () => {
          for (const address of ['127.0.0.1', ...(hasIpv6() ? ['[::1]'] : [])]) {
            const plain = await askPlain(`http://${address}:${http}/socktest?x=1`, 'example.org');
            assert.deepEqual(plain, { status: 301, location: 'https://example.org/socktest?x=1' });
          }
          const challenge = await askPlain(`http://127.0.0.1:${http}/.well-known/acme-challenge/none`, 'example.org');
          assert.deepEqual(challenge, { status: 404, location: undefined });
          const options = {
            ca: await readFile(path.join(folder, 'certificate.pem')),
            headers: { host: 'example.org' },
            servername: 'example.org',
          };
          const tooLarge = { ...options, method: 'POST', body: 'x'.repeat(3 * 1024 * 1024) };
          for (const [answer, expected] of /** @type {const} */ ([
            [await ask(`https://127.0.0.1:${https}/`, options), 200],
            [await ask(`https://127.0.0.1:${https}/ajaxecho`, tooLarge), 413],
          ])) {
            const { status, headers } = answer;
            assert.deepEqual([status, headers['strict-transport-security']], [expected, 'max-age=63072000']);
          }
        });
      }),
    ));
});

/** A container may have none. */
function hasIpv6() {
  return Object.values(os.networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
}

/**
 * @param {string} url
 * @param {string} host
 * @returns {Promise<{ status: number | undefined, location: string | undefined }>}
 */
async function askPlain(url, host) {
  const [res] = await once(request(url, { headers: { host } }).end(), 'response');
  res.resume();
  return { status: res.statusCode, location: res.headers.location };
}
