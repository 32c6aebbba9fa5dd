/** Which address the site has: by what a request and its proxies say, whom it takes for its own page, and what follows. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { createIdentity, readOrigin } from '../../../server/http/identity.js';
import { sendRaw } from '../../support/raw-http.js';
import { createShootout, postSubmission } from '../../support/submissions.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

const SITE = 'https://shootout.example';
const HOST = 'shootout.example';
const BACKEND = '127.0.0.1:8000';

/** @param {Record<string, string>} headers @param {{ publicUrl?: string, trustProxy?: number }} [config] */
function identify(headers, { publicUrl, trustProxy = 1 } = {}) {
  const identity = createIdentity({ publicUrl, basePath: '/base', trustProxy });
  return {
    url: identity.urlOf({ headers }),
    isOwn: identity.isOwn({ headers }),
    isSecure: identity.isSecure({ headers }),
  };
}

describe('the site’s own address', () => {
  for (const [
    who,
    headers,
    config,
  ] of /** @type {[string, Record<string, string>, Parameters<typeof identify>[1]?][]} */ ([
    ['nginx, as docs/nginx.md has it', { host: HOST, 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https' }],
    [
      'Apache, which rewrites Host, and is told to name the protocol',
      { host: BACKEND, 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https' },
    ],
    ['Apache by itself, and PUBLIC_URL', { host: BACKEND, 'x-forwarded-host': HOST }, { publicUrl: SITE }],
    [
      'Apache by itself, which is not trusted, and PUBLIC_URL',
      { host: BACKEND, 'x-forwarded-host': HOST },
      { publicUrl: SITE, trustProxy: 0 },
    ],
    [
      'Caddy and Traefik',
      { host: HOST, 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' },
    ],
    [
      'one that adds headers that nobody reads',
      {
        host: HOST,
        'x-forwarded-proto': 'https',
        'x-forwarded-port': '1',
        forwarded: 'host=forged.example;proto=http',
      },
    ],
    ['HAProxy, which names no host', { host: HOST, 'x-forwarded-proto': 'https' }],
    [
      'one that writes capitals',
      { host: BACKEND, 'x-forwarded-host': 'Shootout.EXAMPLE', 'x-forwarded-proto': 'HTTPS' },
    ],
    [
      'one that adds the default port',
      { host: BACKEND, 'x-forwarded-host': `${HOST}:443`, 'x-forwarded-proto': 'https' },
    ],
    [
      'several, each of which adds to a list',
      { host: BACKEND, 'x-forwarded-host': `${HOST}, inner.example`, 'x-forwarded-proto': 'https,http' },
    ],
    ['one that sends nothing in a header', { host: HOST, 'x-forwarded-host': ' ', 'x-forwarded-proto': 'https' }],
    ['a Host with the default port', { host: `${HOST}:443`, 'x-forwarded-proto': 'https' }],
    ['a Host in capitals', { host: 'SHOOTOUT.example', 'x-forwarded-proto': 'https' }],
  ])) {
    it(`is the one in the browser behind ${who}`, () => {
      for (const origin of [SITE, 'https://Shootout.example', `${SITE}:443`]) {
        const found = identify({ ...headers, origin }, config);
        assert.deepEqual(found, { url: `${SITE}/base`, isOwn: true, isSecure: true }, origin);
      }
      for (const origin of [
        'https://elsewhere.example',
        `${SITE}:444`,
        `${SITE}.`,
        'https://x.shootout.example',
        'null',
        SITE.slice(0, -1),
      ]) {
        assert.equal(identify({ ...headers, origin }, config).isOwn, false, origin);
      }
    });
  }

  for (const [host, origin] of [
    ['[::1]:8000', 'http://[::1]:8000'],
    ['[0:0:0:0:0:0:0:1]:8000', 'http://[::1]:8000'],
    ['[2001:DB8::7]:80', 'http://[2001:db8::7]'],
    ['[::ffff:192.0.2.7]', 'http://[::ffff:c000:207]'],
    ['xn--kln-sna.example', 'http://xn--kln-sna.example'],
    ['XN--KLN-SNA.example:80', 'http://xn--kln-sna.example'],
    ['shootout.example.', 'http://shootout.example.'],
    ['my_site:81', 'http://my_site:81'],
  ]) {
    it(`is compared as browsers write it: ${host}`, () => {
      const { url, isOwn } = identify({ host, origin });
      assert.deepEqual([url, isOwn], [`${origin}/base`, true]);
    });
  }

  it('is by Host of either protocol, as a proxy with TLS may not say so', () => {
    assert.equal(identify({ host: HOST, origin: SITE }).isOwn, true);
    assert.equal(identify({ host: `${HOST}:443`, origin: SITE }).isOwn, true);
    assert.equal(identify({ host: `${HOST}:443`, origin: `http://${HOST}` }).isOwn, false);
  });

  it('is not what a proxy says that is not trusted', () => {
    const headers = { host: 'x', 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https', origin: SITE };
    assert.deepEqual(identify(headers, { trustProxy: 0 }), { url: 'http://x/base', isOwn: false, isSecure: false });
  });

  it('is taken from the browser’s word, which no page can write, also against other sites', () => {
    const by = (/** @type {string} */ site, /** @type {string} */ origin) =>
      identify({ host: BACKEND, 'sec-fetch-site': site, ...(origin && { origin }) }).isOwn;
    assert.deepEqual([by('same-origin', SITE), by('same-origin', 'null'), by('same-origin', '')], [true, true, true]);
    for (const site of ['same-site', 'cross-site', 'same-origin, same-origin'])
      assert.equal(by(site, SITE), false, site);
    assert.deepEqual([by('none', ''), by('same-site', ''), by('cross-site', '')], [true, false, false]);
  });
});

it('an origin is read as browsers write it, and nothing else is one', () => {
  assert.equal(readOrigin('HTTPS://Example.org:443'), 'https://example.org');
  for (const text of [
    'null',
    'https://',
    'example.org',
    'ftp://a',
    'https://a/',
    'https://a@b',
    'https://a b',
    'https://a..b',
    `https://${'a'.repeat(300)}`,
    'undefined://undefined',
  ])
    assert.equal(readOrigin(text), undefined, text);
});

describe('a site behind a proxy that rewrites Host', () => {
  const env = { TRUST_PROXY: '1', ALLOWED_ORIGINS: 'https://Friend.example:443' };
  const proxied = { 'X-Forwarded-Host': HOST, 'X-Forwarded-Proto': 'HTTPS', Origin: SITE };

  it('saves and deletes the runs of its own pages, opens their sockets, isolates them, and makes links to itself', () =>
    withServer({ env }, async ({ origin, port }) => {
      const { status, answer } = await postSubmission(
        origin,
        { document: createShootout(), label: 'x' },
        { headers: proxied },
      );
      assert.equal(status, 201);
      const headers = { ...proxied, Authorization: `Bearer ${answer.deleteToken}` };
      const page = await fetch(origin + answer.url, { headers: proxied });
      assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin');
      assert.ok((await page.text()).includes(`"${SITE}${answer.url}"`));
      assert.equal((await fetch(`${origin}/api/results/${answer.id}`, { method: 'DELETE', headers })).status, 204);
      assert.equal((await fetch(`${origin}/ajaxecho?count=1`, { headers: proxied })).status, 200);
      for (const path of ['/ws', '/echo/websocket', '/socket.io/?EIO=4&transport=websocket']) {
        const url = `ws://127.0.0.1:${port}${path}`;
        (await openWebSocket(url, { headers: proxied })).close();
        (await openWebSocket(url, { headers: { ...proxied, Origin: 'https://friend.example' } })).close();
        const foreign = { ...proxied, Origin: 'https://elsewhere.example' };
        await assert.rejects(openWebSocket(url, { headers: foreign }), /status 403/, path);
      }
    }));
});

describe('a request whose target is a whole URL', () => {
  it('is answered as if it were a path, at pages and at measured endpoints, by the host of the URL', () =>
    withServer({ env: { ALLOWED_ORIGINS: 'https://friend.example' } }, async ({ port }) => {
      const get = async (/** @type {string} */ target, headers = '') => {
        const text = await sendRaw(
          port,
          `GET ${target} HTTP/1.1\r\nHost: other\r\n${headers}Connection: close\r\n\r\n`,
        );
        return { status: Number(text.split(' ')[1]), text };
      };
      for (const path of [
        '',
        '/',
        '?x=1',
        '/ajaxecho?count=1',
        '/xhr?count=1',
        '/ajaxtest',
        '/echo/info',
        '/healthz',
        '/status',
        '/payload/down?bytes=1',
        '/socket.io/?EIO=4&transport=polling',
      ])
        assert.equal((await get(`http://${HOST}${path}`)).status, 200, path);
      assert.equal((await get(`HTTP://${HOST}/ajaxecho?count=1`, `Origin: http://${HOST}\r\n`)).status, 200);
      assert.ok((await get(`http://${HOST}/c?label=x`)).text.includes(`<a href="http://${HOST}/c`));
      for (const path of ['/nothing', '//ajaxecho'])
        assert.equal((await get(`http://${HOST}${path}`)).status, 404, path);
      const upgrade = request({
        port,
        path: `http://${HOST}/ws`,
        headers: {
          Connection: 'Upgrade',
          Upgrade: 'websocket',
          'Sec-WebSocket-Version': '13',
          'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
        },
      });
      const socket = await new Promise((resolve, reject) => {
        upgrade
          .on('upgrade', (_answer, opened) => resolve(opened))
          .on('response', ({ statusCode }) => reject(new Error(`status ${statusCode}`)));
        upgrade.end();
      });
      socket.destroy();
    }));

  it('may have the path of the site in it, or not', () =>
    withServer({ env: { BASE_PATH: '/tools' } }, async ({ port }) => {
      for (const path of ['/tools/ajaxecho?count=1', '/ajaxecho?count=1', '/tools/results']) {
        const text = await sendRaw(port, `GET http://${HOST}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        assert.equal(text.split(' ')[1], '200', path);
      }
    }));
});
