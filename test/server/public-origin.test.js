/**
 * What links of the site begin with: what the operator says, else the Host that a request names, where that can be one.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

const PUBLIC_URL = 'https://shootout.example';
const RIGHT = [
  'example.org',
  'EXAMPLE.org:8000',
  'my_site',
  'example.org.',
  '10.0.0.1:81',
  '[::1]:8000',
  'xn--kln-sna.de',
];
const WRONG = [
  'evil.example/path', 'user@evil.example', 'a b', 'a"><script>', "a'b", 'a:b', 'a:99999', '[::g]', '[::1', 'a..b', '.', ':80',
  `${'x'.repeat(300)}.org`, 'a\u00e4', 'a,b', 'a?b', 'a#b', 'a\\b',
]; // prettier-ignore

/**
 * @param {TestServer} server
 * @returns {Promise<string[]>} the pages that have links to themselves
 */
async function savePages(server) {
  const { answer } = await postSubmission(server.origin, { document: createShootout(), label: 'all' });
  return [answer.url, `/compare?ids=${answer.id}`, '/c?label=all', '/c?make=link&label=all'];
}

/**
 * @param {string} html
 * @returns {string[]} the origins of the links by which others find the page, or that are mailed out
 */
const originsIn = (html) =>
  [...html.matchAll(/(?:rel="canonical" href|og:url" content|id="study-link"><a href)="([^"]*)"/g)].map(([, url]) =>
    url.replace(/\/(?:results|compare|c)\b.*$/, ''),
  );

/**
 * @param {TestServer} server
 * @param {string} path
 * @param {string} headers its lines
 * @param {string} [version]
 * @returns {Promise<{ status: number, html: string }>}
 */
async function get({ port }, path, headers, version = '1.1') {
  const text = await sendRaw(port, `GET ${path} HTTP/${version}\r\n${headers}Connection: close\r\n\r\n`);
  return { status: Number(text.split(' ')[1]), html: text };
}

describe('links of a site without PUBLIC_URL', () => {
  /** @type {TestServer} */
  let server;
  /** @type {string[]} */
  let pages;
  before(async () => {
    server = await openServer({
      env: { TRUST_PROXY: '1' },
      limits: { documentsPerMinute: 10_000 },
    });
    pages = await savePages(server);
  });
  after(() => server.close());

  for (const host of RIGHT) {
    it(`begin with the Host of the request: ${host}`, async () => {
      for (const path of pages) {
        const { status, html } = await get(server, path, `Host: ${host}\r\n`);
        const origin = `http://${host.toLowerCase()}`;
        assert.deepEqual([status, new Set(originsIn(html))], [200, new Set([origin])], path);
      }
    });
  }

  for (const host of WRONG) {
    it(`are not made of what is no host: ${host.slice(0, 20)}`, async () => {
      for (const path of pages) {
        for (const headers of [`Host: ${host}\r\n`, `Host: x\r\nX-Forwarded-Host: ${host}\r\n`]) {
          const { status, html } = await get(server, path, headers);
          // Express takes the first of several that proxies have added.
          if (host === 'a,b' && status === 200) assert.deepEqual(new Set(originsIn(html)), new Set(['http://a']));
          else assert.deepEqual([status, originsIn(html)], [400, []], path);
        }
      }
    });
  }

  it('are not made of what is no protocol', async () => {
    for (const path of pages) {
      const headers = 'Host: x\r\nX-Forwarded-Proto: javascript\r\n';
      assert.equal((await get(server, path, headers)).status, 400);
    }
  });

  it('are relative where the request names no host', async () => {
    for (const path of pages) {
      const { status, html } = await get(server, path, '', '1.0');
      assert.deepEqual([status, new Set(originsIn(html))], [200, new Set([''])], path);
    }
  });
});

describe('links of a site with PUBLIC_URL', () => {
  it('begin with that, whatever a request names', async () => {
    const server = await openServer({ env: { PUBLIC_URL: `${PUBLIC_URL}/`, TRUST_PROXY: '1' } });
    try {
      for (const path of await savePages(server)) {
        for (const headers of [
          'Host: evil.example\r\n',
          'Host: x\r\nX-Forwarded-Host: a"b\r\nX-Forwarded-Proto: y\r\n',
        ]) {
          const { status, html } = await get(server, path, headers);
          assert.deepEqual([status, new Set(originsIn(html))], [200, new Set([PUBLIC_URL])], path);
        }
      }
    } finally {
      await server.close();
    }
  });
});
