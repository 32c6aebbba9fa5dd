/** The page of latency under load: each load in Chromium, by its own connections, and the end of a run that is stopped. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemOf } from '../../core/experiment/documents/problem.js';
import { underLoad } from '../../core/experiments/under-load/index.js';
import { useBrowserSite } from '../support/browser-site.js';
import { downloadRun } from '../support/download.js';
import { expectReport, readReport } from '../support/shown-report.js';
import { countWords, MAX_WORDS } from '../support/words.js';

const EVERY_LOAD =
  'unloaded,http-down,http6-down,ws-down,ws-down-16,ws-down-64,http-up,http6-up,ws-up,ws-up-16,ws-up-64';

describe('the page of latency under load', () => {
  const site = useBrowserSite();

  it('transfers each load, and shows what was measured, also after a reload', async () => {
    const url = `/underload?loads=${EVERY_LOAD}&transports=ajax,ws,same-socket,sockjs&down=2000000&up=2000000&seconds=1&blocks=1&seed=1`;
    await site.withTab(url, async ({ page, press, complaints }) => {
      // Chunks send less than the plan has.
      assert.match(await page.locator('#bytes').innerText(), /^at most \d+ MB$/);
      await press('Measure');
      await page.locator('#result-headline:focus').waitFor({ timeout: 60_000 });
      const document = JSON.parse(await downloadRun(page));
      assert.equal(problemOf(underLoad, document), undefined);
      assert.deepEqual(await readReport(page), expectReport(underLoad, document));
      const failures = document.trials.flatMap((/** @type {any} */ trial) => underLoad.readTrial(trial).failures);
      assert.deepEqual(failures, []);
      assert.equal(document.trials.length, EVERY_LOAD.split(',').length);
      const unsent = Object.fromEntries(
        document.trials.map((/** @type {any} */ { load, transfer }) => [load, transfer?.maxUnsentBytes]),
      );
      // A page that sends chunks keeps at most one unsent, beside small messages.
      assert.ok(unsent['ws-up-16'] < 2 * 16 * 1024 && unsent['ws-up-64'] < 2 * 64 * 1024, JSON.stringify(unsent));
      assert.deepEqual(complaints, []);
      const shown = await readReport(page);
      await page.reload();
      await page.locator('#result-headline').waitFor();
      assert.deepEqual(await readReport(page), shown);
    });
  });

  it('fits the sizes to the path, and freezes them in the plan', async () => {
    const query = 'loads=unloaded,http-down,ws-up&transports=ajax,ws&seconds=1&blocks=1&seed=1';
    await site.withTab(`/underload?${query}`, async ({ page, press }) => {
      await press('Measure');
      await page.locator('#result-headline:focus').waitFor({ timeout: 60_000 });
      assert.ok((await countWords(page)) <= MAX_WORDS);
      const { plan, trials } = JSON.parse(await downloadRun(page));
      assert.ok(plan.downBytes >= 10_000 && plan.downBytes <= 16_000_000);
      const sizes = trials.map((/** @type {any} */ { load, transfer }) => [load, transfer?.byteCount]);
      assert.deepEqual(Object.fromEntries(sizes), {
        unloaded: undefined,
        'http-down': plan.downBytes,
        'ws-up': plan.upBytes,
      });
    });
  });

  it('asks first where bytes may be expensive, and does not start if the visitor declines', async () => {
    const query = 'loads=unloaded,ws-down&transports=ajax&down=20000&up=20000&seconds=1&blocks=1';
    await site.withTab(`/underload?${query}`, async ({ page, press }) => {
      await page.evaluate(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
      /** @type {string[]} */
      const asked = [];
      page.once('dialog', (dialog) => {
        asked.push(dialog.message());
        return dialog.dismiss();
      });
      await press('Measure');
      await page.locator('#run-problem-text').filter({ hasText: 'stopped' }).waitFor();
      assert.match(asked.join(), /20 kB/);
    });
  });
});
