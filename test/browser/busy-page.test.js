/** A run beside other work in its browser: it must not look like one that can be trusted. A slow device alone is no doubt. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { measureThrottled } from '../../lab/throttled.js';
import { holdsOnce } from '../support/attempts.js';
import { launchBrowser } from '../support/browser.js';
import { spawnServer } from '../support/server.js';
import { downloadRun } from '../support/download.js';

/** @import { Browser } from 'playwright-core' */

const PLAN = 'transports=ajax,sockjs&blocks=6&iterations=10&warmup=3&payload=0&seed=7';

/** Leaves the page a third of its thread. Loops in other processes would not do: a system may spare a browser. */
const takeThread = () => {
  const busyMs = 30;
  const freeMs = 15;
  const work = () => {
    const endMs = performance.now() + busyMs;
    while (performance.now() < endMs);
    setTimeout(work, freeMs);
  };
  work();
};

describe('a run beside other work, or on a slow device', () => {
  /** @type {Browser} */
  let browser;
  const server = spawnServer({});
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

  it('warns that the device was busy, beside other work', async (t) => {
    const page = await browser.newPage();
    try {
      await page.addInitScript(takeThread);
      await page.goto(`${origin}/?${PLAN}&autostart=1`);
      await page.locator('#verdict-headline:not(:empty)').waitFor({ timeout: 120_000 });
      const { environment, summary } = JSON.parse(await downloadRun(page));
      t.diagnostic(JSON.stringify({ lag: environment.lag, warnings: summary.warnings }));
      assert.ok(summary.warnings.length > 0);
      assert.match(await page.locator('#trust.doubtful #trust-count').innerText(), /^\d+ warnings?: \S/);
    } finally {
      await page.close();
    }
  });

  it('does not call a slow device busy', (t) =>
    holdsOnce(t, async () => {
      // Long enough trials for the lag of each.
      const plan = { ...parsePlan(shootout, new URLSearchParams(PLAN)), iterations: 30 };
      const run = await measureThrottled(browser, { baseUrl: origin, plan, slowness: 6 });
      const facts = findingsOf(shootout, run).report.trust;
      const [device, lag] = ['Device', 'Client’s timer lag'].map((name) => facts.find((one) => one.name === name));
      assert.ok(device && !device.isWarning);
      return lag?.isWarning === false ? undefined : String(lag?.value);
    }));
});
