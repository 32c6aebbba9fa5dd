import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { formatMs } from '../../core/base/format.js';
import { classic } from '../../core/experiments/classic/index.js';
import { formatClassic } from '../../core/experiments/classic/report.js';
import { formatNotes } from '../../core/experiments/classic/report.js';
import { summarize } from '../../core/experiments/classic/summary.js';
import { useBrowserSite, withoutWebSockets } from '../support/browser-site.js';
import { assertComplaint } from '../support/complaint.js';
import { spawnServer } from '../support/server.js';
import { assertOneClock } from '../support/sample-times.js';
import { countWords, MAX_WORDS } from '../support/words.js';
import { downloadRun } from '../support/download.js';

/** @import { Tab } from '../support/browser-site.js' */

/** For 1,110 messages on a busy machine: nothing takes nearly as long. */
const RUN_ALL_LIMIT_MS = 120_000;

/**
 * Reads a log of finished runs, each `start!` and one line, and makes every line again from its iterations and its time.
 *
 * @param {string} log
 * @returns {number[]} the iterations of each run
 */
function parseLog(log) {
  const lines = log.trimEnd().split('\n');
  return lines.flatMap((line, index) => {
    if (index % 2 === 0) {
      assert.equal(line, 'start!');
      return [];
    }
    const [iterations, seconds] = (line.match(/\d+(\.\d+)?/g) ?? []).map(Number);
    assert.ok(seconds >= 0.001, line);
    const trial = /** @type {any} */ ({ iterations, samples: { iteration: [] }, failures: [] });
    assert.equal(line, formatClassic({ trial, clickedAtMs: 0, elapsedMs: Math.round(seconds * 1000) }));
    return [iterations];
  });
}

/**
 * What the page exports.
 *
 * @param {Tab} tab
 */
async function downloadResult({ page }) {
  return summarize(JSON.parse(await downloadRun(page)));
}

const site = useBrowserSite();
const { withTab } = site;

/** A server whose long runs are still running when a test looks. */
const spawnSlowServer = () => spawnServer({}, { program: 'test/support/slow-server.js' });
const slow = spawnSlowServer();
const slowOrigin = slow.origin();
after(() => slow.stop());

/** As `withTab`, on the slow server. @param {string} path @param {(tab: Tab) => Promise<unknown>} use */
const withSlowTab = async (path, use) => withTab(path, use, { origin: await slowOrigin });

/** Starts a run that does not end by itself, and waits until it measures. @param {Tab} tab */
async function measureForLong({ page, press }) {
  await page.getByLabel('Iterations', { exact: true }).fill('100000');
  await press('Measure');
  await page.waitForFunction(() => parseInt(String(document.querySelector('#progress-text')?.textContent)) > 20);
}

// First, as SockJS keeps a fallback's session for 5 s after its end, and the process would wait for that.
describe('/socktest', () => {
  it('names the fallback that it got where WebSocket is blocked, and what that costs', () =>
    withoutWebSockets(({ origin }) =>
      withTab(
        '/socktest',
        async (tab) => {
          await tab.press('10');
          await tab.press('Measure');
          await tab.idleAfter(1);
          const [cells] = await tab.rows();
          assert.deepEqual([cells[1], cells[7], cells[8]], ['xhr-streaming', '10', '0']);
          assert.match(String(await tab.page.locator('#notes').textContent()), /SockJS fell back.*25 ms/);
        },
        { origin },
      ),
    ));

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

for (const [path, protocol] of [
  ['/ajaxtest', 'http/1.1'],
  ['/socktest', 'websocket'],
]) {
  describe(path, () => {
    describe('after each of its buttons', () => {
      const BUTTONS = /** @type {[string, number[]][]} */ ([
        ['10', [10]],
        ['100', [100]],
        ['1000', [1000]],
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
          await tab.press('Measure');
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
        assert.match(headline, / [\d.,]+ messages per second over .+, 1000 iterations$/);
      });

      it('shows few words, and its details folded', async () => {
        assert.ok((await countWords(tab.page)) <= MAX_WORDS);
        assert.equal(await tab.page.locator('#run-details').getAttribute('open'), null);
      });

      it('shows in its details protocol, set-up, steady rate, percentiles, samples, failures', async () => {
        const rows = (await tab.rows()).slice(-3);
        assert.deepEqual(
          rows.map((cells) => [cells[0], cells[1], cells[7], cells[8]]),
          [10, 100, 1000].map((n) => [String(n), protocol, String(n), '0']),
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
        // Each length by its button, and all of them by the last one.
        assert.match(
          await tab.page.locator('#result-conditions').innerText(),
          / localhost over .* ms\. 2,220 messages, 0 /,
        );
      });
    });

    it('runs what its field says, by mouse and by Enter', () =>
      withTab(path, async (tab) => {
        await tab.page.getByLabel('Iterations', { exact: true }).fill('7');
        await tab.press('Measure');
        await tab.idleAfter(1);
        await tab.page.getByLabel('Iterations', { exact: true }).fill(' 8 ');
        await tab.page.keyboard.press('Enter');
        await tab.idleAfter(2);
        assert.deepEqual(parseLog(await tab.log()), [7, 8]);
      }));

    it('can be used with the keyboard alone, and leaves the focus where it was', () =>
      withTab(path, async (tab) => {
        await tab.page.getByRole('button', { name: '10', exact: true }).focus();
        await tab.page.keyboard.press('Enter');
        assert.equal(await tab.log(), '');
        // Over the other presets and the field.
        for (let i = 0; i < 5; i++) await tab.page.keyboard.press('Tab');
        for (const runCount of [1, 2]) {
          await tab.page.keyboard.press('Space');
          await tab.idleAfter(runCount);
        }
        assert.deepEqual(parseLog(await tab.log()), [10, 10]);
      }));

    it('says beside the field what is wrong with it, and starts nothing', () =>
      withTab(path, async (tab) => {
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
      withTab(`${path}?iterations=3,5&autostart=1`, async (tab) => {
        await tab.idleAfter(2);
        assert.deepEqual(parseLog(await tab.log()), [3, 5]);
        assert.equal(
          await tab.page.getByRole('link', { name: 'Link to this test' }).getAttribute('href'),
          '?iterations=3,5&autostart=1',
        );
      }));

    it('waits for Measure where the link does not say autostart', () =>
      withTab(`${path}?iterations=4`, async (tab) => {
        await tab.page.locator('#start-controls:enabled').waitFor();
        assert.equal(await tab.log(), '');
        await tab.press('Measure');
        await tab.idleAfter(1);
        assert.deepEqual(parseLog(await tab.log()), [4]);
      }));

    it('says what is wrong with a link, and starts nothing', () =>
      withTab(`${path}?iterations=10,x&autostart=1`, async (tab) => {
        await tab.page.locator('#iterations-error:not(:empty)').waitFor();
        assert.equal(await tab.log(), '');
      }));

    it('shows its log again after a reload and Back, goes on in one file, and keeps nothing after Clear', () =>
      withTab(path, async (tab) => {
        const { page, press, idleAfter } = tab;
        await press('10');
        await press('Measure');
        await idleAfter(1);
        const [before, rows] = [await tab.log(), await tab.rows()];
        await page.reload();
        await idleAfter(1);
        assert.equal(await tab.log(), before);
        assert.deepEqual(await tab.rows(), rows);
        await press('100');
        await press('Measure');
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

    it('can be stopped, says how far it came, and can be used again', () =>
      withSlowTab(path, async (tab) => {
        await measureForLong(tab);
        await tab.stop();
        await tab.idleAfter(1);
        const [, made] =
          /^start!\nStopped .*\b(\d+) of 100000\b.*\s*$/.exec(await tab.log()) ?? assert.fail(await tab.log());
        const [cells] = await tab.rows();
        assert.deepEqual([cells[7], cells[8]], [made, '0']);
        assert.equal(await tab.page.locator('#progress-text').innerText(), 'Stopped');
        assert.equal(await tab.page.locator('#run-problem').isVisible(), false);
        await tab.press('10');
        await tab.press('Measure');
        await tab.idleAfter(2);
        assert.match(await tab.log(), /Finished 10 iterations/);
        assert.deepEqual(tab.complaints, []);
      }));

    it('says so when the server dies, keeps what was measured, and works again once it is back', async () => {
      const first = spawnSlowServer();
      const origin = await first.origin();
      /** @type {ReturnType<typeof spawnServer> | undefined} */
      let second;
      const dieAndComeBack = async (/** @type {Tab} */ tab) => {
        await measureForLong(tab);
        await first.stop('SIGKILL');
        await tab.idleAfter(1);
        const [, made] =
          /^start!\nFailed .*\b(\d+) of 100000\b.*: .+\s*$/.exec(await tab.log()) ?? assert.fail(await tab.log());
        const [cells] = await tab.rows();
        assert.ok(Number(made) >= 20);
        assert.deepEqual([cells[7], cells[8]], [made, '1 closed']);
        assert.equal(
          await tab.page.locator('#run-problem-text').innerText(),
          'The connection to the server was lost. Check your network, then retry.',
        );

        await tab.press('10');
        await tab.press('Measure');
        await tab.idleAfter(2);
        assert.match(await tab.log(), /Failed .*\b0 of 10\b.*: ./);
        assert.equal(
          await tab.page.locator('#run-problem-text').innerText(),
          'Could not connect to the server. Check your network, then retry.',
        );
        assert.equal(await tab.page.locator('#progress-text').innerText(), 'Failed');

        second = spawnServer({ PORT: new URL(origin).port });
        await second.origin();
        await tab.press('Retry');
        await tab.idleAfter(3);
        assert.match(await tab.log(), /Finished 10 iterations/);
        assert.equal(await tab.page.locator('#run-problem').isVisible(), false);
      };
      try {
        await withTab(path, dieAndComeBack, { origin });
      } finally {
        await first.stop();
        await second?.stop();
      }
    });

    it('copies Markdown and saves JSON with every sample and the environment', () =>
      withTab(
        path,
        async (tab) => {
          await tab.press('100');
          await tab.press('Measure');
          await tab.idleAfter(1);
          const line = (await tab.log()).trim().split('\n')[1];

          await tab.unfold('#exports');
          await tab.press('Copy Markdown');
          await tab.page.getByText('Copied.').waitFor();
          const markdown = await tab.page.evaluate(() => navigator.clipboard.readText());
          assert.ok(markdown.includes(line), markdown);
          assert.ok(markdown.includes('Server: test,'), markdown);

          const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.press('Download JSON')]);
          assert.match(download.suggestedFilename(), /^sockshootout-\w+-[\dTZ-]+\.json$/);
          const document = JSON.parse(await readFile(await download.path(), 'utf8'));
          assert.equal(document.schema, 'sockshootout/classic/2');
          const result = summarize(document);
          assert.equal(result.environment.isCrossOriginIsolated, true);
          assert.match(result.environment.userAgent, /Chrome/);
          const [run] = result.runs;
          assert.equal(formatClassic(run), line);
          assert.equal(run.trial.protocol, protocol);
          assert.equal(run.trial.samples.roundTripMs.length, 100);
          assert.ok(run.trial.samples.roundTripMs.every((/** @type {number} */ ms) => ms > 0));
        },
        { context: { permissions: ['clipboard-read', 'clipboard-write'] } },
      ));

    it('says so when the tab was hidden', () =>
      withSlowTab(path, async (tab) => {
        await measureForLong(tab);
        await tab.page.evaluate(() => {
          Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        });
        await tab.idleAfter(1);
        assert.match(String(await tab.page.locator('#notes').textContent()), /This tab was hidden/);
        assert.match(await tab.log(), /Ended after \d+ of 100000 iterations: The tab was hidden/);
        assert.match(await tab.page.locator('#run-problem-text').innerText(), /tab visible/);
      }));

    it('asks before it is left during a run, and only then', () =>
      withSlowTab(path, async (tab) => {
        const { page, stop, idleAfter } = tab;
        await measureForLong(tab);
        const asked = page.waitForEvent('dialog');
        await page.evaluate(() => void setTimeout(() => location.reload()));
        const dialog = await asked;
        assert.equal(dialog.type(), 'beforeunload');
        await dialog.dismiss();
        await stop();
        await idleAfter(1);
        page.once('dialog', () => assert.fail('asked after the run'));
        await page.reload();
        await page.locator('#start-controls:enabled').waitFor();
      }));

    it('says that it has finished', () =>
      withTab(path, async ({ page, press, idleAfter }) => {
        await press('10');
        await press('Measure');
        await idleAfter(1);
        assert.equal(await page.locator('#progress-text').innerText(), 'Finished');
      }));

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
          await tab.page.locator('#progress-text', { hasText: 'Ready' }).waitFor();
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

describe('/ajaxtest', () => {
  it('says where no connection had to be opened, and what a new one costs', () =>
    withTab('/ajaxtest', async (tab) => {
      await tab.press('10');
      await tab.press('Measure');
      await tab.idleAfter(1);
      await tab.press('10');
      await tab.press('Measure');
      await tab.idleAfter(2);
      assert.equal((await tab.rows())[1][2], 'reused');
      const result = await downloadResult(tab);
      assert.ok(Number(result.coldSetUpMs) > 0);
      const notes = String(await tab.page.locator('#notes').textContent());
      assert.match(notes, new RegExp(`\\b${Number(result.coldSetUpMs).toFixed(1)} ms\\b`));
      assert.equal(notes, formatNotes(result));
    }));

  it('shows the server’s reason where it rejects', () =>
    withTab('/ajaxtest', async (tab) => {
      await tab.page.route('**/ajaxecho?*', (route) =>
        route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'Too busy' } } }),
      );
      await tab.press('10');
      await tab.press('Measure');
      await tab.idleAfter(1);
      assert.match(await tab.log(), /Failed .*\b0 of 10\b.*: Too busy\s*$/);
    }));
});

describe('the figures of both classic pages', () => {
  const OWN = { context: {} };
  /**
   * Rates are rounded to one decimal, and to three in the log; each has its time per message beside it.
   *
   * @param {Tab} tab
   * @param {{ ajax?: (number | undefined)[], sockjs?: (number | undefined)[] }} expected messages/s of 10, 100 and 1000
   *   iterations, absent where they have not run
   */
  const assertRates = async ({ page }, { ajax = [], sockjs = [] }) => {
    const expected = [10, 100, 1000].flatMap((iterations, i) =>
      Object.entries({ AJAX: ajax[i], SockJS: sockjs[i] }).flatMap(([name, rate]) =>
        rate === undefined ? [] : [{ name, iterations: String(iterations), rate }],
      ),
    );
    // A page that was just opened shows them when its program has run.
    await page.waitForFunction(
      (count) => document.querySelectorAll('#rates tbody tr').length === count,
      expected.length,
    );
    const rows = await page
      .locator('#rates tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => String(cell.textContent))));
    assert.equal(await page.locator('#rate-bars .bar').count(), expected.length);
    for (const [i, { name, iterations, rate }] of expected.entries()) {
      const [, , shown, ms] = rows[i];
      assert.deepEqual(rows[i].slice(0, 2), [name, iterations]);
      assert.match(shown, /^\d+\.\d$/);
      assert.ok(Math.abs(Number(shown) - rate) < 0.0506, `${shown} is not ${rate}`);
      assert.equal(ms, formatMs(1000 / rate));
    }
  };
  /** @param {Tab} tab @param {number} line of the log */
  const rateIn = async (tab, line) => {
    const [, iterations, seconds] = /(\d+) iterations in ([\d.]+) /.exec((await tab.log()).split('\n')[line]) ?? [];
    return Number(iterations) / Number(seconds);
  };

  it('stand side by side once both have run in this tab, and survive a reload and Back', () =>
    withTab(
      '/ajaxtest',
      async (tab) => {
        tab.page.setDefaultTimeout(RUN_ALL_LIMIT_MS);
        await assertRates(tab, {});
        await tab.press('All three');
        await tab.press('Measure');
        await tab.idleAfter(3);
        const ajax = [await rateIn(tab, 1), await rateIn(tab, 3), await rateIn(tab, 5)];
        await assertRates(tab, { ajax });

        await tab.page.locator('main').getByRole('link', { name: 'SockJS echo' }).click();
        await tab.page.waitForURL('**/socktest');
        await assertRates(tab, { ajax });
        await tab.press('100');
        await tab.press('Measure');
        await tab.idleAfter(1);
        const both = { ajax, sockjs: [undefined, await rateIn(tab, 1)] };
        await assertRates(tab, both);

        await tab.page.reload();
        await assertRates(tab, both);
        await tab.page.goBack();
        await tab.page.waitForURL('**/ajaxtest');
        await tab.page.locator('#rates tbody tr').first().waitFor();
        await assertRates(tab, both);
      },
      OWN,
    ));

  it('are left out where what is kept is not ours', () =>
    withTab(
      '/ajaxtest',
      async (tab) => {
        for (const kept of ['{', 'null', '[]', '"x"', '{"ajax":{"10":"9","100":-1,"1000":null},"sockjs":7}']) {
          await tab.page.evaluate((text) => sessionStorage.setItem('sockshootout/classic-rates/1', text), kept);
          await tab.page.reload();
          await tab.page.locator('#start-controls:enabled').waitFor();
          await assertRates(tab, {});
        }
        await tab.press('10');
        await tab.press('Measure');
        await tab.idleAfter(1);
        await assertRates(tab, { ajax: [await rateIn(tab, 1)] });
        assert.deepEqual(tab.complaints, []);
      },
      OWN,
    ));

  it('are all that is lost where the browser forbids storage', () =>
    withTab(
      '/ajaxtest',
      async (tab) => {
        await tab.page.addInitScript(() =>
          Object.defineProperty(window, 'sessionStorage', {
            get() {
              throw new DOMException('forbidden', 'SecurityError');
            },
          }),
        );
        await tab.page.reload();
        await tab.press('10');
        await tab.press('Measure');
        await tab.idleAfter(1);
        assert.deepEqual(parseLog(await tab.log()), [10]);
        await assertRates(tab, {});
        assert.deepEqual(tab.complaints, []);
      },
      OWN,
    ));
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
        await tab.press('Measure');
        await tab.page.getByText('Connecting', { exact: true }).waitFor();
        goOn();
        await tab.page.getByText('Finished', { exact: true }).waitFor();
        assert.deepEqual(parseLog(await tab.log()), [10]);
      },
      { context: {} },
    ));
});
