/** What is answered without Express: it must not differ from what Express answers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { loadAssets } from '../../../server/assets.js';
import { createKeptAnswers } from '../../../server/http/kept-answers.js';
import { TimeBudget } from '../../../server/http/limit-requests.js';
import { openServer } from '../../support/server.js';

/** @import { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http' */

/** Those without br and gzip have one place, but do not get the same. */
const ENCODINGS = ['gzip, deflate, br, zstd', 'gzip, deflate', 'deflate', ''];

/**
 * @param {string} url @param {RequestOptions} options
 * @returns {Promise<{ status: number | undefined, headers: IncomingHttpHeaders, body: Buffer }>}
 */
async function ask(url, options) {
  const [answer] = /** @type {[IncomingMessage]} */ (await once(request(url, options).end(), 'response'));
  const { headers } = answer;
  delete headers.date;
  return { status: answer.statusCode, headers, body: Buffer.concat(await answer.toArray()) };
}

describe('an answer that is kept whole', () => {
  /** @type {Awaited<ReturnType<typeof openServer>>} */
  let server;
  /** @type {string[]} */
  let paths;
  before(async () => {
    server = await openServer();
    const assets = await loadAssets();
    // A source map is not compressed beforehand.
    paths = ['/', '/how-it-works', assets.url('js/home.js'), `${assets.prefix}js/home.js.map`];
  });
  after(() => server.close());

  it('is, to the byte, what Express answered first, in each encoding', async () => {
    for (const path of paths) {
      for (const encoding of ENCODINGS) {
        const headers = { 'Accept-Encoding': encoding };
        const first = await ask(server.origin + path, { headers });
        const second = await ask(server.origin + path, { headers });
        assert.deepEqual(second, first, `${path} as ${encoding}`);
        const { 'content-encoding': encoded, 'content-length': length } = first.headers;
        if (!path.endsWith('.map')) assert.equal(encoded, encoding.match(/br|gzip(?=, deflate$)|^deflate/)?.[0]);
        if (length !== undefined) assert.equal(Number(length), first.body.length);
        assert.match(String(first.headers['content-security-policy']), /default-src 'self'/);
      }
    }
  });

  it('is kept by one spelling of its path, so that nobody fills the memory', () => {
    const budget = new TimeBudget(1000);
    const kept = createKeptAnswers(
      /** @type {any} */ ({ identity: { isSecure: () => true }, visitorOf: () => '', budget }),
    );
    const body = Buffer.from('a page');
    const isKept = (/** @type {string} */ url) => {
      const req = /** @type {any} */ ({ method: 'GET', url, headers: {} });
      const res = /** @type {any} */ (new ServerResponse(req)).setHeader('Content-Length', body.length);
      kept.keep(req, res, { url: '/all', body, isLimited: true });
      return kept.answer(req, /** @type {any} */ (new ServerResponse(req)));
    };
    assert.deepEqual(['/all?x', '/ALL', '/all/', '/%61ll', '/all'].map(isKept), [false, false, false, false, true]);
  });

  it('is 304 for a client that has it, as by Express, and whole for one that has another', async () => {
    const [path] = paths;
    const { headers: known } = await ask(server.origin + path, {});
    const unchanged = await ask(server.origin + path, { headers: { 'If-None-Match': known.etag } });
    const byExpress = await ask(server.origin + path, { headers: { 'If-None-Match': `"another", ${known.etag}` } });
    assert.deepEqual(unchanged, byExpress);
    assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);
    const other = await ask(server.origin + path, { headers: { 'If-None-Match': '"another"' } });
    assert.deepEqual([other.status, other.headers], [200, known]);
  });

  it('differs where the origin is no secure context, with HEAD, and where a client does not accept what is kept', async () => {
    const [path] = paths;
    const { headers: known } = await ask(server.origin + path, { headers: { 'Accept-Encoding': 'br' } });
    const plain = await ask(server.origin + path, { headers: { 'Accept-Encoding': 'br', Host: 'example.org' } });
    assert.deepEqual(
      [known, plain.headers].map((headers) => headers['cross-origin-opener-policy']),
      ['same-origin', undefined],
    );
    const head = await ask(server.origin + path, { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } });
    assert.deepEqual([head.headers, head.body.length], [known, 0]);
    const refused = await ask(server.origin + path, { headers: { 'Accept-Encoding': 'br;q=0, gzip' } });
    assert.equal(refused.headers['content-encoding'], 'gzip');
  });

  it('is refused to an address that has nothing left, as a page is', async () => {
    const strict = await openServer({ limits: { readMsPerMinute: 0.001 } });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await ask(strict.origin, {})).status);
    assert.deepEqual(statuses, [200, 429, 429]);
    await strict.close();
  });
});
