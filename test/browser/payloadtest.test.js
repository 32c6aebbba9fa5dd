import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { createDocumentCheck } from '../../core/documents/index.js';
import { isSparing } from '../../public/js/is-sparing.js';
import { useBrowserSite } from '../support/browser-site.js';

const DIRECTIONS = ['Up', 'Down', 'Echo'];
const SIZES = ['1 B', '1 kB', '100 kB'];
const TRANSPORTS = ['AJAX', 'fetch', 'WebSocket text', 'WebSocket binary', 'SockJS'];

/** Every transport in every direction; what a link leaves out is usual. */
const ALL =
  'transports=ajax,fetch,websocket-text,websocket-binary,sockjs&directions=up,down,echo&sizes=1,1000,100000&repeats=6&seed=7';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const site = useBrowserSite();

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const cellsOf = (page) =>
  page
    .locator('#rows tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent))));

/**
 * @param {Page} page
 * @returns {Promise<Record<string, string>[]>} a row by its columns' titles
 */
async function rowsOf(page) {
  const [titles, ...rows] = await cellsOf(page);
  return rows.map((cells) => Object.fromEntries(titles.map((title, i) => [title, cells[i]])));
}

/** What is said of a run, on its own page as on the one that made it. @param {Page} page */
const shownOn = async (page) => ({
  words: await page.locator('#result-words').innerText(),
  directions: await page.locator('.directions li').allInnerTexts(),
  charts: await page
    .getByRole('img')
    .evaluateAll((charts) => charts.map((chart) => String(chart.getAttribute('aria-label')))),
  notes: await page.locator('#result-notes').innerText(),
  rows: await cellsOf(page),
});

/** @param {Page} page */
const isReady = (page) => page.locator('#start-controls:enabled').waitFor();

/** A machine that does much else may take its time. @param {Page} page */
const takeTime = (page) => page.getByLabel('Time budget, s').fill('3600');

/** @param {Page} page */
const struckOut = async (page) => (await page.locator('label.struck').allInnerTexts()).map((words) => words.trim());

/** How long it takes depends on the machine. @param {string[]} sizes */
const byBytes = (...sizes) =>
  new RegExp(`^${sizes.map((size) => `${size} struck out: (time and )?bytes`).join('; ')}$`);

describe('a page', () => {
  /** @param {object} [navigator] @param {string[]} [media] that match */
  const isSparingWith = (navigator = {}, media = []) =>
    isSparing(
      /** @type {any} */ ({
        navigator,
        matchMedia: (/** @type {string} */ query) => ({ matches: media.includes(query) }),
      }),
    );

  it('is sparing with bytes on a phone, over its network, and where it is told to be', () => {
    assert.equal(isSparingWith(), false);
    assert.equal(
      isSparingWith({ connection: { saveData: false, type: 'wifi' }, userAgentData: { mobile: false } }),
      false,
    );
    assert.equal(isSparingWith({ connection: { saveData: true } }), true);
    assert.equal(isSparingWith({ connection: { type: 'cellular' } }), true);
    assert.equal(isSparingWith({ userAgentData: { mobile: true } }), true);
    assert.equal(isSparingWith({}, ['(pointer: coarse)']), true);
  });
});

describe('the page of payload sizes', () => {
  it('carries a linked plan out by every transport; the run can be taken along and saved', async () => {
    const url = `${site.origin}/payloadtest?${ALL}`;
    await site.withTab(`/payloadtest?${ALL}`, async ({ page, press, complaints }) => {
      await isReady(page);
      await takeTime(page);
      await press('Start');
      await page.locator('#result-headline:focus').waitFor();
      assert.equal(page.url(), url);
      const rows = await rowsOf(page);
      assert.deepEqual(
        rows.map(({ Direction, Size, Transport, Protocol, Samples, Failures }) =>
          [Direction, Size, Transport, Protocol, Samples, Failures].join(' | '),
        ),
        DIRECTIONS.flatMap((direction) =>
          SIZES.flatMap((size) =>
            TRANSPORTS.map((name, i) => [direction, size, name, i < 2 ? 'http/1.1' : 'websocket', 6, 0].join(' | ')),
          ),
        ),
      );
      for (const row of rows) {
        assert.match(row['Time, ms (95 % interval)'], /^[\d.]+ \([\d.]+ to [\d.]+\)$/);
        assert.match(row['MB/s (95 % interval)'], /^[\d.]+ \([\d.]+ to [\d.]+\)$/);
      }
      const shown = await shownOn(page);
      assert.equal(shown.words, '');
      assert.equal(shown.directions.length, DIRECTIONS.length * 4);
      for (const [i, direction] of DIRECTIONS.entries()) {
        const own = shown.directions.slice(4 * i, 4 * i + 4);
        assert.match(own[0], /^AJAX against WebSocket text: .+\.$/);
        assert.match(own[1], /^fetch against WebSocket binary: /);
        assert.match(own[2], /^AJAX against SockJS: /);
        assert.match(own[3], /^SockJS .+ than WebSocket text/);
        assert.equal(shown.charts[i], [`Chart. ${direction}: time by size.`, ...own].join(' '));
      }

      const [download] = await Promise.all([page.waitForEvent('download'), press('Download JSON')]);
      const downloaded = JSON.parse(await readFile(await download.path(), 'utf8'));
      const { kind, document } = createDocumentCheck(valibot)(downloaded);
      assert.equal(kind.experiment, 'payload');
      assert.equal(document.trials.length, rows.length * 6);

      await press('Save this run');
      const permalink = page.locator('#save-permalink');
      await permalink.and(page.locator(':focus')).waitFor();
      await permalink.click();
      await page.locator('#run-again').waitFor();
      assert.deepEqual(await shownOn(page), shown);
      assert.equal(await page.locator('#run-again').getAttribute('href'), `/payloadtest?${ALL}`);
      assert.deepEqual(complaints, []);
    });
  });

  it('strikes out the sizes that do not fit the budgets, and says why', async () => {
    await site.withTab('/payloadtest', async ({ page }) => {
      await isReady(page);
      // 200 MB are usual: seven times 10 MB up, down, and both ways by five transports is 1.4 GB.
      assert.match((await struckOut(page)).slice(-1).join(), byBytes('10 MB'));
      await takeTime(page);
      await page.getByLabel('Byte budget, MB').fill('10');
      assert.match((await struckOut(page)).join('; '), byBytes('100 kB', '1 MB', '10 MB'));
      const forecast = page.locator('#forecast');
      assert.match(
        await forecast.innerText(),
        /^It moves 1\.61 MB in all; takes about .+\. Struck out, .*: 100 kB \(.*bytes: 15\.6 MB in all\), 1 MB \(.*bytes: 156 MB in all\), 10 MB \(.*bytes: 1560 MB in all\)\.$/,
      );
      const link = page.locator('#plan-link');
      assert.match(String(await link.getAttribute('href')), /&sizes=1,500,1000,10000&repeats=6&seed=\d+$/);

      await page.getByLabel('Other sizes, bytes').fill('200, 50000');
      await page.getByLabel('Echo').uncheck();
      await page.getByLabel('Down').uncheck();
      // A quarter of it for as many sizes, and two more.
      assert.match((await struckOut(page)).join('; '), byBytes('1 MB', '10 MB'));
      assert.match(
        String(await link.getAttribute('href')),
        /&directions=up&sizes=1,200,500,1000,10000,50000,100000&repeats=6&seed=\d+$/,
      );

      // No way takes 1.4 GB in a second.
      await page.getByLabel('Echo').check();
      await page.getByLabel('Down').check();
      await page.getByLabel('Time budget, s').fill('1');
      await page.getByLabel('Byte budget, MB').fill('100000');
      assert.ok((await struckOut(page)).includes('10 MB struck out: time'));
      await page.getByLabel('10 MB').uncheck();
      assert.ok(!(await struckOut(page)).some((words) => words.startsWith('10 MB')));
    });
  });

  it('refuses a wrong link, and wrong fields, by name', async () => {
    await site.withTab('/payloadtest?sizes=16777217&autostart=1', async ({ page, press }) => {
      await isReady(page);
      const error = page.locator('#form-error');
      assert.match(
        await error.innerText(),
        /^The link’s plan cannot be used: sizes: expected 1 to 12 whole numbers of bytes from 0 to 16777216, .* got “16777217”$/,
      );
      for (const [label, value, message] of [
        ['Other sizes, bytes', 'x', /^Other sizes, bytes: expected 1 to 12 whole numbers .* got “1,500,.*,x”$/],
        ['Repeats', '5', /^Repeats: expected a whole number from 6 to 50, got “5”$/],
        ['Time budget, s', '0', /^Time budget, s: expected a whole number from 1 to 3600, got “0”$/],
        ['Byte budget, MB', '', /^Byte budget, MB: expected a whole number from 1 to 100000, got nothing$/],
      ]) {
        const field = page.getByLabel(String(label), { exact: true });
        const before = await field.inputValue();
        await field.fill(String(value));
        assert.match(await error.innerText(), /** @type {RegExp} */ (message));
        assert.equal(await page.locator('#forecast').innerText(), '');
        assert.equal(await page.locator('#plan-link').getAttribute('href'), null);
        await press('Start');
        await field.and(page.locator(':focus')).waitFor();
        await field.fill(before);
      }
      for (const name of ['transports', 'directions', 'sizes']) {
        for (const box of await page.locator(`[name=${name}][type=checkbox]`).all()) await box.uncheck();
        await press('Start');
        assert.match(await error.innerText(), new RegExp(`^${name}: expected .* got nothing$`));
        await page.locator(`[name=${name}]:focus`).waitFor();
        await page.locator(`[name=${name}][type=checkbox]`).last().check();
      }
      await page.getByLabel('Byte budget, MB').fill('1');
      // 10 MB, by SockJS, to and fro: seven times with the warm-up.
      assert.equal(
        await error.innerText(),
        'Byte budget, MB: expected at least 140 for the smallest size, 10 MB, got 1',
      );
      assert.equal(await page.locator('#progress-text').innerText(), 'Not started');
    });
  });

  it('is sparing on a phone, and keeps what was measured when it is cancelled by keyboard', async () => {
    const sizes = Array.from({ length: 10 }, (_, i) => i + 1).join(',');
    const use = async (/** @type {import('../support/browser-site.js').Tab} */ { page }) => {
      await page
        .locator('#progress-text:focus', { hasText: /^Block \d+ of 20: \d+ B .+ by .+, message \d+ of \d+$/ })
        .waitFor();
      assert.equal(await page.getByLabel('Byte budget, MB').inputValue(), '20');
      assert.equal(await page.locator('#sparing').isVisible(), true);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok((await overflow()) <= 0, `${await overflow()} px too wide while it runs`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('#result-ending', { hasText: 'The run was cancelled.' }).waitFor();
      assert.deepEqual(await page.locator('.directions li').count(), 0);
      assert.equal(await page.locator('#result-headline').innerText(), 'Time by size');
      assert.equal(await page.getByRole('img').first().getAttribute('aria-label'), 'Chart. Up: time by size.');
      assert.ok((await rowsOf(page)).some(({ Samples }) => Number(Samples) > 0));
      assert.ok((await overflow()) <= 0, `${await overflow()} px too wide after it`);
    };
    await site.withTab(`/payloadtest?sizes=${sizes}&repeats=20&seed=1&autostart=1`, use, { context: PHONE });
  });

  it('shows what a dead server makes of each transport', async () => {
    await site.withTab('/', async ({ page }) => {
      await page.route('**/payload/**', (route) => route.abort());
      await page.goto(
        `${site.origin}/payloadtest?transports=ajax,websocket-text,sockjs&directions=up&sizes=1,1000&autostart=1`,
      );
      await page.locator('#result-headline:focus').waitFor();
      assert.match(
        await page.locator('#forecast').innerText(),
        /^It moves 21 kB in all; how long it takes is not known, as the look at the way to the server failed \(.+\)\.$/,
      );
      assert.deepEqual(
        (await rowsOf(page)).map(({ Size, Transport, Samples, Failures }) => [Size, Transport, Samples, Failures]),
        SIZES.slice(0, 2).flatMap((size) => [
          [size, 'AJAX', '0', '6 closed'],
          [size, 'WebSocket text', '6', '0'],
          [size, 'SockJS', '0', '6 closed'],
        ]),
      );
      const words = await page.locator('#direction-up li').allInnerTexts();
      assert.match(
        words.slice(-2).join(' '),
        /^AJAX failed \(12 closed\) at 1 k?B up, 1 k?B up\. SockJS failed \(12 closed\) at /,
      );

      await page.goto(`${site.origin}/payloadtest?transports=fetch&directions=up&sizes=1&autostart=1`);
      await page
        .locator('#result-ending', { hasText: /^The server was lost: no transport got an answer any more/ })
        .waitFor();
    });
  });

  it('measures as was published, and says what the better of two hides', async () => {
    await site.withTab('/payloadtest', async ({ page, press }) => {
      await isReady(page);
      await takeTime(page);
      await page.getByLabel('Other sizes, bytes').fill('200');
      await page.getByLabel('As published').check();
      for (const label of ['10 kB', 'Other sizes, bytes', 'Repeats']) {
        assert.equal(await page.getByLabel(label, { exact: true }).isDisabled(), true, label);
      }
      assert.match(await page.locator('#best-of').innerText(), /^The better of two passes is too good by nature/);
      assert.match(
        await page.locator('#plan').innerText(),
        /^As published, but without 10 MB: 100 of 1 B, 10 of 500 B, 10 of 1 kB,/,
      );
      await page.getByLabel('Interleaved blocks').check();
      assert.match(String(await page.locator('#plan-link').getAttribute('href')), /&sizes=1,200,500,1000,10000,/);

      await page.getByLabel('As published').check();
      for (const value of ['down', 'echo', 'fetch', 'websocket-binary', 'sockjs', '100000', '1000000', '10000000']) {
        await page.locator(`[type=checkbox][value="${value}"]`).uncheck();
      }
      await press('Start');
      await page.locator('#result-headline:focus').waitFor();
      assert.match(page.url(), /\?preset=published&transports=ajax,websocket-text&directions=up&sizes=1,500,1000$/);
      assert.match(await page.locator('#result-words').innerText(), /^As published: .* no winner is named\./);
      assert.equal(await page.locator('#result-headline').innerText(), 'Time by size');
      assert.match(await page.locator('#result-notes').innerText(), /^The better of two passes is too good by nature/);
      const rows = await rowsOf(page);
      assert.deepEqual(
        rows.map(({ Samples }) => Samples),
        [200, 20, 20].flatMap((count) => [String(count), String(count)]),
      );
      for (const row of rows) {
        assert.ok(Number(row['Better pass, ms a message']) <= Number(row['Other pass, ms a message']));
      }
    });
  });
});
