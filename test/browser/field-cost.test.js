/** What a page pays for measuring its users: loads of one page with and without the line, side by side. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { medianInterval } from '../../core/base/statistics.js';
import { SAME_PERCENT } from '../../core/experiment/answer/verdict.js';
import { holdsOnce } from '../support/attempts.js';
import { launchBrowser } from '../support/browser.js';
import { openHostPage } from '../support/host-page.js';
import { openServer } from '../support/server.js';

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { TestServer } from '../support/server.js'
 * @typedef {object} Cost
 * @property {number} longTaskCount
 * @property {number} blockedMs total blocking time: what long tasks take beyond 50 ms
 * @property {number} shift the sum of https://wicg.github.io/layout-instability
 * @property {number} largestPaintMs https://w3c.github.io/largest-contentful-paint
 * @typedef {readonly [measured: Cost, bare: Cost]} Pair
 */

const PAIRS = 10;
/** Keeps the page waiting for longer than any noise, and then shows more than there was. */
const SLOW_SCRIPT = `
  for (const endMs = performance.now() + 150; performance.now() < endMs; );
  document.body.append(Object.assign(document.createElement('p'), { innerText: 'Late '.repeat(500) }));
`;
/** The next frame is painted by then. */
const PAINT_MS = 300;
const STUDY = 'cost';
/** Each sees it unless the machine is busy in most of its pairs. */
const FEW_ATTEMPTS = 5;
const LIMIT_MS = 15_000;
const LOOK_MS = 20;

/** Counts from the beginning of the page. @returns {() => Cost} tells what there was until then */
function watchCost() {
  const cost = { longTaskCount: 0, blockedMs: 0, shift: 0, largestPaintMs: 0 };
  /** @type {Record<string, (entry: any) => void>} */
  const kinds = {
    longtask({ duration }) {
      cost.longTaskCount++;
      cost.blockedMs += duration - 50;
    },
    'layout-shift': ({ value }) => void (cost.shift += value),
    // Each is larger than those before.
    'largest-contentful-paint': ({ startTime }) => void (cost.largestPaintMs = startTime),
  };
  const add = (/** @type {PerformanceEntryList} */ entries) => {
    for (const entry of entries) kinds[entry.entryType](entry);
  };
  const observers = Object.keys(kinds).map((type) => {
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

  /** @param {string} address of a page */
  async function open(address) {
    // Of its own, as a browser is measured once.
    const context = await browser.newContext();
    await context.addInitScript(`globalThis.readCost = (${watchCost})()`);
    const page = await context.newPage();
    await page.goto(address);
    return page;
  }

  /**
   * Loads a page with the line, and the same without it, at the same time.
   * @param {string} origin of both @param {(count: number) => Promise<unknown>} [whenLoaded] gets how many pairs there are
   * @returns {Promise<Pair[]>}
   */
  async function loadPairs(origin, whenLoaded = async () => {}) {
    /** @type {Pair[]} */
    const pairs = [];
    for (let count = 1; count <= PAIRS; count++) {
      const addresses = [`${origin}/`, `${origin}/bare`];
      // Each is the first in half of the pairs.
      const isTurned = count % 2 === 0;
      const opened = await Promise.all((isTurned ? addresses.reverse() : addresses).map(open));
      const pages = isTurned ? opened.reverse() : opened;
      await whenLoaded(count);
      await Promise.all(pages.map((page) => page.waitForFunction('readCost().largestPaintMs > 0')));
      const [measured, bare] = await Promise.all(pages.map(readCost));
      pairs.push([measured, bare]);
      await Promise.all(pages.map((page) => page.context().close()));
    }
    return pairs;
  }

  /** @param {readonly Pair[]} pairs @returns {string} what a page clearly pays for the line; empty for nothing */
  function describeCost(pairs) {
    const later = medianInterval(pairs.map(([measured, bare]) => measured.largestPaintMs / bare.largestPaintMs));
    const blocked = medianInterval(pairs.map(([measured, bare]) => measured.blockedMs - bare.blockedMs));
    const tasks = medianInterval(pairs.map(([measured, bare]) => measured.longTaskCount - bare.longTaskCount));
    return [
      Number(later?.low) > 1 + SAME_PERCENT / 100 ? `the largest paint comes ${later?.estimate}x as late` : '',
      Number(blocked?.low) > 0 ? `it is blocked ${blocked?.estimate} ms longer` : '',
      Number(tasks?.low) > 0 ? `it has ${tasks?.estimate} more long tasks` : '',
    ]
      .filter(Boolean)
      .join(', ');
  }

  /** Waits for as many records: of a browser that is driven, one that was cut short, too. @param {number} count */
  async function untilCounted(count) {
    const endMs = performance.now() + LIMIT_MS;
    while (((await server.store.readFieldCounts(STUDY)).get('all apart=automated') ?? 0) < count) {
      assert.ok(performance.now() < endMs, `expected ${count} records`);
      await sleep(LOOK_MS);
    }
  }

  it('is painted as soon, is blocked for no longer, and its layout does not shift', async (t) => {
    const pairs = await loadPairs(host.origin, untilCounted);
    for (const name of /** @type {const} */ (['largestPaintMs', 'blockedMs', 'longTaskCount']))
      t.diagnostic(`${name}: ${pairs.map((pair) => pair.map((cost) => Math.round(cost[name])).join('/')).join(' ')}`);
    for (const [measured, bare] of pairs) assert.deepEqual([measured.shift, bare.shift], [0, 0]);
    // A busy machine makes a long task of any, and a late paint: it hits either page of a pair.
    assert.equal(describeCost(pairs), '');
  });

  it('would be seen to be painted later, and to be blocked', async (t) => {
    const slow = await openHostPage({
      site: server.origin,
      tag: '<script src="/own.js"></script>',
      script: SLOW_SCRIPT,
    });
    try {
      await holdsOnce(
        t,
        async () => {
          const cost = describeCost(await loadPairs(slow.origin, () => sleep(PAINT_MS)));
          return ['paint', 'blocked', 'long tasks'].every((part) => cost.includes(part)) ? undefined : cost;
        },
        FEW_ATTEMPTS,
      );
    } finally {
      slow.close();
    }
  });

  it('would be seen to be busy, and to shift', async () => {
    const page = await open(`${host.origin}/bare`);
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
