/** What a tab keeps of a recording where there is little room. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createExample } from '../../core/recording/example.js';
import { readRecording } from '../../core/recording/recording.js';
import { useBrowserSite } from '../support/browser-site.js';

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
