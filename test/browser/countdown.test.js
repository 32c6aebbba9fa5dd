/**
 * The page of the count-down as its visitor uses it: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { formatMs } from '../../core/base/format.js';
import { describe, it } from 'node:test';
import { openPart } from '../../core/experiment/run/open-run.js';
import { countdown } from '../../core/experiments/countdown/index.js';
import { formatSetUp, describeMeans } from '../../core/experiments/countdown/report.js';
import { SUBMISSION_SCHEMA } from '../../core/experiments/countdown/submission.js';
import { summarize, meansOf } from '../../core/experiments/countdown/summary.js';
import { useBrowserSite } from '../support/browser-site.js';
import { assertWords, holdXhr, openCountdown } from '../support/countdown-page.js';
import { assertComplaint } from '../support/complaint.js';
import { assertOneClock } from '../support/sample-times.js';
import { countWords, MAX_WORDS } from '../support/words.js';

const site = useBrowserSite();

const withCountdown = openCountdown(site);

const BOTH = ['XHR', 'WebSocket'];

describe('/countdown', () => {
  for (const [kind, expected] of Object.entries({
    XHR: ['XHR'],
    WebSocket: ['WebSocket'],
    'One of each': BOTH,
    'One of each, 3 times': [...BOTH, ...BOTH, ...BOTH],
  })) {
    it(`makes the tests of '${kind}', and shows what each took`, () =>
      withCountdown('', async ({ choose, field, start, idleAfter, rows, text, complaints }) => {
        await choose(kind);
        await field.fill('20');
        await start();
        await idleAfter(expected.length);
        const cells = await rows();
        assert.deepEqual(
          cells.map((row) => row.slice(0, 3)),
          expected.map((name, index) => [String(index + 1), name, '20']),
        );
        for (const [, , iterations, elapsedMs, msPerIteration] of cells) {
          // Each has about three digits.
          assert.ok(Math.abs(Number(elapsedMs) / Number(iterations) / Number(msPerIteration) - 1) < 0.06);
        }
        const counted = new RegExp(` to localhost over .*, fastest .* ms\\. ${20 * expected.length} messages, 0 `);
        assert.match(await text('#result-conditions'), counted);
        assert.equal(await text('#progress-text'), 'Finished');
        assert.deepEqual(complaints, []);
      }));
  }

  it('speaks the wire of 2019: N, then what came back, until 0', () =>
    withCountdown('', async ({ page, field, start, idleAfter }) => {
      /** @type {string[]} */
      const requests = [];
      /** @type {string[]} */
      const frames = [];
      page.on('request', (request) => {
        if (request.url().includes('/xhr')) requests.push(request.url().replace(site.origin, ''));
      });
      page.on('websocket', (socket) => {
        frames.push(new URL(socket.url()).pathname);
        socket.on('framesent', ({ payload }) => frames.push(`> ${payload}`));
        socket.on('framereceived', ({ payload }) => frames.push(`< ${payload}`));
      });
      await field.fill('2');
      await start();
      await idleAfter(2);
      assert.deepEqual(requests.slice(0, 2), ['/xhr?count=2', '/xhr?count=1']);
      assert.deepEqual(frames.slice(0, 5), ['/ws', '> {"count":2}', '< {"count":1}', '> {"count":1}', '< {"count":0}']);
    }));

  it('shows the means as bars and in words, from all the tests in the table', () =>
    withCountdown('', async ({ page, choose, field, start, idleAfter, rows, text, result }) => {
      assert.equal(await page.locator('#means').isVisible(), false);
      await choose('One of each, 3 times');
      await field.fill('20');
      await start();
      await idleAfter(6);
      await choose('XHR');
      await field.fill('7');
      await start();
      await idleAfter(7);
      const shown = await result();
      const { tests } = shown;
      await assertWords(text, shown);
      const means = meansOf(tests);
      assert.deepEqual(
        means.map(({ transport, finishedCount, unfinishedCount }) => [transport, finishedCount, unfinishedCount]),
        [
          ['xhr', 4, 0],
          ['ws', 3, 0],
        ],
      );
      assert.equal(
        await page.locator('#means').getByRole('img').getAttribute('aria-label'),
        `Chart. ${describeMeans(tests)}`,
      );
      const cells = await rows();
      for (const [index, name] of BOTH.entries()) {
        const values = cells.filter((row) => row[1] === name).map((row) => Number(row[4]));
        const expected = values.reduce((sum, value) => sum + value, 0) / values.length;
        const { meanMs } = means[index];
        assert.ok(Math.abs(expected / Number(meanMs) - 1) < 0.06, `${name}: ${meanMs}, not ${expected}`);
      }
      const widths = await page.locator('.bar').evaluateAll((bars) => bars.map((bar) => bar.clientWidth));
      const ratio = Number(means[1].meanMs) / Number(means[0].meanMs);
      // Each width is whole pixels.
      assert.ok(Math.abs(widths[1] - widths[0] * ratio) <= 1 + ratio, String(widths));
    }));

  it('says what 2019 left out, set-up with its figures, and links to the fair run', () =>
    withCountdown('', async ({ page, field, start, idleAfter, text, result }) => {
      assert.match(await text('#left-out'), /XHR always ran first/);
      await field.fill('30');
      await start();
      await idleAfter(2);
      const made = await result();
      const setUp = await text('#set-up');
      assert.equal(setUp, formatSetUp(made));
      assert.ok((await countWords(page)) <= MAX_WORDS);
      // Of the WebSocket it is always known, of XHR where a connection was opened, or a new one could be asked for.
      assert.ok(made.tests[1].trial.setUpMs !== undefined && setUp.includes('WebSocket'), setUp);
      const href = String(await page.locator('#fair').getAttribute('href'));
      assert.match(href, /^\/\?transports=ajax,xhr,ws&blocks=10&iterations=30&warmup=3&payload=0&seed=\d{1,10}$/);
      await page.locator('#fair').click();
      await page.locator('#start:text-matches("about")').waitFor();
      const plan = String(await page.locator('#plan').textContent());
      assert.deepEqual(plan.match(/\d+ (?:blocks|messages)/g), ['10 blocks', '30 messages']);
      assert.match(String(await page.locator('#options-summary').textContent()), / 3 transports/);
    }));

  it('has Stop in the place of Measure, and nothing moves when a run ends', () =>
    withCountdown('?iterations=50&kind=xhr', async ({ page, start, idleAfter }) => {
      const placeOf = async (/** @type {string} */ part) => await page.locator(part).boundingBox();
      const startPlace = await placeOf('#start');
      const { held, release } = await holdXhr(page, 3);
      await start();
      await held;
      const [stop, bar, words, form] = await Promise.all(
        ['#cancel', '#progress', '#progress-text', '#run-form'].map(placeOf),
      );
      assert.deepEqual([stop?.x, stop?.y, stop?.width], [startPlace?.x, startPlace?.y, startPlace?.width]);
      assert.equal(bar && bar.y + bar.height, startPlace && startPlace.y + startPlace.height);
      assert.equal(await page.locator('#start').isVisible(), false);
      release();
      await idleAfter(1);
      assert.equal(await page.locator('#cancel').isVisible(), false);
      assert.deepEqual(await placeOf('#start'), startPlace);
      assert.equal((await placeOf('#progress-text'))?.y, words?.y);
      assert.deepEqual(await placeOf('#run-form'), form);
    }));

  it('says beside the field what is wrong with it, and starts nothing', () =>
    withCountdown('', async ({ page, field, start, idleAfter, text }) => {
      for (const wrong of ['0', '1001', '1.5', 'many', '']) {
        await field.fill(wrong);
        await start();
        assertComplaint(await text('#iterations-error'), 'Iterations', wrong || 'nothing');
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
      }
      assert.equal(await page.locator('#result').isVisible(), false);
      await field.fill(' 3 ');
      await page.keyboard.press('Enter');
      await idleAfter(2);
      assert.equal(await text('#iterations-error'), '');
      assert.equal(await field.getAttribute('aria-invalid'), null);
    }));

  it('can be used with the keyboard alone', () =>
    withCountdown('?iterations=5', async ({ page, idleAfter, rows }) => {
      await page.getByRole('radio', { name: 'One of each', exact: true }).focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await idleAfter(1);
      assert.deepEqual((await rows())[0].slice(0, 3), ['1', 'WebSocket', '5']);
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'start');
    }));

  it('clears its table, its means and its set-up, and counts from 1 again', () =>
    withCountdown('?iterations=5', async ({ page, start, press, idleAfter, rows, text }) => {
      await start();
      await idleAfter(2);
      await press('Clear');
      assert.deepEqual(await rows(), []);
      for (const part of ['#answer', '#result', '#means']) assert.equal(await page.locator(part).isVisible(), false);
      assert.equal(await text('#set-up'), '');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'iterations');
      await start();
      await idleAfter(2);
      assert.equal((await rows())[0][0], '1');
      assert.match(await text('#result-words'), /No verdict: /);
    }));

  it('shows its table again after a reload and Back, goes on in one file, and keeps nothing after Clear', () =>
    withCountdown('?iterations=5', async ({ page, start, press, idleAfter, rows, text, result }) => {
      await start();
      await idleAfter(2);
      const before = await rows();
      await page.reload();
      await idleAfter(2);
      assert.deepEqual(await rows(), before);
      await start();
      await idleAfter(4);
      assert.deepEqual((await rows()).slice(0, 2), before);
      const { tests } = await result();
      assertOneClock(countdown.formatCsv({ schema: countdown.schema[0], tests }));

      await page.goto(`${site.origin}/privacy`);
      await page.goBack();
      await idleAfter(4);
      await press('Clear');
      await page.reload();
      await page.locator('#start-controls:enabled').waitFor();
      assert.deepEqual(await rows(), []);
      assert.equal(await text('#progress-text'), '');
    }));

  it('runs by link, as soon as it is opened; its own link repeats the test', () =>
    withCountdown('?iterations=9&kind=both3&autostart=1', async ({ page, idleAfter, rows }) => {
      await idleAfter(6);
      assert.ok((await rows()).every((row) => row[2] === '9'));
      assert.equal(
        await page.getByRole('link', { name: 'Link to this test' }).getAttribute('href'),
        '?iterations=9&kind=both3&autostart=1',
      );
    }));

  it('waits for Measure where the link does not say autostart', () =>
    withCountdown('?iterations=4&kind=websocket', async ({ page, start, idleAfter, rows }) => {
      await page.locator('#start-controls:enabled').waitFor();
      assert.deepEqual(await rows(), []);
      await start();
      await idleAfter(1);
      assert.deepEqual((await rows())[0].slice(0, 3), ['1', 'WebSocket', '4']);
    }));

  for (const [query, field, got] of [
    ['iterations=5000&kind=both', 'Iterations', '“5000”'],
    ['iterations=5&kind=all', 'Kind', '“all”'],
  ]) {
    it(`says what is wrong with a link that asks for ${query}, and starts nothing`, () =>
      withCountdown(`?${query}&autostart=1`, async ({ page, text, rows }) => {
        await page.locator('#iterations-error:not(:empty)').waitFor();
        assertComplaint(await text('#iterations-error'), field, got);
        assert.deepEqual(await rows(), []);
      }));
  }

  it('copies Markdown and saves JSON with every sample and the environment', () =>
    withCountdown(
      '?iterations=50',
      async ({ page, start, press, unfold, idleAfter, rows }) => {
        await start();
        await idleAfter(2);
        const cells = await rows();

        await unfold('#exports');
        await press('Copy Markdown');
        await page.getByText('Copied.').waitFor();
        const markdown = await page.evaluate(() => navigator.clipboard.readText());
        for (const row of cells) assert.ok(markdown.includes(`| ${row.join(' | ')} |`), markdown);
        assert.ok(markdown.includes('Server: test, version '), markdown);

        await unfold('#exports');
        const [download] = await Promise.all([page.waitForEvent('download'), press('Download JSON')]);
        assert.match(download.suggestedFilename(), /^sockshootout-countdown-[\dTZ-]+\.json$/);
        const document = JSON.parse(await readFile(await download.path(), 'utf8'));
        assert.equal(document.schema, 'sockshootout/countdown/3');
        const result = summarize(openPart(countdown, document));
        assert.equal(result.environment?.isCrossOriginIsolated, true);
        assert.deepEqual(
          result.tests.map((/** @type {any} */ { trial }) => [trial.protocol, trial.samples.roundTripMs.length]),
          [
            ['http/1.1', 50],
            ['websocket', 50],
          ],
        );
        assert.deepEqual(
          result.tests.map((/** @type {any} */ { elapsedMs }) => formatMs(elapsedMs)),
          cells.map((row) => row[3]),
        );
      },
      { context: { permissions: ['clipboard-read', 'clipboard-write'] } },
    ));

  it('fits a phone’s width, its table included', () =>
    withCountdown(
      '',
      async ({ page, idleAfter }) => {
        // By this clock a hundred iterations take what a thousand do, and fill the table as much.
        await page.addInitScript(() => {
          const now = performance.now.bind(performance);
          performance.now = () => 10 * now();
        });
        await page.goto(`${site.origin}/countdown?iterations=100&kind=both&autostart=1`);
        await idleAfter(2);
        const tooWide = await page.evaluate(() =>
          [document.documentElement, ...document.querySelectorAll('.scroll')].map(
            (element) => element.scrollWidth - element.clientWidth,
          ),
        );
        assert.deepEqual(tooWide, [0, 0]);
      },
      { context: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } },
    ));

  it('is found among the further tests, to which every page leads', () =>
    withCountdown('', async ({ page }) => {
      await page.getByRole('navigation').getByRole('link', { name: 'More tests' }).click();
      await page.getByRole('link', { name: 'Count-down of 2019' }).click();
      assert.equal(new URL(page.url()).pathname, '/countdown');
    }));

  it('says without JavaScript what it needs', () =>
    withCountdown(
      '',
      async ({ page, text }) => {
        assert.match(await text('main'), /needs JavaScript/);
        assert.equal(await page.getByRole('button', { name: 'Measure' }).isDisabled(), true);
      },
      { context: { javaScriptEnabled: false } },
    ));
});

describe('what the app of 2019 shared', () => {
  it('has a row for each test, and the bars of their means', async () => {
    const body = new FormData();
    const runs = [
      { test: 'xhr', iterations: 300, time: 610.5 },
      { test: 'ws', iterations: 300, time: 150.25 },
      { test: 'ws', iterations: 100, time: 49.75 },
    ];
    body.append('runs', JSON.stringify(runs));
    const { status, headers } = await fetch(`${site.origin}/submission`, { method: 'POST', body });
    assert.equal(status, 201);
    const id = String(headers.get('location')?.split('/').at(-1));
    await site.withTab(`/results/${id}`, async ({ page }) => {
      await page.locator('#tests tbody tr').nth(2).waitFor();
      const cells = await page
        .locator('#tests tbody tr')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => String(cell.textContent))));
      assert.deepEqual(cells, [
        ['1', 'XHR', '300', '611', '2.04'],
        ['2', 'WebSocket', '300', '150', '0.50'],
        ['3', 'WebSocket', '100', '49.8', '0.50'],
      ]);
      const widths = await page.locator('#means .bar').evaluateAll((bars) => bars.map((bar) => bar.clientWidth));
      const means = meansOf(summarize(openPart(countdown, { schema: SUBMISSION_SCHEMA, runs })).tests).map(
        ({ meanMs }) => Number(meanMs),
      );
      assert.equal(widths.length, 2);
      assert.ok(Math.abs(widths[1] / widths[0] - means[1] / means[0]) < 0.02, String(widths));
    });
  });
});
