/** A run beside other work on its machine: it must not look like one that can be trusted. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { launchBrowser } from '../support/browser.js';
import { spawnServer } from '../support/server.js';

/** @import { Browser } from 'playwright-core' */

/** More work than the machine has processors for. */
const LOOP_COUNT = 2 * availableParallelism();
const PLAN = 'transports=ajax,sockjs&blocks=6&iterations=50&warmup=3&payload=0&seed=7';

describe('a run in a browser', () => {
  /** @type {Browser} */
  let browser;
  const server = spawnServer({ LOG_LEVEL: 'info' });
  /** @type {string} */
  let origin;
  before(async () => {
    origin = await server.origin();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await server.stop();
  });

  it('warns beside busy loops', async (t) => {
    const loops = Array.from({ length: LOOP_COUNT }, () => spawn(process.execPath, ['-e', 'for(;;);']));
    const page = await browser.newPage();
    try {
      await page.goto(`${origin}/?${PLAN}&autostart=1`);
      await page.locator('#verdict-headline:not(:empty)').waitFor({ timeout: 120_000 });
      await page.locator('#exports > summary').click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#download-json').click()]);
      const { environment, summary } = JSON.parse(await readFile(await download.path(), 'utf8'));
      t.diagnostic(JSON.stringify({ lag: environment.lag, warnings: summary.warnings }));
      assert.ok(summary.warnings.length > 0);
      assert.match(await page.locator('#trust.doubtful #trust-count').innerText(), /^\d+ warnings?$/);
    } finally {
      for (const loop of loops) loop.kill('SIGKILL');
      await page.close();
    }
  });
});
