import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { describeBars, leadOf } from '../../core/experiment/answer/answer-card.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { inFlight } from '../../core/experiments/in-flight/index.js';
import { launchBrowser } from '../support/browser.js';
import { assertComplaint } from '../support/complaint.js';
import { openServer } from '../support/server.js';
import { expectReport, readReport } from '../support/shown-report.js';
import { openTab } from '../support/tab.js';
import { countWords, MAX_WORDS } from '../support/words.js';
import { downloadRun } from '../support/download.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Bars } from '../../core/picture/bars.js'
 * @import { TestServer } from '../support/server.js'
 */

/** A plan that is over in a second or two. */
const SHORT = 'transports=ajax,sockjs&depths=1,4&blocks=2&seed=7';

describe('the page of messages in flight', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let server;
  let delayMs = 0;
  before(async () => {
    const delayAnswer = (/** @type {() => void} */ answer) => (delayMs ? setTimeout(answer, delayMs) : answer());
    [browser, server] = await Promise.all([launchBrowser(), openServer({ delayAnswer })]);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('shows one large figure with two bars, and its chart where the details are opened', async () => {
    const query = 'transports=ajax,sockjs&depths=1,8&blocks=6&autostart=1';
    const { page, complaints, close } = await openTab(browser, `${server.origin}/inflight?${query}`);
    try {
      const card = page.locator('#result-lead .answer-card');
      await card.waitFor({ timeout: 60_000 });
      const lead = leadOf(findingsOf(inFlight, JSON.parse(await downloadRun(page))).answers);
      assert.equal(await card.getAttribute('data-mark'), lead?.mark);
      const label = await card.getByRole('img').getAttribute('aria-label');
      assert.equal(label, `Chart. Messages per second. ${describeBars(/** @type {Bars} */ (lead?.bars))}`);
      await card.getByText('Messages per second', { exact: true }).waitFor();
      assert.equal(await card.locator('rect').count(), 2);
      // One card alone has the whole width.
      const [figure, bars] = await Promise.all(
        ['.figure', '.answer-bars'].map((part) => card.locator(part).boundingBox()),
      );
      assert.ok(figure && bars && bars.x >= figure.x + figure.width, JSON.stringify({ figure, bars }));
      assert.equal(await page.locator('#result-charts .plot').count(), 0);
      await page.locator('#result-details > summary').click();
      await page.locator('#result-details #result-charts .plot').waitFor();
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('shows the rate of each transport at every depth, in words, as a chart and as a table', async () => {
    const { page, press, unfold, complaints, close } = await openTab(browser, `${server.origin}/inflight`);
    try {
      await unfold('#options');
      await page.getByLabel('WebSocket', { exact: true }).check();
      await page.getByLabel('AJAX', { exact: true }).uncheck();
      await page.getByLabel('Messages in flight').fill('8, 1');
      await press('Measure');
      await page.locator('#result').waitFor({ timeout: 60_000 });
      const shown = await readReport(page);
      const [{ cells: transports }, { cells }] = shown.tables;
      assert.deepEqual(
        transports.map(([name]) => name),
        ['WebSocket', 'SockJS'],
      );
      const judged = transports.flatMap((row) => row.slice(3)).filter((text) => !['–', 'baseline'].includes(text));
      assert.equal(await page.locator('#result-tables .verdict[data-mark] svg').count(), judged.length);
      assert.deepEqual(
        cells.map((row) => row.slice(0, 3)),
        [
          ['WebSocket', 'websocket', '1'],
          ['WebSocket', 'websocket', '8'],
          ['SockJS', 'websocket', '1'],
          ['SockJS', 'websocket', '8'],
        ],
      );
      for (const row of cells) assert.deepEqual(row.slice(-2), ['0', '6']);
      assert.equal(await page.locator('#result-details').getAttribute('open'), null);
      assert.ok((await countWords(page)) <= MAX_WORDS);
      await page.locator('#result-headline:focus').waitFor();
      const document = JSON.parse(await downloadRun(page));
      assert.deepEqual(shown, expectReport(inFlight, document));
      const label = String(await page.getByRole('img').getAttribute('aria-label'));
      assert.ok(label.startsWith('Chart. ') && label.endsWith(shown.sentences.join(' ')), label);
      await unfold('#exports');
      const [csv] = await Promise.all([page.waitForEvent('download'), press('Download CSV')]);
      // A byte-order mark comes first, for Excel.
      assert.equal(await readFile(await csv.path(), 'utf8'), `\ufeff${inFlight.formatCsv(document)}`);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('carries a linked plan out, and gives it along', async () => {
    const context = { permissions: ['clipboard-read', 'clipboard-write'] };
    const url = `${server.origin}/inflight?${SHORT}`;
    const { page, press, unfold, complaints, close } = await openTab(browser, `${url}&autostart=1`, context);
    try {
      await page.locator('#result-headline:focus').waitFor();
      assert.equal(page.url(), url);
      await unfold('#exports');
      await press('Copy link to this plan');
      await page.locator('#export-status', { hasText: 'Copied.' }).waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), url);
      await press('Share');
      await press('Copy picture');
      await page.waitForFunction(async () => {
        const [item] = await navigator.clipboard.read();
        return (
          item.types.includes('image/png') && (await createImageBitmap(await item.getType('image/png'))).width === 2000
        );
      });
      await press('Close');

      const document = JSON.parse(await downloadRun(page));
      assert.deepEqual(Object.keys(document), [
        ...['schema', 'startedAt', 'plan', 'environment', 'statusBefore', 'statusAfter', 'trials', 'summary'],
      ]);
      assert.equal(document.schema, 'sockshootout/in-flight/1');
      assert.deepEqual(document.plan, { transports: ['ajax', 'sockjs'], depths: [1, 4], blocks: 2, seed: 7 });
      assert.deepEqual(document.environment.url, `${server.origin}/inflight`);
      assert.equal(document.trials.length, 2 * 2 * 2);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('shows its result again after a reload and at Back, and whether it is shared', async () => {
    const url = `${server.origin}/inflight?${SHORT}`;
    const { page, press, complaints, close } = await openTab(browser, `${url}&autostart=1`);
    try {
      await page.locator('#result-headline:focus').waitFor();
      const shown = await readReport(page);
      await press('Share');
      await press('Share and copy link');
      const link = page.locator('#save-permalink:visible');
      await link.waitFor();
      const permalink = await link.getAttribute('href');
      await page.reload();
      await page.locator('#save-button', { hasText: 'Shared' }).click();
      await page.locator('#save-permalink:visible').waitFor();
      assert.deepEqual(await readReport(page), shown);
      assert.equal(await link.getAttribute('href'), permalink);
      await page.goto(`${server.origin}/tests`);
      await page.goBack();
      await page.locator('#result:not([hidden]) #result-tables tbody').first().waitFor();
      assert.deepEqual(await readReport(page), shown);
      await page.goto(`${server.origin}/inflight`);
      await page.locator('#start-controls:enabled').waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('works with a kept run that it cannot show', async () => {
    const { page, press, close } = await openTab(browser, `${server.origin}/inflight?${SHORT}`);
    try {
      await page.evaluate(() => {
        const documents = [{ schema: 'sockshootout/in-flight/1' }];
        const kept = { run: { documents }, link: location.pathname + location.search };
        sessionStorage.setItem('sockshootout/last-run/in-flight/1', JSON.stringify(kept));
      });
      await page.reload();
      await page.getByRole('button', { name: /^Measure, / }).waitFor();
      await press('Measure');
      await page.locator('#result-headline:focus').waitFor();
    } finally {
      await close();
    }
  });

  it('says how long it takes, becomes Stop in its place, and measures again or changes options from its result', async () => {
    delayMs = 5;
    const { page, press, stop, close } = await openTab(browser, `${server.origin}/inflight?${SHORT}`);
    try {
      await page.getByRole('button', { name: /^Measure, \d+( s to [\d.]+ min|–\d+ s)$/ }).waitFor();
      const topOf = async (/** @type {string} */ part) => (await page.locator(part).boundingBox())?.y;
      const topPx = await topOf('#start');
      await press('Measure');
      await page.locator('#cancel:visible').waitFor();
      assert.equal(await page.locator('#start').isVisible(), false);
      assert.equal(await topOf('#cancel'), topPx);
      await page.locator('#result-headline:focus').waitFor();
      assert.equal(await page.locator('#ask').isVisible(), false);
      await page.goBack();
      await page.locator('#start:visible').waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
      await page.goForward();
      await page.locator('#result:visible').waitFor();
      delayMs = 50;
      await press('Measure again');
      await page.locator('#cancel:visible').waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
      // One that is stopped before its first trial is over has no result.
      await page.locator('#live svg.plot').waitFor();
      await stop();
      await page.locator('#result-ending:not(:empty)').waitFor();
      assert.equal(await page.locator('#options').getAttribute('open'), null);
      // A link within the page is a history entry of the answer, too.
      await page.evaluate(() => (location.hash = '#result'));
      await press('Change options');
      await page.locator('#options[open] > summary:focus').waitFor();
      await page.waitForFunction(() => history.state?.isAnswer === false);
      assert.equal(await page.locator('#result').isVisible(), false);
    } finally {
      delayMs = 0;
      await close();
    }
  });

  it('measures as many blocks as a verdict needs, if it had too few', async () => {
    const { page, press, complaints, close } = await openTab(browser, `${server.origin}/inflight?${SHORT}`);
    try {
      await press('Measure');
      await page.locator('#result-headline:focus', { hasText: 'No verdict yet: 2 of 6 blocks.' }).waitFor();
      await page.getByRole('button', { name: /^Measure 6 blocks, (?:about )?\d+(?:–\d+)? s$/ }).click();
      await page.locator('#result-conditions', { hasText: ' 6 blocks' }).waitFor();
      assert.match(page.url(), /blocks=6/);
      assert.equal(await page.locator('#more-blocks').isVisible(), false);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('draws its chart in a browser that reports an invalid language tag', async () => {
    const { page, complaints, close } = await openTab(browser, `${server.origin}/inflight`);
    try {
      await page.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' }),
      );
      await page.goto(`${server.origin}/inflight?${SHORT}&autostart=1`);
      await page.locator('#result-charts .plot').waitFor();
      assert.equal(await page.evaluate(() => navigator.language), 'en-US@posix');
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('refuses a wrong link, and a wrong field, by name', async () => {
    const { page, press, unfold, close } = await openTab(browser, `${server.origin}/inflight?depths=2,4&autostart=1`);
    try {
      await unfold('#options');
      await page.locator('#start-controls:enabled').waitFor();
      const error = page.locator('#form-error');
      const [about, problem] = (await error.innerText()).split(/: (.*)/);
      assert.match(about, /link/);
      assertComplaint(problem, 'depths', '“2,4”');
      await page.getByLabel('Blocks').fill('51');
      assertComplaint(await error.innerText(), 'Blocks', '“51”');
      assert.equal(await page.getByLabel('Blocks').getAttribute('aria-invalid'), 'true');
      await press('Measure');
      await page.getByLabel('Blocks').and(page.locator(':focus')).waitFor();
      assert.equal(await page.locator('#progress-text').innerText(), 'Not started');
    } finally {
      await close();
    }
  });

  it('says so beside Retry if the answer cannot be drawn, here and on the home page', async () => {
    for (const [path, part] of [
      [`/inflight?${SHORT}`, '#result-notes'],
      ['/?transports=ajax,sockjs&blocks=6&iterations=2&warmup=1&payload=0&seed=1', '#notes'],
    ]) {
      const { page, complaints, close } = await openTab(browser, server.origin + path);
      // The home page's button says how long the run takes, once that is known.
      const measure = page.locator('#run-form [type=submit]');
      try {
        await page.locator('#start-controls:enabled').waitFor();
        await page.locator(part).evaluate((element) => element.remove());
        await measure.click();
        await page.locator('#retry:focus').waitFor();
        assert.match(await page.locator('#run-problem-text').innerText(), /^This page has an error/);
        assert.equal(await measure.isEnabled(), true);
        assert.ok(complaints.length > 0 && complaints.every((text) => text.includes(part)), complaints.join());
      } finally {
        await close();
      }
    }
  });

  it('starts once if the visitor presses while a page with a link that starts is still loading', async () => {
    delayMs = 20;
    const { page, press, close } = await openTab(browser, `${server.origin}/inflight`);
    try {
      /** @type {() => void} */
      let send = () => {};
      const asked = new Promise((resolve) => (send = () => resolve(undefined)));
      await page.route('**/vendor/jquery.js', async (route) => {
        await asked;
        await route.continue();
      });
      await page.goto(`${server.origin}/inflight?${SHORT}&autostart=1`, { waitUntil: 'load' });
      await page.locator('#start-controls:enabled').waitFor();
      const pressed = press('Measure');
      await page.locator('#start-controls:disabled').waitFor();
      send();
      await pressed;
      await page.locator('#cancel').waitFor();
      assert.equal(await page.locator('#start-controls:disabled').count(), 1);
      assert.equal(page.url(), `${server.origin}/inflight?${SHORT}`);
      await press('Stop');
    } finally {
      delayMs = 0;
      await close();
    }
  });

  it('keeps what was measured when it is cancelled', async () => {
    // The driver hears of each request: of thousands a second, so late that it presses the button half a minute later.
    delayMs = 20;
    const { page, press, close } = await openTab(browser, `${server.origin}/inflight?blocks=50&autostart=1`);
    try {
      await page.locator('#progress-text', { hasText: /Block/ }).waitFor();
      await press('Stop');
      await page.locator('#result-ending', { hasText: /stopped/ }).waitFor();
      assert.equal(await page.locator('#result-words').innerText(), '');
      // It can be shared, but nothing asks for it.
      assert.deepEqual(await page.locator('.actions .first').allInnerTexts(), ['Measure again']);
    } finally {
      delayMs = 0;
      await close();
    }
  });
});
