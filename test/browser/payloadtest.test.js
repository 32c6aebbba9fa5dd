import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { createDocumentCheck } from '../../core/experiments/all.js';
import { payload } from '../../core/experiments/payload/index.js';
import { PUBLISHED_SIZES, splitSizes, describePayloadPlan } from '../../core/experiments/payload/plan.js';
import { BEST_OF_NOTE } from '../../core/experiments/payload/report.js';
import { isSparing } from '../../public/js/ui/sparing.js';
import { useBrowserSite } from '../support/browser-site.js';
import { assertComplaint } from '../support/complaint.js';
import { expectReport, readReport, rowsOf } from '../support/shown-report.js';
import { downloadRun } from '../support/download.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { PayloadDocument } from '../../core/experiments/payload/schema.js'
 * @import { ShownReport } from '../support/shown-report.js'
 * @import { Tab } from '../support/browser-site.js'
 */

const DIRECTIONS = ['Upload', 'Download', 'Echo'];
const SIZES = ['1 B', '1 kB', '100 kB'];
const TRANSPORTS = ['AJAX', 'fetch', 'WebSocket text', 'WebSocket binary', 'SockJS'];

/** Every transport in every direction; what a link leaves out has its default. */
const ALL =
  'transports=ajax,fetch,websocket-text,websocket-binary,sockjs&connections=kept&directions=up,down,echo&sizes=1,1000,100000&budget=200&repeats=6&seed=7';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const site = useBrowserSite();

/** @param {Page} page */
const figuresOn = async (page) => figuresIn(await readReport(page));

/** @param {ShownReport} shown */
function figuresIn({ tables }) {
  const table = tables.find(({ heading }) => heading === 'All figures');
  assert.ok(table);
  return rowsOf(table);
}

/** When the page has loaded; Measure works before that. Opens the options, also in place of a result. @param {Page} page */
async function isReady(page) {
  await page.locator('#start:visible, #change:visible').first().waitFor();
  if (await page.locator('#change').isVisible()) await page.locator('#change').click();
  await page.locator('#start-controls:enabled').waitFor();
  await page.locator('#options').evaluate((details) => details.setAttribute('open', ''));
}

/** A machine that does much else may take its time. @param {Page} page */
const takeTime = (page) => page.getByLabel('Time budget, in seconds').fill('3600');

/**
 * @param {Page} page
 * @returns {Promise<Map<string, string>>} each size that is struck out, with why
 */
async function struckOut(page) {
  const words = await page.locator('label.struck').allInnerTexts();
  return new Map(words.map((text) => /** @type {[string, string]} */ (text.trim().split(/\s+(?=over the )/))));
}

/** @param {Page} page @param {string[]} sizes */
async function assertTooLarge(page, sizes) {
  assert.deepEqual(await struckOut(page), new Map(sizes.map((size) => [size, 'over the byte budget'])));
}

/** Sizes and amounts, in their order. @param {string} text */
const amountsIn = (text) => text.match(/[\d.]+ [kM]?B\b/g);

/**
 * @param {Tab} tab
 * @returns {Promise<PayloadDocument>} the shown run, as its visitor downloads it
 */
async function download({ page }) {
  const { experiment, document } = createDocumentCheck(valibot)(JSON.parse(await downloadRun(page)));
  assert.equal(experiment.name, 'payload');
  return document;
}

/** @param {URL} link */
function planOf({ searchParams }) {
  const plan = parsePlan(payload, searchParams, { seed: 0 });
  assert.ok(plan);
  return plan;
}

describe('a page', () => {
  /** @param {object} [navigator] @param {string[]} [media] that match */
  const isSparingWith = (navigator = {}, media = []) =>
    isSparing(
      /** @type {any} */ ({
        navigator,
        matchMedia: (/** @type {string} */ query) => ({ matches: media.includes(query) }),
      }),
    );

  it('is sparing with bytes on a phone, on a cellular network, and on request', () => {
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
  it('carries a linked plan out by every transport; the run can be downloaded and saved', async () => {
    const url = `${site.origin}/payloadtest?${ALL}`;
    await site.withTab(`/payloadtest?${ALL}`, async (tab) => {
      const { page, press, complaints } = tab;
      await isReady(page);
      await takeTime(page);
      await press('Measure');
      await page.locator('#result-headline:focus').waitFor();
      assert.equal(page.url(), url);
      const shown = await readReport(page);
      const rows = figuresIn(shown);
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
        assert.match(row['Time, ms (95% CI)'], /^[\d.]+ \([\d.]+ to [\d.]+\)$/);
        assert.match(row['MB/s (95% CI)'], /^[\d.]+ \([\d.]+ to [\d.]+\)$/);
      }
      const document = await download(tab);
      assert.equal(document.trials.length, rows.length * 6);
      assert.deepEqual(shown, expectReport(payload, document));
      assert.deepEqual(
        shown.tables.slice(0, 5).map(({ heads, cells }) => [heads.length, cells.length]),
        [
          [5, 3],
          [5, 3],
          [5, 3],
          [6, 3],
          [6, 3],
        ],
      );
      const map = page.getByRole('table').first();
      assert.equal(await map.getByRole('row').count(), 4);
      for (const cell of await map.locator('[data-verdict]').all()) {
        const text = await cell.innerText();
        const verdict = String(await cell.getAttribute('data-verdict'));
        const form = verdict.startsWith('little-') ? /^[<>]1x$/ : new RegExp(`^${verdict}$`);
        assert.match(text, verdict === 'faster' || verdict === 'slower' ? /^[\d.]+x$/ : form);
        const color = await cell.evaluate((element) => getComputedStyle(element).backgroundColor);
        assert.equal(color === 'rgba(0, 0, 0, 0)', verdict === 'unclear', `${verdict}: ${color}`);
      }
      await page.locator('#options').evaluate((details) => details.removeAttribute('open'));
      const words = (await page.locator('body').innerText()).trim().split(/\s+/);
      assert.ok(words.length <= 450, `${words.length} words`);

      await press('Share');
      await press('Share and copy link');
      const permalink = page.locator('#save-permalink');
      await permalink.and(page.locator(':focus')).waitFor();
      await permalink.click();
      await page.locator('#run-again').waitFor();
      assert.deepEqual(await readReport(page), shown);
      assert.equal(await page.locator('#run-again').getAttribute('href'), `/payloadtest?${ALL}`);
      assert.deepEqual(complaints, []);
    });
  });

  it('leaves nothing out by default, and offers 10 MB, whose bytes raise the budget', async () => {
    await site.withTab('/payloadtest', async ({ page }) => {
      await isReady(page);
      const budget = page.getByLabel('Byte budget, in megabytes');
      assert.deepEqual([...(await struckOut(page)).keys()], []);
      assert.equal(await page.getByLabel('10 MB').isChecked(), false);
      assert.equal(await budget.inputValue(), '200');
      await page.getByLabel('10 MB').check();
      // Seven times 10 MB and less up, down and echoed by five transports.
      assert.equal(await budget.inputValue(), '1556');
      assert.deepEqual([...(await struckOut(page)).keys()], []);
      assert.match(String(await page.locator('#plan-link').getAttribute('href')), /,1000000,10000000&budget=1556&/);
    });
  });

  it('chooses only sizes that fit the smaller budget of a phone', async () => {
    const use = async (/** @type {Tab} */ { page }) => {
      await isReady(page);
      assert.equal(await page.getByLabel('Byte budget, in megabytes').inputValue(), '20');
      assert.deepEqual([...(await struckOut(page)).keys()], []);
      for (const [size, isChosen] of /** @type {const} */ ([
        ['100 kB', true],
        ['1 MB', false],
        ['10 MB', false],
      ]))
        // prettier-ignore
        assert.equal(await page.getByLabel(size, { exact: true }).isChecked(), isChosen, size);
    };
    await site.withTab('/payloadtest', use, { context: PHONE });
  });

  it('tests the connection on Measure, not when it loads', async () => {
    await site.withTab('/', async ({ page, press }) => {
      /** @type {string[]} */
      const paths = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await page.goto(`${site.origin}/payloadtest?${ALL}`, { waitUntil: 'networkidle' });
      await isReady(page);
      const sent = () => paths.filter((path) => path.startsWith('/payload/')).length;
      assert.equal(sent(), 0);
      assert.match(await page.locator('#forecast').innerText(), /connection test of up to 0\.7 MB/);
      await page.getByLabel('Time budget, in seconds').fill('30');
      assert.equal(await page.locator('#start').innerText(), 'Measure, up to 1 min');
      assert.match(await page.locator('#bytes').innerText(), /^[\d.]+ [kM]B$/);
      await takeTime(page);
      // It is said while it goes on.
      await page.evaluate(() => {
        const said = document.querySelector('#progress-text');
        new MutationObserver(() => (document.body.dataset.said += `|${said?.textContent}`)).observe(
          /** @type {Element} */ (said),
          { childList: true, characterData: true, subtree: true },
        );
      });
      await press('Measure');
      await page.locator('#result-headline:focus').waitFor();
      assert.ok(sent() > 0);
      assert.match(String(await page.locator('body').getAttribute('data-said')), /\|Testing the connection/);
      assert.match(await page.locator('#forecast').innerText(), / takes about /);
    });
  });

  it('strikes out the sizes that do not fit a smaller byte budget', async () => {
    await site.withTab('/payloadtest', async ({ page }) => {
      await isReady(page);
      await page.getByLabel('Byte budget, in megabytes').fill('10');
      await assertTooLarge(page, ['100 kB', '1 MB']);
      assert.deepEqual(amountsIn(await page.locator('#forecast').innerText())?.[0], '1.61 MB');
      const plan = await page.locator('#plan').innerText();
      assert.match(plan, /\. 100 kB, 1 MB left out: they would exceed the budget of 10 MB\.$/);
      const link = page.locator('#plan-link');
      const sizes = 'sizes=1,500,1000,10000,100000,1000000';
      assert.match(String(await link.getAttribute('href')), new RegExp(`&${sizes}&budget=10&repeats=6&seed=\\d+$`));

      await page.getByLabel('Other sizes, in bytes').fill('200, 50000');
      await page.getByLabel('Echo').uncheck();
      await page.getByLabel('Download').uncheck();
      // A quarter of it for as many sizes, and two more.
      await assertTooLarge(page, ['1 MB']);
      assert.match(
        String(await link.getAttribute('href')),
        /&directions=up&sizes=1,200,500,1000,10000,50000,100000,1000000&budget=10&repeats=6&seed=\d+$/,
      );
    });
  });

  it('strikes out the sizes that do not fit the time budget, once the connection is tested', async () => {
    await site.withTab('/payloadtest', async ({ page, press, stop }) => {
      await isReady(page);
      // No network transfers 1.4 GB in a second.
      await page.getByLabel('10 MB').check();
      await page.getByLabel('Time budget, in seconds').fill('1');
      assert.deepEqual([...(await struckOut(page)).keys()], []);
      await press('Measure');
      await page.locator('label.struck').last().filter({ hasText: '10 MB' }).waitFor({ state: 'attached' });
      await stop();
      await isReady(page);
      assert.equal((await struckOut(page)).get('10 MB'), 'over the time budget');
      assert.match(await page.locator('#forecast').innerText(), /Left out by the time budget: .*10 MB/);
      await page.getByLabel('10 MB').uncheck();
      assert.equal((await struckOut(page)).has('10 MB'), false);
    });
  });

  it('also opens a new connection per message, if the link or the form says so', async () => {
    const plan = 'transports=ajax,sockjs&connections=kept,new&directions=up&sizes=1';
    await site.withTab(`/payloadtest?${plan}&autostart=1`, async ({ page }) => {
      await page.locator('#result-headline:focus').waitFor();
      assert.deepEqual(
        (await figuresOn(page)).map(({ Transport, Samples }) => [Transport, Samples]),
        ['AJAX', 'SockJS', 'AJAX, new connection per message'].map((name) => [name, '6']),
      );
      await isReady(page);
      await page.getByLabel('New per message').uncheck();
      const link = String(await page.locator('#plan-link').getAttribute('href'));
      assert.match(link, /&connections=kept&/);
    });
  });

  it('leaves out no size of a link for its time', async () => {
    await site.withTab('/payloadtest?sizes=1,10000000&directions=up&budget=100000', async ({ page }) => {
      await isReady(page);
      assert.equal(await page.getByLabel('Time budget, in seconds').inputValue(), '3600');
      assert.deepEqual([...(await struckOut(page)).keys()], []);
      assert.match(String(await page.locator('#plan-link').getAttribute('href')), /&sizes=1,10000000&/);
    });
  });

  it('refuses a wrong link, and wrong fields, by name', async () => {
    await site.withTab('/payloadtest?sizes=16777217&autostart=1', async ({ page, press }) => {
      await isReady(page);
      const error = page.locator('#form-error');
      const linkWords = await error.innerText();
      assert.throws(
        () => parsePlan(payload, new URLSearchParams('sizes=16777217'), { seed: 0 }),
        ({ message }) => linkWords.includes(`: ${message}`),
      );
      for (const [label, value, got] of [
        ['Other sizes, in bytes', 'x', ',x”'],
        ['Blocks', '5', '“5”'],
        ['Time budget, in seconds', '0', '“0”'],
        ['Byte budget, in megabytes', '', 'nothing'],
      ]) {
        const field = page.getByLabel(label, { exact: true });
        const before = await field.inputValue();
        await field.fill(value);
        assertComplaint(await error.innerText(), label, got);
        assert.equal(await page.locator('#forecast').innerText(), '');
        assert.equal(await page.locator('#plan-link').getAttribute('href'), null);
        await press('Measure');
        await field.and(page.locator(':focus')).waitFor();
        await field.fill(before);
      }
      for (const name of ['transports', 'directions', 'sizes']) {
        for (const box of await page.locator(`[name=${name}][type=checkbox]`).all()) await box.uncheck();
        await press('Measure');
        assert.equal(await error.innerText(), `Choose at least one ${name.slice(0, -1)}.`);
        await page.locator(`[name=${name}]:focus`).waitFor();
        await page.locator(`[name=${name}][type=checkbox]`).last().check();
      }
      await page.getByLabel('Byte budget, in megabytes').fill('1');
      // 10 MB, by SockJS, in both directions: seven times with the warm-up.
      assertComplaint(await error.innerText(), 'Byte budget, in megabytes', 1);
      assert.match(await error.innerText(), / 140 .+ 10 MB/);
      assert.equal(await page.locator('#progress-text').innerText(), 'Not started');
    });
  });

  it('is sparing on a phone, and keeps what was measured when it is cancelled by keyboard', async () => {
    const sizes = Array.from({ length: 10 }, (_, i) => i + 1).join(',');
    const use = async (/** @type {Tab} */ { page }) => {
      await page
        .locator('#progress-text:focus', { hasText: /^Block \d+ of 50: \d+ B .+ message \d+ of \d+$/ })
        .waitFor();
      const assertFits = async () => {
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${overflow} px too wide`);
      };
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('#result-ending', { hasText: 'The run was stopped.' }).waitFor();
      assert.equal(await page.getByLabel('Byte budget, in megabytes').inputValue(), '20');
      const { charts, sentences } = await readReport(page);
      // No verdicts.
      assert.deepEqual([...sentences, ...charts.flatMap((chart) => chart.sentences)], []);
      assert.ok((await figuresOn(page)).some(({ Samples }) => Number(Samples) > 0));
      await assertFits();
    };
    await site.withTab(`/payloadtest?sizes=${sizes}&repeats=50&seed=1&autostart=1`, use, { context: PHONE });
  });

  it('shows what a dead server makes of each transport', async () => {
    await site.withTab('/', async (tab) => {
      const { page } = tab;
      await page.route('**/payload/**', (route) => route.abort());
      await page.goto(
        `${site.origin}/payloadtest?transports=ajax,websocket-text,sockjs&directions=up&sizes=1,1000&autostart=1`,
      );
      await page.locator('#result-headline:focus').waitFor();
      const forecast = await page.locator('#forecast').innerText();
      assert.deepEqual(amountsIn(forecast), ['21 kB']);
      assert.match(forecast, / unknown\.$/);
      assert.deepEqual(
        (await figuresOn(page)).map(({ Size, Transport, Samples, Failures }) => [Size, Transport, Samples, Failures]),
        SIZES.slice(0, 2).flatMap((size) => [
          [size, 'AJAX', '0', '6 closed'],
          [size, 'WebSocket text', '6', '0'],
          [size, 'SockJS', '0', '6 closed'],
        ]),
      );
      const document = await download(tab);
      const shown = await readReport(page);
      assert.deepEqual(shown, expectReport(payload, document));
      const words = shown.sentences;
      assert.match(words.slice(-2).join(' '), /^AJAX .+ \(12 closed\) .+ SockJS .+ \(12 closed\) /);

      await page.goto(`${site.origin}/payloadtest?transports=fetch&directions=up&sizes=1&autostart=1`);
      // One sentence and one action, and no empty result.
      const problem = page.locator('#run-problem-text:not(:empty)');
      assert.equal(await problem.innerText(), 'Could not connect to the server. Check your network, then retry.');
      await page.locator('#retry:focus').waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('measures as was published, and says what the better of two hides', async () => {
    await site.withTab('/payloadtest', async (tab) => {
      const { page, press } = tab;
      await isReady(page);
      await takeTime(page);
      await page.getByLabel('Other sizes, in bytes').fill('200');
      await page.getByLabel('As published').check();
      for (const label of ['10 kB', 'Other sizes, in bytes', 'Blocks', 'Time budget, in seconds']) {
        assert.equal(await page.getByLabel(label, { exact: true }).isDisabled(), true, label);
      }
      assert.equal(await page.locator('#best-of').innerText(), BEST_OF_NOTE);
      const link = page.locator('#plan-link');
      const linked = planOf(new URL(String(await link.getAttribute('href')), site.origin));
      assert.deepEqual([linked.preset, splitSizes(linked).sizes], ['published', PUBLISHED_SIZES]);
      const forecast = await page.locator('#forecast').innerText();
      assert.equal(forecast, 'It transfers 481 MB.');
      assert.equal(await page.locator('#plan').innerText(), describePayloadPlan(linked));
      await page.getByLabel('Interleaved blocks').check();
      assert.match(String(await link.getAttribute('href')), /&sizes=1,200,500,1000,10000,.+&budget=200&/);

      await page.getByLabel('As published').check();
      for (const value of ['down', 'echo', 'fetch', 'websocket-binary', 'sockjs', '100000', '1000000', '10000000']) {
        await page.locator(`[type=checkbox][value="${value}"]`).uncheck();
      }
      await press('Measure');
      await page.locator('#result-headline:focus').waitFor();
      assert.match(
        page.url(),
        /\?preset=published&transports=ajax,websocket-text&directions=up&sizes=1,500,1000&budget=500$/,
      );
      const shown = await readReport(page);
      assert.deepEqual(shown, expectReport(payload, await download(tab)));
      assert.deepEqual(shown.notes, [BEST_OF_NOTE]);
      const rows = figuresIn(shown);
      assert.deepEqual(
        rows.map(({ Samples }) => Samples),
        [200, 20, 20].flatMap((count) => [String(count), String(count)]),
      );
      for (const row of rows) {
        assert.ok(Number(row['Better pass, ms per message']) <= Number(row['Other pass, ms per message']));
      }
    });
  });
});
