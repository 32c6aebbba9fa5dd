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

  it('draws no cut as under way that is over', async () => {
    const url = `${server.origin}/cuts?cuts=watch&watch=2&blocks=2&seed=1&deliveries=poll,ws`;
    const { page, press, close } = await openTab(browser, url);
    try {
      await page.evaluate(() => {
        const seen = Object.assign(window, { seen: /** @type {Record<string, boolean[]>} */ ({}) }).seen;
        const place = document.querySelector('#live');
        const look = () => {
          const words = [...document.querySelectorAll('#live li small')].map(({ textContent }) => textContent);
          const timeline = document.querySelector('#live .timeline');
          if (timeline) (seen[words.join()] ??= []).push(timeline.checkVisibility({ visibilityProperty: true }));
        };
        if (place) new MutationObserver(look).observe(place, { childList: true, subtree: true, attributes: true });
      });
      await press('Measure');
      await page.locator('#result:visible').waitFor({ timeout: 60_000 });
      /** @type {Record<string, boolean[]>} */
      const seen = await page.evaluate(() => /** @type {any} */ (window).seen);
      const ofEnds = Object.entries(seen).filter(([words]) => !words.includes('under way'));
      assert.deepEqual(
        ofEnds.map(([words, areVisible]) => [words, areVisible.includes(true)]),
        [
          ['none lost,waiting', false],
          ['none lost,none lost', false],
        ],
      );
      assert.ok(seen['under way,waiting'].includes(true), JSON.stringify(seen));
    } finally {
      await close();
    }
  });

  it('shows news at the server and at the user, with the polls between, and what both methods took so far', async () => {
    const { page, press, complaints, close } = await openTab(browser, `${server.origin}/?page=asks&every=2000`);
    try {
      await page.locator('#start-controls:enabled').waitFor();
      const shown = page.waitForFunction(() => {
        const lanes = [...document.querySelectorAll('#live:not([hidden]) .lane')];
        const counts = lanes.map((lane) =>
          ['.begins', '.ends', '.way', '.tick:not(.idle)'].map((mark) => lane.querySelectorAll(mark).length),
        );
        const isThere = counts.length === 2 && counts.every(([begins]) => begins > 0);
        const label = document.querySelector('#live [role=img]')?.getAttribute('aria-label');
        const means = [...document.querySelectorAll('#live output')].map(({ textContent }) => textContent);
        return isThere && !means.includes('–') && { counts, label, means };
      });
      await press('Measure');
      const { counts, means } = /** @type {any} */ (await (await shown).jsonValue());
      const [[begins, ends, ways, found], [pushed]] = counts;
      assert.deepEqual([ends, ways, pushed], [begins, begins, begins]);
      assert.ok(found > 0);
      const [poll, push] = means.map(
        (/** @type {string} */ text) => parseFloat(text) / (text.endsWith(' ms') ? 1000 : 1),
      );
      // Half a period on average; the waits are random.
      assert.ok(poll > 0.3 && poll < 1.9 && push < 0.3, means.join(' '));
      await page.locator('#after:visible').waitFor({ timeout: 60_000 });
      assert.deepEqual([await page.locator('#live').isVisible(), await page.locator('#live > *').count()], [false, 0]);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('never draws while an echo is under way', async () => {
    const page = await browser.newPage();
    try {
      await page.addInitScript(watchDrawing);
      await page.goto(`${server.origin}/?transports=ajax,sockjs&blocks=12&iterations=20&warmup=1&payload=0&seed=7`);
      await page.locator('#start-controls:enabled').waitFor();
      await page.locator('#start').click();
      await page.locator('#after:visible').waitFor({ timeout: 60_000 });
      const { between, within, echoes } = await page.evaluate(() => /** @type {any} */ (window).drawn);
      assert.ok(between > 2 && echoes >= 2 * 12 * 20, JSON.stringify({ between, echoes }));
      assert.equal(within, 0);
    } finally {
      await page.close();
    }
  });

  it('moves by an animation, or once a second for visitors who prefer reduced motion', async () => {
    for (const [reducedMotion, count] of /** @type {const} */ ([
      ['no-preference', 2],
      ['reduce', 0],
    ])) {
      const { page, press, close } = await openTab(browser, `${server.origin}/?page=asks`, { reducedMotion });
      try {
        await page.locator('#start-controls:enabled').waitFor();
        const moving = page.waitForFunction(() => {
          const lanes = [...document.querySelectorAll('#live .lane:has(.begins)')];
          return lanes.length === 2 && { count: lanes.flatMap((lane) => lane.getAnimations()).length };
        });
        await press('Measure');
        assert.deepEqual(await (await moving).jsonValue(), { count }, reducedMotion);
      } finally {
        await close();
      }
    }
  });

  it('has a gap in the progress where the second part begins', async () => {
    const { page, press, close } = await openTab(browser, `${server.origin}/`);
    try {
      await page.locator('#start-controls:enabled').waitFor();
      const mask = page.waitForFunction(() => document.querySelector('progress')?.style.maskImage);
      await press('Measure');
      const places = new Set(String(await (await mask).jsonValue()).match(/[\d.]+%/g));
      assert.equal(places.size, 1, [...places].join(' '));
    } finally {
      await close();
    }
  });
});

/** Counts drawings of the live picture, within an echo or between two: runs in the page. */
function watchDrawing() {
  const drawn = Object.assign(window, { drawn: { between: 0, within: 0, echoes: 0 } }).drawn;
  /** @type {Set<object>} the connections that wait for an answer */
  const waiting = new Set();
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (body) {
    waiting.add(this);
    drawn.echoes++;
    // Before the page learns of the answer.
    this.addEventListener('readystatechange', () => this.readyState === this.DONE && waiting.delete(this));
    send.call(this, body);
  };
  const { send: sendFrame } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (!waiting.has(this)) this.addEventListener('message', () => waiting.delete(this), { once: true });
    this.addEventListener('close', () => waiting.delete(this), { once: true });
    waiting.add(this);
    drawn.echoes++;
    sendFrame.call(this, data);
  };
  document.addEventListener('DOMContentLoaded', () => {
    const place = document.querySelector('#live');
    const count = () => (waiting.size > 0 ? drawn.within++ : drawn.between++);
    if (place) new MutationObserver(count).observe(place, { childList: true, subtree: true, attributes: true });
  });
}
