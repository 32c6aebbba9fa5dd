/**
 * The result on the home page, also of a saved file: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';

import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { describeSpeed } from '../../core/experiments/shootout/speed-words.js';
import { modelOf, speedAt } from '../../core/experiments/shootout/distance-model.js';
import { overflowOf } from '../support/axe.js';
import { createEcho } from '../support/full-tests.js';
import { SHORT, SHORTEST, useHome } from '../support/home.js';
import { createShootout } from '../support/submissions.js';

/**
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { Home } from '../support/home.js'
 */

const { openHome, site, withHome } = useHome();

describe('the result on the home page', () => {
  it('is shown again after a reload and after Back, but not on a new visit', async () => {
    await withHome(`${SHORTEST}&autostart=1`, async ({ page, verdict }) => {
      const headline = await verdict();
      await page.reload();
      assert.equal(await verdict(), headline);
      await page.goto(`${site.origin}/how-it-works`);
      await page.goBack();
      assert.equal(await verdict(), headline);
      await page.goto(`${site.origin}/`);
      await page.locator('#start').waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('is left by Back and reached by Forward, also after a reload', async () => {
    await withHome(`${SHORTEST}&autostart=1`, async ({ page, verdict, press }) => {
      const headline = await verdict();
      const question = page.locator('#ask:not([hidden])');
      const answer = page.locator('#after:not([hidden])');
      const isAtAnswer = async () => {
        await answer.waitFor();
        assert.equal(await verdict(), headline);
      };
      await page.goBack();
      await question.waitFor();
      await page.goForward();
      await isAtAnswer();
      await page.locator('#round-trips summary').click();
      await page.waitForURL(/#round-trips$/);
      await page.reload();
      await isAtAnswer();
      await page.goBack();
      await question.waitFor();
      await page.reload();
      await page.locator('#start:enabled:text-matches("about")').waitFor();
      assert.equal(await answer.count(), 0);
      await page.goForward();
      await isAtAnswer();
      // A link within the result does not leave it.
      await page.evaluate(() => location.assign('#after'));
      await page.waitForFunction(() => history.state !== null);
      await isAtAnswer();
      await page.goBack();
      await press('Change options');
      await question.waitFor();
      await page.waitForFunction(() => !history.state?.isAnswer);
    });
  });

  it('is replaced by the result of Measure again', async () => {
    await withHome(`${SHORTEST}&autostart=1`, async ({ page, verdict, report, press }) => {
      await verdict();
      const first = (await report()).result.startedAt;
      await page.locator('#exports').evaluate((menu) => menu.removeAttribute('open'));
      await page.locator('#measured').evaluate((text) => text.replaceChildren());
      await press('Measure again');
      await page.locator('#measured:not(:empty)').waitFor({ state: 'attached' });
      assert.notEqual((await report()).result.startedAt, first);
      assert.equal(await page.locator('#curves svg').count(), 1);
    });
  });
});

describe('a run of a linked plan', () => {
  /** @type {Home} */
  let home;
  /** @type {{ plan: Plan } & Record<'isLinked' | 'isResultVisible', boolean>} */
  let untilStart;
  before(async () => {
    home = await openHome(SHORT);
    const { page, ready, plan, verdict } = home;
    await ready();
    untilStart = {
      plan: await plan(),
      isLinked: await page.locator('[name=preset][value=linked]').isChecked(),
      isResultVisible: await page.locator('#result').isVisible(),
    };
    await page.getByRole('button', { name: /^Measure/ }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await verdict();
  });

  it('shows that plan, and waits for Measure', () => {
    assert.ok(untilStart.isLinked);
    assert.deepEqual(untilStart.plan, parsePlan(shootout, new URLSearchParams(SHORT)));
    assert.equal(untilStart.isResultVisible, false);
    assert.equal(new URL(home.page.url()).search, SHORT);
  });

  it('is not stopped by a second press of Enter, and moves the focus to the verdict', async () => {
    assert.match(await home.text('#verdict-headline'), /^SockJS .* at 100 ms round-trip time \(predicted\)\.$/);
    await home.page.locator('#verdict-headline:focus').waitFor();
  });

  it('shows the latency breakdown and the connection setup', async () => {
    const heads = (/** @type {string} */ table) => home.page.locator(`${table} tbody th`).allTextContents();
    assert.deepEqual(await heads('#breakdown-table'), ['Distance', 'jQuery', 'HTTP', 'SockJS as a whole']);
    assert.deepEqual(await heads('#set-ups'), ['AJAX', 'XHR', 'WebSocket', 'SockJS']);
  });

  it('defines a word of a table at a press of a key', async () => {
    const { page } = home;
    await page.locator('#latency').evaluate((fold) => fold.setAttribute('open', ''));
    const note = page.locator('#term-percentile');
    assert.equal(await note.isVisible(), false);
    await page.locator('#rows thead .term', { hasText: 'p50' }).press('Enter');
    assert.match(await note.innerText(), /^Percentile: .*median/);
    await page.keyboard.press('Escape');
    assert.equal(await note.isVisible(), false);
  });

  it('predicts for the round-trip time that is chosen, and adds that to its link', async () => {
    const { page, text, report } = home;
    const model = modelOf(await report()) ?? assert.fail();
    const slider = page.getByRole('slider', { name: 'Users’ round-trip time' });
    await slider.press('ArrowRight');
    const rttMs = Number(new URL(page.url()).searchParams.get('rtt'));
    assert.ok(rttMs > 100 && rttMs < 120, String(rttMs));
    const words = describeSpeed(speedAt(model, rttMs));
    assert.equal(await text('#verdict-headline'), words.headline);
    assert.equal(await text('#verdict-detail'), words.remark);
    assert.equal(await slider.getAttribute('aria-valuetext'), `${rttMs} ms`);
    await slider.press('ArrowLeft');
  });

  it('exports every sample as CSV, and the verdict as Markdown', async () => {
    const { page, download, press, unfold, report } = home;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { verdict } = await report();
    const lines = (await readFile((await download('Download CSV')).file, 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, 1 + 6 * 4 * 5);

    await unfold('#exports');
    await press('Copy Markdown');
    await page.locator('#export-status', { hasText: 'Copied.' }).waitFor();
    assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(`${verdict.headline}.`));
    await unfold('#exports');
    await press('Copy link to this plan');
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('http'));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.origin}/${SHORT}`);
  });

  it('looks the same when its file is opened', async () => {
    const { page, text, rows, download, report } = home;
    await report();
    const shown = { measured: await text('#measured'), rows: await rows(), trust: await text('#trust-facts') };
    const { file, name } = await download('Download JSON');
    assert.match(name, /^sockshootout-[\dTZ-]+\.json$/);

    await page.goto(site.origin);
    await page.locator('#options-summary').click();
    await page.locator('#saved').setInputFiles(file);
    await page.locator('#verdict').waitFor();
    assert.deepEqual(
      { measured: await text('#measured'), rows: await rows(), trust: await text('#trust-facts') },
      shown,
    );
    assert.match(await text('#result-origin'), /: measured at http/);
  });
});

describe('a file that is opened as a saved result', () => {
  it('fits the smallest phone, however slow the path or the machine was', async () => {
    await withHome('', async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      for (const [ajaxMs, sockjsMs] of [
        [123, 110],
        [905, 3914],
        [2509, 501],
      ]) {
        const buffer = Buffer.from(JSON.stringify(createEcho({ ajaxMs, sockjsMs })));
        await page.locator('#saved').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer });
        await page.locator('#verdict .answer-bars', { hasText: String(ajaxMs) }).waitFor();
        assert.ok((await overflowOf(page)) <= 0, `${ajaxMs} and ${sockjsMs} ms`);
      }
    });
  });

  it('is shown with a mark where it contradicts itself, also in UTF-16', async () => {
    const document = createShootout();
    for (const trial of document.trials) trial.startedAtMs = 0;
    await withHome('', async ({ page, text }) => {
      await page.locator('#options-summary').click();
      const buffer = Buffer.from(`\ufeff${JSON.stringify(document)}`, 'utf16le');
      await page.locator('#saved').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer });
      await page.locator('#verdict').waitFor();
      const origin = await text('#result-origin');
      assert.ok(origin.includes('trials.1.startedAtMs: '), origin);
    });
  });

  it('is refused where its schema is missing', async () => {
    await withHome('', async ({ page, text }) => {
      await page.locator('#options-summary').click();
      await page
        .locator('#saved')
        .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
      await page.locator('#saved-error', { hasText: 'run: schema: ' }).waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
      assert.match(
        await text('#saved-error'),
        /: expected one of sockshootout\/run\/1, sockshootout\/full-test\/1, got none\. Choose another file\.$/,
      );
    });
  });

  it('is refused without the browser’s error message where it cannot be read', async () => {
    await withHome('', async ({ page, text }) => {
      await page.evaluate(() => (Blob.prototype.arrayBuffer = () => Promise.reject(new Error('NotReadable'))));
      await page.locator('#options-summary').click();
      const file = { name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
      await page.locator('#saved').setInputFiles(file);
      await page.locator('#saved-error:not(:empty)').waitFor();
      assert.equal(await text('#saved-error'), 'The file cannot be shown. Choose another file.');
    });
  });
});
