import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { formatPlan, parsePlan } from '../../core/experiment/plan/plan-link.js';
import { createDocumentCheck } from '../../core/experiments/all.js';
import { jobs } from '../../core/experiments/jobs/index.js';
import { describeJobsPlan } from '../../core/experiments/jobs/plan.js';
import { createSocketQueue } from '../../public/js/run/socket-queue.js';
import { useBrowserSite } from '../support/browser-site.js';
import { assertComplaint } from '../support/complaint.js';
import { expectReport, readReport, rowsOf } from '../support/shown-report.js';
import { downloadRun } from '../support/download.js';

/**
 * @import { Locator, Page } from 'playwright-core'
 * @import { JobsDocument } from '../../core/experiments/jobs/schema.js'
 * @import { Tab } from '../support/browser-site.js'
 */

/** Every delivery method, over in a few seconds; a job is late only where something has stopped. */
const ALL =
  'deliveries=poll,long-poll,sse,socket-per-job,push,sockjs&intervals=25&users=3&jobs=3&arrangement=all&min=0&max=200&limit=20000&blocks=1';
const SHORT = 'deliveries=poll,push&intervals=25&users=2&jobs=2&min=0&max=50&limit=20000&blocks=1&seed=3';

const METHOD = 'Delivery method';

const site = useBrowserSite();

/** @param {Page} page @param {string} table */
const cellsOf = (page, table) =>
  page
    .locator(`${table} tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent))));

/** The labels of those that are marked. @param {Locator} form */
const wrongFieldsOf = (form) =>
  form
    .locator('[aria-invalid=true]')
    .evaluateAll((fields) =>
      fields.map((field) => String(/** @type {HTMLInputElement} */ (field).labels?.[0].textContent).trim()),
    );

/** What is said of a run, on its own page as on the one that made it. @param {Page} page */
const shownOn = async (page) => ({
  report: await readReport(page),
  estimate: await cellsOf(page, '#capacity-rows'),
});

/** @param {Page} page @returns {Promise<string>} what the picture of the jobs says first, once a run shows it */
async function labelOfLiveJobs(page) {
  const label = await page.waitForFunction(() => {
    const cells = document.querySelector('#live-jobs:not([hidden]) #live-cells');
    return cells?.getAttribute('aria-label')?.includes('notified') && cells.getAttribute('aria-label');
  });
  return String(await label.jsonValue());
}

/**
 * @param {Tab} tab
 * @returns {Promise<JobsDocument>} what it shows
 */
async function downloadFrom({ page }) {
  return JSON.parse(await downloadRun(page));
}

describe('a linked plan, by every delivery method', () => {
  const url = `/polltest?${ALL}&seed=7`;
  /** @type {Tab} */
  let tab;
  /** @type {Awaited<ReturnType<typeof shownOn>>} */
  let shown;
  before(async () => {
    tab = await site.openTab(url);
  });

  it('shows its jobs while it is carried out, and then the figures of every delivery method', async () => {
    const { page, press, complaints } = tab;
    // The wait begins before the run, which is so short that a busy machine would look for its jobs too late.
    const [live] = await Promise.all([labelOfLiveJobs(page), press('Measure')]);
    const [count, ...states] = [...live.slice(live.indexOf(': ')).matchAll(/\d+/g)].map(Number);
    assert.deepEqual([count, states.length, states.reduce((sum, state) => sum + state)], [9, 4, 9], live);
    await page.locator('#result-headline:focus').waitFor();
    assert.equal(page.url(), site.origin + url);
    for (const part of ['#live', '#live-jobs']) assert.equal(await page.locator(part).isVisible(), false, part);
    shown = await shownOn(page);
    const [costs, rows] = shown.report.tables.map(rowsOf);
    assert.deepEqual(
      rows.map((row) => [row[METHOD], row.Protocol, row.Notified, row.Late, row.Failed]),
      [
        ['Polling every 25 ms', 'http/1.1', '9', '0', '0'],
        ['Long polling', 'http/1.1', '9', '0', '0'],
        ['EventSource', 'http/1.1', '9', '0', '0'],
        ['A WebSocket per job', 'websocket', '9', '0', '0'],
        ['One WebSocket per user', 'websocket', '9', '0', '0'],
        ['One SockJS connection per user', 'websocket', '9', '0', '0'],
      ],
    );
    assert.deepEqual(
      costs.map((row) => row[METHOD]),
      rows.map((row) => row[METHOD]),
    );
    for (const row of costs) assert.match(row['kB per job'], /^[\d.]+$/);
    // Nine long polls at once, and six connections.
    assert.ok(shown.report.notes.some((note) => note.startsWith('Long polling: all users ')));
    assert.deepEqual(complaints, []);
  });

  it('brings the result to the top of the window, where all tables fit', async () => {
    const { page } = tab;
    const topPx = await page.locator('#result-headline').evaluate((headline) => headline.getBoundingClientRect().top);
    assert.ok(topPx >= 0 && topPx < 32, `${topPx} px from the top`);
    await tab.unfold('#result details');
    for (const table of await page.locator('#result .scroll').all()) {
      const overPx = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.equal(overPx, 0, String(await table.getAttribute('aria-label')));
    }
  });

  it('exports a document that passes the check, and shows its report', async () => {
    const document = await downloadFrom(tab);
    assert.equal(createDocumentCheck(valibot)(document).experiment.name, 'jobs');
    assert.equal(document.environment.url, `${site.origin}/polltest`);
    assert.deepEqual([formatPlan(jobs, document.plan), document.ending], [`${ALL}&seed=7`, undefined]);
    assert.deepEqual(shown.report, expectReport(jobs, document));
    assert.equal(shown.report.heading, 'No verdict yet: 1 of 6 blocks.');
  });

  it('is saved, and its own page says the same', async () => {
    const { page, press, complaints } = tab;
    await press('Share');
    await press('Share and copy link');
    const permalink = page.locator('#save-permalink');
    await permalink.and(page.locator(':focus')).waitFor();
    await permalink.click();
    await page.locator('#run-again').waitFor();
    assert.match(page.url(), /\/results\//);
    assert.deepEqual(await shownOn(page), shown);
    assert.equal(await page.locator('#run-again').getAttribute('href'), url);
    assert.deepEqual(complaints, []);
  });

  it('has a capacity estimate there, as one types; wrong input is named', async () => {
    const { page } = tab;
    await tab.unfold('#capacity-section');
    const capacity = page.locator('#capacity');
    const error = page.locator('#capacity-error');
    assert.deepEqual(
      shown.estimate.map(([way]) => way),
      [
        ...[METHOD, 'Polling every 500 ms', 'Long polling', 'EventSource', 'A WebSocket per job'],
        ...['One WebSocket per user', 'One SockJS connection per user'],
      ],
    );
    // 1000 users with 10 jobs each, a POST and a poll for each job of at most 200 ms.
    assert.equal(shown.estimate[1][1], '20,000');
    await capacity.getByLabel('Your users').fill('2000');
    assert.equal((await cellsOf(page, '#capacity-rows'))[1][1], '40,000');
    await capacity.getByLabel('Poll interval, in milliseconds').fill('9');
    assertComplaint(await error.innerText(), 'Poll interval, in milliseconds', 9);
    assert.deepEqual(await cellsOf(page, '#capacity-rows tbody'), []);
    assert.deepEqual(await wrongFieldsOf(capacity), ['Poll interval, in milliseconds']);
    await capacity.getByLabel('Poll interval, in milliseconds').fill('1000');
    assert.equal(await error.innerText(), '');
    assert.deepEqual(await wrongFieldsOf(capacity), []);
    assert.equal((await cellsOf(page, '#capacity-rows'))[1][0], 'Polling every 1000 ms');
  });
});

describe('the page of poll or push', () => {
  it('keeps what a link says and no control shows, until the visitor changes something', async () => {
    await site.withTab('/polltest?users=1&jobs=4&blocks=12&looks=4,6,9&spread=even', async ({ page }) => {
      await page.locator('#start-controls:enabled').waitFor();
      const query = async () => new URLSearchParams(String(await page.locator('#plan-link').getAttribute('href')));
      assert.deepEqual([(await query()).get('looks'), (await query()).get('spread')], ['4,6,9', 'even']);
      await page.getByText('Options', { exact: true }).click();
      await page.getByLabel('Blocks').fill('3');
      assert.deepEqual([(await query()).has('looks'), (await query()).has('spread')], [false, false]);
    });
  });

  it('makes a plan from its fields or from a preset, and a link to it', async () => {
    await site.withTab('/polltest', async ({ page, press }) => {
      await page.locator('#start-controls:enabled').waitFor();
      const link = page.locator('#plan-link');
      const assertPlanIsSaid = async () => {
        const plan = parsePlan(jobs, new URLSearchParams(String(await link.getAttribute('href'))), { seed: 0 });
        assert.ok(plan);
        assert.equal(await page.locator('#plan').innerText(), describeJobsPlan(plan));
      };
      // It starts with the quick preset, and its button says how long that takes.
      assert.match(await page.locator('#plan').innerText(), / 6 blocks of .* one SockJS /);
      assert.match(await page.locator('#start').innerText(), /\d\d–\d\d s$/);
      await page.getByText('Options', { exact: true }).click();
      const chosen = page.locator('[aria-pressed=true]');
      assert.deepEqual(await chosen.allInnerTexts(), ['Quick (default)']);
      await press('As in 2018');
      assert.deepEqual(await chosen.allInnerTexts(), ['As in 2018']);
      await page.getByLabel('Long polling').check();
      await page.getByLabel('Users', { exact: true }).fill('5');
      await page.getByLabel('Poll intervals, in milliseconds').fill('100, 1000');
      assert.match(
        String(await link.getAttribute('href')),
        /^\?deliveries=poll,long-poll,socket-per-job,push&intervals=1000,100&users=5&jobs=10&arrangement=sequential&min=0&max=10000&limit=11000&blocks=1&seed=\d+$/,
      );
      await assertPlanIsSaid();
      assert.deepEqual(await chosen.allInnerTexts(), []);
      await press('Quick (default)');
      assert.match(
        String(await link.getAttribute('href')),
        /^\?deliveries=poll,push,sockjs&intervals=500&users=4&jobs=5&arrangement=all&min=0&max=1000&limit=11000&blocks=6&seed=\d+$/,
      );
      assert.equal(await page.getByLabel('Long polling').isChecked(), false);
      await press('As in 2018');
      assert.equal(await page.getByLabel('Poll intervals, in milliseconds').inputValue(), '500,250');
      await assertPlanIsSaid();
      assert.match(await page.locator('#plan').innerText(), /, one after the other\. /);
      assert.match(await page.locator('#start').innerText(), / min$/);
      await page.getByLabel('all at once').check();
      assert.match(await page.locator('#start').innerText(), /\d\d? s$/);
    });
  });

  it('refuses a wrong link, and wrong fields, by name', async () => {
    await site.withTab('/polltest?min=9&max=5&autostart=1', async ({ page, press }) => {
      await page.locator('#start-controls:enabled').waitFor();
      const error = page.locator('#form-error');
      const [what, complaint] = (await error.innerText()).split(/: (.+)/);
      assert.match(what, /plan in this link/);
      assertComplaint(complaint, 'min', 9);
      for (const [label, value] of [
        ['Poll intervals, in milliseconds', '5'],
        ['Users', '1001'],
      ]) {
        const field = page.getByLabel(label, { exact: true });
        if (!(await field.isVisible())) await page.getByText('Options', { exact: true }).click();
        const before = await field.inputValue();
        await field.fill(value);
        assertComplaint(await error.innerText(), label, value);
        await press('Measure');
        await field.and(page.locator(':focus')).waitFor();
        assert.deepEqual(await wrongFieldsOf(page.locator('#run-form')), [label]);
        await field.fill(before);
        assert.deepEqual(await wrongFieldsOf(page.locator('#run-form')), []);
      }
      for (const box of await page.locator('[name=deliveries]').all()) await box.uncheck();
      await press('Measure');
      assert.equal(await error.innerText(), 'Choose at least one delivery method.');
      await page.getByLabel('Polling', { exact: true }).and(page.locator(':focus')).waitFor();
      assert.equal(await page.locator('#progress-text').innerText(), 'Not started');
    });
  });

  it('keeps what was measured when it is cancelled by keyboard, on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const plan = 'deliveries=push,sockjs&users=5&jobs=10&min=0&max=6000&limit=60000&blocks=1&seed=1';
    const use = async (/** @type {Tab} */ { page }) => {
      await page.locator('#progress-text:focus', { hasText: /^Trial 1 of 2: .*, [1-9]\d* of 50\b/ }).waitFor();
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok((await overflow()) <= 0, `${await overflow()} px too wide while it runs`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('#result-ending', { hasText: 'The run was stopped.' }).waitFor();
      assert.equal(await page.locator('#result-headline').innerText(), 'Stopped: no verdict');
      assert.match(await page.locator('#result-words').innerText(), /: [1-9]\d* of 50 jobs were open /);
      assert.equal(await page.locator('#capacity-section').isVisible(), false);
      assert.equal((await readReport(page)).tables[0].cells.length, 1);
      for (const part of ['#live', '#live-jobs']) assert.equal(await page.locator(part).isVisible(), false, part);
      assert.ok((await overflow()) <= 0, `${await overflow()} px too wide after it`);
    };
    await site.withTab(`/polltest?${plan}&autostart=1`, use, { context: phone });
  });

  it('shows what blocked requests make of each delivery method', async () => {
    await site.withTab(`/polltest?${SHORT}`, async (tab) => {
      const { page, press } = tab;
      await page.route(/\/(job|traffic)(\?|\/|$)/, (route) => route.abort());
      await page.locator('#start-controls:enabled').waitFor();
      await press('Measure');
      await page.locator('#result-headline:focus').waitFor();
      const shown = await readReport(page);
      assert.deepEqual(
        rowsOf(shown.tables[1]).map((row) => [row[METHOD], row.Notified, row.Failed]),
        [
          ['Polling every 25 ms', '0', '4'],
          ['One WebSocket per user', '4', '0'],
        ],
      );
      const document = await downloadFrom(tab);
      for (const { trafficFault } of document.trials) assert.equal(trafficFault, 'unread');
      assert.deepEqual(shown, expectReport(jobs, document));
      const words = shown.sentences.join('\n');
      assert.match(words, /: 4 of 4 jobs failed: .+ \(4\)\./);
      for (const row of rowsOf(shown.tables[2])) assert.match(row['Bytes sent per job'], /^not measured: /);
    });
  });
});

describe('sockets that wait for their turn', () => {
  /** A queue of sockets that open and close when they are told to. */
  function createOpener() {
    const queue = createSocketQueue();
    /** @type {any[]} */
    const opened = [];
    const ask = (/** @type {string} */ name) =>
      queue(() => {
        const socket = { name, readyState: 0, close() {} };
        opened.push(socket);
        return /** @type {any} */ (socket);
      });
    return { ask, opened, names: () => opened.map(({ name }) => name).join('') };
  }

  it('are opened four at a time, in the order in which they were asked for', () => {
    const { ask, opened, names } = createOpener();
    const [first] = [...'abcdefg'].map(ask);
    assert.equal(names(), 'abcd');
    /** @type {string[]} */
    const events = [];
    first.onopen = () => events.push('open');
    first.onmessage = ({ data }) => events.push(data);
    opened[0].onopen({});
    assert.equal(names(), 'abcde');
    opened[0].onmessage({ data: 'told' });
    assert.deepEqual(events, ['open', 'told']);
    // It has made room already.
    opened[0].onclose({});
    assert.equal(names(), 'abcde');
    opened[1].onerror({});
    opened[1].onclose({});
    assert.equal(names(), 'abcdef');
  });

  it('are never opened when they were given up before', async () => {
    const { ask, opened, names } = createOpener();
    const sockets = [...'abcdef'].map(ask);
    const closed = new Promise((resolve) => (sockets[4].onclose = resolve));
    sockets[4].close();
    assert.equal(sockets[4].readyState, 3);
    await closed;
    opened[0].onopen({});
    assert.equal(names(), 'abcdf');
  });
});
