/**
 * Real proxies in front of a site, as docs/proxies.md configures them: who the site and its visitor are, what is measured, and
 * whether it is compressed on its way. That is without TLS; nginx with it: nginx*.test.js.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { findVisitor } from '../../server/http/addresses.js';
import { runProgram } from '../../test/support/program.js';
import { createShootout, postSubmission } from '../../test/support/submissions.js';
import { openServer } from '../../test/support/server.js';
import { openSession } from '../../test/support/sockjs-session.js';
import { openSocketioSession } from '../../test/support/socketio-session.js';
import { openWebSocket } from '../../test/support/web-socket.js';
import { withNginx } from './support/nginx.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { TestServer } from '../../test/support/server.js'
 * @typedef {{ language: string, debian: string, commandOf: (file: string) => string[], frame: (sites: string, folder: string) => string,
 *   edits: [string | RegExp, string][], compress?: [string | RegExp, string], mayCompress?: boolean }} Proxy `language` of its block in docs/proxies.md;
 *   `edits` make of that one without TLS at :PORT; `compress` makes it compress; `mayCompress`: what
 *   is not measured; default: true
 */

const DOCS = new URL('../../docs/proxies.md', import.meta.url);
const START_LIMIT_MS = 60_000;
const LOOK_MS = 50;
const SPOOFED = '203.0.113.7';
const FORGED = 'forged.example';

/** @type {Record<string, Proxy>} */
const PROXIES = {
  Apache: {
    language: 'apache',
    debian: 'apache2',
    commandOf: (file) => ['apache2', '-DFOREGROUND', '-f', file],
    frame: (sites, folder) => `ServerRoot ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
User www-data
Group www-data
${['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers', 'env', 'deflate', 'filter']
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`)
  .join('')}${sites}`,
    edits: [
      ['<VirtualHost *:443>', 'Listen 127.0.0.1:PORT\n<VirtualHost 127.0.0.1:PORT>'],
      [/ +SSL.*\n/g, ''],
      ['Proto https', 'Proto http'],
    ],
    compress: ['</VirtualHost>', 'SetOutputFilter DEFLATE\n</VirtualHost>'],
    mayCompress: false,
  },
  HAProxy: {
    language: 'haproxy',
    debian: 'haproxy',
    commandOf: (file) => ['haproxy', '-db', '-f', file],
    frame: (sites) => sites,
    edits: [
      [/bind :443.*/, 'bind 127.0.0.1:PORT'],
      ['Proto https', 'Proto http'],
      [/frontend example/g, 'frontend example-PORT'],
      [/(backend) sockshootout/g, '$1 sockshootout-PORT'],
    ],
    compress: [/$/, '    compression algo gzip\n'],
  },
  Caddy: {
    language: 'caddy',
    debian: 'caddy',
    commandOf: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
    frame: (sites) => `{\n    admin off\n    auto_https off\n    grace_period 1s\n}\n${sites}`,
    edits: [['example.org', 'http://:PORT']],
    mayCompress: false,
  },
};

/** @param {Proxy} proxy @param {number} port @param {TestServer} server @returns {Promise<string>} its block of the documentation */
async function siteOf({ language, edits, compress }, port, server) {
  const docs = await readFile(DOCS, 'utf8');
  const [, block] =
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(docs) ?? assert.fail(`${DOCS}: no ${language}`);
  return [...edits, ...(compress ? [compress] : [])]
    .reduce((text, [from, to]) => text.replace(from, to), block)
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${server.port}`)
    .replaceAll('PORT', String(port));
}

/** @param {Proxy} proxy @param {string} folder @param {string} sites @param {number} port that it listens at @returns {Promise<ChildProcess>} */
async function start({ commandOf, frame, debian }, folder, sites, port) {
  const file = path.join(folder, 'proxy.conf');
  await writeFile(file, frame(sites, folder));
  const [name, ...args] = commandOf(file);
  // What is for root is not in everybody's path.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder };
  const child = spawn(name, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  await once(child, 'spawn').catch((cause) => {
    throw new Error(`This test needs ${name}; on Debian: apt-get install ${debian}`, { cause });
  });
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS && child.exitCode === null; waitedMs += LOOK_MS) {
    if (
      await fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return child;
    await sleep(LOOK_MS);
  }
  child.kill();
  return assert.fail(`${name}: expected it to pass on requests, got ${said}`);
}

/** @param {string} origin @param {boolean} isCompressed whether runs through this proxy say that it compresses */
async function assertRunsSay(origin, isCompressed) {
  const run = (/** @type {string} */ name, /** @type {string} */ query) =>
    runProgram('cli/sockshootout.js', ['run', name, '--url', origin, '--plan', query, '--quiet']);
  const sizes = await run('payload', '?transports=fetch,websocket-text&directions=down&sizes=10000&repeats=6');
  const said = sizes.err.includes('A proxy compressed the answer');
  assert.deepEqual([sizes.code, said], isCompressed ? [2, true] : [0, false], sizes.err);
  const messages = await run('shootout', '?transports=fetch,ws&blocks=6&iterations=5&warmup=1&payload=1000&seed=7');
  assert.deepEqual(
    [messages.code, /Compression\W+a proxy compressed 42 of/.test(messages.out)],
    [0, isCompressed],
    messages.out,
  );
}

for (const [name, proxy] of Object.entries(PROXIES)) {
  const { mayCompress = true } = proxy;

  describe(`${name} in front of a site`, () => {
    /** @type {[TestServer, TestServer]} that trusts it, and that knows its public URL */
    let servers;
    /** @type {[string, string]} of these through the proxy */
    let origins;
    /** @type {string} */
    let folder;
    /** @type {ChildProcess} */
    let child;

    before(async () => {
      const port = await findFreePorts(2);
      origins = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`];
      servers = [
        await openServer({ env: { TRUST_PROXY: '1' } }),
        await openServer({ env: { PUBLIC_URL: origins[1] } }),
      ];
      folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-proxy-'));
      const sites = await Promise.all(servers.map((server, i) => siteOf(proxy, port + i, server)));
      child = await start(proxy, folder, sites.join('\n'), port);
    });
    after(async () => {
      if (child?.exitCode === null) {
        child.kill();
        await once(child, 'close');
      }
      await Promise.all((servers ?? []).map((server) => server.close()));
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    it('lets the site’s own pages save, no others, and makes links to itself, whatever clients claim', async () => {
      for (const origin of origins) {
        const save = (/** @type {string} */ page) =>
          postSubmission(origin, { document: createShootout(), label: 'x' }, { headers: { Origin: page } });
        const { status, answer } = await save(origin);
        assert.equal(status, 201, JSON.stringify(answer));
        assert.equal((await save('http://elsewhere.example')).status, 403);
        const headers = { 'X-Forwarded-Host': FORGED };
        const page = await (await fetch(origin + answer.url, { headers })).text();
        assert.ok(page.includes(`"${origin}${answer.url}"`));
        assert.ok(!page.includes(FORGED) && !page.includes(`127.0.0.1:${servers[0].port}`));
      }
    });

    it('names the visitor, whatever the visitor says', async () => {
      const [server] = servers;
      const request = once(server.server, 'request');
      await fetch(`${origins[0]}/ajaxecho?count=1`, { headers: { 'X-Forwarded-For': SPOOFED } });
      const [req] = await request;
      assert.deepEqual(findVisitor(req, 1), { address: '127.0.0.1', isKnown: true });
    });

    it('passes on all that is measured, and each piece of a stream', async () => {
      const [origin] = origins;
      for (const transport of ['websocket', 'xhr-streaming', 'eventsource', 'xhr-polling']) {
        const session = await openSession(`${origin}/echo`, transport);
        assert.deepEqual(await session.ask({ count: 1 }), { count: 2 }, transport);
        session.close();
      }
      for (const transports of [['websocket'], ['polling']]) {
        const session = await openSocketioSession(`${origin}/socket.io`, { transports });
        session.send({ count: 1 });
        assert.deepEqual(await session.next(), { count: 2 }, transports.join());
        session.close();
      }
      const socket = await openWebSocket(`${origin.replace('http', 'ws')}/ws/echo`);
      assert.equal(await socket.ask('{"count":1}'), '{"count":2}');
      socket.close();

      const address = `${origin}/sse/abcdefgh`;
      const { body } = await fetch(address);
      await fetch(address, { method: 'POST', body: '{"count":1}' });
      let text = '';
      // A proxy that collects pieces would pass this one on with the end of the stream, which has none.
      for await (const piece of /** @type {AsyncIterable<Uint8Array>} */ (/** @type {unknown} */ (body))) {
        text += Buffer.from(piece);
        if (text.includes('{"count":2}')) break;
      }
    });

    it('compresses nothing that is measured, whatever else', async () => {
      const [origin] = origins;
      const encodingOf = async (/** @type {string} */ url) => {
        const { headers } = await fetch(origin + url, { headers: { 'Accept-Encoding': 'gzip' } });
        return headers.get('content-encoding');
      };
      assert.equal(await encodingOf('/healthz'), mayCompress ? 'gzip' : null);
      for (const url of ['/ajaxecho?count=1', '/status', '/payload/down?bytes=100000', '/echo/info']) {
        assert.equal(await encodingOf(url), null, url);
      }
      await assertRunsSay(origin, false);
    });
  });
}

describe('nginx that compresses all types', () => {
  it('compresses what it must not, and a run says so', async () => {
    const server = await openServer({ env: { TRUST_PROXY: '1' } });
    const site = (/** @type {number} */ port) => `server {
    listen 127.0.0.1:${port};
    gzip on;
    gzip_types *;
    gzip_proxied any;
    location / {
        proxy_pass http://127.0.0.1:${server.port};
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $http_connection;
    }
}
`;
    try {
      await withNginx(
        [],
        ({ port }) => assertRunsSay(`http://127.0.0.1:${port}`, true),
        (_, port) => site(port),
      );
    } finally {
      await server.close();
    }
  });
});
