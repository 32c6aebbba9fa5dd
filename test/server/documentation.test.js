import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAt } from '../../server/base-path.js';
import { createDocumentation } from '../../server/documentation.js';
import { openServer } from '../support/server.js';

describe('the documentation on the site', () => {
  const at = createAt('/shootout');
  const pages = [...createDocumentation(at)].map(([path, read]) => {
    const { head, html, ...page } = read();
    return { path: at(path), html: head + html, ...page };
  });

  it('has a page for each document, with its heading as the title', () => {
    const titles = Object.fromEntries(pages.map(({ path, title }) => [path, title]));
    const { '/shootout/docs': index, '/shootout/docs/terms': terms, '/shootout/docs/decisions': decisions } = titles;
    assert.deepEqual([index, terms, decisions], ['Documentation', 'Terms', 'Decisions']);
  });

  it('links only to places that there are', () => {
    const ids = new Map(
      pages.map(({ path, html }) => [path, [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
    );
    const broken = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/<a href="([^"]+)"/g)].flatMap(([, href]) => {
        if (href.startsWith('https:')) return [];
        const [target, id] = href.startsWith('#') ? [path, href.slice(1)] : href.split('#');
        return ids.get(target) && (id === undefined || ids.get(target)?.includes(id)) ? [] : [`${path}: ${href}`];
      }),
    );
    assert.deepEqual(broken, []);
  });

  it('leads from its first page to all others', () => {
    const [first, ...others] = pages;
    assert.deepEqual(
      others.filter(({ path }) => !new RegExp(`href="${path}["#]`).test(first.html)).map(({ path }) => path),
      [],
    );
  });

  it('begins a long page with its headings, whose links lead to them', () => {
    const long = pages.filter(({ html }) => html.split('<h2').length > 5);
    assert.ok(long.length > 10);
    for (const { path, html, headings } of long) {
      assert.equal(headings.length, html.split('<h2').length - 1, path);
      for (const heading of headings)
        assert.ok(html.includes(`<h2 id="${heading.id}">`) && !heading.html.includes('<a'), path);
    }
    const short = pages.find(({ html }) => !html.includes('<h2'));
    assert.deepEqual(short?.headings, []);
  });

  it('has no raw HTML of its documents', () => {
    for (const { path, html } of pages) assert.doesNotMatch(html, /<!--|<script|<style| on\w+=/, path);
  });

  it('has tables and commands that the keyboard scrolls', () => {
    for (const { path, html } of pages) assert.doesNotMatch(html, /(?<!tabindex="0">)<table|<pre>/, path);
  });

  it('has blocks for the rows of a table of words, and none where figures are aligned', () => {
    const tables = pages.flatMap(({ html }) => html.match(/<table[^]*?<\/table>/g) ?? []);
    const stacked = tables.filter((table) => table.includes('class="stacked"'));
    assert.ok(stacked.length > 5);
    const textOf = (/** @type {string} */ table) => table.replace(/<[^>]*>/g, '');
    const aligned = tables.filter((table) => table.includes('align="right"'));
    const inFlight = aligned.filter((table) => textOf(table).includes('32 in flight, compared with 1'));
    assert.equal(inFlight.length, 2);
    for (const table of stacked)
      assert.ok([...table.matchAll(/<td[^>]*>(.*?)<\/td>/g)].some(([, cell]) => textOf(cell).length > 30));
  });

  it('answers with these, and with the page for everything else where there is none', async () => {
    const server = await openServer();
    try {
      const statusOf = async (/** @type {string} */ path) => (await fetch(server.origin + path)).status;
      assert.equal(await statusOf('/docs/terms'), 200);
      for (const name of ['nothing', 'README', '..%2fREADME', 'decision-card.png'])
        assert.equal(await statusOf(`/docs/${name}`), 404, name);
    } finally {
      await server.close();
    }
  });
});
