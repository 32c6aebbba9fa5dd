/**
 * What is asked of the pages in figures: few words, nothing that jumps, the answer on the first screen, targets that a
 * finger meets.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';
import { countWords } from '../support/words.js';

/** @import { Page, Request } from 'playwright-core' */

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** The four usual transports, in a plan that is over in some seconds. */
const SHORT = 'transports=ajax,xhr,ws,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
const RUN_LIMIT_MS = 60_000;

/** Those before a run are counted without the choices of transports, which follow from their rows. */
// With all folds open; the choices of closed selects count, too, and the warnings of a busy machine.
const MOST_WORDS = { before: 315, after: 440 };
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

describe('words on the home page', () => {
  for (const [device, context] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    it(`are few on a ${device}, before a run and after it, and with all folds open`, async (t) => {
      await site.withTab(
        '/',
        async ({ page }) => {
          await ready(page);
          const before = await countWords(page);
          await unfold(page);
          const beforeUnfolded = (await countWords(page)) - (await countChoices(page));
          await page.goto(`${site.origin}/?${SHORT}&autostart=1`);
          await answered(page);
          const after = await countWords(page);
          await unfold(page);
          const afterUnfolded = await countWords(page);
          t.diagnostic(`before ${before}, unfolded ${beforeUnfolded}; after ${after}, unfolded ${afterUnfolded}`);
          assert.ok(beforeUnfolded <= MOST_WORDS.before, `${beforeUnfolded} words before a run`);
          assert.ok(afterUnfolded <= MOST_WORDS.after, `${afterUnfolded} words after it`);
        },
        { context },
      );
    });
  }
});

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

/** Each is used as its visitor uses it, and by a link that starts at once, where no press excuses a shift. */
const SHIFTING = {
  '/': {
    start: async (/** @type {Page} */ page) => {
      await ready(page);
      await page.locator('#start').click();
    },
    link: `/?${SHORT}&autostart=1`,
    end: answered,
  },
  // Of the classic pages one, as both have the same layout and script.
  '/ajaxtest': {
    start: (/** @type {Page} */ page) => page.locator('#start').click(),
    link: '/ajaxtest?iterations=100&autostart=1',
    end: (/** @type {Page} */ page) => page.locator('#save-button').waitFor(),
  },
};

describe('cumulative layout shift', () => {
  for (const [device, context] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const [path, { start, link, end }] of Object.entries(SHIFTING)) {
      it(`is small on a ${device} at ${path}, before, during and after a run`, async (t) => {
        await site.withTab(
          'about:blank',
          async ({ page }) => {
            page.setDefaultTimeout(RUN_LIMIT_MS);
            await page.addInitScript(watchShifts);
            for (const [name, first, use] of /** @type {const} */ ([
              ['pressed', path === '/' ? `/?${SHORT}` : path, start],
              ['linked', link, async () => {}],
            ])) {
              await page.goto(site.origin + first);
              await use(page);
              await end(page);
              await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
              /** @type {Shift[]} */
              const shifts = await page.evaluate(() => /** @type {any} */ (window).shifts);
              const sum = shifts.reduce((total, { value }) => total + value, 0);
              t.diagnostic([`${name}: ${sum.toFixed(4)}`, ...shifts.map(({ words }) => words)].join('; '));
              assert.ok(
                sum < MOST_SHIFT,
                [`${name}: ${sum.toFixed(4)}`, ...shifts.map(({ words }) => words)].join('\n'),
              );
            }
          },
          { context, origin: '' },
        );
      });
    }
  }
});

describe('the answer on the home page', () => {
  const PARTS = ['#verdict-headline', '#verdict .answer-bars', '#save-button', '#exports > summary'];
  for (const [place, context, mostPx, shown] of /** @type {const} */ ([
    ['first screen of a desktop', DESKTOP, 800, PARTS],
    ['first two screens of a phone', PHONE, 1688, [...PARTS, '#rtt']],
  ])) {
    it(`is on the ${place}`, async (t) => {
      await site.withTab(
        `/?${SHORT}&autostart=1`,
        async ({ page }) => {
          await answered(page);
          const bottoms = await page.evaluate(
            (parts) =>
              parts.map((part) => {
                const { height, bottom } = /** @type {Element} */ (
                  document.querySelector(part)
                ).getBoundingClientRect();
                return height > 0 ? Math.round(bottom + window.scrollY) : Infinity;
              }),
            shown,
          );
          t.diagnostic(shown.map((part, index) => `${part} ${bottoms[index]}`).join(', '));
          for (const [index, part] of shown.entries())
            assert.ok(bottoms[index] <= mostPx, `${part}: ${bottoms[index]}`);
        },
        { context },
      );
    });
  }
});

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

describe('targets on the home page', () => {
  it('are as high as a finger is wide on a phone, before a run and after it', async () => {
    await site.withTab(
      '/',
      async ({ page }) => {
        await ready(page);
        assert.deepEqual(await findSmallTargets(page), [], 'before');
        await unfold(page);
        assert.deepEqual(await findSmallTargets(page), [], 'before, unfolded');
        await page.goto(`${site.origin}/?${SHORT}&autostart=1`);
        await answered(page);
        assert.deepEqual(await findSmallTargets(page), [], 'after');
        await unfold(page);
        assert.deepEqual(await findSmallTargets(page), [], 'after, unfolded');
        await page.locator('#save-button').click();
        assert.deepEqual(await findSmallTargets(page), [], 'to share');
        await page.locator('#save-submit').click();
        await page.locator('#save-permalink').waitFor();
        assert.deepEqual(await findSmallTargets(page), [], 'shared');
      },
      { context: PHONE },
    );
  });
});

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
