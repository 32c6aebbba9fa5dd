/**
 * The page of cuts: a run without a cut, and what it shows of one that the server or the visitor cuts. What each kind of cut
 * costs is held in each engine by test/engines/cuts.test.js.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summarize } from '../../core/experiments/cuts/summary.js';
import { cuts } from '../../core/experiments/cuts/index.js';
import { useBrowserSite } from '../support/browser-site.js';
import { assertComplaint } from '../support/complaint.js';
import { downloadRun } from '../support/download.js';
import { expectReport, readReport } from '../support/shown-report.js';
import { countWords, MAX_WORDS } from '../support/words.js';

const EVERY_METHOD = 'poll,ws,ws-ping,ws-replay,sockjs,sockjs-ping,sockjs-replay,socketio,events';

/** A tab for each test, as their runs are waiting, most of them. */
const OWN = { context: {} };

describe('the page of cuts', { concurrency: true }, () => {
  const site = useBrowserSite();

  it('loses no message where nothing is cut, by any method, and shows its code', async () => {
    const url = `/cuts?cuts=watch&watch=2&blocks=1&seed=1&deliveries=${EVERY_METHOD}`;
    await site.withTab(
      url,
      async ({ page, press, unfold, complaints }) => {
        const live = page.waitForFunction(() => {
          const isNamed = document.querySelector('#live:not([hidden]) li')?.textContent?.includes('under way');
          return isNamed && document.querySelectorAll('#live .timeline .in-time').length > 0;
        });
        await press('Measure');
        await live;
        await page.locator('#result-headline:focus').waitFor({ timeout: 120_000 });
        const document = JSON.parse(await downloadRun(page));
        assert.deepEqual(await readReport(page), expectReport(cuts, document));
        for (const { delivery, lost, doubled, noticed } of summarize(document).rows) {
          assert.deepEqual([lost?.max, doubled?.max, noticed], [0, 0, undefined], delivery);
        }
        assert.equal(document.trials.length, 9);
        assert.deepEqual(await page.locator('.actions .first').allInnerTexts(), ['Measure again']);
        assert.ok((await countWords(page)) <= MAX_WORDS);
        await unfold('#code-section');
        assert.match(await page.locator('#code-section pre').first().innerText(), /export function keepOpen/);
        // On a busy machine a run ends before each of its sockets has connected, of which Chromium complains.
        const others = complaints.filter((complaint) => !complaint.includes('WebSocket is closed before'));
        assert.deepEqual(others, []);
      },
      OWN,
    );
  });

  it('shows what a cut costs, with a timeline, also after a reload', async () => {
    const url = '/cuts?cuts=close&deliveries=poll,ws&interval=500&blocks=1&seed=3&autostart=1';
    await site.withTab(
      url,
      async ({ page }) => {
        await page.locator('#result-headline:focus').waitFor({ timeout: 120_000 });
        const shown = await readReport(page);
        const document = JSON.parse(await downloadRun(page));
        assert.deepEqual(shown, expectReport(cuts, document));
        const [poll, ws] = summarize(document).rows;
        assert.equal(poll.lost?.max, 0);
        assert.ok(Number(ws.lost?.max) > 0 && ws.noticed);
        assert.equal(await page.locator('#result-timelines svg').count(), 1);
        await page.reload();
        await page.locator('#result:not([hidden]) #result-tables tbody').first().waitFor();
        assert.deepEqual(await readReport(page), shown);
      },
      OWN,
    );
  });

  it('goes on while the device is offline, where the visitor does the cutting', async () => {
    const url = `/cuts?cuts=watch&watch=6&blocks=1&seed=1&deliveries=poll,ws&interval=500`;
    await site.withTab(
      url,
      async ({ page, press }) => {
        await press('Measure');
        await page.waitForFunction(() =>
          performance.getEntriesByType('resource').some(({ name }) => /poll=/.test(name)),
        );
        await page.context().setOffline(true);
        await page.waitForFunction(() => !navigator.onLine);
        await page.context().setOffline(false);
        await page.locator('#result-headline:focus').waitFor({ timeout: 120_000 });
        const document = JSON.parse(await downloadRun(page));
        assert.equal(document.ending, undefined);
        assert.equal(summarize(document).rows.length, 2);
      },
      OWN,
    );
  });

  it('says what is wrong with a plan', () =>
    site.withTab(
      '/cuts',
      async ({ page, press, unfold }) => {
        await unfold('#options');
        await page.locator('[name=seconds]').fill('99');
        await press('Measure');
        const error = page.locator('#form-error:not(:empty)');
        await error.waitFor();
        assertComplaint(await error.innerText(), 'Silence, in seconds', '99');
      },
      OWN,
    ));
});
