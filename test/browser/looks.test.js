import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EXPERIMENTS, isPlanned } from '../../core/experiments/all.js';
import { COLOR_RULES, findViolations, overflowOf } from '../support/axe.js';
import { launchBrowser } from '../support/browser.js';
import { PAGES, saveForPages } from '../support/page-uses.js';
import { openServer } from '../support/server.js';
import { driven, openReusedTab } from '../support/tab.js';

/**
 * @import { Browser, Page, Route } from 'playwright-core'
 * @import { Saved } from '../support/page-uses.js'
 * @import { TestServer } from '../support/server.js'
 */

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const SIZES = { phone: PHONE.viewport, desktop: { width: 1280, height: 900 } };

/** The smallest phone, a phone, a tablet and a desktop. */
const WIDTHS = [320, 390, 768, 1280];
const LEAST_TEXT_PX = 14;
/** A line of code on a phone, or beside other code, would else be two. */
const LEAST_CODE_PX = { phone: 12, desktop: 13 };
const PHONE_MOST_PX = 640;

/** The pages whose options are groups. */
const PLANNED = ['/', ...EXPERIMENTS.filter(isPlanned).map((experiment) => experiment.path)];
/** The pages that have all their text in cards, beneath their title. */
const IN_CARDS = [
  'error',
  'refused comparison',
  'how-it-works',
  'privacy',
  'results',
  'study-form',
  'compare',
  'result',
];

/**
 * As it was drawn for a phone, and as it is then on a screen as wide as a desktop's.
 *
 * @param {Page} page
 * @param {readonly string[]} devices on which everybody can use it
 * @param {string} darkDevice on which its colours are right in the dark
 */
async function checkLooks(page, devices, darkDevice) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    await page.evaluate(waitForFrames);
    assert.ok((await overflowOf(page)) <= 0, `wider than ${width} px`);
    const least = { text: LEAST_TEXT_PX, code: LEAST_CODE_PX[width <= PHONE_MOST_PX ? 'phone' : 'desktop'] };
    assert.deepEqual(await page.evaluate(listFaults, least), [], `${width} px`);
    assert.deepEqual(await page.evaluate(listCoveredNames), [], `${width} px`);
  }
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    await page.evaluate(waitForFrames);
    // Its colours in the light are the other device's, here or in test/smoke.test.js, and take longer to check than all else.
    const isOnce = device === darkDevice;
    if (devices.includes(device))
      assert.deepEqual(await findViolations(page, { except: isOnce ? COLOR_RULES : [] }), [], device);
    if (device !== darkDevice) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await findViolations(page, { only: COLOR_RULES }), [], `${device}, dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize(PHONE.viewport);
}

/**
 * Runs in the page.
 *
 * @param {{ text: number, code: number }} least px
 * @returns {string[]} texts that are smaller, tables that are cut off without a shadow at their edge, values in parts,
 *   verdicts without an icon, and words of the button that starts in several lines
 */
function listFaults(least) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  /** @type {Set<string>} */
  const faults = new Set();
  while (texts.nextNode()) {
    const { parentElement: parent, data } = /** @type {Text} */ (texts.currentNode);
    if (!parent?.checkVisibility() || data.trim() === '' || parent.closest('.unseen, script, style, noscript'))
      continue;
    const scale = parent instanceof SVGGraphicsElement ? (parent.getScreenCTM()?.a ?? 1) : 1;
    const px = Number.parseFloat(getComputedStyle(parent).fontSize) * scale;
    const leastPx = parent.closest('pre') ? least.code : least.text;
    if (px < leastPx - 0.05) faults.add(`${px.toFixed(1)} px: ${parent.nodeName} “${data.trim().slice(0, 40)}”`);
  }
  for (const table of document.querySelectorAll('main table')) {
    const place = /** @type {HTMLElement} */ (table.parentElement);
    const isCut = table.checkVisibility() && table.getBoundingClientRect().width > place.clientWidth + 1;
    // What a cell of another colour covers is marked above it.
    const isCovered = [...table.querySelectorAll('td')].some((cell) => cell.dataset.verdict);
    const { backgroundImage } = isCovered
      ? getComputedStyle(/** @type {Element} */ (place.parentElement), '::after')
      : getComputedStyle(place);
    const isMarked = backgroundImage !== 'none' && getComputedStyle(place).overflowX === 'auto';
    if (isCut && !isMarked) faults.add(`cut off: table ${table.id || table.className}`);
  }
  for (const verdict of document.querySelectorAll('.verdict'))
    if (!verdict.querySelector('svg')) faults.add(`without an icon: ${verdict.textContent}`);
  const start = document.querySelector('#start');
  if (start?.checkVisibility()) {
    const words = document.createRange();
    words.selectNodeContents(start);
    if (words.getClientRects().length > 1) faults.add(`in lines: ${start.textContent}`);
  }
  for (const cell of document.querySelectorAll('.stacked :is(td, th)')) {
    // Each part would be an item of its row.
    if (cell.querySelector(':scope > .together') && cell.childNodes.length > 1)
      faults.add(`in parts: ${cell.textContent}`);
  }
  return [...faults];
}

/** Runs in the page. @returns {string[]} texts of charts that cover another one, a dot or its interval */
function listCoveredNames() {
  /** @param {Element} one @param {Element} other */
  const cross = (one, other) => {
    const [a, b] = [one, other].map((element) => element.getBoundingClientRect());
    // Letters are lower than their line.
    const [width, height] = [
      Math.min(a.right, b.right) - Math.max(a.left, b.left),
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
    ];
    return width > 1 && height > 4;
  };
  return [...document.querySelectorAll('svg.curves')].flatMap((svg) => {
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.checkVisibility());
    const marks = [...svg.querySelectorAll('circle, .whisker')];
    return texts.flatMap((text, i) =>
      [...texts.slice(i + 1), ...marks]
        .filter((other) => cross(text, other))
        .map((other) => `${text.textContent} covers ${other.textContent || other.tagName}`),
    );
  });
}

/** Runs in the page. @returns {string[]} texts that lie on the page itself, besides its title */
function listTextsBesideCards() {
  const texts = document.createTreeWalker(/** @type {Node} */ (document.querySelector('main')), NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { parentElement: parent, data } = /** @type {Text} */ (texts.currentNode);
    if (data.trim() === '' || !parent?.checkVisibility() || parent.closest('noscript, .unseen, hgroup')) continue;
    let box = /** @type {HTMLElement | null} */ (parent);
    // A bar at the edge of the window has no corners.
    const isCard = (/** @type {HTMLElement} */ one) =>
      getComputedStyle(one).borderTopWidth === '1px' &&
      (getComputedStyle(one).borderRadius === '12px' || getComputedStyle(one).position === 'fixed');
    while (box && box.tagName !== 'MAIN' && !isCard(box)) box = box.parentElement;
    if (!box || box.tagName === 'MAIN') found.push(data.trim());
  }
  return found;
}

/** Runs in the page: what is drawn anew for another size is drawn by the frame after the next. */
function waitForFrames() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Answers as a browser sees it that fails the style sheet's query. @param {Route} route */
async function failSupportQuery(route) {
  const response = await route.fetch();
  const css = (await response.text()).replace('@supports selector(:has(a))', '@supports (display: unknown)');
  await route.fulfill({ response, body: css });
}

/** Runs in the page. */
function readOptions() {
  const visible = (/** @type {Element} */ element) => element.checkVisibility();
  const groups = [...document.querySelectorAll('#options fieldset')].filter(visible);
  const legends = groups.map((group) => group.querySelector(':scope > legend'));
  const headings = [...legends, ...document.querySelectorAll('#options .fields label')].filter((one) => one !== null);
  const styles = headings.map((heading) => {
    const { color, fontSize, fontWeight } = getComputedStyle(heading);
    return [color, fontSize, fontWeight].join();
  });
  const inputs = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll('#options .fields input')]);
  const boxes = inputs.map((input) => input.getBoundingClientRect());
  return {
    names: legends.map((legend) => (legend && visible(legend) ? legend.textContent : '')),
    styles: [...new Set(styles)],
    inputs: inputs.map((input, i) => {
      const { paddingLeft, paddingRight, fontSize } = getComputedStyle(input);
      const inRow = boxes.filter(({ top, bottom }) => top < boxes[i].bottom && bottom > boxes[i].top);
      return {
        label: input.labels?.[0].textContent?.trim(),
        widthPx: boxes[i].width,
        // A character of a number is narrower than 1 em; browsers add one or two, and the borders.
        neededPx: (input.size + 2) * parseFloat(fontSize) + parseFloat(paddingLeft) + parseFloat(paddingRight) + 4,
        bottomsPx: inRow.map(({ bottom }) => Math.round(bottom)),
      };
    }),
  };
}

/**
 * Each group of options has a name, all in one style, and inputs as wide as their numbers on one line.
 *
 * @param {Page} page
 */
async function checkOptions(page) {
  await page.locator('#options').evaluate((details) => details.setAttribute('open', ''));
  for (const size of Object.values(SIZES)) {
    await page.setViewportSize(size);
    const { names, styles, inputs } = await page.evaluate(readOptions);
    assert.ok(names.every(Boolean), names.join());
    assert.equal(styles.length, 1, styles.join('\n'));
    assert.ok(inputs.length > 0);
    for (const { label, widthPx, neededPx, bottomsPx } of inputs) {
      assert.ok(widthPx <= neededPx, `${label}: ${widthPx} px wide, ${neededPx} px are enough`);
      assert.equal(new Set(bottomsPx).size, 1, `${label}: ${bottomsPx.join()}`);
    }
  }
  await page.setViewportSize(PHONE.viewport);
}

/** Each in a tab of its own, as a page waits at times. */
const TABS = 2;

describe('every page, on each device, in light and dark, before and after it is used', { concurrency: true }, () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  /** @type {Saved} */
  let saved;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), openServer()]);
    saved = await saveForPages(server.origin);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  // Else colours fade from one scheme to the other, and on the way they would be hard to read.
  const openTab = () => openReusedTab(browser, { ...PHONE, reducedMotion: 'reduce' });

  for (let tab = 0; tab < TABS; tab++) {
    const views = Object.entries(PAGES).filter((_, i) => i % TABS === tab);
    describe(`in tab ${tab + 1}`, { concurrency: 1 }, () => {
      /** @type {Awaited<ReturnType<typeof openReusedTab>>} */
      let reused;
      before(async () => {
        reused = await openTab();
      });

      for (const [view, { path, shows, use }] of views) {
        it(`${view}: no axe-core violation, nothing wider than the screen, options in one style, texts in cards`, async () => {
          const tab = await reused.visit(server.origin + path(saved));
          const page = driven(tab.page);
          if (shows) await page.waitFor(shows);
          // As a desktop opens it: test/smoke.test.js. What is used can be used by everybody afterwards, too.
          await checkLooks(tab.page, use ? [] : ['phone'], 'phone');
          if (IN_CARDS.includes(view)) {
            assert.deepEqual(await tab.page.evaluate(listTextsBesideCards), []);
            assert.ok((await tab.page.locator('main .card:visible').count()) > 0);
          }
          if (!use) return;
          assert.equal(await tab.page.locator('.unsupported').isVisible(), false);
          if (PLANNED.includes(path(saved))) await checkOptions(tab.page);
          await use(page);
          await checkLooks(tab.page, Object.keys(SIZES), 'desktop');
        });
      }
    });
  }

  it('says on each page that measures that the browser is too old, where it is', async () => {
    const page = await browser.newPage();
    await page.route('**/*.css', failSupportQuery);
    const used = Object.entries(PAGES).filter(([, { use }]) => use);
    // One of each view, which is what says it.
    const pages = new Map(used.map(([name, { view = name, path }]) => [view, path]));
    for (const [view, path] of pages) {
      await page.goto(server.origin + path(saved));
      assert.ok(await page.locator('.unsupported').isVisible(), view);
    }
    await page.close();
  });

  it('names one action on each page of an error', async () => {
    const reused = await openTab();
    for (const path of [
      '/nothing',
      '/results/x',
      '/compare',
      `/compare?ids=${'x'.repeat(16)}`,
      '/c?label=x&blocks=2',
    ]) {
      const { page } = await reused.visit(server.origin + path);
      assert.equal(await page.locator('main [role=alert]').count(), 1, path);
      assert.equal(await page.locator('main a').count(), 1, path);
    }
  });
});
