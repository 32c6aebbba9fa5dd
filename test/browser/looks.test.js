import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findViolations } from '../support/axe.js';
import { launchBrowser } from '../support/browser.js';
import { PAGES, saveForPages } from '../support/page-uses.js';
import { openServer } from '../support/server.js';
import { openReusedTab } from '../support/tab.js';

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { Saved } from '../support/page-uses.js'
 * @import { TestServer } from '../support/server.js'
 */

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

/** All that another scheme can break. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** @param {Page} page */
async function checkLooks(page) {
  assert.deepEqual(await findViolations(page), []);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await findViolations(page, COLOR_RULES), [], 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${overflow} px too wide`);
}

describe('every page, in light and dark, before and after it is used', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  /** @type {Saved} */
  let saved;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), openServer()]);
    saved = await saveForPages(server.origin);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [device, options] of Object.entries(DEVICES)) {
    describe(`on a ${device}`, () => {
      /** @type {Awaited<ReturnType<typeof openReusedTab>>} */
      let reused;
      before(async () => {
        // Else colours fade from one scheme to the other, and on the way they would be hard to read.
        reused = await openReusedTab(browser, { ...options, reducedMotion: 'reduce' });
      });

      for (const [view, { path, use }] of Object.entries(PAGES)) {
        it(`${view}: no axe-core violation, nothing wider than the screen`, async () => {
          const tab = await reused.visit(server.origin + path(saved));
          await checkLooks(tab.page);
          if (!use) return;
          await use(tab);
          await checkLooks(tab.page);
        });
      }
    });
  }
});
