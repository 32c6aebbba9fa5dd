/** The page that reads a recording: what its headers forbid it, and what it shows before there is one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { openServer } from '../support/server.js';

/** @import { TestServer } from '../support/server.js' */

const OTHER = 'https://london.example';

/** @param {Response} response @returns {Record<string, string>} by directive */
const policyOf = (response) =>
  Object.fromEntries(
    String(response.headers.get('Content-Security-Policy'))
      .split(';')
      .map((one) => one.trim().split(/ (.*)/, 2)),
  );

describe('the page that reads a recording', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    const SERVERS = JSON.stringify([{ name: 'London', url: OTHER }]);
    server = await openServer({ env: { SERVERS } });
  });
  after(() => server.close());

  /** @param {string} path */
  const get = (path) => fetch(server.origin + path);

  it('may connect to nothing, however often it was asked for', async () => {
    for (let i = 0; i < 2; i++) {
      const response = await get('/yourpage');
      assert.equal(response.status, 200);
      const policy = policyOf(response);
      assert.equal(policy['connect-src'], "'none'");
      assert.equal(policy['form-action'], "'none'");
      assert.equal(policy['frame-src'], "'none'");
      assert.ok(Object.values(policy).every((sources) => !sources.includes('//') && !sources.includes('*')));
    }
  });

  it('reads in a worker that may load and connect to nothing', async () => {
    const html = await (await get('/yourpage')).text();
    const [, assets] = /src="([^"]*)your-page\.js"/.exec(html) ?? assert.fail('no script');
    for (let i = 0; i < 2; i++) {
      const worker = await get(`${assets}recording-worker.js`);
      assert.equal(worker.status, 200);
      assert.deepEqual(policyOf(worker), { 'default-src': "'none'" });
    }
    assert.notEqual(policyOf(await get(`${assets}your-page.js`))['connect-src'], "'none'");
  });

  it('leaves the pages that measure what they need', async () => {
    assert.match(policyOf(await get('/'))['connect-src'], /^'self' https:\/\/london\.example /);
  });

  it('has the code of the methods that it may recommend, as the pages about moving have it', async () => {
    const html = await (await get('/yourpage')).text();
    for (const method of ['sse', 'sockjs']) {
      const [firstLine] = readFileSync(`examples/${method}/news-page.js`, 'utf8').split('\n');
      const [, section] =
        new RegExp(`<section id="code-${method}"(.*?)</section>`, 's').exec(html) ?? assert.fail(method);
      assert.match(section, /^[^>]* hidden>/);
      assert.ok(section.includes(firstLine.replaceAll("'", '&#39;')), firstLine);
      assert.ok(section.includes(`href="/moving/${method}"`));
    }
  });

  it('is offered where one is asked what a page does', async () => {
    for (const path of ['/', '/all', '/tests']) {
      assert.match(await (await get(path)).text(), /<main.*<a href="\/yourpage">.*<\/main>/s, path);
    }
  });
});
