/**
 * Count-downs that do not end as they should: stopped, blocked, rejected, hidden.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellsOf } from '../../core/experiment/report/table.js';
import { COLUMNS, formatNotes } from '../../core/experiments/countdown/report.js';
import { meansOf } from '../../core/experiments/countdown/summary.js';
import { useBrowserSite } from '../support/browser-site.js';
import { assertWords, holdXhr, openCountdown } from '../support/countdown-page.js';
import { isUpgrade } from '../support/door.js';

const site = useBrowserSite();
const withCountdown = openCountdown(site);

describe('/countdown', () => {
  it('keeps a test that was stopped as a row, and makes none after it', () =>
    withCountdown(
      '?iterations=1000&kind=both3',
      async ({ page, field, start, underWay, press, idleAfter, rows, text, result, complaints }) => {
        const { held, release } = await holdXhr(page, 3);
        await start();
        await held;
        await underWay('Test 1 of 6: XHR, ');
        await page.waitForFunction(() => Number(document.querySelector('progress')?.value) > 0);
        assert.ok(await page.getByRole('button', { name: 'Clear', includeHidden: true }).isDisabled());
        await press('Stop');
        await idleAfter(1);
        const [cells] = await rows();
        assert.equal(cells.length, 4);
        assert.match(cells[3], /^Stopped .*\b3 of 1000\.$/);
        assert.equal(await text('#progress-text'), 'Stopped');
        const shown = await result();
        const { tests } = shown;
        assert.deepEqual([cells], cellsOf({ columns: COLUMNS, rows: tests }));
        await assertWords(text, shown);
        assert.deepEqual(
          tests.map(({ trial, ending }) => [trial.samples.iteration.length, trial.failures.length, ending?.kind]),
          [[3, 0, 'cancelled']],
        );
        release();
        await field.fill('5');
        await start();
        await idleAfter(7);
        assert.deepEqual(complaints, []);
      },
    ));

  it('shows a WebSocket that is blocked as tests that failed, and makes the others', () =>
    site.withDoor(
      ({ origin }) =>
        withCountdown(
          '?iterations=5&kind=both3',
          async ({ start, idleAfter, rows, text, result }) => {
            await start();
            await idleAfter(6);
            const shown = await result();
            const { tests } = shown;
            for (const { trial, elapsedMs } of tests) {
              if (trial.transport === 'xhr') assert.ok(elapsedMs !== undefined);
              else assert.deepEqual([trial.samples.iteration.length, trial.failures[0].outcome], [0, 'closed']);
            }
            assert.deepEqual(await rows(), cellsOf({ columns: COLUMNS, rows: tests }));
            assert.equal(await text('#progress-text'), 'Ended; 3 failed');
            await assertWords(text, shown);
            assert.deepEqual(
              meansOf(tests).map(({ finishedCount, unfinishedCount }) => [finishedCount, unfinishedCount]),
              [
                [3, 0],
                [0, 3],
              ],
            );
            assert.doesNotMatch(await text('#set-up'), /WebSocket/);
          },
          { origin },
        ),
      { refuses: isUpgrade },
    ));

  it('gives the server’s reason where it rejects, and the answer where it is wrong', () =>
    withCountdown('?iterations=5&kind=xhr', async ({ page, start, idleAfter, rows, result }) => {
      await page.route('**/xhr?*', (route) => route.fulfill({ status: 503, json: { error: { message: 'Too busy' } } }));
      await start();
      await idleAfter(1);
      await page.unroute('**/xhr?*');
      await page.route('**/xhr?*', (route) => route.fulfill({ json: { count: 6 } }));
      await start();
      await idleAfter(2);
      const { tests } = await result();
      const [rejected, mismatch] = tests.map(({ trial }) => trial.failures[0]);
      assert.deepEqual([rejected.outcome, rejected.message], ['rejected', 'Too busy']);
      assert.equal(mismatch.outcome, 'mismatch');
      assert.match(mismatch.message, /\b4, got \{"count":6\}/);
      assert.deepEqual(await rows(), cellsOf({ columns: COLUMNS, rows: tests }));
    }));

  it('says so when the tab was hidden', () =>
    withCountdown('?iterations=20&kind=xhr', async ({ page, start, idleAfter, text, result }) => {
      const { held, release } = await holdXhr(page, 0);
      await start();
      await held;
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      release();
      await idleAfter(1);
      const made = await result();
      assert.equal(made.tests[0].wasHidden, true);
      assert.equal(await text('#notes'), formatNotes(made));
    }));
});
