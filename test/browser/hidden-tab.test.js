/**
 * A run whose tab is hidden ends at once and says so, whenever that happens from the press on: browsers slow hidden tabs
 * down, and some of them paint nothing.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Tab } from '../support/browser-site.js'
 */

const { withTab } = useBrowserSite();

/** Lets the page believe that its tab is hidden. */
function hide() {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Hides the tab as soon as the page asks for a frame. */
function hideBeforePaint() {
  window.requestAnimationFrame = () => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    return 0;
  };
}

/** Another tab that measures: the run waits for it. */
const measureElsewhere = () =>
  new Promise((resolve) => {
    navigator.locks.request('sockshootout-measuring', () => {
      resolve(undefined);
      return new Promise(() => {});
    });
  });

/** @param {Tab} tab */
async function assertEnded({ page }) {
  await page.locator('#progress-text', { hasText: 'Ended early' }).waitFor();
  assert.match(await page.locator('#run-problem-text').innerText(), /^The tab was hidden .*\btab visible\b/);
  assert.equal(await page.locator('#start-controls:enabled').count(), 1);
  assert.equal(await page.locator('#cancel').isVisible(), false);
}

/**
 * Answers no request to an address, as a server far away.
 *
 * @param {Page} page
 * @param {string} url
 * @returns {Promise<void>} when the first is sent
 */
const holdAt = (page, url) => new Promise((resolve) => void page.route(url, () => resolve()));

const ECHO_TRIALS = '#details-rows tbody tr';
/** @type {{ path: string, first: string, trials: string }[]} `first`: what it asks for first; `trials`: what it shows */
const PAGES = [
  { path: '/ajaxtest?iterations=20', first: '**/ajaxecho*', trials: ECHO_TRIALS },
  { path: '/socktest?iterations=20', first: '**/echo/info*', trials: ECHO_TRIALS },
  { path: '/countdown?iterations=20', first: '**/xhr?*', trials: '#tests tbody tr' },
];

for (const { path, first, trials } of PAGES) {
  describe(`${path} in a tab that is hidden`, () => {
    it('at the press measures nothing', () =>
      withTab(path, async (tab) => {
        await tab.page.locator('#start-controls:enabled').waitFor();
        await tab.page.evaluate(hide);
        await tab.press('Measure');
        await assertEnded(tab);
        assert.equal(await tab.page.locator(trials).count(), 0);
      }));

    it('while it waits for another tab measures nothing', () =>
      withTab(path, async (tab) => {
        await tab.page.evaluate(measureElsewhere);
        await tab.press('Measure');
        await tab.page.locator('#progress-text', { hasText: 'Another tab' }).waitFor();
        await tab.page.evaluate(hide);
        await assertEnded(tab);
        assert.equal(await tab.page.locator(trials).count(), 0);
      }));

    it('before the first answer ends it, and shows that', () =>
      withTab(path, async (tab) => {
        const sent = holdAt(tab.page, first);
        await tab.press('Measure');
        await sent;
        await tab.page.evaluate(hide);
        await assertEnded(tab);
        assert.equal(await tab.page.locator(trials).count(), 1);
        assert.match(await tab.page.locator('main').innerText(), /Ended after 0 of 20\b.*: The tab was hidden/);
      }));
  });
}

describe('the home page in a tab that is hidden', () => {
  it('says why above the part of the result, with Retry, and does not urge to share it', () =>
    withTab('/?transports=ajax,sockjs&blocks=6&iterations=5000&seed=1', async ({ page, press }) => {
      await press('Measure');
      await page.locator('#progress-text', { hasText: 'Block' }).waitFor();
      await page.evaluate(hide);
      await page.locator('#verdict').waitFor();
      await page.locator('#run-problem', { hasText: 'The tab was hidden' }).waitFor();
      const [problem, verdict] = await Promise.all(
        ['#run-problem', '#verdict'].map((one) => page.locator(one).boundingBox()),
      );
      assert.ok(Number(problem?.y) < Number(verdict?.y));
      const fillOf = (/** @type {string} */ name) =>
        page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor);
      await page.locator('#again.first').waitFor();
      assert.equal(await fillOf('Share'), await fillOf('Change options'));
      await page.getByRole('button', { name: 'Change options' }).click();
      await page.locator('#start').waitFor();
      assert.equal(await page.locator('#run-problem').isVisible(), false);
    }));
});

// The count-down paints its progress before the first message, and a hidden tab never paints.
describe('/countdown in a tab that is hidden', () => {
  it('before its first frame is painted ends a run', () =>
    withTab('/countdown?iterations=20', async (tab) => {
      await tab.page.locator('#start-controls:enabled').waitFor();
      await tab.page.evaluate(hideBeforePaint);
      await tab.press('Measure');
      await assertEnded(tab);
    }));
});

describe('a device that sleeps', () => {
  it('ends the run, which says so, and gives the screen back', () =>
    withTab('/socktest?iterations=100000', async ({ page, press }) => {
      await page.locator('#start-controls:enabled').waitFor();
      // The clock of the system goes on while the one that measures stands still.
      await page.evaluate(() => {
        const wall = Date.now;
        const device = { sleptMs: 0, locks: /** @type {{ released: boolean }[]} */ ([]) };
        Object.assign(window, { device });
        Date.now = () => wall.call(Date) + device.sleptMs;
        // A browser without a screen gives none.
        navigator.wakeLock.request = async () => {
          const lock = { released: false, release: async () => void (lock.released = true) };
          device.locks.push(lock);
          return /** @type {any} */ (lock);
        };
      });
      await press('Measure');
      await page.waitForFunction(() => /** @type {any} */ (window).device.locks.length === 1);
      await page.evaluate(() => void Object.assign(/** @type {any} */ (window).device, { sleptMs: 6000 }));
      await page.locator('#run-problem-text', { hasText: 'slept for 6 s' }).waitFor();
      await page.waitForFunction(() => /** @type {any} */ (window).device.locks[0].released);
    }));
});
