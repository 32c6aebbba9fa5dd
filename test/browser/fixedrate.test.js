import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixedRate } from '../../core/experiments/fixed-rate/index.js';
import { VIEWS } from '../../core/experiments/fixed-rate/summary.js';
import { useBrowserSite } from '../support/browser-site.js';
import { assertComplaint } from '../support/complaint.js';
import { expectReport, readReport } from '../support/shown-report.js';
import { countWords, MAX_WORDS } from '../support/words.js';
import { downloadRun } from '../support/download.js';

/** A plan that is over in a second or two. */
const SHORT = 'transports=ajax,sockjs&rate=200&messages=40&blocks=3&seed=7';

describe('the page of a fixed rate', () => {
  const site = useBrowserSite();

  it('carries a linked plan out: words, chart, table, and every sample to export', async () => {
    const context = { permissions: ['clipboard-read', 'clipboard-write'] };
    const url = `/fixedrate?${SHORT}`;
    await site.withTab(
      `${url}&autostart=1`,
      async ({ page, press, unfold, complaints }) => {
        await page.locator('#result-headline:focus').waitFor();
        await unfold('#exports');
        assert.equal(page.url(), site.origin + url);
        const shown = await readReport(page);
        const [{ cells: transports }, { cells }] = shown.tables;
        assert.deepEqual(
          transports.map(([name]) => name),
          ['AJAX', 'SockJS'],
        );
        assert.ok((await countWords(page)) <= MAX_WORDS);
        assert.deepEqual(
          cells.map((row) => row.slice(0, 3)),
          [
            ['AJAX', VIEWS.closed, 'http/1.1'],
            ['AJAX', VIEWS.plan, 'http/1.1'],
            ['AJAX', VIEWS.send, 'http/1.1'],
            ['SockJS', VIEWS.closed, 'websocket'],
            ['SockJS', VIEWS.plan, 'websocket'],
            ['SockJS', VIEWS.send, 'websocket'],
          ],
        );
        for (const row of cells) {
          // Samples, and after late ones: missed, failures, blocks.
          assert.equal(row[8], '120');
          assert.deepEqual(row.slice(-3), [row[1] === VIEWS.closed ? '–' : '0', '0', '3']);
        }

        await press('Copy link to this plan');
        await page.locator('#export-status', { hasText: 'Copied.' }).waitFor();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), site.origin + url);

        const document = JSON.parse(await downloadRun(page));
        assert.deepEqual(Object.keys(document), [
          ...['schema', 'startedAt', 'plan', 'environment', 'statusBefore', 'statusAfter', 'trials', 'summary'],
        ]);
        assert.equal(document.schema, 'sockshootout/fixed-rate/1');
        assert.deepEqual(shown, expectReport(fixedRate, document));
        assert.equal(document.trials.length, 3 * 2 * 2);
        for (const { loop, samples } of document.trials) {
          if (loop === 'closed') continue;
          const { plannedAtMs, sentAtMs, endedAtMs } = samples;
          // No message leaves before its time, and each is answered after it left.
          assert.ok(plannedAtMs.every((/** @type {number} */ ms, /** @type {number} */ i) => sentAtMs[i] >= ms));
          assert.ok(sentAtMs.every((/** @type {number} */ ms, /** @type {number} */ i) => endedAtMs[i] > ms));
        }
        assert.deepEqual(complaints, []);
      },
      { context },
    );
  });

  it('makes a plan from its fields, and a link to it', () =>
    site.withTab('/fixedrate', async ({ page, unfold }) => {
      await unfold('#options');
      await page.locator('#start-controls:enabled').waitFor();
      await page.getByLabel('Messages per second').fill('10');
      await page.getByLabel('SockJS', { exact: true }).uncheck();
      const plan = { transports: ['ajax'], ratePerSecond: 10, messages: 100, blocks: 6, seed: 0 };
      assert.equal(await page.locator('#plan').innerText(), fixedRate.describePlan(plan));
      assert.match(fixedRate.describePlan(plan), /\b60 s\b/);
      assert.match(
        String(await page.locator('#plan-link').getAttribute('href')),
        /^\?transports=ajax&rate=10&messages=100&blocks=6&seed=\d+$/,
      );
    }));

  it('refuses a wrong link, and a form without a transport', () =>
    site.withTab('/fixedrate?rate=1001&autostart=1', async ({ page, press, unfold }) => {
      await unfold('#options');
      await page.locator('#start-controls:enabled').waitFor();
      const error = page.locator('#form-error');
      const [about, problem] = (await error.innerText()).split(/: (.*)/);
      assert.match(about, /link/);
      assertComplaint(problem, 'rate', '“1001”');
      await page.getByLabel('AJAX', { exact: true }).uncheck();
      await page.getByLabel('SockJS', { exact: true }).uncheck();
      await press('Measure');
      assert.equal(await error.innerText(), 'Choose at least one transport.');
      await page.getByLabel('AJAX', { exact: true }).and(page.locator(':focus')).waitFor();
      assert.equal(await page.locator('#progress-text').innerText(), 'Not started');
    }));

  it('keeps what was measured when it is cancelled by keyboard, on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    await site.withTab(
      '/fixedrate?messages=10&blocks=50&autostart=1',
      async ({ page }) => {
        await page.locator('#progress-text:focus', { hasText: /Block [2-9]/ }).waitFor();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.locator('#result-ending', { hasText: /stopped/ }).waitFor();
        assert.equal(await page.locator('#result-words').innerText(), '');
        assert.ok((await readReport(page)).tables[0].cells.length > 0);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${overflow} px too wide`);
      },
      { context: phone },
    );
  });
});
