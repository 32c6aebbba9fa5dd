/**
 * Whoever opens the link of a study: a place, one button, and afterwards a row beside the others. In a real Chromium.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLIPBOARD, FRESH, useSharing } from '../support/sharing.js';

const PLANS = {
  'the home page’s test': '/?transports=ajax,sockjs&blocks=6&iterations=3&warmup=0&payload=0&seed=1',
  'messages in flight': '/inflight?transports=fetch,sockjs&depths=1,4&blocks=6&seed=1',
  'the full test': `/all?page=asks&tests=jobs&jobs=${encodeURIComponent('deliveries=poll,sockjs&users=1&jobs=2&max=100&intervals=25&limit=5000&blocks=6&seed=1')}`,
};

const { site, withTab } = useSharing();

describe('the link of a study', () => {
  for (const [name, plan] of Object.entries(PLANS)) {
    it(`asks where one is, measures ${name} at one press, shares the run, and leads to its row`, async () => {
      const label = `of ${name}`;
      const path = `/c?label=${encodeURIComponent(label)}`;
      await withTab(
        `${path}&plan=${encodeURIComponent(plan)}&say=Please`,
        async ({ page, complaints }) => {
          await page.locator('#study-place').fill('Bonn, office');
          await page.locator('#study-start button').click();
          await page.locator('#save-done').waitFor();
          const to = page.locator('#save-study');
          assert.equal(await to.getAttribute('href'), path);
          assert.ok(!page.url().includes('Bonn'), page.url());
          await to.click();
          await page.locator('#matrix').waitFor();
          assert.deepEqual(await page.locator('#matrix .place b').allInnerTexts(), ['Bonn, office (you)']);
          assert.equal(await page.locator('#study-place').inputValue(), 'Bonn, office');
          await page.locator('#matrix button.cell').first().click();
          assert.equal(await page.locator('#runs tbody tr').count(), 1);
          assert.deepEqual(complaints, []);
        },
        FRESH,
      );
      const { rows } = await (await fetch(`${site.origin}/api/studies?label=${encodeURIComponent(label)}`)).json();
      assert.equal(rows[0].runCount, 1);
    });
  }

  it('is copied beside it, where its page shows it', () =>
    withTab(
      '/c?label=copied',
      async ({ page, press }) => {
        const link = await page.locator('#study-link a').getAttribute('href');
        await press('Copy link');
        await page.waitForFunction(async (text) => (await navigator.clipboard.readText()) === text, link);
        assert.equal(await page.locator('#link-status').innerText(), 'Copied.');
      },
      CLIPBOARD,
    ));

  it('shares no run that its button did not start', () =>
    withTab(`${PLANS['the home page’s test']}&label=nobody&autostart=1`, async ({ page, offered }) => {
      await offered();
      assert.equal(await page.locator('#save-done').isVisible(), false);
      const { runCount } = await (await fetch(`${site.origin}/api/studies?label=nobody`)).json();
      assert.equal(runCount, 0);
    }));
});
