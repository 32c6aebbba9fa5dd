/** A recording that cannot be kept, and a file that cannot be read. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createExample } from '../../core/recording/example.js';
import { readRecording } from '../../core/recording/recording.js';
import { launchBrowser } from '../support/browser.js';
import { useBrowserSite } from '../support/browser-site.js';
import { withFolder } from '../support/folder.js';
import { openTab } from '../support/tab.js';

/** @import { Page } from 'playwright-core' */

const EXAMPLE = createExample();

/** Runs in the page: leaves only so much of what a tab may keep. @param {number} room in letters */
function fillStorage(room) {
  sessionStorage.clear();
  sessionStorage.setItem('room', 'x'.repeat(room));
  for (let length = 2 ** 24; length >= 1; length /= 2) {
    try {
      sessionStorage.setItem(`filled ${length}`, 'x'.repeat(length));
    } catch {
      // So much is not left.
    }
  }
  sessionStorage.removeItem('room');
}

describe('a tab that has little room', () => {
  const site = useBrowserSite();

  it('keeps a large recording without its dots, and says so of one that it cannot keep at all', () =>
    site.withTab(
      '/yourpage',
      async ({ page }) => {
        const recording = await readRecording(EXAMPLE);
        const polls = recording.polls.map((poll) => ({ ...poll, dots: [] }));
        await page.evaluate(fillStorage, JSON.stringify({ ...recording, polls }).length + 500);
        await page.getByRole('button', { name: 'Try with an example' }).click();
        await page.locator('#dots svg').waitFor();
        assert.equal(await page.locator('#recording-notice').innerText(), '');
        await page.reload();
        await page.locator('#page-headline').waitFor();
        assert.match(await page.locator('#recording-lead').innerText(), /^Example, 10 min, .* of them polls$/);
        assert.equal(await page.locator('#polls tbody').count(), polls.length);
        assert.equal(await page.locator('#page-dots').isVisible(), false);
        await page.evaluate(fillStorage, 500);
        await page
          .locator('#recording-file')
          .setInputFiles({ name: 'shop.har', mimeType: 'application/json', buffer: Buffer.from(EXAMPLE) });
        await page.locator('#recording-notice:not(:empty)').waitFor();
        await page.locator('#dots svg').waitFor();
        assert.match(await page.locator('#recording-notice').innerText(), /too large .* to keep/);
      },
      { context: {} },
    ));
});

/** Chooses a file that is deleted before the page hears of it. @param {Page} page */
async function chooseGone(page) {
  await page.evaluate(() => {
    const isStopped = new Promise((resolve) => {
      const stop = (/** @type {Event} */ event) => resolve(event.stopImmediatePropagation());
      addEventListener('change', stop, { capture: true, once: true });
    });
    Object.assign(globalThis, { isStopped });
  });
  await withFolder(async (folder) => {
    const file = path.join(folder, 'gone.har');
    await writeFile(file, EXAMPLE);
    await page.locator('#recording-file').setInputFiles(file);
    await page.evaluate(() => /** @type {any} */ (globalThis).isStopped);
  });
  await page.locator('#recording-file').dispatchEvent('change');
}

describe('a file that is gone when it is read', () => {
  const site = useBrowserSite();

  it('is said to be one that could not be read, and the next one is read', async () => {
    // Its own, as a browser that others started gets a file's content, and not its path.
    const browser = await launchBrowser({ args: [] });
    const { page, close } = await openTab(browser, `${site.origin}/yourpage`);
    try {
      await chooseGone(page);
      await page.locator('#recording-problem:not(:empty)').waitFor();
      assert.match(await page.locator('#recording-problem').innerText(), /^The file could not be read\. /);
      assert.equal(await page.locator('#reading').isVisible(), false);
      await page.getByRole('button', { name: 'Try with an example' }).click();
      await page.locator('#page-headline').waitFor();
    } finally {
      await close();
      await browser.close();
    }
  });
});
