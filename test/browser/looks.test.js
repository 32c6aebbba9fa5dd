import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findViolations, overflowOf } from '../support/axe.js';
import { launchBrowser } from '../support/browser.js';
import { PAGES, saveForPages } from '../support/page-uses.js';
import { openServer } from '../support/server.js';
import { driven, openReusedTab } from '../support/tab.js';

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { Saved } from '../support/page-uses.js'
 * @import { TestServer } from '../support/server.js'
 */

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const SIZES = { phone: PHONE.viewport, desktop: { width: 1280, height: 900 } };

/** All that another scheme can break. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * As it was drawn for a phone, and as it is then on a screen as wide as a desktop's. test/smoke.test.js loads each on a
 * desktop.
 *
 * @param {Page} page
 */
async function checkLooks(page) {
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    await page.evaluate(waitForFrames);
    const overflow = await overflowOf(page);
    assert.ok(overflow <= 0, `${device}: ${overflow} px too wide`);
    assert.deepEqual(await findViolations(page), [], device);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await findViolations(page, COLOR_RULES), [], `${device}, dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize(PHONE.viewport);
}

/** Runs in the page: what is drawn anew for another size is drawn by the frame after the next. */
function waitForFrames() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

describe('every page, on a phone and a desktop, in light and dark, before and after it is used', () => {
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
    // Else colours fade from one scheme to the other, and on the way they would be hard to read.
    reused = await openReusedTab(browser, { ...PHONE, reducedMotion: 'reduce' });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [view, { path, shows, use }] of Object.entries(PAGES)) {
    it(`${view}: no axe-core violation, nothing wider than the screen`, async () => {
      const tab = await reused.visit(server.origin + path(saved));
      const page = driven(tab.page);
      if (shows) await page.waitFor(shows);
      await checkLooks(tab.page);
      if (!use) return;
      await use(page);
      await checkLooks(tab.page);
    });
  }
});
