import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

/** @param {Response} response @returns {Promise<{ type: string, width: number, height: number }>} as a PNG file says */
async function sizeOf(response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  return { type: bytes.toString('latin1', 1, 4), width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const CARD = { type: 'PNG', width: 1200, height: 630 };

describe('pictures of the site', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer({ env: { PUBLIC_URL: 'https://example.org' } })));
  after(() => server.close());

  /** @param {string} path @param {RequestInit} [options] */
  const get = (path, options) => fetch(server.origin + path, options);
  /** @param {string} html @param {string} name @returns {string} below the site */
  const ogOf = (html, name) =>
    String(new RegExp(`property="og:${name}" content="(?:https://example\\.org)?([^"]*)"`).exec(html)?.[1]);
  const share = async () => {
    const { status, answer } = await postSubmission(server.origin, {
      document: createShootout(),
      place: { name: 'Rome' },
    });
    assert.equal(status, 201, JSON.stringify(answer));
    return answer;
  };

  it('has one of each shared run, which its page names', async () => {
    const { id, url } = await share();
    const html = await (await get(url)).text();
    assert.equal(ogOf(html, 'image'), `/api/results/${id}.png`);
    assert.deepEqual([ogOf(html, 'image:width'), ogOf(html, 'image:height')], ['1200', '630']);
    assert.match(html, /name="twitter:card" content="summary_large_image"/);
    const response = await get(ogOf(html, 'image'));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.deepEqual(await sizeOf(response), CARD);
  });

  it('sends it once to who has it, and anew when its place has changed', async () => {
    const { id, deleteToken } = await share();
    const path = `/api/results/${id}.png`;
    const etag = String((await get(path)).headers.get('etag'));
    const again = () => get(path, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } });
    assert.equal((await again()).status, 304);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${deleteToken}` };
    const body = JSON.stringify({ place: { name: 'Milan' } });
    assert.equal((await get(`/api/results/${id}`, { method: 'PATCH', headers, body })).status, 200);
    assert.equal((await again()).status, 200);
  });

  it('answers 404 for a run that there is not', async () => {
    const response = await get('/api/results/AAAAAAAAAAAAAAAA.png');
    assert.equal(response.status, 404);
    assert.equal((await response.json()).error.code, 'not-found');
  });

  it('has one for all other pages, where its address is known', async () => {
    const html = await (await get('/tests')).text();
    assert.deepEqual(await sizeOf(await get(ogOf(html, 'image'))), CARD);
  });

  it('has icons for tabs, home screens and the manifest, and lets robots in', async () => {
    const html = await (await get('/')).text();
    const hrefOf = (/** @type {string} */ rel) => String(new RegExp(`rel="${rel}" href="([^"]*)"`).exec(html)?.[1]);
    assert.deepEqual(await sizeOf(await get(hrefOf('apple-touch-icon'))), { type: 'PNG', width: 180, height: 180 });
    const manifestUrl = server.origin + hrefOf('manifest');
    const { icons, start_url: start } = await (await fetch(manifestUrl)).json();
    for (const { src, sizes } of icons) {
      const { width, height } = await sizeOf(await fetch(new URL(src, manifestUrl)));
      assert.equal(`${width}x${height}`, sizes);
    }
    assert.equal(new URL(start, manifestUrl).href, `${server.origin}/`);
    const icon = Buffer.from(await (await get('/favicon.ico')).arrayBuffer());
    assert.deepEqual([...icon.subarray(0, 6)], [0, 0, 1, 0, 1, 0]);
    assert.equal(icon.readUInt32LE(14) + icon.readUInt32LE(18), icon.length);
    assert.match(await (await get('/robots.txt')).text(), /^User-agent: \*$/m);
  });
});
