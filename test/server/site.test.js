import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openServer } from '../support/server.js';

/** @import { TestServer } from '../support/server.js' */

const PAGES = ['/', '/ajaxtest', '/socktest'];

/** @type {Record<string, RegExp>} */
const TYPES = {
  ...{ js: /javascript/, css: /text\/css/, svg: /image\/svg/, png: /image\/png/ },
  webmanifest: /application\/manifest\+json/,
};

describe('the site', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer({ env: { TRUST_PROXY: '1', SERVER_NAME: '<b>&"', SERVER_LOCATION: 'Köln' } });
  });
  after(() => server.close());

  /** @param {string} path @param {Record<string, string>} [headers] */
  const get = (path, headers) => fetch(server.origin + path, { headers, redirect: 'manual' });

  it('answers /healthz', async () => {
    assert.deepEqual(await (await get('/healthz')).json(), { status: 'ok' });
  });

  it('answers OPTIONS by the methods that an address has', async () => {
    const ask = async (/** @type {string} */ path) => {
      const { status, headers } = await fetch(server.origin + path, { method: 'OPTIONS' });
      return [status, headers.get('allow')];
    };
    for (const path of ['/', '/healthz', '/results']) assert.deepEqual(await ask(path), [200, 'GET, HEAD'], path);
    assert.deepEqual(await ask('/nothing'), [404, null]);
  });

  it('has a page for addresses that it does not know, which shows nothing of the address', async () => {
    for (const path of [
      '/nothing',
      '/ajaxtest/x',
      '/assets/old/js/ajaxtest.js',
      '/assets/..%2f..%2fpackage.json',
      '/<script>',
    ]) {
      const response = await get(path);
      assert.equal(response.status, 404, path);
      assert.ok(!(await response.text()).includes('script>alert'), path);
    }
    assert.equal((await get('/%E0%A4%A')).status, 404);
  });

  for (const path of PAGES) {
    it(`${path} has no inline code, nothing from elsewhere, and escapes what it shows`, async () => {
      const html = await (await get(path)).text();
      assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)[^>]*>/);
      assert.doesNotMatch(html, /\son\w+=|style=|<style|javascript:/);
      assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//);
      assert.ok(html.includes('&lt;b&gt;&amp;&#34;') && !html.includes('<b>&'), 'the server’s name is escaped');
    });

    it(`${path} has the security headers`, async () => {
      const { headers } = await get(path);
      const policy = String(headers.get('content-security-policy'));
      assert.match(policy, /default-src 'self'/);
      assert.doesNotMatch(policy, /unsafe|upgrade-insecure-requests/);
      assert.equal(headers.get('strict-transport-security'), null);
      assert.equal(headers.get('x-powered-by'), null);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    });
  }

  for (const [what, headers, isolated] of /** @type {const} */ ([
    ['on localhost', { host: 'localhost:8000' }, true],
    ['on another host over plain http', { host: 'example.org' }, false],
    ['on another host over TLS at the proxy', { host: 'example.org', 'x-forwarded-proto': 'https' }, true],
  ])) {
    it(`is ${isolated ? '' : 'not '}cross-origin isolated ${what}`, async () => {
      // fetch does not send a Host of ours, the bare client does.
      const http = await import('node:http');
      const response = await new Promise((resolve) => http.get(server.origin, { headers }, resolve));
      response.resume();
      assert.equal(response.headers['cross-origin-opener-policy'], isolated ? 'same-origin' : undefined);
      assert.equal(response.headers['cross-origin-embedder-policy'], isolated ? 'require-corp' : undefined);
    });
  }

  it('serves every asset that a page names, immutable, of the right type, compressed', async () => {
    for (const page of PAGES) {
      const html = await (await get(page)).text();
      const urls = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url);
      assert.ok(urls.length >= 3, page);
      for (const url of urls) {
        const response = await get(url, { 'accept-encoding': 'gzip' });
        const text = await response.text();
        assert.equal(response.status, 200, url);
        assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable', url);
        const type = TYPES[String(url.split('.').at(-1))];
        assert.match(String(response.headers.get('content-type')), type, url);
        if (text.length > 1024 && !url.endsWith('.png'))
          assert.equal(response.headers.get('content-encoding'), 'gzip', url);
      }
    }
  });

  it('shows three findings before a run, each with two figures and its source', async () => {
    const html = await (await fetch(`${server.origin}/`)).text();
    const [, facts] = /<section id="facts"[^]*?<ul>([^]*?)<\/ul>/.exec(html) ?? [];
    const found = facts.split(/<li[ >]/).slice(1);
    assert.deepEqual(
      found.map((fact) => /<a href="([^"]+)"/.exec(fact)?.[1]),
      ['#example', '#example', '/ajaxtest'],
    );
    for (const fact of found) assert.equal(fact.match(/<p class="fact-line">/g)?.length, 2, fact);
  });

  it('shows in its example what the sentence says, by the bars of news and of sending', async () => {
    const html = await (await fetch(`${server.origin}/`)).text();
    const [, example] = /<figure id="example"([^]*?)<\/figure>/.exec(html) ?? [];
    const [polling, push, ...sending] = [...example.matchAll(/<strong>([\d.]+) (?:s|ms)<\/strong>/g)].map(
      ([, figure]) => Number(figure),
    );
    const words = example.replace(/<[^>]*>/g, '');
    assert.ok(words.includes(`users see it ${(polling - push).toFixed(2)} s sooner`), words);
    assert.equal(sending.length, 2);
  });

  it('invites others from the pages of 2012 and 2019 to a plan that a study takes', async () => {
    for (const page of ['/ajaxtest', '/socktest', '/countdown']) {
      const [, query] = /id="invite" href="[^"?]*\?(plan=[^"]+)"/.exec(await (await get(page)).text()) ?? [];
      assert.equal((await get(`/c?label=${page.slice(1)}&${query}`)).status, 200, page);
    }
  });

  it('has a button for each preset of a test, unless its form offers that by itself', async () => {
    const buttonsOf = async (/** @type {string} */ path) =>
      (await (await get(path)).text()).match(/data-plan="/g) ?? [];
    assert.deepEqual([(await buttonsOf('/polltest')).length, (await buttonsOf('/payloadtest')).length], [2, 0]);
  });

  it('has what can be done with a result before its charts and tables, on the page of each test', async () => {
    for (const path of [
      '/inflight',
      '/fixedrate',
      '/polltest',
      '/payloadtest',
      '/reach',
      '/cuts',
      '/stream',
      '/underload',
    ]) {
      const html = await (await get(path)).text();
      const places = ['id="result-notice"', 'id="again"', 'id="result-evidence"'].map((part) => html.indexOf(part));
      assert.ok(places[0] > 0 && places[0] < places[1] && places[1] < places[2], `${path} ${places}`);
    }
  });

  it('names the preset that a form has at first', async () => {
    const defaultsOf = async (/** @type {string} */ path) =>
      [...(await (await get(path)).text()).matchAll(/data-plan="[^>]*>([^<]*) \(default\)</g)].map(([, name]) => name);
    assert.deepEqual(await defaultsOf('/cuts'), ['Deploy and silence']);
    assert.deepEqual(await defaultsOf('/underload'), ['Standard']);
    for (const path of ['/polltest', '/stream']) assert.equal((await defaultsOf(path)).length, 1, path);
  });

  it('has one script of its own on each page, and one stylesheet, which import nothing else', async () => {
    for (const page of PAGES) {
      const html = await (await get(page)).text();
      const [script, ...others] = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, url]) => url);
      assert.deepEqual(others, [], page);
      assert.equal([...html.matchAll(/rel="stylesheet"/g)].length, 1, page);
      const [, program] = /<link id="program" [^>]*href="([^"]+)"/.exec(html) ?? [];
      for (const url of [script, program ?? script]) {
        assert.doesNotMatch(await (await get(url)).text(), /(?:^|;|\})(?:import|export)[^(]*?from?"[^"]+"/, page);
      }
      assert.equal(program !== undefined, html.includes('id="start-controls"'), page);
    }
  });

  it('has each script as Brotli, as gzip and as it is, of the same content, with its source map', async () => {
    const [script] = /\/assets\/[^"]+\/js\/home\.js/.exec(await (await get('/')).text()) ?? assert.fail();
    const asIs = await get(script, { 'accept-encoding': 'identity' });
    assert.equal(asIs.headers.get('content-encoding'), null);
    const text = await asIs.text();
    const sizes = [text.length];
    for (const encoding of ['gzip', 'br']) {
      const response = await get(script, { 'accept-encoding': `${encoding}, identity;q=0.1` });
      assert.equal(response.headers.get('content-encoding'), encoding);
      assert.match(String(response.headers.get('vary')), /accept-encoding/i);
      assert.equal(await response.text(), text);
      sizes.push(Number(response.headers.get('content-length')));
    }
    assert.ok(sizes[0] > 2 * sizes[1] && sizes[1] > sizes[2], String(sizes));
    // As browsers ask: they name gzip first.
    const asked = await get(script, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    assert.equal(asked.headers.get('content-encoding'), 'br');

    const [, map] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text) ?? assert.fail();
    const { sources, sourcesContent } = await (await get(new URL(map, server.origin + script).pathname)).json();
    assert.ok(sources.some((/** @type {string} */ source) => source.endsWith('core/experiments/shootout/plan.js')));
    assert.equal(sourcesContent.length, sources.length);
  });
});
