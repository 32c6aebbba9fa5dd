import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';

/**
 * @import { BrowserContextOptions } from 'playwright-core'
 * @import { Tab } from '../support/browser-site.js'
 */

const LINKS = ['Test', 'Your page', 'Places', 'Results', 'More tests', 'How it works'];
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** The smallest thing to press, in CSS pixels. */
const TARGET_PX = 44;

describe('navigation in a browser', () => {
  const site = useBrowserSite();

  /**
   * @param {string} path
   * @param {BrowserContextOptions} context
   * @param {(tab: Tab) => Promise<void>} look
   */
  const visit = (path, context, look) =>
    site.withTab(
      path,
      async (tab) => {
        await look(tab);
        assert.deepEqual(tab.complaints, []);
      },
      { context },
    );

  it('lets the keyboard skip it', () =>
    visit('/how-it-works', {}, async ({ page }) => {
      const skip = page.getByRole('link', { name: 'Skip to content' });
      assert.ok(bottomOf(await skip.boundingBox()) <= 0);
      await page.keyboard.press('Tab');
      await page.waitForFunction(() => Number(document.activeElement?.getBoundingClientRect().top) >= 0);
      assert.equal(await skip.evaluate((link) => link === document.activeElement), true);
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    }));

  it('is one row on a desktop, without a menu', () =>
    visit('/tests', { viewport: { width: 1280, height: 800 } }, async ({ page }) => {
      const links = page.getByRole('navigation').getByRole('listitem').getByRole('link');
      assert.deepEqual(await links.allInnerTexts(), LINKS);
      const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top));
      assert.equal(new Set(tops).size, 1);
      assert.equal(await page.getByText('Menu', { exact: true }).isVisible(), false);
    }));

  it('is a menu on a phone, which needs no script', () =>
    visit('/inflight', { ...PHONE, javaScriptEnabled: false }, async ({ page }) => {
      const links = page.getByRole('navigation').getByRole('listitem').getByRole('link');
      const menu = page.getByText('Menu', { exact: true });
      assert.equal(await links.count(), 0);
      await menu.click();
      assert.deepEqual(await links.allInnerTexts(), LINKS);
      const targets = [menu, ...(await links.all()), ...(await page.locator('footer a').all())];
      for (const target of targets) {
        const { width, height } = (await target.boundingBox()) ?? assert.fail('not visible');
        assert.ok(Math.min(width, height) >= TARGET_PX, `${await target.innerText()}: ${width} x ${height} px`);
      }
      await menu.click();
      assert.equal(await links.count(), 0);
      await menu.click();
      await links.filter({ hasText: 'More tests' }).click();
      assert.equal(new URL(page.url()).pathname, '/tests');
    }));

  it('opens a test from anywhere on its card', () =>
    visit('/tests', {}, async ({ page }) => {
      const cards = page.getByRole('article');
      assert.equal(await cards.filter({ has: page.locator('.test-picture') }).count(), await cards.count());
      // By force, as what is there to be pressed is the link, which lies over the picture.
      const card = page.getByRole('article').filter({ has: page.locator('a[href="/polltest"]') });
      await card.locator('.test-picture').click({ force: true });
      assert.equal(new URL(page.url()).pathname, '/polltest');
    }));
});

/** @param {{ y: number, height: number } | null} box */
function bottomOf(box) {
  return box ? box.y + box.height : 0;
}
