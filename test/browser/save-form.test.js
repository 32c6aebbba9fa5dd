/**
 * The form that shares a run: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClassicDocument } from '../support/places.js';
import { openServer } from '../support/server.js';
import { drive, FRESH, RUN, runAt, SHORTEST, useSharing } from '../support/sharing.js';
import { sqliteFaults } from '../support/store-faults.js';
import { postSubmission } from '../support/submissions.js';

const { site, withTab } = useSharing();

/** Makes a note that cannot be compressed. */
const randomNote = () =>
  Array.from({ length: 60 }, () => Math.random().toString(36))
    .join(' ')
    .slice(0, 500);

describe('the form that shares a run', () => {
  it('keeps what was typed, whatever goes wrong', () =>
    withTab(RUN, async ({ page, offered, openWords, field, save, saved, text, press }) => {
      await offered();
      await openWords();
      await field('Label').fill('x'.repeat(81));
      await field('Note').fill('a note');
      await save();
      assert.deepEqual((await text('#save-label-error')).match(/\d+/g), ['80', '81']);
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'save-label');

      await field('Label').fill('a label');
      await field('Place').fill('here\tand there');
      await save();
      await page.locator('#save-error', { hasText: 'place.name: expected ' }).waitFor();
      assert.equal(await text('#save-label-error'), '');

      await field('Place').fill('here');
      await page.route('**/api/results', (route) => route.abort());
      await save();
      await page.locator('#save-error:not(:empty)').waitFor();
      await page.unroute('**/api/results');
      await page.route('**/api/results', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
      await save();
      await page.locator('#save-error', { hasText: 'answered 502' }).waitFor();
      await page.unroute('**/api/results');
      // The server saves the run, but its answer is lost.
      await page.route('**/api/results', async (route) => {
        assert.equal((await route.fetch()).status(), 201);
        await route.abort();
      });
      await save();
      await page.locator('#save-error:not(:empty)').waitFor();
      await page.unroute('**/api/results');
      assert.deepEqual([await field('Label').inputValue(), await field('Note').inputValue()], ['a label', 'a note']);
      const { permalink } = await saved();
      const run = await runAt(permalink);
      assert.deepEqual([run.label, run.note, run.place], ['a label', 'a note', { name: 'here' }]);
      const { results } = await (await fetch(`${site.origin}/api/results?label=a+label`)).json();
      assert.deepEqual(
        results.map((/** @type {{ id: string }} */ { id }) => id),
        [run.id],
      );

      // The next run can be shared again.
      await press('Measure again');
      // A run is so short that a busy machine may look for what is hidden during it too late.
      await page.locator('#save-done').waitFor({ state: 'hidden' });
      await offered();
      assert.equal(await text('#save-button'), 'Share');
      assert.deepEqual([await field('Label').inputValue(), await text('#save-status')], ['', '']);
      assert.equal(await page.locator('#save-done').isVisible(), false);
    }));

  it('says that the store is full, and shares the same run once there is room', async () => {
    const own = await openServer({ limits: { savesPerHour: 1e6 } });
    const undo = await sqliteFaults.fill(own.database);
    // The last pages of the store may have room for a run that is smaller than the visitor's.
    const document = createClassicDocument({ transport: 'sockjs', runs: [[1, 5]] });
    while ((await postSubmission(own.origin, { document })).status === 201);
    await site.withTab(
      SHORTEST,
      async (tab) => {
        const { page, offered, openWords, field, save, saved, text } = drive(tab);
        await offered();
        await openWords();
        await field('Note').fill(randomNote());
        const [response] = await Promise.all([page.waitForResponse('**/api/results'), save()]);
        assert.equal(response.status(), 507);
        await page.locator('#save-error:not(:empty)').waitFor();
        assert.equal(
          await text('#save-error'),
          'Not shared. The server has no room for more shared runs. Download the JSON, or try again later.',
        );
        await undo();
        await saved();
        assert.equal(await text('#save-error'), '');
      },
      { origin: own.origin, context: FRESH },
    );
    await own.close();
  });

  it('says before it sends a run that it is too large, and what to do', () =>
    withTab('/', async ({ page, offered, text }) => {
      await page.addInitScript(() => {
        const limit = () => document.querySelector('[data-document-bytes]')?.setAttribute('data-document-bytes', '100');
        new MutationObserver(limit).observe(document, { childList: true, subtree: true });
      });
      await page.goto(site.origin + SHORTEST);
      await offered();
      const error = await text('#save-error');
      assert.equal(error.match(/[\d.]+ MiB/g)?.length, 2, error);
      assert.match(error, /fewer iterations/);
      assert.equal(await page.locator('#save-submit').isDisabled(), true);
    }));

  it('is not offered for a run that its visitor stopped', () =>
    withTab(RUN.replace('blocks=6', 'blocks=200').replace('iterations=5', 'iterations=50'), async ({ page, stop }) => {
      await page.locator('#progress-text', { hasText: /Block [2-9]/ }).waitFor();
      await stop();
      await page.locator('#exports').waitFor();
      assert.equal(await page.locator('#save').isVisible(), false);
      // Nor after a reload.
      await page.reload();
      await page.locator('#exports').waitFor();
      assert.equal(await page.locator('#save').isVisible(), false);
    }));
});
