import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { openPart } from '../../core/experiment/run/open-run.js';
import { classic } from '../../core/experiments/classic/index.js';
import { formatClassic, formatNotes } from '../../core/experiments/classic/report.js';
import { summarize } from '../../core/experiments/classic/summary.js';
import { useBrowserSite } from '../support/browser-site.js';
import { parseLog } from '../support/classic.js';
import { assertComplaint } from '../support/complaint.js';
import { assertOneClock } from '../support/sample-times.js';
import { countWords, MAX_WORDS } from '../support/words.js';
import { downloadRun } from '../support/download.js';

/** @import { Tab } from '../support/browser-site.js' */

/**
 * What the page exports.
 *
 * @param {Tab} tab
 */
async function downloadResult({ page }) {
  return summarize(openPart(classic, JSON.parse(await downloadRun(page))));
}

const site = useBrowserSite();
const { withTab } = site;

for (const [path, protocol] of [
  ['/ajaxtest', 'http/1.1'],
  ['/socktest', 'websocket'],
]) {
  describe(path, () => {
    describe('after its buttons', () => {
      const BUTTONS = /** @type {[string, number[]][]} */ ([
        ['10', [10]],
        ['All three', [10, 100, 1000]],
      ]);
      /** @type {Tab} */
      let tab;
      /** @type {string[]} what each has added to the log */
      const logs = [];
      before(async () => {
        tab = await site.openTab(path);
        let runCount = 0;
        for (const [name, iterations] of BUTTONS) {
          const before = await tab.log();
          await tab.press(name);
          runCount += iterations.length;
          await tab.idleAfter(runCount);
          logs.push((await tab.log()).slice(before.length).trimStart());
        }
      });

      it('has printed the lines of 2012', () => {
        for (const [index, [name, iterations]] of BUTTONS.entries()) {
          assert.deepEqual(parseLog(logs[index]), iterations, name);
        }
        assert.deepEqual(tab.complaints, []);
      });

      it('has the rate of the last run as its headline', async () => {
        const headline = await tab.page.locator('#answer').innerText();
        assert.match(headline, / [\d.,]+ messages per second over .+, 1,000 iterations$/);
      });

      it('shows few words, and its details folded', async () => {
        assert.ok((await countWords(tab.page)) <= MAX_WORDS);
        assert.equal(await tab.page.locator('#run-details').getAttribute('open'), null);
      });

      it('shows in its details protocol, set-up, steady rate, percentiles, samples, failures', async () => {
        const rows = (await tab.rows()).slice(-3);
        assert.deepEqual(
          rows.map((cells) => [cells[0], cells[1], cells[7], cells[8]]),
          [10, 100, 1000].map((n) => [String(n), protocol, n.toLocaleString('en'), '0']),
        );
        for (const [index, [, , setUp, rate, p50, p95, p99]] of rows.entries()) {
          assert.match(setUp, path === '/socktest' ? /^\d+\.\d$/ : /^(reused|\d+\.\d)$/);
          assert.ok(Number(rate) > 0 && Number(p50) > 0);
          // 10 samples cannot tell a p95, nor fewer than 100 a p99.
          assert.deepEqual([p95 === '–', p99 === '–'], [index === 0, index === 0]);
        }
        const result = await downloadResult(tab);
        assert.ok(Number(result.environment.stepMs) > 0);
        assert.equal(await tab.page.locator('#notes').textContent(), formatNotes(result));
        // 10 by its button, and all lengths by theirs.
        assert.match(
          await tab.page.locator('#result-conditions').innerText(),
          / localhost over .* ms\. 1,120 messages, 0 /,
        );
      });
    });

    it('says without JavaScript what it needs', () =>
      withTab(
        path,
        async (tab) => {
          assert.match(await tab.page.locator('main').innerText(), /needs JavaScript/);
          assert.equal(await tab.page.getByRole('button', { name: 'Measure' }).isDisabled(), true);
        },
        { context: { javaScriptEnabled: false } },
      ));

    it('loads its program and at most a library, from here alone, and no file twice', () =>
      withTab(
        path,
        async (tab) => {
          await tab.page.waitForLoadState('networkidle');
          const loaded = await tab.page.evaluate(() =>
            performance.getEntriesByType('resource').map(({ name }) => name),
          );
          const scripts = loaded.filter((url) => url.endsWith('.js'));
          const [files, libraries] = [false, true].map((isLibrary) =>
            scripts
              .map((url) => url.split('/assets/')[1].split('/').slice(1))
              .filter(([folder]) => (folder === 'vendor') === isLibrary),
          );
          assert.deepEqual(files.map(([, name]) => name).sort(), [`${path.slice(1)}.js`, 'opening.js'].sort());
          // SockJS is a script, and a module that imports it.
          assert.ok(
            libraries.every(([, name]) => name.startsWith('sockjs')),
            String(libraries),
          );
          assert.ok(
            loaded.every((url) => url.startsWith(`${site.origin}/assets/`)),
            loaded.join('\n'),
          );
          assert.deepEqual(loaded, [...new Set(loaded)]);
        },
        { context: {} },
      ));
  });
}

// Both have the same form, log and exports: what these do is held of one of them.
describe('a classic page', () => {
  it('has a button for each length of 2012, which fills its field', () =>
    withTab('/ajaxtest', async ({ page, press }) => {
      for (const length of ['10', '100', '1000']) {
        await press(length);
        assert.equal(await page.getByLabel('Iterations', { exact: true }).inputValue(), length);
      }
    }));

  it('runs what its field says, by mouse and by Enter', () =>
    withTab('/ajaxtest', async (tab) => {
      await tab.page.getByLabel('Iterations', { exact: true }).fill('7');
      await tab.press('Measure');
      await tab.idleAfter(1);
      await tab.page.getByLabel('Iterations', { exact: true }).fill(' 8 ');
      await tab.page.keyboard.press('Enter');
      await tab.idleAfter(2);
      assert.deepEqual(parseLog(await tab.log()), [7, 8]);
    }));

  it('can be used with the keyboard alone, and leaves the focus where it was', () =>
    withTab('/ajaxtest', async (tab) => {
      await tab.page.getByRole('button', { name: '10', exact: true }).focus();
      await tab.page.keyboard.press('Enter');
      await tab.idleAfter(1);
      // From the preset that started, over the others and the field.
      for (let i = 0; i < 5; i++) await tab.page.keyboard.press('Tab');
      for (const runCount of [2, 3]) {
        await tab.page.keyboard.press('Space');
        await tab.idleAfter(runCount);
      }
      assert.deepEqual(parseLog(await tab.log()), [10, 10, 10]);
    }));

  it('says beside the field what is wrong with it, and starts nothing', () =>
    withTab('/ajaxtest', async (tab) => {
      const field = tab.page.getByLabel('Iterations', { exact: true });
      for (const text of ['0', '100001', '1.5', 'many', '']) {
        await field.fill(text);
        await tab.press('Measure');
        assertComplaint(await tab.page.locator('#iterations-error').innerText(), 'Iterations', text || 'nothing');
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
      }
      assert.equal(await tab.log(), '');
      await field.fill('3');
      await tab.press('Measure');
      await tab.idleAfter(1);
      assert.equal(await tab.page.locator('#iterations-error').innerText(), '');
      assert.equal(await field.getAttribute('aria-invalid'), null);
    }));

  it('runs by link, as soon as it is opened; its own link repeats the test', () =>
    withTab('/ajaxtest?iterations=3,5&autostart=1', async (tab) => {
      await tab.idleAfter(2);
      assert.deepEqual(parseLog(await tab.log()), [3, 5]);
      assert.equal(
        await tab.page.getByRole('link', { name: 'Link to this test' }).getAttribute('href'),
        '?iterations=3,5&autostart=1',
      );
    }));

  it('waits for Measure where the link does not say autostart', () =>
    withTab('/ajaxtest?iterations=4', async (tab) => {
      await tab.page.locator('#start-controls:enabled').waitFor();
      assert.equal(await tab.log(), '');
      await tab.press('Measure');
      await tab.idleAfter(1);
      assert.deepEqual(parseLog(await tab.log()), [4]);
    }));

  it('says what is wrong with a link, and starts nothing', () =>
    withTab('/ajaxtest?iterations=10,x&autostart=1', async (tab) => {
      await tab.page.locator('#iterations-error:not(:empty)').waitFor();
      assert.equal(await tab.log(), '');
    }));

  it('shows its log again after a reload and Back, goes on in one file, and keeps nothing after Clear', () =>
    withTab('/ajaxtest', async (tab) => {
      const { page, press, idleAfter } = tab;
      await press('10');
      await idleAfter(1);
      const [before, rows] = [await tab.log(), await tab.rows()];
      await page.reload();
      await idleAfter(1);
      assert.equal(await tab.log(), before);
      assert.deepEqual(await tab.rows(), rows);
      await press('100');
      await idleAfter(2);
      const log = await tab.log();
      assert.ok(log.startsWith(before.trimEnd()));
      assert.deepEqual(parseLog(log), [10, 100]);
      const result = await downloadResult(tab);
      assert.equal(result.runs.map(formatClassic).join(), log.match(/Finished.*/g)?.join());
      assertOneClock(classic.formatCsv({ schema: classic.schema, ...result }));

      await page.goto(`${site.origin}/privacy`);
      await page.goBack();
      await idleAfter(2);
      assert.equal(await tab.log(), log);
      await press('Clear');
      assert.equal(await tab.log(), '');
      await page.reload();
      await page.locator('#start-controls:enabled').waitFor();
      assert.equal(await tab.log(), '');
      assert.equal(await page.locator('#exports').isVisible(), false);
    }));

  it('copies Markdown and saves JSON with every sample and the environment', () =>
    withTab(
      '/ajaxtest',
      async (tab) => {
        await tab.press('100');
        await tab.idleAfter(1);
        const line = (await tab.log()).trim().split('\n')[1];

        await tab.unfold('#exports');
        await tab.press('Copy Markdown');
        await tab.page.getByText('Copied.').waitFor();
        const markdown = await tab.page.evaluate(() => navigator.clipboard.readText());
        assert.ok(markdown.includes(line), markdown);
        assert.ok(markdown.includes('Server: test,'), markdown);

        await tab.unfold('#exports');
        const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.press('Download JSON')]);
        assert.match(download.suggestedFilename(), /^sockshootout-\w+-[\dTZ-]+\.json$/);
        const document = JSON.parse(await readFile(await download.path(), 'utf8'));
        assert.equal(document.schema, 'sockshootout/classic/2');
        const result = summarize(openPart(classic, document));
        assert.equal(result.environment.isCrossOriginIsolated, true);
        assert.match(result.environment.userAgent, /Chrome/);
        const [run] = result.runs;
        assert.equal(formatClassic(run), line);
        assert.equal(run.trial.protocol, 'http/1.1');
        assert.equal(run.trial.samples.roundTripMs.length, 100);
        assert.ok(run.trial.samples.roundTripMs.every((/** @type {number} */ ms) => ms > 0));
      },
      { context: { permissions: ['clipboard-read', 'clipboard-write'] } },
    ));

  it('says that it has finished', () =>
    withTab('/ajaxtest', async ({ page, press, idleAfter }) => {
      await press('10');
      await idleAfter(1);
      assert.equal(await page.locator('#progress-text').innerText(), 'Finished');
    }));
});

describe('/ajaxtest', () => {
  it('says where no connection had to be opened, and what a new one costs', () =>
    withTab('/ajaxtest', async (tab) => {
      await tab.press('10');
      await tab.idleAfter(1);
      await tab.press('10');
      await tab.idleAfter(2);
      assert.equal((await tab.rows())[1][2], 'reused');
      const result = await downloadResult(tab);
      assert.ok(Number(result.coldSetUpMs) > 0);
      const notes = String(await tab.page.locator('#notes').textContent());
      assert.match(notes, new RegExp(`\\b${Number(result.coldSetUpMs).toFixed(1)} ms\\b`));
      assert.equal(notes, formatNotes(result));
    }));
});

describe('/socktest', () => {
  for (const transport of [
    'xhr-streaming',
    'eventsource',
    'iframe-eventsource',
    'iframe-xhr-polling',
    'xhr-polling',
    'jsonp-polling',
  ]) {
    it(`can carry an echo over ${transport} from a page that is cross-origin isolated`, () =>
      withTab('/socktest', async (tab) => {
        await tab.page.waitForFunction(() => window.SockJS);
        const answer = await tab.page.evaluate(
          (name) =>
            new Promise((resolve, reject) => {
              // By itself it gives a fallback up whose frame takes long to load.
              const socket = new window.SockJS('/echo', null, { transports: name, timeout: 20_000 });
              socket.onopen = () => socket.send('{"count":1}');
              socket.onmessage = ({ data }) => {
                resolve([/** @type {any} */ (socket).transport, data, window.crossOriginIsolated]);
                socket.close();
              };
              socket.onclose = ({ code, reason }) => reject(new Error(`${code} ${reason}`));
            }),
          transport,
        );
        assert.deepEqual(answer, [transport, '{"count":2}', true]);
      }));
  }
});

describe('/socktest while its session opens', () => {
  it('says that it is connecting', () =>
    withTab(
      '/socktest',
      async (tab) => {
        /** @type {() => void} */
        let goOn = () => {};
        const held = new Promise((resolve) => (goOn = () => resolve(undefined)));
        await tab.page.route('**/echo/info*', async (route) => {
          await held;
          await route.continue();
        });
        await tab.press('10');
        await tab.page.getByText('Connecting', { exact: true }).waitFor();
        goOn();
        await tab.page.getByText('Finished', { exact: true }).waitFor();
        assert.deepEqual(parseLog(await tab.log()), [10]);
      },
      { context: {} },
    ));
});
