import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { DEPTHS } from '../../core/experiments/in-flight.js';
import { launchBrowser } from '../support/browser.js';
import { openServer } from '../support/server.js';
import { openTab } from '../support/tab.js';

describe('the page of messages in flight', () => {
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {import('../support/server.js').TestServer} */
  let server;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), openServer()]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('shows the rate of both transports at every depth, in words, as a chart and as a table', async () => {
    const { page, press, complaints, close } = await openTab(browser, `${server.origin}/inflight`);
    try {
      await press('Start');
      await page.locator('#result').waitFor({ timeout: 60_000 });
      const cells = await page
        .locator('#depths tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent))));
      assert.deepEqual(
        cells.map((row) => row.slice(0, 3)),
        [
          ...DEPTHS.map((depth) => ['AJAX', 'http/1.1', String(depth)]),
          ...DEPTHS.map((depth) => ['SockJS', 'websocket', String(depth)]),
        ],
      );
      for (const row of cells) assert.deepEqual(row.slice(-2), ['0', '3']);
      assert.match(await page.locator('#depths-words').innerText(), /It is latency that kills the back-to-back loop/);
      assert.match(String(await page.getByRole('img').getAttribute('aria-label')), /^Chart\. AJAX carries/);
      await page.locator('#depths-headline:focus').waitFor();

      const [download] = await Promise.all([page.waitForEvent('download'), press('Download JSON')]);
      const { schema, trials } = JSON.parse(await readFile(await download.path(), 'utf8'));
      assert.deepEqual([schema, trials.length], ['sockshootout/in-flight/1', 3 * 2 * DEPTHS.length]);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('keeps what was measured when it is cancelled', async () => {
    const { page, press, close } = await openTab(browser, `${server.origin}/inflight`);
    try {
      await page.getByRole('radio', { name: '6 blocks' }).check();
      await press('Start');
      await page.locator('#progress-text', { hasText: /Block/ }).waitFor();
      await press('Cancel');
      await page.locator('#depths-ending', { hasText: 'The run was cancelled.' }).waitFor();
      assert.equal(await page.locator('#depths-words').innerText(), '');
    } finally {
      await close();
    }
  });
});
