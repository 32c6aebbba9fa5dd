/**
 * One Chromium visits every page once, uses it for a second, and sees what came of it. What each page does in all its
 * states is in test/browser.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { findViolations, overflowOf } from './support/axe.js';
import { launchBrowser } from './support/browser.js';
import { PAGES, saveForPages } from './support/page-uses.js';
import { openServer } from './support/server.js';
import { openReusedTab } from './support/tab.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Saved } from './support/page-uses.js'
 * @import { TestServer } from './support/server.js'
 */

describe('every page', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  /** @type {Saved} */
  let saved;
  /** @type {Awaited<ReturnType<typeof openReusedTab>>} */
  let reused;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), openServer()]);
    saved = await saveForPages(server.origin);
    // Else colours fade in, and on the way they would be hard to read.
    reused = await openReusedTab(browser, { reducedMotion: 'reduce' });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('is in the list of pages', () => {
    const views = readdirSync('views').filter((file) => file.endsWith('.ejs'));
    const used = Object.entries(PAGES).map(([name, { view = name }]) => `${view}.ejs`);
    assert.deepEqual(views, [...new Set(used)].sort());
  });

  for (const [view, { path, ready, use }] of Object.entries(PAGES)) {
    it(`${view} can be used, and by everybody`, async () => {
      const tab = await reused.visit(server.origin + path(saved));
      await ready?.(tab);
      await use?.(tab);
      assert.deepEqual(await findViolations(tab.page), []);
      assert.ok((await overflowOf(tab.page)) <= 0, 'wider than the screen');
    });
  }
});
