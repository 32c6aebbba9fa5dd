/**
 * Saved runs side by side as their visitor sees them: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { cut } from '../../core/base/format.js';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import shootout from '../../core/experiments/shootout/index.js';
import { formatBeside, MAX_BESIDE } from '../../core/experiment/run/names.js';
import { compareRuns, formatMarkdown } from '../../core/matrix/comparison.js';
import { tellDifference } from '../../core/matrix/differences.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { findViolations, overflowOf } from '../support/axe.js';
import { useBrowserSite } from '../support/browser-site.js';
import { createClassicDocument, createPlaceRun } from '../support/places.js';
import { readSavedDocument } from '../support/saved-documents.js';
import { postSubmission } from '../support/submissions.js';
import { countWords, MAX_WORDS } from '../support/words.js';

/** @import { Tab, Visit } from '../support/browser-site.js' */

const site = useBrowserSite();

const SCRIPT = '<img src=x onerror="globalThis.isHacked=1"><script>isHacked=1</script>';
/** What the page draws: the rates by place, all figures side by side, and what is said beside the chart. */
const RATES = '#compared-tables > .scroll:first-of-type table';
const FIGURES = '#compared-tables details .scroll:first-of-type table';
const SENTENCES = '#compared-charts section p';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** @param {object} submission */
async function save(submission) {
  const { status, answer } = await postSubmission(site.origin, submission);
  assert.equal(status, 201, JSON.stringify(answer));
  return answer.id;
}

/**
 * @param {string} path
 * @param {(view: ReturnType<typeof drive>) => Promise<unknown>} use
 * @param {Visit} [visit]
 */
const withPage = (path, use, visit) => site.withTab(path, (tab) => use(drive(tab)), visit);

/** @param {Tab} tab */
function drive(tab) {
  const { page } = tab;
  return {
    ...tab,
    /** Waits until all that is computed of the samples is there. */
    drawn: () => page.locator('#compared').waitFor(),
    /** @param {string} selector @returns {Promise<string>} */
    text: async (selector) => (await page.locator(selector).innerText()).replaceAll('\n', ' '),
    /** @param {string} selector of rows @returns {Promise<string[][]>} their cells */
    cells: (selector) =>
      page
        .locator(selector)
        .evaluateAll((rows) =>
          rows.map((row) => [...row.children].map((cell) => String(cell.firstChild?.textContent ?? ''))),
        ),
  };
}

describe('/compare', () => {
  /** The same server from three places, in one of which AJAX adds more, by a plan of its own. */
  const RUNS = {
    local: {
      document: createPlaceRun({ distanceMs: 0.5, origin: 'http://localhost:8000' }),
      place: { name: 'Frankfurt' },
      label: 'three',
    },
    far: {
      document: createPlaceRun({ distanceMs: 158 }),
      place: { name: 'San Francisco' },
      label: 'three',
    },
    other: {
      document: createPlaceRun({ distanceMs: 40, addsMs: { ajax: 22.4, sockjs: 0.4 }, plan: { blocks: 8 } }),
      place: { name: SCRIPT },
      label: 'three',
    },
  };
  /** @type {Record<keyof typeof RUNS, string>} */
  let ids;
  before(async () => {
    ids = { local: await save(RUNS.local), far: await save(RUNS.far), other: await save(RUNS.other) };
  });

  /** What is to be said of them. @param {...keyof typeof RUNS} names the first is what the others are set against */
  function compare(...names) {
    const comparison = compareRuns(
      shootout,
      names.map((name, index) => ({
        ...RUNS[name],
        id: ids[name],
        number: index + 1,
        digest: digestOf(shootout, RUNS[name].document),
      })),
    );
    const [{ sentences = [] }] = comparison.charts;
    return { ...comparison, sentences, captions: comparison.sides.map(({ number, name }) => `${number}. ${name}`) };
  }

  it('sets localhost beside other places: tables, prediction, chart, and what differs', () =>
    withPage(`/compare?ids=${ids.local},${ids.far},${ids.other}`, async ({ page, drawn, cells, complaints }) => {
      await drawn();
      const comparison = compare('local', 'far', 'other');
      const { sides, captions, differences, warnings } = comparison;
      assert.deepEqual(captions, ['1. Frankfurt', '2. San Francisco', `3. ${cut(SCRIPT, MAX_BESIDE)}`]);
      const plan = tellDifference(differences[0], ['Frankfurt', 'San Francisco', SCRIPT]);
      const title = formatBeside(sides.map((side) => side.name));
      assert.ok((await page.title()).startsWith(title), await page.title());
      assert.deepEqual([warnings, await page.locator('#warnings').isVisible()], [[], false]);
      assert.equal(await page.locator('#answer').innerText(), comparison.matrix.sentence);
      assert.deepEqual(await page.locator('#differs li').allInnerTexts(), [
        'Frankfurt measured fra-1, Frankfurt, on localhost; the others measured fra-1, Frankfurt.',
        `${plan.lead} ${plan.words}`,
      ]);
      assert.match(`${plan.lead} ${plan.words}`, /^Run 3 ran .*; the others ran /);
      assert.deepEqual(await page.locator('#same li').allInnerTexts(), [
        'Browser: Chrome 147.',
        'Protocols: http/1.1: AJAX; websocket: SockJS.',
      ]);

      const rates = await cells(`${RATES} tbody tr`);
      assert.deepEqual(
        rates.slice(0, 3).map(([place, floorMs]) => [place, floorMs]),
        captions.map((caption, i) => [caption, ['0.5', '158', '40'][i]]),
      );
      assert.deepEqual([rates[0][3], rates[3][3]], ['1111', '2146']);

      const figures = Object.fromEntries(
        (await cells(`${FIGURES} tbody tr`)).map(([figure, ...values]) => [figure, values]),
      );
      assert.equal(await page.locator(FIGURES).isVisible(), false);
      assert.deepEqual(figures['Round-trip time, ms'], ['0.5', '158', '40']);
      assert.deepEqual(figures['SockJS overhead, ms'], ['0.40', '0.40', '0.40']);
      assert.deepEqual(figures['Visitor’s place'], ['Frankfurt', 'San Francisco', SCRIPT]);
      assert.deepEqual(figures['Complete'], ['yes', 'yes', 'yes']);

      const [, ...deviations] = comparison.sentences;
      assert.deepEqual((await page.locator(SENTENCES).allInnerTexts()).slice(1), deviations);
      assert.equal(deviations.length, 2);
      assert.match(deviations[0], /: as predicted\./);
      assert.match(deviations[1], / \d+% higher\./);
      assert.equal(await page.locator('#compared-charts circle').count(), captions.length);
      const names = await page.locator('#compared-charts .name').allTextContents();
      for (const caption of captions)
        assert.ok(
          // One in two lines has no space between them.
          names.some((name) => name.replaceAll(' ', '').startsWith(caption.replaceAll(' ', '').slice(0, 17))),
          `${caption}: ${names}`,
        );
      assert.deepEqual(complaints, []);
    }));

  it('says that nothing but the place differs where that is so, and predicts from whichever is first', () =>
    withPage(`/compare?ids=${ids.far},${ids.local}`, async ({ page, drawn, text }) => {
      await drawn();
      assert.equal(await page.locator('#warnings').isVisible(), false);
      const deviations = page.locator(SENTENCES);
      const fromFar = compare('far', 'local').sentences;
      assert.deepEqual(await deviations.allInnerTexts(), fromFar);
      assert.equal(await text('h1'), 'San Francisco compared with Frankfurt');
      assert.match(fromFar[1], /^2\. Frankfurt: at 0\.5 ms/);
      await page.getByRole('link', { name: 'Predict from this run: 2. Frankfurt' }).click();
      await drawn();
      assert.equal(new URL(page.url()).search, `?ids=${ids.local},${ids.far}`);
      assert.deepEqual(await deviations.allInnerTexts(), compare('local', 'far').sentences);
      await page.getByRole('link', { name: 'Remove 1. Frankfurt' }).click();
      assert.equal(await text('h1'), 'Frankfurt from San Francisco, Chrome 147');
    }));

  it('shows what visitors and their browsers say as text, with the policy in force', async () => {
    const document = createPlaceRun({ distanceMs: 5, userAgent: SCRIPT, server: SCRIPT, location: SCRIPT });
    const words = { label: SCRIPT.slice(0, 80), note: SCRIPT, place: { name: SCRIPT } };
    const id = await save({ document, ...words });
    const path = `/compare?ids=${ids.local},${id}`;
    const response = await fetch(site.origin + path);
    assert.match(String(response.headers.get('content-security-policy')), /default-src 'self'/);
    await withPage(path, async ({ page, drawn, cells, complaints }) => {
      await drawn();
      const figures = Object.fromEntries(
        (await cells(`${FIGURES} tbody tr`)).map(([title, ...values]) => [title, values]),
      );
      assert.deepEqual(
        ['Browser', 'Label', 'Visitor’s place', 'Server'].map((title) => figures[title][1]),
        [SCRIPT, words.label, SCRIPT, `${SCRIPT}, ${SCRIPT}`],
      );
      for (const other of [path, '/results', `/c?label=${encodeURIComponent(words.label)}`]) {
        await page.goto(site.origin + other);
        if (other === path) await drawn();
        assert.ok((await page.locator('main').innerText()).includes(words.label), other);
        assert.equal(await page.locator('main img, main script').count(), 0, other);
        assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).isHacked), undefined);
      }
      assert.deepEqual(complaints, []);
    });
  });

  it('joins classic runs to the tables of 2012', async () => {
    const far = { origin: 'https://lon.example.org', server: 'lon-1', location: 'London' };
    const runs = /** @type {const} */ ([
      [10, 100],
      [100, 400],
    ]);
    const [ajax, sockjs, farAjax] = [
      await save({ document: createClassicDocument({ transport: 'ajax', runs }) }),
      await save({
        document: createClassicDocument({
          transport: 'sockjs',
          runs: [
            [10, 50],
            [100, 80],
          ],
        }),
      }),
      await save({
        document: createClassicDocument({ transport: 'ajax', runs, ...far }),
        place: { name: 'California' },
      }),
    ];
    await withPage(`/compare?ids=${ajax},${sockjs},${farAjax}`, async ({ drawn, text, cells, complaints }) => {
      await drawn();
      assert.equal(await text('h1'), formatBeside(['localhost', 'London from California']));
      const rows = await cells(`${RATES} tbody tr`);
      assert.deepEqual(
        rows.map(([place, numbers]) => [place, numbers]),
        [
          ['localhost', '1 and 2'],
          ['localhost', '1 and 2'],
          ['London from California', '3'],
          ['London from California', '3'],
        ],
      );
      assert.deepEqual(
        rows.slice(0, 2).map((row) => row.slice(4)),
        [
          ['10', '100', '200', '2.00x', '78.1', '141', '1.80x'],
          ['100', '250', '1250', '5.00x', '299', '1408', '4.72x'],
        ],
      );
      assert.deepEqual(rows[2].slice(4, 8), ['10', '100', '–', '–']);
      assert.deepEqual(complaints, []);
    });
  });

  it('is reached by ticking runs in the list, and goes along as Markdown, CSV and link', () =>
    withPage(
      '/results?label=three',
      async ({ page, press, drawn, text }) => {
        for (const box of [1, 2]) await page.locator('#runs input').nth(box).check();
        await press('Compare');
        await drawn();
        assert.equal(new URL(page.url()).search, `?ids=${ids.far},${ids.local}`);

        await page.getByText('Export', { exact: true }).click();
        await press('Copy Markdown');
        await page.getByText('Copied.').waitFor();
        const markdown = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(markdown, formatMarkdown(compare('far', 'local'), page.url()));
        assert.ok(markdown.includes('| Round-trip time, ms | 158 | 0.5 |'), markdown);
        // The menu closes at each choice.
        await page.getByText('Export', { exact: true }).click();
        await press('Copy link to this comparison');
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());

        await page.getByText('Export', { exact: true }).click();
        const [download] = await Promise.all([page.waitForEvent('download'), press('Download CSV')]);
        const csv = await readFile(await download.path(), 'utf8');
        assert.deepEqual(
          csv
            .trimEnd()
            .split('\r\n')
            .map((line) => line.split(',')[1]),
          ['id', ids.far, ids.local],
        );
        assert.match(await text('#export-status'), /sockshootout-comparison\.csv/);
      },
      { context: { permissions: ['clipboard-read', 'clipboard-write'] } },
    ));

  it('does not show an error of the browser’s', () =>
    withPage('/results', async ({ page, drawn, text }) => {
      await page.route(`**/api/results/${ids.far}`, (route) => route.fulfill({ json: { document: null } }));
      await page.goto(`${site.origin}/compare?ids=${ids.local},${ids.far}`);
      await drawn();
      assert.equal(await text('#compare-status'), 'Run 2 cannot be read. Reload the page.');

      await page.route(`**/api/results/${ids.local}`, async (route) => {
        const run = await (await route.fetch()).json();
        await route.fulfill({ json: { ...run, digest: null } });
      });
      await page.goto(`${site.origin}/compare?ids=${ids.local},${ids.other}`);
      await page.locator('#compare-status:text-matches("cannot be shown")').waitFor();
      assert.equal(await text('#compare-status'), 'The comparison cannot be shown. Reload the page.');
    }));

  for (const { name } of EXPERIMENTS) {
    it(`${name}: first the runs, then what is the same, then its charts, then short tables; the rest is folded`, async () => {
      const { document } = readSavedDocument(`${name}-whole`);
      const runs = [
        await save({ document, place: { name: 'Bonn' } }),
        await save({ document, place: { name: 'Köln' } }),
      ];
      await withPage(`/compare?ids=${runs}`, async ({ page, drawn, complaints }) => {
        await drawn();
        const charts = '#compared figure:not([hidden]), #compared .heat';
        await page.locator(charts).first().waitFor();
        // Those of a run with several names are its own; a heat map, and a curve with a dot for each run, are of all.
        const chartCount = ['payload', 'shootout', 'classic'].includes(name) ? 1 : runs.length;
        assert.equal(await page.locator(charts).count(), chartCount);
        const order = await page
          .locator(`#same, #matrix, ${charts}, #compared table:not(.heat), #compared-tables details`)
          .evaluateAll((all) =>
            all.filter((one) => one.checkVisibility()).map((one) => one.id || one.className || one.tagName),
          );
        const parts = order.map((part) => (/figures/.test(part) ? 'table' : part));
        assert.deepEqual(parts.slice(0, 2), ['matrix', 'same']);
        assert.match(parts[2], /^(heat wide|FIGURE)$/);
        assert.match(parts[2 + chartCount], /^(table|DETAILS)$/);
        const rest = parts.slice(2 + chartCount);
        assert.ok(!rest.slice(rest.indexOf('DETAILS')).includes('table'), parts.join());
        const wordCount = await countWords(page);
        // The name, the answers, the figures and the settings of each run, and how a stream was sent, stand in its rows, in words.
        assert.ok(wordCount <= MAX_WORDS + 50 * runs.length, `${wordCount} words`);
        assert.deepEqual(complaints, []);
      });
    });
  }

  it('payload: shows on the smallest phone that the heat map goes on, until its end', async () => {
    const { document } = readSavedDocument('payload-whole');
    const runs = [await save({ document, place: { name: 'Bonn' } }), await save({ document, place: { name: 'Köln' } })];
    const context = { ...PHONE, viewport: { width: 320, height: 640 } };
    await withPage(
      `/compare?ids=${runs}`,
      async ({ page, drawn }) => {
        await drawn();
        const heads = await page.locator('.heat thead tr:first-child th').allInnerTexts();
        assert.deepEqual(heads, ['Size', 'Upload', 'Download', 'Echo']);
        const map = page.locator('.shaded');
        const shadeOf = () => map.evaluate((place) => getComputedStyle(place, '::after').backgroundImage);
        await page.locator('.shaded.has-more').waitFor();
        // Above the cells, which have a colour.
        assert.match(await shadeOf(), /gradient/);
        await map.locator('.scroll').evaluate((scroll) => scroll.scrollTo(scroll.scrollWidth, 0));
        await page.locator('.shaded:not(.has-more)').waitFor();
        assert.equal(await shadeOf(), 'none');
        assert.ok((await overflowOf(page)) <= 0);
        assert.deepEqual(await findViolations(page), []);
      },
      { context },
    );
  });

  it('says which run could not be read, and shows the others', () =>
    withPage('/results', async ({ page, drawn, text, cells }) => {
      await page.route(`**/api/results/${ids.far}`, (route) =>
        route.fulfill({ status: 503, json: { error: { message: 'Busy' } } }),
      );
      await page.goto(`${site.origin}/compare?ids=${ids.local},${ids.far},${ids.other}`);
      await drawn();
      assert.match(await text('#compare-status'), /^Run 2 [^.]*\. Busy\./);
      assert.deepEqual((await cells(`${FIGURES} thead tr`))[0].slice(0, 2), ['Figure', '1. Frankfurt']);
      assert.match((await cells(`${FIGURES} thead tr`))[0][2], /^3\. /);

      await page.goto(`${site.origin}/compare?ids=${ids.far},${ids.local}`);
      await page.locator('#compare-status:text-matches("Busy")').waitFor();
      assert.equal(await page.locator('#compared').isVisible(), false);
    }));

  it('has the runs in words without JavaScript, and says what is missing', () =>
    withPage(
      `/compare?ids=${ids.local},${ids.far}`,
      async ({ page }) => {
        const { sides } = compare('local', 'far');
        assert.deepEqual(
          sides.map(({ summary }) => summary.verdict.name),
          ['faster', 'same'],
        );
        const headlines = sides.map(({ report }) => report.headline);
        assert.deepEqual(await page.locator('#matrix .headline').allInnerTexts(), headlines);
        assert.ok(await page.locator('#compare noscript').isVisible());
      },
      { context: { javaScriptEnabled: false } },
    ));
});
