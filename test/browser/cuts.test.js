/** The page of cuts: a run without a cut, and what each cut does to Chromium's own connections. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cuts } from '../../core/experiments/cuts/index.js';
import { launchBrowser } from '../support/browser.js';
import { assertComplaint } from '../support/complaint.js';
import { assertCuts, EVERY_CUT } from '../support/cuts-facts.js';
import { downloadRun } from '../support/download.js';
import { openServer } from '../support/server.js';
import { expectReport, readReport } from '../support/shown-report.js';
import { openTab } from '../support/tab.js';
import { countWords, MAX_WORDS } from '../support/words.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { TestServer } from '../support/server.js'
 */

const EVERY_METHOD = 'poll,ws,ws-ping,ws-replay,sockjs,sockjs-ping,sockjs-replay,socketio,events';

describe('the page of cuts', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), openServer()]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('loses no message where nothing is cut, by any method, and shows its code', async () => {
    const url = `${server.origin}/cuts?cuts=watch&watch=4&blocks=1&seed=1&deliveries=${EVERY_METHOD}`;
    const { page, press, unfold, complaints, close } = await openTab(browser, url);
    try {
      const live = page.waitForFunction(() =>
        document.querySelector('#live:not([hidden]) li')?.textContent?.includes('waiting'),
      );
      await press('Measure');
      await live;
      await page.locator('#result-headline:focus').waitFor({ timeout: 60_000 });
      const document = JSON.parse(await downloadRun(page));
      assert.deepEqual(await readReport(page), expectReport(cuts, document));
      for (const { delivery, lost, doubled, noticed } of cuts.summarize(document).rows) {
        assert.deepEqual([lost?.max, doubled?.max, noticed], [0, 0, undefined], delivery);
      }
      assert.equal(document.trials.length, 9);
      assert.ok((await countWords(page)) <= MAX_WORDS);
      await unfold('#code-section');
      assert.match(await page.locator('#code-section pre').first().innerText(), /export function keepOpen/);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('measures what each cut costs, with a timeline, and shows it again after a reload', async () => {
    const { page, close } = await openTab(browser, `${server.origin}/cuts?${EVERY_CUT}&autostart=1`);
    try {
      await page.locator('#result-headline:focus').waitFor({ timeout: 180_000 });
      const shown = await readReport(page);
      const document = JSON.parse(await downloadRun(page));
      assert.deepEqual(shown, expectReport(cuts, document));
      assertCuts(document);
      assert.equal(await page.locator('#result-timelines svg').count(), 1);
      await page.reload();
      await page.locator('#result:not([hidden]) #result-tables tbody').first().waitFor();
      assert.deepEqual(await readReport(page), shown);
    } finally {
      await close();
    }
  });

  it('goes on while the device is offline, where the visitor does the cutting', async () => {
    const url = `${server.origin}/cuts?cuts=watch&watch=6&blocks=1&seed=1&deliveries=poll,ws&interval=500`;
    const { page, press, close } = await openTab(browser, url);
    try {
      await press('Measure');
      await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /poll=/.test(name)));
      await page.context().setOffline(true);
      await page.waitForFunction(() => !navigator.onLine);
      await page.context().setOffline(false);
      await page.locator('#result-headline:focus').waitFor({ timeout: 60_000 });
      const document = JSON.parse(await downloadRun(page));
      assert.equal(document.ending, undefined);
      assert.equal(cuts.summarize(document).rows.length, 2);
    } finally {
      await close();
    }
  });

  it('says what is wrong with a plan', async () => {
    const { page, press, unfold, close } = await openTab(browser, `${server.origin}/cuts`);
    try {
      await unfold('#options');
      await page.locator('[name=seconds]').fill('99');
      await press('Measure');
      const error = page.locator('#form-error:not(:empty)');
      await error.waitFor();
      assertComplaint(await error.innerText(), 'Silence, in seconds', '99');
    } finally {
      await close();
    }
  });
});
