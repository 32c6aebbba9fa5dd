/**
 * A full test: on the home page, which measures a page's two questions, and on its own page. In a real Chromium, against a
 * real server.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { createDocumentCheck } from '../../core/experiment/documents/check.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { SHARE_CARD } from '../../core/picture/share-card.js';
import { useBrowserSite } from '../support/browser-site.js';
import { fullTest } from '../support/full-tests.js';
import { createShootout } from '../support/submissions.js';
import { downloadRun } from '../support/download.js';
import { countWords, MAX_WORDS } from '../support/words.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Tab } from '../support/browser-site.js'
 */

const site = useBrowserSite();
const check = createDocumentCheck(v, [fullTest]);
const LIMIT_MS = 60_000;

/** Short plans of both parts of the home page. */
const ECHO = 'transports=ajax,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
const JOBS =
  'deliveries=poll,sockjs&intervals=50&users=1&jobs=2&arrangement=all&min=0&max=100&limit=3000&blocks=6&seed=7';
const LINK = `every=1000&uses=ajax&considers=sockjs&tests=shootout,jobs&shootout=${encodeURIComponent(ECHO)}&jobs=${encodeURIComponent(JOBS)}`;
/** A part that lasts until it is stopped. */
const LONG_ECHO = encodeURIComponent(ECHO.replace('blocks=6', 'blocks=200').replace('iterations=5', 'iterations=50'));
const LONG = LINK.replace(encodeURIComponent(ECHO), LONG_ECHO);

/** @param {Page} page */
async function decisionOf(page) {
  const headline = page.locator('#verdict-headline:not(:empty)');
  await headline.waitFor({ timeout: LIMIT_MS });
  return String(await headline.textContent());
}

/** @param {Page} page @returns {Promise<Record<string, any>>} the lines by experiment */
const linesOf = async (page) =>
  Object.fromEntries(
    await page.locator('#lines li').evaluateAll((items) =>
      items.map((item) => {
        const { experiment = '', mark } = /** @type {HTMLElement} */ (item).dataset;
        const textOf = (/** @type {string} */ name) => item.querySelector(`.${name}`)?.textContent ?? '';
        return [experiment, { mark, word: textOf('word'), figure: textOf('figure'), reason: textOf('reason') }];
      }),
    ),
  );

/** @param {Page} page @returns {Promise<any>} the document that it offers, checked */
async function download(page) {
  return check(JSON.parse(await downloadRun(page))).document;
}

/** The bars of the decision are as long as their figures, and begin where each other's do. @param {Page} page @param {any} bars */
async function assertBars(page, bars) {
  const drawn = await page
    .locator('.answer-card .answer-bars')
    .first()
    .evaluate((place) =>
      [...place.querySelectorAll('rect')].map((one) => ({
        left: one.getBoundingClientRect().left,
        width: one.getBoundingClientRect().width,
      })),
    );
  assert.equal(drawn.length, 2);
  assert.equal(drawn[0].left, drawn[1].left);
  assert.ok(Math.abs(drawn[1].width / drawn[0].width - bars[1].value / bars[0].value) < 0.01, JSON.stringify(drawn));
}

/** Moves a slider to one of its stops. @param {Page} page @param {string} id @param {number} share of its length */
const slide = (page, id, share) =>
  page.locator(id).evaluate((/** @type {HTMLInputElement} */ slider, to) => {
    slider.valueAsNumber = Math.round(Number(slider.max) * to);
    for (const type of ['input', 'change']) slider.dispatchEvent(new Event(type, { bubbles: true }));
  }, share);

/** @param {Tab} tab */
const stop = ({ page }) => page.locator('#cancel').evaluate((/** @type {HTMLElement} */ button) => button.click());

describe('the home page', () => {
  it('answers both questions at one press, in the first screen, and in few words', () =>
    site.withTab(`/?page=asks-and-sends&${LINK}`, async ({ page, complaints }) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('button', { name: /^Measure/ }).click();
      const decision = await decisionOf(page);
      const document = await download(page);
      const { report } = findingsOf(fullTest, document);
      assert.equal(decision, report.headline);
      assert.deepEqual(
        document.parts.map((/** @type {any} */ { experiment }) => experiment),
        ['shootout', 'jobs'],
      );
      const { shootout, jobs } = await linesOf(page);
      assert.match(shootout.figure, /^[\d.]+ ms (faster|slower|at most).*95% prediction interval( .* ms)?, 6 blocks$/);
      // A second and the round trip of users elsewhere, halved.
      assert.match(jobs.figure, /^0\.\d+ s sooner95% CI 0\.\d+–0\.\d+ s, 6 blocks$/);
      await assertBars(page, report.bars);
      assert.deepEqual([jobs.mark, jobs.word], ['better', 'Sooner']);
      assert.match(jobs.reason, /^SockJS: 9\d% fewer bytes/);
      assert.match(await page.locator('#result-notice').innerText(), /one machine/);
      const countIn = async (/** @type {string} */ part) =>
        (await page.locator(part).innerText()).split(/\s+/).filter(Boolean).length;
      // A busy machine has more warnings.
      const count = (await countIn('main')) - (await countIn('#trust > summary'));
      assert.ok(count <= MAX_WORDS, `${count} words`);
      // On a phone the cards stand below each other, and the first screen has that of news.
      for (const { last: name, ...size } of [
        { width: 1280, height: 800, last: 'shootout' },
        { width: 390, height: 844, last: 'jobs' },
      ]) {
        await page.setViewportSize(size);
        await page.locator('#verdict').scrollIntoViewIfNeeded();
        const heights = await page.evaluate((experiment) => {
          const top = Number(document.querySelector('#verdict')?.getBoundingClientRect().top);
          const last = document.querySelector(`#lines [data-experiment=${experiment}]`)?.getBoundingClientRect().bottom;
          return Number(last) - top;
        }, name);
        assert.ok(heights <= size.height, `${size.width}: ${heights} px`);
      }
      // The picture says for whom it holds, where the run was on one machine, too.
      await page.locator('#save-button').click();
      assert.match(
        await page.locator('#share-about').innerText(),
        /^The picture is predicted for users 100\sms away\.$/,
      );
      await page.locator('#share-close').click();
      // What a figure depends on is one press away.
      await page.getByRole('link', { name: 'change', exact: true }).click();
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'news');
      // The browser scrolls after it went back in its history.
      await page.waitForFunction(() => history.state?.isAnswer === false);
      await page.waitForFunction(() => {
        const { top, bottom } = /** @type {Element} */ (document.activeElement).getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      await page.getByRole('button', { name: 'Back to the result' }).click();
      await page.locator('#after:not([hidden]) #verdict').waitFor();
      assert.equal(await page.locator('#to-answer').isVisible(), false);
      assert.deepEqual(complaints, []);
    }));

  it('answers for other users, and keeps that in its link', () =>
    site.withTab(`/?page=asks-and-sends&${LINK}&autostart=1`, async ({ page }) => {
      const decision = await decisionOf(page);
      const ends = await page.locator('#rtt-choice small').allInnerTexts();
      assert.match(ends.join(), /^[\d.]+ ms,400 ms$/);
      await slide(page, '#interval', 1);
      assert.notEqual(await decisionOf(page), decision);
      // As many decimals as its interval is precise; half of the interval, and of the round trip.
      const seconds = parseFloat((await linesOf(page)).jobs.figure);
      assert.ok(seconds > 29 && seconds < 31, `${seconds} s`);
      assert.match(page.url(), /[?&]every=60000\b/);
      await slide(page, '#rtt', 1);
      assert.match(page.url(), /[?&]rtt=400\b/);
      assert.match(
        await page.locator('#verdict-eyebrow').innerText(),
        /400\sms away, whose page polls 60\ss after each answer/,
      );
      await page.reload();
      await decisionOf(page);
      assert.match(
        await page.locator('#verdict-eyebrow').innerText(),
        /400\sms away, whose page polls 60\ss after each answer/,
      );
      await page.goBack();
      await page.goForward();
      assert.ok(await decisionOf(page));
    }));

  it('opens the full result of each question, and keeps for which devices it answers', () =>
    site.withTab(`/?page=asks-and-sends&${LINK}&device=6x-slower&autostart=1`, async ({ page }) => {
      await decisionOf(page);
      assert.match(
        await page.locator('#verdict-eyebrow').innerText(),
        /^Predicted .* six times slower than the measuring one/,
      );
      await page.getByRole('link', { name: 'Being notified: full result' }).click();
      await page.locator('#part-jobs[open] table').first().waitFor();
      assert.ok(await page.locator('#part-jobs svg').count());
      await page.getByRole('link', { name: 'Sending a message: full result' }).click();
      await page.locator('#latency[open] #rows tbody tr').first().waitFor();
      const link = await page.locator('#next-link').getAttribute('href');
      assert.match(String(link), /^\/all\?page=asks-and-sends&every=1000.*&device=6x-slower/);
    }));

  it('measures what the page does, and no more', () =>
    site.withTab(`/?page=asks&jobs=${encodeURIComponent(JOBS)}`, async ({ page }) => {
      await page.getByRole('button', { name: /^Measure/ }).click();
      assert.match(
        await decisionOf(page),
        /^Probably use push for news \(SockJS\): users see it 0\.\d+ s sooner, with 9\d% fewer bytes\./,
      );
      assert.deepEqual(Object.keys(await linesOf(page)), ['jobs']);
      assert.equal(await page.locator('#curves').isVisible(), false);
      assert.equal(await page.locator('#rtt').isVisible(), true);
    }));

  it('says what is soon enough where news may be late', () =>
    site.withTab(`/?page=asks&late=2000&autostart=1&jobs=${encodeURIComponent(JOBS)}`, async ({ page }) => {
      assert.match(
        await decisionOf(page),
        /^Probably keep polling for news: every 1 s is soon enough, and every 2 s would do\. SockJS would save 9\d% of the bytes\./,
      );
    }));

  it('decides nothing when it is stopped, and keeps what was measured', () =>
    site.withTab(`/?page=asks-and-sends&${LONG}&autostart=1`, async (tab) => {
      const { page } = tab;
      await page.locator('#progress-text', { hasText: /Sending a message, 1 of 2\. Block [2-9]/ }).waitFor();
      await stop(tab);
      assert.match(await decisionOf(page), /^No decision: the run was stopped before sending a message was measured\./);
      assert.equal((await linesOf(page)).jobs.word, 'Stopped');
    }));

  it('shows nothing of a full test beside an echo run that is opened after it', () =>
    site.withTab(`/?page=asks&autostart=1&jobs=${encodeURIComponent(JOBS)}`, async ({ page }) => {
      await decisionOf(page);
      await page.getByRole('button', { name: 'Change options' }).click();
      const buffer = Buffer.from(JSON.stringify(createShootout()));
      await page.locator('#saved').setInputFiles({ name: 'echo.json', mimeType: 'application/json', buffer });
      await page.locator('#interval-axis svg').waitFor();
      assert.deepEqual(Object.keys(await linesOf(page)), ['shootout']);
      assert.doesNotMatch(await page.locator('#verdict-eyebrow').innerText(), /polls/);
      await page.locator('#charts > summary').click();
      await page.locator('#curves svg').waitFor();
      assert.equal(await page.locator('#delays').isVisible(), false);
      assert.equal(await page.locator('#choices').isVisible(), false);
    }));

  it('answers at the distances that the visitor lists, and keeps them in its link', () =>
    site.withTab(`/?page=asks-and-sends&${LINK}&autostart=1`, async ({ page }) => {
      await decisionOf(page);
      const listed = () =>
        page
          .locator('#distance-rows tbody th')
          .evaluateAll((heads) => heads.map((head) => parseFloat(String(head.textContent))));
      assert.deepEqual(await listed(), [20, 100, 230]);
      await page.locator('#distance-list > summary').click();
      const field = page.locator('#own-distances');
      await field.fill('5, nowhere');
      await field.press('Enter');
      assert.match(await page.locator('#distance-error').innerText(), /expected .* got/);
      assert.deepEqual(await listed(), [20, 100, 230]);
      await field.fill('300, 5');
      await field.press('Enter');
      assert.deepEqual(await listed(), [5, 100, 300]);
      assert.match(page.url(), /[?&]distances=5,300\b/);
      await page.reload();
      await decisionOf(page);
      assert.deepEqual(await listed(), [5, 100, 300]);
      assert.equal(await page.locator('#distance-rows [aria-current] th').count(), 1);
    }));
});

describe('the page of the full test', () => {
  it('tries again where the server did not answer', () =>
    site.withTab('/tests', async ({ page }) => {
      await page.route('**/status', (route) => route.abort());
      await page.goto(`${site.origin}/all?page=asks-and-sends&${LINK}`);
      await page.locator('#run-problem-text:not(:empty)').waitFor();
      assert.equal(await page.locator('#start').isEnabled(), false);
      await page.unroute('**/status');
      await page.getByRole('button', { name: 'Retry' }).click();
      assert.ok(await decisionOf(page));
    }));

  it('measures the chosen tests one after the other, and shows a line for each', () =>
    site.withTab(`/all?page=asks-and-sends&${LINK}`, async ({ page, complaints }) => {
      await page.locator('#start:text-matches("Measure, ")').waitFor();
      assert.deepEqual(
        await page.locator('[name=test]:checked').evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value'))),
        ['shootout', 'jobs'],
      );
      await page.getByRole('button', { name: /^Measure/ }).click();
      assert.ok(await decisionOf(page));
      const lines = await linesOf(page);
      assert.deepEqual([lines.shootout.mark, lines.jobs.mark].includes('none'), false);
      assert.deepEqual(await page.locator('.tests [data-experiment=jobs] .state').textContent(), 'Measured');
      assert.equal(await page.locator('#ask').isVisible(), false);
      const count = await countWords(page);
      assert.ok(count <= MAX_WORDS, `${count} words`);
      await page.getByRole('link', { name: 'Being notified: full result' }).click();
      await page.locator('#part-jobs[open] table').first().waitFor();
      await page.reload();
      assert.ok(await decisionOf(page));
      assert.deepEqual(await linesOf(page), lines);
      assert.deepEqual(complaints, []);
    }));

  it('says the answer in the title of its tab, and copies a picture of it, or downloads it', () =>
    site.withTab(
      `/all?page=asks-and-sends&${LINK}&autostart=1`,
      async ({ page }) => {
        const title = `${await decisionOf(page)} – SockShootout`;
        await page.waitForFunction((expected) => document.title === expected, title);
        await page.locator('#save-button').click();
        await page.locator('#copy-picture').click();
        await page.locator('#save-status', { hasText: 'Copied.' }).waitFor();
        const size = await page.evaluate(async () => {
          const [item] = await navigator.clipboard.read();
          const { width, height } = await createImageBitmap(await item.getType('image/png'));
          return { width, height };
        });
        assert.deepEqual(size, SHARE_CARD);
        await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
        for (const button of ['#download-picture', '#copy-picture']) {
          const [file] = await Promise.all([page.waitForEvent('download'), page.locator(button).click()]);
          assert.equal(file.suggestedFilename(), 'sockshootout.png');
          const bytes = await readFile(await file.path());
          assert.deepEqual([...bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
        }
      },
      { context: { permissions: ['clipboard-read', 'clipboard-write'] } },
    ));

  it('skips a test, and goes on with the next', () =>
    site.withTab(`/all?page=asks-and-sends&${LONG}&autostart=1`, async ({ page }) => {
      await page.locator('#progress-text', { hasText: /Sending a message, 1 of 2\. Block [2-9]/ }).waitFor();
      assert.match(await page.title(), /^\d+% – SockShootout$/);
      await page.locator('#skip').evaluate((/** @type {HTMLElement} */ button) => button.click());
      assert.match(await decisionOf(page), /^No decision: sending a message was skipped/);
      const { shootout, jobs } = await linesOf(page);
      assert.deepEqual([shootout.word, jobs.mark], ['Skipped', 'better']);
    }));

  it('folds what few change into a line, which opens by the keyboard, and where a link has other values', () =>
    site.withTab('/all', async ({ page }) => {
      const [fold, summary] = ['#needs', '#needs > summary'].map((selector) => page.locator(selector));
      const isOpen = () => fold.evaluate((details) => details.hasAttribute('open'));
      assert.equal(await isOpen(), false);
      assert.match(
        await summary.innerText(),
        /^There is news every 30 s; your users should see it as soon as possible\. They notice .* 20 ms .* Change$/,
      );
      await summary.press('Enter');
      await page.locator('#late').selectOption('1000');
      assert.match(await summary.innerText(), /; your users may see it up to 1 s late/);
      await page.goto(`${site.origin}/all?page=asks&every=5000`);
      await page.locator('#start:text-matches("Measure, ")').waitFor();
      assert.equal(await isOpen(), false);
      await page.goto(`${site.origin}/all?news=5000`);
      await page.locator('#needs[open]').waitFor();
      assert.match(await summary.innerText(), /news every 5 s/);
    }));

  it('says what is wrong with a link', () =>
    site.withTab('/all?tests=nothing&autostart=1', async ({ page }) => {
      await page.locator('#form-error:not(:empty)').waitFor();
      assert.match(await page.locator('#form-error').innerText(), /^The plan in this link is invalid: tests: expected/);
      assert.equal(await page.locator('#start').isEnabled(), true);
    }));
});
