/**
 * What is asked of the pages in figures: few words, nothing that jumps, the answer on the first screen, targets that a
 * finger meets.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';
import { countWords } from '../support/words.js';

/**
 * @import { Page, Request } from 'playwright-core'
 * @import { Tab } from '../support/browser-site.js'
 */

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** The four usual transports, in a plan that is over in some seconds. */
const SHORT = 'transports=ajax,xhr,ws,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
const RUN_LIMIT_MS = 60_000;

/** Those before a run are counted without the choices of transports, which follow from their rows. */
// With all folds open; the choices of closed selects count, too, and the warnings of a busy machine.
const MOST_WORDS = { before: 345, after: 440 };
const MOST_SHIFT = 0.05;
const TARGET_PX = 44;

/** All that a click unfolds; the tables of the details are for those who look for them. */
const FOLDS = 'details:not(#details details)';

const site = useBrowserSite();

/** @param {Page} page */
async function ready(page) {
  page.setDefaultTimeout(RUN_LIMIT_MS);
  await page.locator('#start:text-matches("about")').waitFor();
}

/** Holds the home page's program back. @param {Page} page @returns {Promise<() => void>} lets it come */
async function holdProgram(page) {
  let release = () => {};
  /** @type {Promise<void>} */
  const released = new Promise((resolve) => (release = resolve));
  await page.route('**/js/home.js', (route) => released.then(() => route.continue()), { times: 1 });
  return release;
}

/** @param {Page} page */
async function answered(page) {
  page.setDefaultTimeout(RUN_LIMIT_MS);
  await page.locator('#verdict-headline:not(:empty)').waitFor();
  await page.locator('#interval-axis svg').waitFor();
}

/** @param {Page} page @returns {Promise<number>} the words of the transports that can be chosen */
async function countChoices(page) {
  const labels = await page.locator('label:has([name=transport])').allInnerTexts();
  return labels
    .join(' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** @param {Page} page */
const unfold = (page) =>
  page.locator(FOLDS).evaluateAll((folds) => folds.forEach((fold) => fold.setAttribute('open', '')));

/** @typedef {{ value: number, words: string }} Shift */

/** Runs in the page before anything of its own. */
function watchShifts() {
  const shifts = /** @type {Shift[]} */ ([]);
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources, startTime } = /** @type {any} */ (entry);
      if (hadRecentInput) continue;
      const words = sources.map(
        (/** @type {any} */ { node, previousRect, currentRect }) =>
          `${node?.nodeName} #${node?.id} from ${previousRect.top} to ${currentRect.top}`,
      );
      shifts.push({ value, words: `${value.toFixed(4)} at ${Math.round(startTime)} ms: ${words.join(', ')}` });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/**
 * Asserts that little of a page has jumped since it was opened.
 * @param {Page} page that {@link watchShifts} watches @param {{ diagnostic(message: string): void }} test
 */
async function assertStill(page, test) {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  /** @type {Shift[]} */
  const shifts = await page.evaluate(() => /** @type {any} */ (window).shifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const said = [sum.toFixed(4), ...shifts.map(({ words }) => words)].join('; ');
  test.diagnostic(said);
  assert.ok(sum < MOST_SHIFT, said);
}

/** @param {Page} page @returns {Promise<string[]>} what a finger may miss, and how high it is */
const findSmallTargets = (page) =>
  page
    .locator(
      [
        ':is(nav, footer, .exports) a',
        '#plan-link',
        'button, summary, select, textarea',
        'input:not([type=radio], [type=checkbox])',
        'label:has([type=radio], [type=checkbox])',
      ].join(),
    )
    .evaluateAll(
      (targets, least) =>
        targets.flatMap((target) => {
          const { height } = target.getBoundingClientRect();
          if (!target.checkVisibility() || height >= least - 0.1) return [];
          return [`${target.nodeName} #${target.id} ${String(target.textContent).trim().slice(0, 30)}: ${height} px`];
        }),
      TARGET_PX,
    );

/** What is to be seen of an answer, and how far down. */
const PARTS = ['#verdict-headline', '#verdict .answer-bars', '#save-button', '#exports > summary'];
const SCREENS = {
  desktop: { context: DESKTOP, mostPx: 800, parts: PARTS },
  // Its first two.
  phone: { context: PHONE, mostPx: 1688, parts: [...PARTS, '#rtt'] },
};

for (const [device, { context, mostPx, parts }] of Object.entries(SCREENS)) {
  /** A finger needs them large. @param {Page} page @param {string} when */
  const assertTargets = async (page, when) => {
    if (device === 'phone') assert.deepEqual(await findSmallTargets(page), [], when);
  };

  describe(`the home page on a ${device}`, () => {
    /** @type {Tab} */
    let tab;
    before(async () => {
      tab = await site.openTab('about:blank', { context, origin: '' });
      tab.page.setDefaultTimeout(RUN_LIMIT_MS);
      await tab.page.addInitScript(watchShifts);
    });
    after(() => tab?.close());

    it('does not jump before a run, and has few words, with all folds open, too, and targets that a finger meets', async (t) => {
      const { page } = tab;
      const release = await holdProgram(page);
      await page.goto(site.origin, { waitUntil: 'domcontentloaded' });
      assert.ok(await page.locator('#facts').isVisible(), 'before the round trip is known');
      release();
      await ready(page);
      await assertStill(page, t);
      const folded = await countWords(page);
      await assertTargets(page, 'before');
      await unfold(page);
      await assertTargets(page, 'before, unfolded');
      const count = (await countWords(page)) - (await countChoices(page));
      t.diagnostic(`${folded}, unfolded ${count}`);
      assert.ok(count <= MOST_WORDS.before, `${count} words`);
    });

    it('hardly jumps before, during and after a run that is started', async (t) => {
      const { page } = tab;
      await page.goto(`${site.origin}/?${SHORT}`);
      await ready(page);
      await page.locator('#start').click();
      await answered(page);
      await assertStill(page, t);
    });

    it('hardly jumps where a link starts it; its answer is seen at once, in few words', async (t) => {
      const { page } = tab;
      await page.goto(`${site.origin}/?${SHORT}&autostart=1`);
      await answered(page);
      // No press excuses a shift.
      await assertStill(page, t);
      const bottoms = await page.evaluate(
        (names) =>
          names.map((name) => {
            const { height, bottom } = /** @type {Element} */ (document.querySelector(name)).getBoundingClientRect();
            return height > 0 ? Math.round(bottom + window.scrollY) : Infinity;
          }),
        parts,
      );
      t.diagnostic(parts.map((part, index) => `${part} ${bottoms[index]}`).join(', '));
      for (const [index, part] of parts.entries()) assert.ok(bottoms[index] <= mostPx, `${part}: ${bottoms[index]}`);
      const folded = await countWords(page);
      await assertTargets(page, 'after');
      await unfold(page);
      await assertTargets(page, 'after, unfolded');
      const count = await countWords(page);
      t.diagnostic(`${folded} words, unfolded ${count}`);
      assert.ok(count <= MOST_WORDS.after, `${count} words`);
    });

    if (device === 'phone')
      it('has targets that a finger meets where it is shared', async () => {
        const { page } = tab;
        await page.locator('#save-button').click();
        await assertTargets(page, 'to share');
        await page.locator('#save-submit').click();
        await page.locator('#save-permalink').waitFor();
        await assertTargets(page, 'shared');
      });
  });

  // Of the classic pages one, as both have the same layout and script.
  it(`a classic page hardly jumps on a ${device}, by a press and by a link`, (t) =>
    site.withTab(
      'about:blank',
      async ({ page }) => {
        page.setDefaultTimeout(RUN_LIMIT_MS);
        await page.addInitScript(watchShifts);
        for (const link of ['', '?iterations=100&autostart=1']) {
          await page.goto(`${site.origin}/ajaxtest${link}`);
          if (!link) await page.locator('#start').click();
          await page.locator('#save-button').waitFor();
          await assertStill(page, t);
        }
      },
      { context, origin: '' },
    ));
}

/** What a page over HTTP/1.1 may ask for before it is left alone, its probe and its echoes apart. */
const MOST_REQUESTS = 12;
const MOST_BYTES = 200 * 1024;
/** Echoes, and what the page asks of the server before it measures. */
const PROBES = /^\/(ajaxecho|status|echo|ws)(\/|$)/;

describe('what an audit of performance, accessibility and best practices looks for', () => {
  for (const path of ['/', '/ajaxtest', '/socktest']) {
    it(`is kept at ${path}`, () =>
      site.withTab(
        'about:blank',
        async ({ page, complaints }) => {
          /** @type {Request[]} */
          const requests = [];
          page.on('requestfinished', (request) => requests.push(request));
          await page.addInitScript(watchLargestPaint);
          await page.goto(site.origin + path);
          if (path === '/') await ready(page);
          await page.waitForLoadState('networkidle');

          const loaded = requests.filter((request) => !PROBES.test(new URL(request.url()).pathname));
          const sizes = await Promise.all(loaded.map((request) => request.sizes()));
          const byteCount = sizes.reduce((sum, one) => sum + one.responseBodySize + one.responseHeadersSize, 0);
          assert.ok(loaded.length <= MOST_REQUESTS, loaded.map((request) => request.url()).join('\n'));
          assert.ok(byteCount <= MOST_BYTES, `${byteCount} bytes`);
          assert.deepEqual([...new Set(loaded.map((request) => new URL(request.url()).origin))], [site.origin]);
          assert.deepEqual(complaints, []);
          assert.deepEqual(await page.context().cookies(), []);

          await page.waitForFunction(() => /** @type {any} */ (window).largestPaint);
          const facts = await page.evaluate(() => ({
            mode: document.compatMode,
            language: document.documentElement.lang,
            title: document.title.length > 0,
            viewport: document.querySelector('meta[name=viewport]')?.getAttribute('content'),
            describes: Number(document.querySelector('meta[name=description]')?.getAttribute('content')?.length) > 0,
            unsizedImages: document.querySelectorAll('img:not([width][height])').length,
            blocking: [
              ...document.querySelectorAll('link[rel=stylesheet], script[src]:not([type=module], [async], [defer])'),
            ].map(({ nodeName }) => nodeName),
            largest: /** @type {any} */ (window).largestPaint,
          }));
          const { largest, ...others } = facts;
          assert.deepEqual(others, {
            mode: 'CSS1Compat',
            language: 'en',
            title: true,
            viewport: 'width=device-width, initial-scale=1',
            describes: true,
            unsizedImages: 0,
            blocking: ['LINK'],
          });
          // Text needs no request of its own.
          assert.equal(largest.url, '', largest.words);
        },
        { context: DESKTOP, origin: '' },
      ));
  }
});

/** Runs in the page before anything of its own. */
function watchLargestPaint() {
  new PerformanceObserver((list) => {
    const { url, element } = /** @type {any} */ (list.getEntries().at(-1));
    Object.assign(window, { largestPaint: { url, words: element?.outerHTML.slice(0, 200) } });
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}
