/** The page that shows what works from here, over a path without obstacles. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { leadingOf } from '../../core/experiment/answer/answer-card.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { summarize } from '../../core/experiments/reach/summary.js';
import { reach } from '../../core/experiments/reach/index.js';
import { SOCKJS_ORDER } from '../../core/experiments/reach/plan.js';
import { useBrowserSite } from '../support/browser-site.js';
import { assertComplaint } from '../support/complaint.js';
import { expectReport, readReport } from '../support/shown-report.js';
import { countWords, MAX_WORDS } from '../support/words.js';
import { downloadRun } from '../support/download.js';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const MAX_PHONE_PX = 2500;
/** By themselves its connections stay open for half a minute at least. */
const ENDED_MS = 10_000;
const LOOK_MS = 20;
const SHORT = 'silences=300,600&heartbeat=300&blocks=6&idle=0&seed=7';

describe('the page of what works from here', () => {
  const site = useBrowserSite();

  /** How many connections below /reach/ the server holds. */
  const openCount = async () => {
    const { workers } = await (await fetch(`${site.origin}/status`)).json();
    return workers[0].openSessions;
  };

  it('passes every check on a path without obstacles, and says so in a sentence', () =>
    site.withTab(`/reach?${SHORT}&autostart=1`, async ({ page, complaints }) => {
      await page.locator('#result-headline:focus').waitFor({ timeout: 60_000 });
      const shown = await readReport(page);
      const document = JSON.parse(await downloadRun(page));
      assert.deepEqual(shown, expectReport(reach, document));
      const { figure = '' } = leadingOf(reportOf(reach, document).lead ?? assert.fail('no card'));
      assert.equal(await page.locator('#result-lead .figure > strong').innerText(), figure);
      assert.equal(await page.locator('#result-lead .answer-bar').count(), 2);
      const { works, checks, latency, idle } = summarize(document);
      assert.equal(works, true);
      const failed = checks.filter((/** @type {any} */ { result }) => result !== 'pass');
      assert.deepEqual(failed, []);
      assert.deepEqual(idle, { livedMs: 600, cutMs: undefined, isExact: false, isSearched: false });
      assert.deepEqual([latency.baseline, latency.protocol], ['websocket', 'xhr-streaming']);
      assert.ok(latency.verdict);
      const sockjs = checks.filter((/** @type {any} */ { planned }) => planned.check === 'sockjs');
      assert.equal(sockjs.length, SOCKJS_ORDER.length);
      assert.ok((await countWords(page)) <= MAX_WORDS);
      // SockJS's own, of its iframes.
      assert.deepEqual(
        complaints.filter((text) => !text.startsWith('document.domain mutation')),
        [],
      );
      assert.equal(await page.locator('#result .plot').count(), 0);
      await page.locator('#result-details > summary').click();
      await page.locator('#result-detail-charts .plot').waitFor();
    }));

  it('is short on a phone after a run, and has no empty cell there', (t) =>
    site.withTab(
      `/reach?${SHORT}&autostart=1`,
      async ({ page }) => {
        await page.locator('#result-headline:focus').waitFor({ timeout: 60_000 });
        const wordCount = await countWords(page);
        const heightPx = await page.evaluate(() => document.documentElement.scrollHeight);
        t.diagnostic(`${wordCount} words, ${heightPx} px`);
        assert.ok(wordCount <= MAX_WORDS, `${wordCount} words`);
        assert.ok(heightPx <= MAX_PHONE_PX, `${heightPx} px`);
        for (const summary of await page.locator('#result details:not(.menu) > summary:visible').all())
          await summary.click();
        await page.getByText('WebSocket, 1 MiB').first().waitFor();
        const empty = page.locator('#result :is(th, td)').filter({ hasText: /^–?$/, visible: true });
        assert.equal(await empty.count(), 0);
      },
      { context: PHONE },
    ));

  it('states how long it takes, asks for the search, and refuses a wrong field by name', () =>
    site.withTab('/reach', async ({ page, press, unfold }) => {
      await unfold('#options');
      await page.locator('#start-controls:enabled').waitFor();
      assert.match(await page.locator('#plan').innerText(), /about 1.5 min, at most 4 min/);
      await page.getByLabel(/idle timeout/).fill('600');
      assert.match(await page.locator('#plan').innerText(), /up to 20 min/);
      const silences = 'Silences to test, in seconds';
      assert.equal(await page.getByLabel('Silences').inputValue(), '0.5,5,65');
      await page.getByLabel('Silences').fill('0.5, 2.25');
      assert.match(String(await page.locator('#plan-link').getAttribute('href')), /silences=500,2250&.*idle=600000/);
      await page.getByLabel('Silences').fill('0.05');
      const error = await page.locator('#form-error').innerText();
      assertComplaint(error, silences, '“0.05”');
      assert.match(error, / from 0\.1 to 600\b/);
      await press('Measure');
      await page.getByLabel('Silences').and(page.locator(':focus')).waitFor();
    }));

  it('ends every connection when it is cancelled, or left', async () => {
    for (const leave of /** @type {const} */ (['cancel', 'go'])) {
      const plan = 'silences=60000&heartbeat=30000&blocks=2&idle=0&seed=1';
      await site.withTab(`/reach?${plan}&autostart=1`, async ({ page, stop }) => {
        await page.locator('#progress-text', { hasText: 'SockJS over' }).waitFor({ timeout: 60_000 });
        assert.ok((await openCount()) >= 3);
        if (leave === 'go') page.once('dialog', (dialog) => dialog.accept());
        await (leave === 'go' ? page.goto('about:blank') : stop());
        const leftAtMs = performance.now();
        while ((await openCount()) > 0) {
          assert.ok(performance.now() - leftAtMs < ENDED_MS, 'expected no open connection');
          await sleep(LOOK_MS);
        }
      });
    }
  });
});
