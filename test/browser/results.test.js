/**
 * The list of the runs that this browser shared: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVIL, PERMALINK, SHORTEST, useSharing } from '../support/sharing.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { Visitor } from '../support/sharing.js' */

const { pathOf, site, withTab } = useSharing();
describe('the list of runs that this browser shared', () => {
  const KEY = 'sockshootout/saved-runs/1';
  const entry = { id: 'AAAAAAAAAAAAAAAA', headline: EVIL, savedAt: '2026-11-21T07:00:00.000Z', deleteToken: 'x' };
  const other = { ...entry, id: 'BBBBBBBBBBBBBBBB', headline: 'second', label: EVIL };

  /**
   * @param {unknown} kept
   * @param {(tab: Visitor) => Promise<unknown>} use
   */
  const withKept = (kept, use) =>
    withTab('/', async (tab) => {
      await tab.page.evaluate(([key, text]) => localStorage.setItem(key, text), [KEY, JSON.stringify(kept)]);
      await tab.page.goto(`${site.origin}/results`);
      await use(tab);
    });

  it('shows its entries as text, and compares the checked ones in the order of the checks', () =>
    withKept([entry, other], async ({ page, history, complaints }) => {
      const shown = await history();
      assert.ok(shown[0].startsWith(EVIL) && shown[1].startsWith(EVIL), shown.join());
      assert.equal(await page.locator('main img').count(), 0);
      const compare = page.locator('#history-compare');
      const boxes = page.locator('#history-runs input');
      await boxes.nth(1).check();
      assert.equal(await compare.isDisabled(), true);
      await boxes.nth(0).check();
      assert.deepEqual(complaints, []);
      const [request] = await Promise.all([page.waitForRequest('**/compare?*'), compare.click()]);
      assert.equal(pathOf(request.url()), `/compare?ids=${other.id},${entry.id}`);
    }));

  it('ignores broken entries', () =>
    withKept([entry, null, 7, { id: '../x' }, { ...entry, headline: 7 }], async ({ page, history }) => {
      assert.equal((await history()).length, 1);
      await page.evaluate((key) => localStorage.setItem(key, '{'), KEY);
      await page.reload();
      assert.equal(await page.locator('#history').isHidden(), true);
    }));

  it('keeps the last 100 runs', () =>
    withKept(
      Array.from({ length: 100 }, (_, index) => ({
        ...entry,
        id: `A${String(index).padStart(15, '0')}`,
        headline: `run ${index}`,
      })),
      async ({ page, history, offered, saved }) => {
        await page.goto(site.origin + SHORTEST);
        await offered();
        await saved();
        await page.goto(`${site.origin}/results`);
        const shown = await history();
        assert.equal(shown.length, 100);
        assert.doesNotMatch(shown[0], /^run /);
        assert.match(shown[99], /^run 98/);
      },
    ));

  it('is not needed: where the browser stores nothing, the form says to copy the delete link', () =>
    withTab('/', async ({ page, offered, saved, text, complaints }) => {
      await page.addInitScript('Object.defineProperty(window, "localStorage", { get() { throw new Error("no"); } })');
      await page.goto(site.origin + SHORTEST);
      await offered();
      const { permalink } = await saved();
      assert.match(permalink, PERMALINK);
      assert.match(await text('#save-kept'), /Copy it now/);
      assert.deepEqual(complaints, []);
    }));
});

describe('the list of all runs', () => {
  const PLACES = ['Rome', 'Oslo', 'Lima'];

  it('searches as one types on, keeps the address in step and what is selected, and compares what it found', () =>
    withTab('/', async ({ page, complaints }) => {
      for (const name of ['Zagreb', 'Zadar'])
        await postSubmission(site.origin, { document: createShootout(), place: { name } });
      await page.goto(`${site.origin}/results`);
      await page.evaluate(() => Object.assign(window, { isSame: true }));
      const field = page.getByLabel('Place, label, server or browser');
      // The first answer comes after the second was asked for.
      await page.route(/search=zag$/, async (route) => {
        await page.waitForRequest(/search=zagr$/);
        await route.continue().catch(() => {});
      });
      await field.fill('zag');
      await page.waitForRequest(/search=zag$/);
      await field.fill('zagr');
      await page.waitForURL(/\?search=zagr$/);
      await page.waitForFunction(() => document.querySelectorAll('#runs tbody tr').length === 1);
      await page.locator('#runs [data-short="Zagreb"]').check();
      assert.match(await page.locator('#selected').innerText(), /^1 selected: Zagreb$/);
      await field.fill('zadar');
      await page.locator('#runs [data-short="Zadar"]').check();
      assert.equal(await page.evaluate(() => /** @type {any} */ (window).isSame), true);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.waitForURL(/\/compare\?ids=[\w-]{16},[\w-]{16}$/);
      assert.deepEqual(complaints, []);
    }));

  it('fits a desktop, whatever its visitors typed', () =>
    withTab('/', async ({ page }) => {
      const words = { label: 'W'.repeat(80), place: { name: 'W'.repeat(100) } };
      await postSubmission(site.origin, { document: createShootout(), ...words });
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.goto(`${site.origin}/results`);
      const [needed, given] = await page
        .locator('#runs')
        .evaluate((table) => [table.getBoundingClientRect().width, table.parentElement?.clientWidth ?? 0]);
      assert.ok(needed <= given, `${needed} of ${given} px`);
    }));

  it('says that it could not search, and keeps the list', () =>
    withTab('/results', async ({ page }) => {
      await page.locator('#runs').waitFor();
      await page.route(/search=/, (route) => route.abort());
      await page.getByLabel('Place, label, server or browser').fill('a');
      await page.locator('#search-status:not(:empty)').waitFor();
      assert.ok(await page.locator('#runs').isVisible());
    }));

  it('says at the bottom of the window what is selected, and compares at least two', () =>
    withTab('/', async ({ page, complaints }) => {
      for (const name of PLACES) await postSubmission(site.origin, { document: createShootout(), place: { name } });
      await page.setViewportSize({ width: 390, height: 500 });
      await page.goto(`${site.origin}/results`);
      const [bar, compare] = [page.locator('#selection'), page.getByRole('button', { name: 'Compare' })];
      const said = page.locator('#selected');
      const idle = await said.innerText();
      const check = (/** @type {string} */ place) => page.locator(`#runs [data-short="${place}"]`).first().check();
      await check('Oslo');
      assert.match(await said.innerText(), /^1 selected: Oslo$/);
      assert.equal(await compare.isDisabled(), true);
      await check('Rome');
      assert.match(await said.innerText(), /^2 selected: (Oslo and Rome|Rome and Oslo)$/);
      await page.evaluate(() => document.querySelector('#runs')?.scrollIntoView());
      const box = await bar.boundingBox();
      assert.ok(box && box.y + box.height <= 501, JSON.stringify(box));
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.waitForFunction((words) => document.querySelector('#selected')?.textContent === words, idle);
      assert.equal(await page.locator('#runs :checked').count(), 0);
      await check('Oslo');
      await check('Lima');
      await compare.click();
      await page.waitForURL(/\/compare\?ids=/);
      assert.deepEqual(complaints, []);
    }));
});
