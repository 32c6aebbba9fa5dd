/**
 * A page whose program is still on its way, as for a visitor far away: what is pressed until then is done when it is there.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';

/** @import { Page } from 'playwright-core' */

const site = useBrowserSite();
const PAGES = [
  { path: '/ajaxtest?iterations=3', program: 'ajaxtest', shown: '#log', answer: /Finished 3 iterations/ },
  { path: '/countdown?iterations=3', program: 'countdown', shown: '#tests', answer: /XHR/ },
  {
    path: '/inflight?transports=ajax&depths=1,2&blocks=2&seed=7',
    program: 'run-in-flight',
    shown: '#result',
    answer: /Details/,
  },
];

/**
 * Opens a page whose program is held back.
 *
 * @param {{ path: string, program: string }} options
 * @param {(visit: { page: Page, release: () => void, lose: () => void }) => Promise<unknown>} use
 */
const withLateProgram = ({ path, program }, use) =>
  site.withTab(
    'about:blank',
    async ({ page }) => {
      /** @type {(isSent: boolean) => void} */
      let end = () => {};
      const ended = new Promise((resolve) => (end = resolve));
      await page.route(`**/js/${program}.js`, async (route) => {
        await ((await ended) ? route.continue() : route.abort());
      });
      await page.addInitScript(() => {
        const note = () => (document.documentElement.dataset.isMounted = '');
        window.addEventListener('mounted', note, { capture: true });
      });
      await page.goto(site.origin + path, { waitUntil: 'domcontentloaded' });
      await page.locator('#start-controls:enabled').waitFor();
      await use({ page, release: () => end(true), lose: () => end(false) });
    },
    { context: {}, origin: '' },
  );

for (const { shown, answer, ...options } of PAGES) {
  describe(`${options.path} before its program is there`, () => {
    it('takes a press, and measures as soon as it is', () =>
      withLateProgram(options, async ({ page, release }) => {
        await page.locator('#start').click();
        await page.locator('#cancel:visible').waitFor();
        assert.equal(await page.locator('#start-controls:disabled').count(), 1);
        release();
        await page.locator(shown, { hasText: answer }).waitFor();
        // A result may have taken the form's place.
        await page.locator('#start-controls:enabled').waitFor({ state: 'attached' });
      }));

    it('can be stopped, and then measures nothing', () =>
      withLateProgram(options, async ({ page, release }) => {
        await page.locator('#start').click();
        await page.locator('#cancel').click();
        await page.locator('#start:visible').waitFor();
        release();
        await page.locator('[data-is-mounted]').waitFor();
        assert.equal(await page.locator('#ask').getAttribute('data-state'), 'asking');
      }));
  });
}

describe('a page whose program does not come', () => {
  it('says so, and Retry loads it again', () =>
    withLateProgram(PAGES[0], async ({ page, lose }) => {
      await page.locator('#start').click();
      lose();
      await page.locator('#run-problem-text', { hasText: 'could not be loaded' }).waitFor();
      assert.equal(await page.locator('#start').isVisible(), true);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.locator('[data-is-mounted]').waitFor();
    }));
});
