/** The page of streams: how an answer arrives in a browser, by each method, and what stands in its way. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { median } from '../../core/base/statistics.js';
import { stream } from '../../core/experiments/stream/index.js';
import { COLLECTING_OFF } from '../../core/experiments/stream/report.js';
import { summarize } from '../../core/experiments/stream/summary.js';
import { STREAM_LABELS } from '../../core/net/stream/index.js';
import { useBrowserSite } from '../support/browser-site.js';
import { downloadRun } from '../support/download.js';
import { withHttpProxy, joinPlainly } from '../support/obstacles/http-proxy.js';
import { readSavedDocument } from '../support/saved-documents.js';
import { expectReport, readReport } from '../support/shown-report.js';
import { postSubmission } from '../support/submissions.js';
import { holdsOnce } from '../support/attempts.js';
import { countWords, MAX_WORDS } from '../support/words.js';

/** @import { Page } from 'playwright-core' */

const METHODS = Object.keys(STREAM_LABELS);
/** How pieces come that something collected. */
const TOGETHER = ['In bursts', 'In steps'];
const LIMIT = { timeout: 120_000 };

/** @param {Page} page @returns {Promise<{ name: string, hasMarks: boolean, figures: string[], word: string }[]>} */
const readRows = (page) =>
  page.locator('#result .arrivals-row').evaluateAll((rows) =>
    rows.map((row) => {
      const textOf = (/** @type {string} */ selector) => row.querySelector(selector)?.textContent ?? '';
      return {
        name: textOf('.name'),
        hasMarks: row.querySelector('.dots, .disc') !== null,
        figures: [...row.querySelectorAll('.figure strong')].map(({ textContent }) => String(textContent)),
        word: textOf('.flow'),
      };
    }),
  );

describe('the page of streams', () => {
  const site = useBrowserSite();

  it('brings each piece by every method, with a row for each that grows, and shows the code', async () => {
    const url = `/stream?methods=${METHODS}&pieces=30&rate=50&interval=100&blocks=1&seed=1`;
    await site.withTab(url, async ({ page, press, unfold, complaints }) => {
      const grown = page.waitForFunction(() => {
        const seen = Object.assign(window, { seen: /** @type {any} */ (window).seen ?? new Set() }).seen;
        for (const row of document.querySelectorAll('#live:not([hidden]) .arrivals-row')) {
          const count = row.querySelector('.dots')?.getAttribute('d')?.split('M').length ?? 0;
          const isOpen = row.querySelector('.flow .pill') === null;
          if (count > 1 && isOpen) seen.add(`${row.querySelector('.name')?.textContent} ${count}`);
        }
        return seen.size > 2;
      });
      await press('Measure');
      await grown;
      await page.locator('#result-headline:focus').waitFor(LIMIT);
      const document = JSON.parse(await downloadRun(page));
      const report = await readReport(page);
      assert.deepEqual(report, expectReport(stream, document));
      // A busy machine collects, too.
      const hasSettings = report.tables.some(({ heading }) => heading === COLLECTING_OFF);
      assert.equal(await page.locator('#stream-proxy').isVisible(), hasSettings);
      for (const { streamedBy, protocol, streams } of document.trials) {
        assert.equal(streams[0].atMs.length, 30, streamedBy);
        assert.ok(protocol || streamedBy === document.trials[0].streamedBy, streamedBy);
      }
      const rows = await readRows(page);
      assert.deepEqual(
        rows.map(({ name }) => name),
        METHODS.map((name) => (name === 'poll' ? 'Polling, 100 ms' : STREAM_LABELS[name])),
      );
      for (const { name, hasMarks, figures, word } of rows)
        assert.ok(hasMarks && figures.every((figure) => / m?s$/.test(figure)) && word !== '', name);
      // A busy machine holds pieces up, of which each method then has a clause.
      const most = MAX_WORDS + 8 * rows.filter(({ word }) => word !== 'Even').length;
      const wordCount = await countWords(page);
      assert.ok(wordCount <= most, `${wordCount} words, at most ${most}`);
      await unfold('#code-section');
      const code = page.locator('[data-code]:visible pre');
      assert.match(await code.innerText(), /export async function streamByFetch\(/);
      await press('Polling');
      assert.match(await code.innerText(), /export async function streamByPolls\(/);
      assert.equal(await page.locator('#code-method').textContent(), 'Polling');
      assert.deepEqual(complaints, []);
    });
  });

  it('compares with a method that is chosen, and offers no other', () =>
    site.withTab('/stream?methods=events,ws-open', async ({ page, unfold, complaints }) => {
      await unfold('#options');
      const today = page.getByRole('group', { name: 'You use today' });
      const isUsed = (/** @type {string} */ name) => today.getByRole('radio', { name, exact: true }).isChecked();
      assert.equal(await isUsed('EventSource'), true);
      assert.equal(await today.getByRole('radio', { name: 'fetch', exact: true }).isDisabled(), true);
      await page.getByRole('checkbox', { name: 'EventSource' }).uncheck();
      assert.equal(await isUsed('Open WebSocket'), true);
      assert.match(String(await page.locator('#plan-link').getAttribute('href')), /methods=ws-open&today=ws-open/);
      assert.equal(await page.locator('#form-error').innerText(), '');
      assert.deepEqual(complaints, []);
    }));

  it('keeps what came when it is stopped in the middle', () =>
    site.withTab('/stream?methods=fetch,ws-open&pieces=100&rate=50&blocks=6&seed=1', async ({ page, press, stop }) => {
      await press('Measure');
      await page.waitForFunction(() => (document.querySelector('#live .dots')?.getAttribute('d')?.length ?? 0) > 100);
      await stop();
      await page.locator('#result-ending', { hasText: /stopped/ }).waitFor();
      assert.equal(await page.locator('#result-words').innerText(), '');
      assert.equal(await page.locator('#live').isVisible(), false);
    }));

  it('goes on after a reset by what resumes, and by nothing else', () =>
    site.withTab(
      '/stream?methods=fetch,fetch-resume,events,ws,ws-resume&cut=reset&pieces=20&rate=50&blocks=1&seed=1&autostart=1',
      async ({ page, unfold }) => {
        await page.locator('#result-headline:focus').waitFor(LIMIT);
        const document = JSON.parse(await downloadRun(page));
        const lost = new Map(
          summarize(document).cuts.map(({ method, lost: spread }) => [method, Number(spread?.median)]),
        );
        assert.deepEqual([...lost.keys()].sort(), ['events', 'fetch', 'fetch-resume', 'ws', 'ws-resume']);
        for (const method of ['fetch-resume', 'events', 'ws-resume']) assert.equal(lost.get(method), 0, method);
        // Half of 20; to a busy machine some before the reset are on their way.
        for (const method of ['fetch', 'ws'])
          assert.ok(Number(lost.get(method)) >= 10 && Number(lost.get(method)) < 20, `${method}: ${lost.get(method)}`);
        assert.equal(await page.locator('#stream-proxy').isVisible(), false);
        assert.ok((await readRows(page)).every(({ word, hasMarks }) => word === '' && hasMarks));
        await unfold('#code-section');
        assert.match(
          await page.locator('[data-code]:visible pre').innerText(),
          /export async function streamResuming\(/,
        );
      },
    ));

  it('waits for another stream beyond six over HTTP/1.1, and not over one socket', () =>
    site.withTab(
      '/stream?methods=fetch,ws-open&at-once=12&pieces=21&rate=20&spread=0&blocks=1&seed=1&autostart=1',
      async ({ page }) => {
        await page.locator('#result-headline:focus').waitFor(LIMIT);
        const { trials } = JSON.parse(await downloadRun(page));
        const waits = trials.map((/** @type {any} */ { streamedBy, streams }) => {
          const firstMs = streams.map((/** @type {any} */ { atMs }) => atMs[0]);
          return [streamedBy, firstMs.sort((/** @type {number} */ a, /** @type {number} */ b) => a - b)[6]];
        });
        const { fetch: seventhMs, 'ws-open': ofSocketMs } = Object.fromEntries(waits);
        // One stream takes a second, and the seventh begins when one has ended.
        assert.ok(seventhMs >= 1000 && ofSocketMs < seventhMs, `${seventhMs} and ${ofSocketMs} ms`);
      },
    ));

  it('names a proxy that collects, and recommends a socket', async () => {
    const plan = 'methods=fetch,ws-open&pieces=50&bytes=200&rate=50&spread=0&blocks=6&seed=1&autostart=1';
    const context = { permissions: ['clipboard-read', 'clipboard-write'] };
    await withHttpProxy(
      Number(new URL(site.origin).port),
      joinPlainly,
      ({ origin }) =>
        site.withTab(
          `/stream?${plan}`,
          async ({ page, press, unfold }) => {
            await page.locator('#result-headline:focus').waitFor(LIMIT);
            const [over, socket] = await readRows(page);
            assert.ok(TOGETHER.includes(over.word), over.word);
            // On a busy machine it may have gaps of its own.
            assert.ok(!TOGETHER.includes(socket.word), socket.word);
            assert.ok((await page.locator('#result .arrivals-row .gap').count()) >= 1);
            assert.ok((await page.locator('#result .arrivals-row .count').count()) >= 2);
            await page.locator('#stream-proxy:visible').waitFor();
            assert.ok((await readReport(page)).tables.some(({ heading }) => heading === COLLECTING_OFF));
            await press('Copy for nginx');
            await page.locator('#proxy-status', { hasText: 'Copied.' }).waitFor();
            assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^proxy_buffering off;$/m);
            await unfold('#code-section');
            assert.equal(await page.locator('#code-method').textContent(), STREAM_LABELS['ws-open']);
          },
          { origin, context },
        ),
      { collectBytes: 4096 },
    );
  });

  it('shows a shared run without scripts: what it found, and its figures', async () => {
    const { answer } = await postSubmission(site.origin, { document: readSavedDocument('stream-whole').document });
    const { id, digest } = answer;
    await site.withTab(
      `/results/${id}`,
      async ({ page }) => {
        const summary = page.locator('#summary');
        assert.equal(await summary.locator('.headline').textContent(), digest.headline);
        assert.ok((await summary.locator('#summary-answers .pill').count()) > 0);
      },
      { context: { javaScriptEnabled: false } },
    );
    assert.equal((await fetch(`${site.origin}/api/results/${id}.png`)).headers.get('content-type'), 'image/png');
  });

  /** @returns {Promise<string | undefined>} what came late: a busy machine may be late by itself */
  async function findLate() {
    /** @type {string[]} */
    const faults = [];
    await site.withTab(
      '/stream?methods=fetch,ws-open&pieces=200&rate=100&spread=0&blocks=1&seed=1',
      async ({ page, press }) => {
        await page.locator('#start-controls:enabled').waitFor();
        await page.evaluate(() => {
          const drawn = Object.assign(window, { drawn: /** @type {number[]} */ ([]) }).drawn;
          const place = document.querySelector('#live');
          const look = () => void drawn.push(performance.now());
          if (place) new MutationObserver(look).observe(place, { childList: true, subtree: true });
        });
        await press('Measure');
        await page.locator('#result-headline:focus').waitFor(LIMIT);
        const drawn = await page.evaluate(() => /** @type {any} */ (window).drawn);
        const seconds = (drawn[drawn.length - 1] - drawn[0]) / 1000;
        if (drawn.length <= 4 || drawn.length > 5 * seconds + 8) faults.push(`${drawn.length} times in ${seconds} s`);
        const { trials } = JSON.parse(await downloadRun(page));
        for (const { streamedBy, streams } of trials) {
          const [{ atMs, sentMs }] = streams;
          const late = atMs.map((/** @type {number} */ ms, /** @type {number} */ n) => ms - sentMs[n]);
          // Most come within a frame of when they were sent: no drawing holds them up.
          if (Number(median(late)) >= 17) faults.push(`${streamedBy}: ${median(late)}`);
        }
      },
    );
    return faults.length > 0 ? faults.join() : undefined;
  }

  it('makes no piece late by drawing, and draws a few times a second', (t) => holdsOnce(t, findLate));
});
