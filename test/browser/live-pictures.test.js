/** What a page draws of a run while it goes on. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeCheck, trialsOf } from '../../core/experiments/reach/plan.js';
import { launchBrowser } from '../support/browser.js';
import { openServer } from '../support/server.js';
import { openTab } from '../support/tab.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { TestServer } from '../support/server.js'
 */

/** So that runs are still going on when they are looked at. */
const ANSWER_MS = 5;

describe('the picture of a run while it goes on', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  before(async () => {
    const delayAnswer = (/** @type {() => void} */ answer) => setTimeout(answer, ANSWER_MS);
    [browser, server] = await Promise.all([launchBrowser(), openServer({ delayAnswer })]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('shows the messages of each transport as dots, and says their range', async () => {
    const url = `${server.origin}/inflight?transports=ajax,sockjs&depths=1,4&blocks=6&seed=7`;
    const { page, press, complaints, close } = await openTab(browser, url);
    try {
      const label = page.waitForFunction(() => {
        const drawn = document.querySelector('#live:not([hidden]) [role=img]:has(.cloud)')?.getAttribute('aria-label');
        return drawn && !drawn.includes('none') && drawn;
      });
      await press('Measure');
      const words = String(await (await label).jsonValue());
      const ranges = [...words.matchAll(/(AJAX|SockJS): from ([\d.]+) to ([\d.]+) ms/g)];
      assert.deepEqual(ranges.map(([, name]) => name).sort(), ['AJAX', 'SockJS'], words);
      // A timer may fire a millisecond early.
      for (const [, , min, max] of ranges) assert.ok(Number(min) >= ANSWER_MS - 1 && Number(max) >= Number(min), words);
      await page.locator('#result:visible').waitFor({ timeout: 60_000 });
      assert.equal(await page.locator('#live').isVisible(), false);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('lists the checks of a plan, and fills in their results one by one', async () => {
    const url = `${server.origin}/reach?silences=300,600&heartbeat=300&blocks=2&idle=0&seed=7`;
    const { page, press, close } = await openTab(browser, url);
    try {
      const half = page.waitForFunction(() => {
        const marks = [...document.querySelectorAll('#live:not([hidden]) li')].map((item) => [
          item.querySelector('span')?.textContent,
          item.querySelector('small')?.textContent,
        ]);
        const isHalf = ['passed', 'waiting'].every((word) => marks.some(([, result]) => result === word));
        return isHalf && marks;
      });
      await press('Measure');
      const shown = /** @type {[string, string][]} */ (await (await half).jsonValue());
      await page.locator('#result:visible').waitFor({ timeout: 60_000 });
      assert.equal(await page.locator('#live').isVisible(), false);
      const plan = { silences: [300, 600], heartbeatMs: 300, blocks: 2, idleMs: 0, seed: 7 };
      const planned = new Set(trialsOf(plan).map(describeCheck));
      for (const [check] of shown) assert.ok(planned.has(check), check);
    } finally {
      await close();
    }
  });
});
