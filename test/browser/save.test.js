/**
 * Saving a run, its own page, deleting it, and this browser's list: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { quoteEnding } from '../../core/experiment/planned.js';
import { useBrowserSite } from '../support/browser-site.js';
import { openServer } from '../support/server.js';
import { sqliteFaults } from '../support/store-faults.js';
import { createClassicDocument } from '../support/places.js';
import { createShootout, postSubmission } from '../support/submissions.js';
import { readReport } from '../support/shown-report.js';

/**
 * @import { BrowserContextOptions } from 'playwright-core'
 * @import { Tab } from '../support/browser-site.js'
 * @import { TestServer } from '../support/server.js'
 */

const RUN = '/?transports=ajax,sockjs&blocks=6&iterations=5&warmup=0&seed=1&autostart=1';
/** What can be saved soonest. */
const SHORTEST = '/countdown?iterations=1&kind=websocket&autostart=1';
const RUN_LIMIT_MS = 60_000;
const NOTE = 'In the evening.\nOthers streaming.';
const EVIL = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';
const PERMALINK = /^https?:\/\/[^/]+\/results\/[\w-]{16}(\?rtt=\d+)?$/;
/** A context of its own: its list is empty, nothing is cached. */
const FRESH = {};

const site = useBrowserSite();

/** @param {Tab} tab */
function drive(tab) {
  const { page } = tab;
  page.setDefaultTimeout(RUN_LIMIT_MS);
  /** @param {string} selector */
  const text = (selector) => page.locator(selector).innerText();
  /** @param {string} label */
  const field = (label) => page.locator('#save-words').getByLabel(label, { exact: true });
  const openWords = () => page.locator('#save-words').evaluate((fold) => fold.setAttribute('open', ''));
  /** Folded or not. @param {string} selector */
  const content = async (selector) => String(await page.locator(selector).textContent());
  return {
    ...tab,
    text,
    field,
    openWords,
    content,
    /** Waits for a run's end. */
    async offered() {
      await page.locator('#save').waitFor();
      await page.locator('#start-controls:enabled').waitFor({ state: 'attached' });
    },
    save: () => tab.press('Share'),
    /** Saves what is offered. @returns {Promise<{ permalink: string, deleteLink: string }>} */
    async saved() {
      await tab.press('Share');
      await page.locator('#save-done').waitFor();
      const deleteLink = await page.locator('#save-delete-links a').evaluate((link) => /** @type {any} */ (link).href);
      return { permalink: await text('#save-permalink'), deleteLink };
    },
    /** All that is shown of a shootout. */
    shown: async () => ({
      headline: await text('#verdict-headline'),
      detail: await text('#verdict-detail'),
      measured: await text('#measured'),
      bars: await text('#candidates'),
      rows: await content('#rows'),
      breakdown: await content('#breakdown-table'),
      setUps: await content('#set-ups'),
      trust: await content('#trust-facts'),
      charts: await page.locator('#result figure [role=img]').evaluateAll((all) => all.map((one) => one.ariaLabel)),
    }),
    history: () => page.locator('#history-runs li').allInnerTexts(),
  };
}

/**
 * @param {string} path
 * @param {(tab: ReturnType<typeof drive>) => Promise<unknown>} use
 * @param {BrowserContextOptions} [context]
 */
const withTab = (path, use, context = FRESH) => site.withTab(path, (tab) => use(drive(tab)), { context });

/**
 * Saves a run that was never measured.
 *
 * @param {object} [words]
 */
const post = async (words) => (await postSubmission(site.origin, { document: createShootout(), ...words })).answer;

/** That cannot be packed. */
const randomNote = () =>
  Array.from({ length: 60 }, () => Math.random().toString(36))
    .join(' ')
    .slice(0, 500);

/** @param {string} url */
const pathOf = (url) => url.replace(site.origin, '');

/**
 * A saved run, as the server has it.
 *
 * @param {string} permalink
 */
const runAt = async (permalink) =>
  (await fetch(permalink.replace('/results/', '/api/results/').replace(/\?.*/, ''))).json();

describe('a run that is saved with words', () => {
  /** @type {ReturnType<typeof drive>} */
  let saver;
  /** @type {{ permalink: string, deleteLink: string }} */
  let links;
  /** @type {Awaited<ReturnType<ReturnType<typeof drive>['shown']>>} */
  let shown;
  /** @type {string} */
  let noticeBefore;
  /** @type {string | null} */
  let privacyPath;
  before(async () => {
    saver = drive(
      await site.openTab(`${RUN}&label=San%20Francisco,%20cable`, {
        context: { permissions: ['clipboard-read', 'clipboard-write'] },
      }),
    );
    await saver.offered();
    noticeBefore = await saver.text('#save-form');
    privacyPath = await saver.page.locator('#save-terms a').getAttribute('href');
    shown = await saver.shown();
    await saver.openWords();
    await saver.field('Place').fill('San Francisco');
    await saver.field('Note').fill(NOTE);
    links = await saver.saved();
  });

  it('said beforehand that it becomes public, and where all that is stored is listed', () => {
    for (const words of ['public', 'without your IP address']) assert.ok(noticeBefore.includes(words), words);
    assert.equal(privacyPath, '/privacy');
  });

  it('has a link, which gets the focus, and cannot be saved once more', async () => {
    const { page, text, press } = saver;
    assert.match(links.permalink, PERMALINK);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'save-permalink');
    assert.equal(await page.locator('#save-campaign').getAttribute('href'), '/c/San%20Francisco%2C%20cable');
    assert.equal(await text('#save-button'), 'Shared');
    assert.equal(await page.locator('#save-button').isDisabled(), true);
    for (const [name, link] of [
      ['Copy link', links.permalink],
      ['Copy delete link', links.deleteLink],
    ]) {
      await press(name);
      await page.waitForFunction(async (expected) => (await navigator.clipboard.readText()) === expected, link);
    }
    assert.deepEqual(saver.complaints, []);
  });

  it('shows that link again after a reload, and offers nothing that was shared already', async () => {
    const { page, text } = saver;
    await page.reload();
    await page.locator('#save-done').waitFor();
    assert.equal(await text('#save-permalink'), links.permalink);
    assert.equal(await page.locator('#save-button').isDisabled(), true);
    const deleteLink = await page.locator('#save-delete-links a').evaluate((link) => /** @type {any} */ (link).href);
    assert.equal(deleteLink, links.deleteLink);
    const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
    assert.equal(kept.includes(links.deleteLink.split('#delete=')[1]), false);
  });

  it('is shown to somebody else as it was right after it was made', () =>
    withTab(pathOf(links.permalink), async ({ page, shown: shownThere, text, complaints }) => {
      await page.locator('#verdict-headline:not(:empty)').waitFor();
      assert.deepEqual(await shownThere(), shown);
      assert.match(await text('h1'), /^localhost, Chrome \d+$/);
      assert.match(await text('#run-facts'), /San Francisco, cable/);
      assert.equal(await text('#visitor-note'), NOTE);
      assert.match(await text('#run-facts'), /San Francisco[^]*Server\s+test, version/);
      assert.equal(await page.locator('#summary').isVisible(), false);
      assert.equal(await page.locator('#delete').isVisible(), false);
      assert.match(
        String(await page.locator('#run-again').getAttribute('href')),
        /^\/\?transports=ajax,sockjs&blocks=6&/,
      );
      const { document } = await runAt(links.permalink);
      assert.equal(document.trials.length, 12);
      assert.deepEqual(complaints, []);
    }));

  it('is in the list of this browser, to be opened and forgotten', async () => {
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
    // Its token is known here without the link.
    assert.equal(await page.locator('#delete').isVisible(), true);
    assert.equal(await page.locator('#delete-warning').isVisible(), false);
    await page.goto(`${site.origin}/results`);
    await press('Forget San Francisco, cable');
    assert.equal(await page.locator('#history').isVisible(), false);
    assert.match(await saver.text('#history-status'), /San Francisco, cable\./);
  });

  it('is deleted by its delete link, after a second press', () =>
    withTab(pathOf(links.deleteLink), async ({ page, press, text }) => {
      await press('Delete…');
      await press('Keep it');
      assert.equal(await page.locator('#delete-choice').isVisible(), false);
      assert.equal((await fetch(links.permalink)).status, 200);
      await press('Delete…');
      await press('Delete permanently');
      await page.locator('#deleted').waitFor();
      assert.match(await text('main'), /^Deleted\./);
      assert.equal(page.url(), links.permalink.replace(/\?.*/, ''));
      const answer = await page.reload();
      assert.equal(answer?.status(), 404);
      assert.match(await text('main'), /may have been deleted/);
    }));
});

describe('the page of a saved run', () => {
  it('shows whatever a visitor sends as text', async () => {
    const document = createShootout({
      environment: { url: 'http://localhost:8000/', userAgent: EVIL, isCrossOriginIsolated: true },
      statusBefore: { server: EVIL, location: EVIL, version: EVIL, worker: 0, workers: [], silentWorkerCount: 0 },
    });
    const short = EVIL.slice(0, 80);
    const { url } = await post({ document, label: short, note: EVIL, place: { name: short } });
    await withTab(url, async ({ page, text, content, complaints }) => {
      await page.locator('#verdict').waitFor();
      assert.equal(await text('#visitor-note'), EVIL);
      const facts = await text('#run-facts');
      for (const words of [short, `${EVIL}, ${EVIL}, version ${EVIL}`]) assert.ok(facts.includes(words), words);
      assert.ok((await content('#trust-facts')).includes(EVIL));
      assert.equal(await page.locator('main img').count(), 0);
      assert.ok((await page.title()).startsWith(`${short}: `), await page.title());
      assert.deepEqual(complaints, []);
    });
  });

  it('says so where the token is wrong, and deletes nothing', async () => {
    const { url } = await post();
    await withTab(`${url}#delete=wrong`, async ({ page, press, text }) => {
      assert.notEqual(await text('#delete-warning'), '');
      await press('Delete…');
      await press('Delete permanently');
      await page.locator('#delete-status:not(:empty)').waitFor();
    });
    assert.equal((await fetch(site.origin + url)).status, 200);
  });

  it('keeps what the server said where its samples cannot be had', async () => {
    const { url, digest } = await post();
    await withTab('/', async ({ page, text }) => {
      await page.route('**/api/results/*', (route) => route.abort());
      await page.goto(site.origin + url);
      await page.locator('#load-error:not(:empty)').waitFor();
      assert.ok((await text('#summary')).startsWith(digest.headline));
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('is marked where it cannot be true, and turns no text', async () => {
    const { url } = await post();
    await withTab('/', async ({ page, text, content }) => {
      await page.route('**/api/results/*', async (route) => {
        const run = await (await route.fetch()).json();
        run.document.environment.userAgent = 'Chrome\u202e/1';
        for (const trial of run.document.trials) trial.startedAtMs = 0;
        await route.fulfill({ json: run });
      });
      await page.goto(site.origin + url);
      await page.locator('#verdict').waitFor();
      const marks = await text('#contradictions');
      for (const path of ['environment.userAgent: ', 'trials.1.startedAtMs: ']) assert.ok(marks.includes(path), marks);
      assert.ok((await content('#trust-facts')).includes('Chrome /1'));
      assert.doesNotMatch(await text('main'), /\u202e/);
    });
  });

  it('says without JavaScript what was found', async () => {
    const { url, digest } = await post({ label: 'by hand' });
    await withTab(
      url,
      async ({ text }) => {
        const main = await text('main');
        for (const words of ['by hand', digest.headline, digest.detail]) {
          assert.ok(main.includes(words), words);
        }
      },
      { javaScriptEnabled: false },
    );
  });
});

describe('the form that saves', () => {
  it('loses nothing that was typed, whatever goes wrong', () =>
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
      // Saved, and its answer lost.
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

      // The next run is another one.
      await press('Measure again');
      await page.locator('#save').waitFor({ state: 'hidden' });
      await offered();
      assert.equal(await text('#save-button'), 'Share');
      assert.deepEqual([await field('Label').inputValue(), await text('#save-status')], ['', '']);
      assert.equal(await page.locator('#save-done').isVisible(), false);
    }));

  it('says that the store is full, and what to do, and shares the same run once there is room', async () => {
    const own = await openServer({ limits: { savesPerHour: 1e6 } });
    const undo = await sqliteFaults.fill(own.database);
    // Its last pages may have room for a run that is smaller than the visitor's.
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

  it('tells before it sends that a run is too large, and what to do', () =>
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
      assert.equal(await page.locator('#save-button').isDisabled(), true);
    }));

  it('saves a cancelled run, which is marked', () =>
    withTab(
      RUN.replace('blocks=6', 'blocks=200').replace('iterations=5', 'iterations=50'),
      async ({ page, stop, offered, saved, text }) => {
        await page.locator('#progress-text', { hasText: /Block [2-9]/ }).waitFor();
        await stop();
        await offered();
        const { permalink } = await saved();
        const { ending } = (await runAt(permalink)).document;
        assert.equal(ending.kind, 'cancelled');
        await page.goto(permalink);
        await page.locator('#verdict').waitFor();
        assert.equal(await text('#verdict-headline'), 'Stopped: no verdict');
        assert.equal(await text('#invalid'), `⚠ Invalid: ${quoteEnding(ending)}`);
      },
    ));
});

describe('what the old experiments found', () => {
  it('is saved from a classic page, all its runs at once, and shown with its log', () =>
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

  it('is saved from the count-down, until that is cleared', () =>
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

describe('the list of this browser', () => {
  const KEY = 'sockshootout/saved-runs/1';
  const entry = { id: 'AAAAAAAAAAAAAAAA', headline: EVIL, savedAt: '2026-11-21T07:00:00.000Z', deleteToken: 'x' };
  const other = { ...entry, id: 'BBBBBBBBBBBBBBBB', headline: 'second', label: EVIL };

  /**
   * @param {unknown} kept
   * @param {(tab: ReturnType<typeof drive>) => Promise<unknown>} use
   */
  const withKept = (kept, use) =>
    withTab('/', async (tab) => {
      await tab.page.evaluate(([key, text]) => localStorage.setItem(key, text), [KEY, JSON.stringify(kept)]);
      await tab.page.goto(`${site.origin}/results`);
      await use(tab);
    });

  it('shows what it keeps as text, and compares what is ticked, in that order', () =>
    withKept([entry, other], async ({ page, history, complaints }) => {
      const shown = await history();
      assert.ok(shown[0].startsWith(EVIL) && shown[1].startsWith(EVIL), shown.join());
      assert.equal(await page.locator('main img').count(), 0);
      const compare = page.locator('#history-compare');
      const boxes = page.locator('#history-runs input');
      await boxes.nth(1).check();
      assert.equal(await compare.isDisabled(), true);
      await boxes.nth(0).check();
      assert.deepEqual(complaints, []);
      const [request] = await Promise.all([page.waitForRequest('**/compare?*'), compare.click()]);
      assert.equal(pathOf(request.url()), `/compare?ids=${other.id},${entry.id}`);
    }));

  it('takes what is broken for nothing', () =>
    withKept([entry, null, 7, { id: '../x' }, { ...entry, headline: 7 }], async ({ page, history }) => {
      assert.equal((await history()).length, 1);
      await page.evaluate((key) => localStorage.setItem(key, '{'), KEY);
      await page.reload();
      assert.equal(await page.locator('#history').isHidden(), true);
    }));

  it('holds the last hundred', () =>
    withKept(
      Array.from({ length: 100 }, (_, index) => ({
        ...entry,
        id: `A${String(index).padStart(15, '0')}`,
        headline: `run ${index}`,
      })),
      async ({ page, history, offered, saved }) => {
        await page.goto(site.origin + SHORTEST);
        await offered();
        await saved();
        await page.goto(`${site.origin}/results`);
        const shown = await history();
        assert.equal(shown.length, 100);
        assert.match(shown[0], /^Mean time per message/);
        assert.match(shown[99], /^run 98/);
      },
    ));

  it('is not needed: where the browser keeps nothing, the form says that the delete link is all there is', () =>
    withTab('/', async ({ page, offered, saved, text, complaints }) => {
      await page.addInitScript('Object.defineProperty(window, "localStorage", { get() { throw new Error("no"); } })');
      await page.goto(site.origin + SHORTEST);
      await offered();
      const { permalink } = await saved();
      assert.match(permalink, PERMALINK);
      assert.match(await text('#save-kept'), /Copy it now/);
      assert.deepEqual(complaints, []);
    }));
});

describe('the runs of the experiments with plans of their own', () => {
  for (const path of [
    '/inflight?transports=fetch,sockjs&depths=1,4&blocks=2&seed=1&autostart=1',
    '/reach?silences=100&heartbeat=100&blocks=2&idle=0&seed=1&autostart=1',
    '/fixedrate?transports=fetch,sockjs&rate=200&messages=20&blocks=3&seed=1&autostart=1',
  ]) {
    it(`${path.split('?')[0]}: are saved, and shown to somebody else as they were`, () =>
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

describe('a site with PUBLIC_URL', () => {
  const PUBLIC_URL = 'https://shootout.example';
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer({ env: { PUBLIC_URL } });
  });
  after(() => server.close());

  /** @param {string} path @param {(tab: ReturnType<typeof drive>) => Promise<unknown>} use */
  const withPublicTab = (path, use) =>
    site.withTab(path, (tab) => use(drive(tab)), {
      origin: server.origin,
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });

  /** @param {ReturnType<typeof drive>} tab @param {string} button */
  async function copiedBy({ page, press }, button) {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await press(button);
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
    return page.evaluate(() => navigator.clipboard.readText());
  }

  it('begins with it the links that visitors give to others, wherever they found the site', async () => {
    await withPublicTab(SHORTEST, async (tab) => {
      await tab.offered();
      const { permalink, deleteLink } = await tab.saved();
      assert.match(permalink, /^https:\/\/shootout\.example\/results\/[\w-]{16}$/);
      assert.ok(deleteLink.startsWith(`${permalink}#delete=`), deleteLink);
    });
    await withPublicTab(RUN, async (tab) => {
      await tab.offered();
      await tab.page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
      assert.equal(
        await copiedBy(tab, 'Copy link to this plan'),
        PUBLIC_URL + RUN.replace('&seed=1&autostart=1', '&payload=0&seed=1'),
      );
    });
    const ids = [];
    for (const label of ['a', 'b']) {
      const { answer } = await postSubmission(server.origin, { document: createShootout(), label });
      ids.push(answer.id);
    }
    for (const [path, button] of [
      [`/results/${ids[0]}`, 'Copy link'],
      [`/compare?ids=${ids.join(',')}`, 'Copy link to this comparison'],
    ]) {
      await withPublicTab(path, async (tab) => assert.equal(await copiedBy(tab, button), PUBLIC_URL + path));
    }
  });
});
