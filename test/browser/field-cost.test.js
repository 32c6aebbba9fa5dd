/** What a page pays for measuring its users: loads of one page with and without the line, side by side. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../core/base/statistics.js';
import { launchBrowser } from '../support/browser.js';
import { openHostPage } from '../support/host-page.js';
import { openServer } from '../support/server.js';

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { TestServer } from '../support/server.js'
 * @typedef {{ longTaskCount: number, shift: number }} Cost `shift`: the sum of https://wicg.github.io/layout-instability
 */

const PAIRS = 10;
const STUDY = 'cost';
const LIMIT_MS = 15_000;
const LOOK_MS = 20;

/** Counts from the beginning of the page. @returns {() => Cost} tells what there was until then */
function watchCost() {
  const cost = { longTaskCount: 0, shift: 0 };
  const add = (/** @type {PerformanceEntryList} */ entries) => {
    for (const entry of entries)
      if (entry.entryType === 'longtask') cost.longTaskCount++;
      else cost.shift += /** @type {PerformanceEntry & { value: number }} */ (entry).value;
  };
  const observers = ['longtask', 'layout-shift'].map((type) => {
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type, buffered: true });
    return observer;
  });
  return () => {
    for (const observer of observers) add(observer.takeRecords());
    return cost;
  };
}

/** @param {Page} page */
const readCost = (page) => page.evaluate(() => /** @type {any} */ (globalThis).readCost());

describe('a page that measures its users', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  /** @type {Awaited<ReturnType<typeof openHostPage>>} */
  let host;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), openServer()]);
    const tag = `<script type="module" src="${server.origin}/field.js" data-study="${STUDY}" data-delay="0"></script>`;
    host = await openHostPage({ site: server.origin, tag });
    const study = { label: STUDY, origins: [host.origin], sample: 1, isOn: true, createdAt: '2026-11-22T00:00:00Z' };
    await server.store.createFieldStudy(study, new Uint8Array(32));
  });
  after(async () => {
    await browser?.close();
    host?.close();
    await server?.close();
  });

  /** @param {string} path of the host's page */
  async function open(path) {
    // Of its own, as a browser is measured once.
    const context = await browser.newContext();
    await context.addInitScript(`globalThis.readCost = (${watchCost})()`);
    const page = await context.newPage();
    await page.goto(host.origin + path);
    return page;
  }

  /** Waits for as many records: of a browser that is driven, one that was cut short, too. @param {number} count */
  async function untilCounted(count) {
    const endMs = performance.now() + LIMIT_MS;
    while (((await server.store.readFieldCounts(STUDY)).get('all apart=automated') ?? 0) < count) {
      assert.ok(performance.now() < endMs, `expected ${count} records`);
      await sleep(LOOK_MS);
    }
  }

  it('has no more long tasks, and its layout does not shift', async (t) => {
    /** @type {[measured: Cost, bare: Cost][]} */
    const pairs = [];
    for (let pair = 1; pair <= PAIRS; pair++) {
      const pages = await Promise.all(['/', '/bare'].map(open));
      await untilCounted(pair);
      const [measured, bare] = await Promise.all(pages.map(readCost));
      pairs.push([measured, bare]);
      await Promise.all(pages.map((page) => page.context().close()));
    }
    t.diagnostic(
      `long tasks: ${pairs.map((pair) => pair.map(({ longTaskCount }) => longTaskCount).join('/')).join(' ')}`,
    );
    for (const [measured, bare] of pairs) assert.deepEqual([measured.shift, bare.shift], [0, 0]);
    // A busy machine makes a long task of any: it hits either page of a pair.
    const more = Number(median(pairs.map(([measured, bare]) => measured.longTaskCount - bare.longTaskCount)));
    assert.ok(more <= 0, `${more} more`);
  });

  it('would be seen to be busy, and to shift', async () => {
    const page = await open('/bare');
    try {
      await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        setTimeout(() => {
          const endMs = performance.now() + 100;
          while (performance.now() < endMs);
          document.body.prepend(Object.assign(document.createElement('p'), { innerText: 'Late' }));
        });
      });
      await page.waitForFunction(() => {
        const { longTaskCount, shift } = /** @type {any} */ (globalThis).readCost();
        return longTaskCount > 0 && shift > 0;
      });
    } finally {
      await page.context().close();
    }
  });
});
