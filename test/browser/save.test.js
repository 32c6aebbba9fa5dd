/**
 * Runs that are shared, of each experiment: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { CLIPBOARD, drive, PERMALINK, RUN, runAt, useSharing } from '../support/sharing.js';
import { readReport } from '../support/shown-report.js';

/** @import { Visitor } from '../support/sharing.js' */

const NOTE = 'In the evening.\nOthers streaming.';

const { pathOf, site, withTab } = useSharing();

describe('a run that is shared with words', () => {
  /** @type {Visitor} */
  let saver;
  /** @type {{ permalink: string, deleteLink: string }} */
  let links;
  /** @type {Awaited<ReturnType<Visitor['shown']>>} */
  let shown;
  /** @type {string} */
  let noticeBefore;
  /** @type {string | null} */
  let privacyPath;
  before(async () => {
    saver = drive(await site.openTab(`${RUN}&label=San%20Francisco,%20cable`, { context: CLIPBOARD }));
    await saver.offered();
    await saver.openShare();
    noticeBefore = await saver.text('#save-form');
    privacyPath = await saver.page.locator('#save-terms a').getAttribute('href');
    shown = await saver.shown();
    await saver.openWords();
    await saver.field('Place').fill('San Francisco');
    await saver.field('Note').fill(NOTE);
    links = await saver.saved();
  });

  it('was announced as public, with a link to all that is stored', () => {
    for (const words of ['public', 'without your IP address']) assert.ok(noticeBefore.includes(words), words);
    assert.equal(privacyPath, '/privacy');
  });

  it('has a link, which gets the focus, and cannot be shared twice', async () => {
    const { page, text, press } = saver;
    assert.match(links.permalink, PERMALINK);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'save-permalink');
    assert.equal(await page.locator('#save-study').getAttribute('href'), '/c?label=San%20Francisco%2C%20cable');
    assert.equal(await text('#save-button'), 'Shared');
    assert.equal(await page.locator('#save-submit').isVisible(), false);
    assert.equal(await text('#save-status'), 'Shared, link copied');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), links.permalink);
    await page.locator('#share-more > summary').click();
    for (const [name, link] of [
      ['Copy link', links.permalink],
      ['Copy delete link', links.deleteLink],
    ]) {
      await press(name);
      await page.waitForFunction(async (expected) => (await navigator.clipboard.readText()) === expected, link);
    }
    assert.deepEqual(saver.complaints, []);
  });

  it('shows its link again after a reload, and is not offered again', async () => {
    const { page, text } = saver;
    await page.reload();
    await page.locator('#save-button', { hasText: 'Shared' }).click();
    await page.locator('#save-done').waitFor();
    assert.equal(await text('#save-permalink'), links.permalink);
    assert.equal(await page.locator('#save-submit').isVisible(), false);
    const deleteLink = await page.locator('#save-delete-links a').evaluate((link) => /** @type {any} */ (link).href);
    assert.equal(deleteLink, links.deleteLink);
    const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
    assert.equal(kept.includes(links.deleteLink.split('#delete=')[1]), false);
  });

  it('lets its visitor change what is said of it, and shows that after a reload', async () => {
    const { page, field, openWords, press, text } = saver;
    await openWords();
    assert.deepEqual(
      [await field('Label').inputValue(), await field('Note').inputValue()],
      ['San Francisco, cable', NOTE],
    );
    await field('Label').fill('x'.repeat(81));
    await press('Save changes');
    assert.notEqual(await text('#save-label-error'), '');
    await field('Label').fill('cable');
    await field('Place').fill('Oakland');
    await field('Place').press('Enter');
    await page.locator('#save-status', { hasText: 'Changed.' }).waitFor();
    const { label, note, place } = await runAt(links.permalink);
    assert.deepEqual([label, note, place], ['cable', NOTE, { name: 'Oakland' }]);
    assert.equal(await page.locator('#save-study').getAttribute('href'), '/c?label=cable');
    await page.reload();
    await page.locator('#save-button', { hasText: 'Shared' }).waitFor();
    assert.equal(await field('Place').inputValue(), 'Oakland');

    // The page of the run does so, too, and leaves alone what was not changed.
    await page.goto(links.permalink);
    await openWords();
    await field('Label').fill('San Francisco, cable');
    await Promise.all([page.waitForEvent('load'), press('Save changes')]);
    assert.match(await text('#run-facts'), /San Francisco, cable/);
    assert.match(await text('#run-facts'), /Oakland/);
    assert.equal((await runAt(links.permalink)).note, NOTE);
    await page.goBack();
  });

  it('looks to others as it looked right after it was measured', () =>
    withTab(pathOf(links.permalink), async ({ page, shown: shownThere, text, complaints }) => {
      await page.locator('#verdict-headline:not(:empty)').waitFor();
      assert.deepEqual(await shownThere(), shown);
      // With its verdict, if the few messages of this run had one.
      assert.match(
        await text('h1'),
        /^(Sending a message: Oakland, Chrome \d+$|Oakland, San Francisco, cable: sending )/,
      );
      assert.match(await text('#run-facts'), /San Francisco, cable/);
      assert.equal(await text('#visitor-note'), NOTE);
      assert.match(await text('#run-facts'), /San Francisco[^]*Server\s+test, version/);
      assert.equal(await page.locator('#summary').isVisible(), false);
      for (const own of ['#delete', '#describe']) assert.equal(await page.locator(own).isVisible(), false);
      assert.match(
        String(await page.locator('#run-again').getAttribute('href')),
        /^\/\?transports=ajax,sockjs&blocks=6&/,
      );
      assert.notEqual(await text('#result-notice'), '');
      const { document } = await runAt(links.permalink);
      assert.equal(document.trials.length, 12);
      assert.deepEqual(complaints, []);
    }));

  it('is in the list of this browser, and can be opened and forgotten there', async () => {
    const { page, history, press } = saver;
    await page.goto(`${site.origin}/results`);
    const [entry, ...others] = await history();
    const { digest } = await runAt(links.permalink);
    assert.ok(entry.startsWith('San Francisco, cable'), entry);
    assert.ok(entry.includes(digest.headline), entry);
    assert.match(entry, /\s\d{4}-\d\d-\d\d \d\d:\d\d UTC\s+Forget$/);
    assert.deepEqual(others, []);
    await page.locator('#history-runs a').click();
    await page.locator('#verdict').waitFor();
    assert.equal(page.url(), links.permalink.replace(/\?.*/, ''));
    // This browser knows the token without the link.
    assert.equal(await page.locator('#delete').isVisible(), true);
    assert.equal(await page.locator('#delete-warning').isVisible(), false);
    await page.goto(`${site.origin}/results`);
    await press('Forget San Francisco, cable, Oakland');
    assert.equal(await page.locator('#history').isVisible(), false);
    assert.match(await saver.text('#history-status'), /San Francisco, cable, Oakland\./);
  });

  it('is deleted by its delete link, after a second click', () =>
    withTab(pathOf(links.deleteLink), async ({ page, press, text }) => {
      await press('Delete this shared run');
      await press('Keep it');
      assert.equal(await page.locator('#delete-choice').isVisible(), false);
      assert.equal((await fetch(links.permalink)).status, 200);
      await press('Delete this shared run');
      await press('Delete permanently');
      await page.locator('#deleted').waitFor();
      assert.match(await text('main'), /^Deleted\./);
      assert.equal(page.url(), links.permalink.replace(/\?.*/, ''));
      const answer = await page.reload();
      assert.equal(answer?.status(), 404);
      assert.match(await text('main'), /may have been deleted/);
    }));
});

describe('a run that its visitor shared', () => {
  it('is deleted in the menu of its popover, after a second press, and can be shared again', () =>
    withTab(RUN, async ({ page, offered, saved, press, text }) => {
      await offered();
      assert.equal(await page.locator('#share-more').isVisible(), false);
      const { permalink } = await saved();
      assert.equal(await page.locator('#delete-ask').isVisible(), false);
      await page.locator('#share-more > summary').click();
      await press('Delete this shared run');
      await press('Delete permanently');
      await page.locator('#save-status', { hasText: 'Deleted.' }).waitFor();
      assert.equal((await fetch(permalink)).status, 404);
      assert.equal(await page.locator('#delete').isVisible(), false);
      assert.equal(await text('#save-button'), 'Share');
      assert.notEqual((await saved()).permalink, permalink);
    }));
});

describe('the popover in which a run is shared', () => {
  for (const [device, viewport] of Object.entries({
    desktop: { width: 1280, height: 900 },
    phone: { width: 390, height: 844 },
  }))
    it(`stays where its own empty space is pressed, and closes where the page is, on a ${device}`, () =>
      withTab(RUN, async ({ page, offered, openShare }) => {
        await page.setViewportSize(viewport);
        await offered();
        await openShare();
        const popover = page.locator('#share');
        await popover.click({ position: { x: 5, y: 5 } });
        assert.equal(await popover.isVisible(), true);
        await page.mouse.click(5, 5);
        assert.equal(await popover.isVisible(), false);
      }));
});

describe('an invitation to measure the same', () => {
  it('is a link to the plan, or to the study of the label, and after a run on one machine a form with the plan', () =>
    withTab(
      RUN,
      async ({ page, offered, openShare, field, press }) => {
        await offered();
        const invite = new URL(String(await page.locator('#invite').getAttribute('href')), site.origin);
        assert.equal(invite.pathname, '/c');
        const plan = String(invite.searchParams.get('plan'));
        assert.match(plan, /^\/\?transports=ajax,sockjs&blocks=6&/);
        await openShare();
        await page.locator('#share-preview[src^="data:image/svg"]').waitFor();
        for (const [label, expected] of [
          ['', `${site.origin}${plan}`],
          ['countries', `${site.origin}/c?label=countries&plan=${encodeURIComponent(plan)}`],
        ]) {
          await field('Label').fill(label);
          await press('Copy invitation');
          await page.waitForFunction(async (link) => (await navigator.clipboard.readText()) === link, expected);
        }
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('#share').isVisible(), false);
        assert.equal(await page.evaluate(() => document.activeElement?.id), 'save-button');
      },
      CLIPBOARD,
    ));
});

describe('a run of the classic experiments', () => {
  it('is shared from a classic page with all its tests, and shown with its log', () =>
    withTab('/ajaxtest', async ({ page, press, log, rows, idleAfter, offered, saved, content, complaints }) => {
      assert.equal(await page.locator('#save').isVisible(), false);
      await press('10');
      await idleAfter(1);
      await press('100');
      await idleAfter(2);
      await offered();
      const shown = [await log(), await rows(), await content('#notes')];
      const { permalink } = await saved();
      await page.goto(permalink);
      await page.locator('#run-details').waitFor();
      assert.deepEqual([await log(), await rows(), await content('#notes')], shown);
      assert.equal(await page.locator('#run-again').getAttribute('href'), '/ajaxtest?iterations=10,100&autostart=1');
      assert.deepEqual(complaints, []);
    }));

  it('is shared from the countdown, until that is cleared', () =>
    withTab(
      '/countdown?iterations=20&kind=both&autostart=1',
      async ({ page, press, offered, saved, text, content, complaints }) => {
        await offered();
        const shown = async () => [
          await text('#tests'),
          await text('#means'),
          await content('#set-up'),
          await content('#notes'),
        ];
        const before = await shown();
        const { permalink } = await saved();
        await press('Clear');
        assert.equal(await page.locator('#save').isVisible(), false);
        await page.goto(permalink);
        await page.locator('#means').waitFor();
        assert.deepEqual(await shown(), before);
        assert.match(String(await page.locator('#fair').getAttribute('href')), /iterations=20&/);
        assert.deepEqual(complaints, []);
      },
    ));
});

describe('a run of another experiment', () => {
  for (const path of [
    '/inflight?transports=fetch,sockjs&depths=1,4&blocks=2&seed=1&autostart=1',
    '/reach?silences=100&heartbeat=100&blocks=2&idle=0&seed=1&autostart=1',
  ]) {
    it(`looks to others as it looked to its visitor: ${path.split('?')[0]}`, () =>
      withTab(path, async ({ page, offered, saved }) => {
        await offered();
        const shown = await readReport(page);
        const { permalink } = await saved();
        await withTab(pathOf(permalink), async (other) => {
          await other.page.locator('#result').waitFor();
          assert.deepEqual(await readReport(other.page), shown);
          const again = String(await other.page.locator('#run-again').getAttribute('href'));
          assert.equal(`${again}&autostart=1`, path);
          assert.deepEqual(other.complaints, []);
        });
        assert.equal(await page.locator('#save-done').isVisible(), true);
      }));
  }
});
