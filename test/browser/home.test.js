/**
 * The home page as its visitor uses it: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { createReport } from '../../core/report.js';
import { parseResult } from '../../core/documents/parse-result.js';
import { useBrowserSite, withoutWebSockets } from '../support/browser-site.js';
import { spawnServer } from '../support/server.js';

/** A plan that is over in a second. */
const SHORT = '?transports=ajax,xhr,websocket,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
/** One with no more than what has to be compared. */
const SHORTEST = SHORT.replace('ajax,xhr,websocket,sockjs', 'ajax,sockjs');
/** One that is not over before something is done to it. */
const LONG = SHORT.replace('blocks=6&iterations=5', 'blocks=200&iterations=10');
const RUN_LIMIT_MS = 60_000;

const site = useBrowserSite();

/**
 * @param {string} query
 * @param {(home: ReturnType<typeof driveHome>) => Promise<void>} use
 * @param {string} [origin]
 */
const withHome = (query, use, origin) => site.withTab(`/${query}`, (tab) => use(driveHome(tab)), { origin });

/** @param {import('../support/browser-site.js').Tab} tab */
function driveHome(tab) {
  const { page } = tab;
  page.setDefaultTimeout(RUN_LIMIT_MS);
  /** @param {string} selector */
  const text = (selector) => page.locator(selector).innerText();
  return {
    ...tab,
    text,
    ready: () => page.locator('#start-controls:enabled').waitFor(),
    start: () => tab.press('Start'),
    /** Waits for a run to end. */
    verdict: async () => {
      await page.locator('#verdict').waitFor();
      await page.locator('#start-controls:enabled').waitFor();
      return text('#verdict-headline');
    },
    /** Waits until a run is well under way. */
    underWay: () => page.locator('#progress-text', { hasText: /Block [2-9]/ }).waitFor(),
    rows: () =>
      page
        .locator('#rows tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent)))),
    /** @param {string} name of the fact */
    fact: (name) => page.locator(`#trust-facts dt:text-is("${name}") + dd`).innerText(),
    /** @param {string} name of the button */
    async download(name) {
      const [download] = await Promise.all([page.waitForEvent('download'), tab.press(name)]);
      return { file: await download.path(), name: download.suggestedFilename() };
    },
  };
}

describe('the home page', () => {
  for (const [preset, blocks] of [
    ['Quick', 6],
    ['Standard', 10],
    ['Thorough', 20],
  ]) {
    it(`shows the plan of ${preset}, how long it takes, and its link, before Start`, async () => {
      await withHome('', async ({ page, ready, text }) => {
        await ready();
        await page.getByRole('radio', { name: String(preset) }).check();
        const plan = new RegExp(
          `^${blocks} blocks; in each, \\d+ messages by each of AJAX, XHR, WebSocket, SockJS, in random order\\. About \\d+ s from here\\.$`,
        );
        assert.match(await text('#plan'), plan);
        assert.match(String(await page.locator('#plan-link').getAttribute('href')), new RegExp(`&blocks=${blocks}&`));
      });
    });
  }

  it('gives a verdict after one press, with all that it rests on', async () => {
    await withHome('', async ({ page, ready, start, verdict, text, rows, fact, complaints }) => {
      await ready();
      await page.getByRole('radio', { name: 'Quick' }).check();
      await start();
      // Which it is depends on the machine.
      assert.match(await verdict(), /from here$/);
      assert.match(
        await text('#verdict-detail'),
        /^SockJS (saves|costs) [\d.]+ ms \(95 % interval .+ to .+\).* a message, [\d.]+x the speed of AJAX \(.+\) at your [\d.]+ ms\. 6 blocks of \d+, order random\.$/,
      );
      const iterations = Number(/of (\d+), order/.exec(await text('#verdict-detail'))?.[1]);
      const cells = await rows();
      assert.deepEqual(
        cells.map(([transport, protocol]) => [transport, protocol]),
        [
          ['AJAX', 'http/1.1'],
          ['XHR', 'http/1.1'],
          ['WebSocket', 'websocket'],
          ['SockJS', 'websocket'],
        ],
      );
      for (const row of cells) assert.deepEqual(row.slice(-2), ['0', String(6 * iterations)]);
      assert.match(await fact('Valid'), /^yes/);
      assert.equal(await fact('Answers from a cache'), '0 (must be 0)');
      assert.equal(await fact('Others’ messages meanwhile'), '0');
      assert.equal(await fact('IP family'), 'IPv4');
      assert.match(await fact('Server’s event-loop lag'), /^(⚠ )?[\d.]+ ms on average/);
      assert.match(await fact('AJAX'), /^http\/1\.1; worker 0; \d+ of \d+ requests on connections that were open$/);
      assert.match(await fact('Server'), /^test, version /);
      assert.match(page.url(), /\?transports=ajax,xhr,websocket,sockjs&blocks=6&/);
      for (const figure of await page.locator('figure').all()) {
        const label = await figure.getByRole('img').getAttribute('aria-label');
        assert.match(String(label), /^Chart.+AJAX/);
        assert.ok((await figure.locator('canvas').count()) > 0);
      }
      assert.deepEqual(complaints, []);
    });
  });

  it('runs a linked plan at once where the link asks for that', async () => {
    await withHome(`${SHORTEST}&autostart=1`, async ({ verdict, rows }) => {
      await verdict();
      assert.equal((await rows()).length, 2);
    });
  });

  it('measures the transports that are ticked, and says what a fallback’s figures hold', async () => {
    await withHome('', async ({ page, ready, start, verdict, rows, text, complaints }) => {
      await ready();
      await page.getByRole('radio', { name: 'Quick' }).check();
      await page.getByText('Transports and payload').click();
      for (const name of ['XHR', 'WebSocket']) await page.getByRole('checkbox', { name, exact: true }).uncheck();
      for (const name of ['fetch', 'SockJS eventsource'])
        await page.getByRole('checkbox', { name, exact: true }).check();
      assert.match(await text('#plan'), /by each of AJAX, fetch, SockJS, SockJS eventsource, in random order/);
      await start();
      await verdict();
      assert.deepEqual(
        (await rows()).map((row) => row.slice(0, 2)),
        [
          ['AJAX', 'http/1.1'],
          ['fetch', 'http/1.1'],
          ['SockJS', 'websocket'],
          ['SockJS eventsource', 'eventsource'],
        ],
      );
      assert.match(await text('#notes'), /^SockJS eventsource: over a fallback sockjs-client waits 25 ms/);
      assert.deepEqual(complaints, []);
    });
  });

  it('says so where no transport is ticked beside the baseline', async () => {
    await withHome('', async ({ page, ready, start, text }) => {
      await ready();
      await page.getByText('Transports and payload').click();
      for (const name of ['XHR', 'WebSocket', 'SockJS'])
        await page.getByRole('checkbox', { name, exact: true }).uncheck();
      await start();
      assert.equal(await text('#form-error'), 'Transports: expected at least one beside AJAX, got none');
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('sends the same bytes by all transports where the plan has a payload', async () => {
    /** @type {string[]} */
    const methods = [];
    await withHome(SHORT.replace('payload=0', 'payload=500'), async ({ page, ready, start, verdict, rows, text }) => {
      await ready();
      assert.match(await text('#plan'), /500 bytes each/);
      page.on('request', (request) => {
        if (request.url().includes('/ajaxecho')) methods.push(`${request.method()} ${request.postData()?.length}`);
      });
      await start();
      await verdict();
      for (const row of await rows()) assert.deepEqual(row.slice(-2), ['0', '30']);
    });
    const posts = methods.filter((method) => method.startsWith('POST'));
    assert.ok(posts.length >= 2 * 6 * 5, String(posts.length));
    // {"count":N,"body":"..."} around 500 letters.
    assert.deepEqual([...new Set(posts)], ['POST 521']);
  });

  it('gives its verdict without a server that tells how busy it is', async () => {
    await withHome(SHORTEST, async ({ page, ready, start, verdict, fact }) => {
      await page.route('**/status', (route) => route.fulfill({ contentType: 'application/json', body: '{"ok":true}' }));
      await ready();
      await start();
      assert.match(await verdict(), /from here$/);
      assert.match(await fact('Others meanwhile'), /^⚠ not known: the server was not asked, or did not answer/);
    });
  });

  it('ends at once when the tab is hidden, and says why', async () => {
    await withHome(LONG, async ({ page, ready, start, underWay, verdict, text, fact }) => {
      await ready();
      await start();
      await underWay();
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      assert.equal(await verdict(), 'This run is not valid');
      assert.match(await text('#verdict-detail'), /^The tab was hidden during the run/);
      assert.match(await fact('Valid'), /^⚠ no: The tab was hidden/);
    });
  });

  it('is not valid when the server goes away and comes back during the run', async () => {
    const first = spawnServer();
    const origin = await first.origin();
    await withHome(
      LONG,
      async ({ ready, start, underWay, verdict, text }) => {
        await ready();
        await start();
        await underWay();
        await first.stop('SIGKILL');
        const second = spawnServer({ PORT: new URL(origin).port });
        try {
          await second.origin();
          assert.equal(await verdict(), 'This run is not valid');
          assert.match(await text('#verdict-detail'), /^The (connection to the server was lost|server was restarted)/);
        } finally {
          await second.stop();
        }
      },
      origin,
    );
  });

  it('never calls a fallback WebSocket, and shows the WebSocket that failed', () =>
    withoutWebSockets(({ origin }) =>
      withHome(
        SHORT.replace('xhr,', '').replace('iterations=5', 'iterations=2'),
        async ({ ready, start, verdict, text, rows, fact }) => {
          await ready();
          await start();
          assert.match(await verdict(), /^SockJS over xhr-streaming is slower from here$/);
          assert.match(await text('#verdict-advice'), /^No WebSocket could be opened from here/);
          const [, websocket, sockjs] = await rows();
          assert.deepEqual(websocket.slice(0, 3), ['WebSocket', '–', '–']);
          assert.deepEqual(websocket.slice(-2), ['6 closed', '0']);
          assert.deepEqual([sockjs[1], sockjs.at(-1)], ['xhr-streaming', '12']);
          assert.match(await fact('SockJS'), /^⚠ xhr-streaming/);
        },
        origin,
      ),
    ));

  it('starts nothing by itself where the link is wrong', async () => {
    await withHome('?blocks=3&autostart=1', async ({ ready, text, page }) => {
      await ready();
      assert.match(await text('#form-error'), /^The link’s plan cannot be used/);
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('looks again how far away the server is when the payload changes', async () => {
    await withHome('', async ({ page, ready, text }) => {
      await ready();
      const seconds = async () => Number(/About (\d+) s/.exec(await text('#plan'))?.[1]);
      await page.getByRole('radio', { name: 'Quick' }).check();
      await page.getByText('Transports and payload').click();
      const before = await seconds();
      await page.getByLabel('Bytes to carry along').fill('1000000');
      await page.keyboard.press('Tab');
      await page.locator('#plan', { hasText: /1000000 bytes each.*About/ }).waitFor();
      await ready();
      const iterations = Number(/in each, (\d+) messages/.exec(await text('#plan'))?.[1]);
      assert.ok(iterations < 50 || (await seconds()) > before, await text('#plan'));
    });
  });

  it('says what is wrong with a link, and offers a plan of its own', async () => {
    await withHome('?blocks=3', async ({ ready, text, page }) => {
      await ready();
      assert.match(
        await text('#form-error'),
        /^The link’s plan cannot be used: blocks: expected .* from 6 to 200, got “3”$/,
      );
      assert.match(await text('#plan'), /^10 blocks/);
      assert.equal(await page.getByRole('radio', { name: 'As linked' }).isVisible(), false);
    });
  });

  it('says what is wrong with the payload that was typed, and starts nothing', async () => {
    await withHome('', async ({ ready, page, text, start }) => {
      await ready();
      await page.getByText('Transports and payload').click();
      await page.getByLabel('Bytes to carry along').fill('12 apples');
      await start();
      assert.match(await text('#form-error'), /expected a whole number from 0 to 1000000, got “12 apples”$/);
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('says that the server does not answer, where it does not', async () => {
    await withHome('', async ({ page }) => {
      await page.route('**/ajaxecho**', (route) => route.abort());
      await page.reload();
      await page.locator('#form-error', { hasText: 'The server cannot be measured' }).waitFor();
    });
  });
});

describe('a run of a linked plan', () => {
  /** @type {ReturnType<typeof driveHome>} */
  let home;
  /** @type {Record<'plan' | 'library', string> & Record<'isLinked' | 'isResultVisible', boolean>} */
  let untilStart;
  const libraryType = () => home.page.evaluate(() => typeof window.SockJS);
  before(async () => {
    home = driveHome(await site.openTab(`/${SHORT}`));
    const { page, ready, text, verdict } = home;
    await ready();
    untilStart = {
      plan: await text('#plan'),
      library: await libraryType(),
      isLinked: await page.getByRole('radio', { name: 'As linked' }).isChecked(),
      isResultVisible: await page.locator('#result').isVisible(),
    };
    await page.getByRole('button', { name: 'Start', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await verdict();
  });

  it('shows that plan, and waits for Start', () => {
    assert.ok(untilStart.isLinked);
    assert.match(untilStart.plan, /^6 blocks; in each, 5 messages by each of AJAX, XHR, WebSocket, SockJS/);
    assert.equal(untilStart.isResultVisible, false);
    assert.equal(new URL(home.page.url()).search, SHORT);
  });

  it('evaluates sockjs-client only at Start', async () => {
    assert.deepEqual([untilStart.library, await libraryType()], ['undefined', 'function']);
  });

  it('is not cancelled by a second press of the key that started it, and hands the focus to the verdict', async () => {
    assert.match(await home.text('#verdict-headline'), /from here$/);
    await home.page.locator('#verdict-headline:focus').waitFor();
  });

  it('says why: the steps of a message’s time, what connecting costs, and other distances', async () => {
    const { page, text } = home;
    const heads = (/** @type {string} */ table) => page.locator(`${table} tbody th`).allInnerTexts();
    assert.deepEqual(await heads('#ladder'), ['Distance', 'SockJS’s framing and client', 'HTTP', 'jQuery']);
    assert.deepEqual(await heads('#set-ups'), ['AJAX', 'XHR', 'WebSocket', 'SockJS']);
    assert.match(await text('#distance .alternative'), /SockJS (and|or) AJAX/);

    const slider = page.getByRole('slider', { name: 'My users’ round trip, ms' });
    assert.match(await text('#distance-answer'), /^At 100 ms SockJS would have [\d.]+x the speed of AJAX \(.+\): /);
    await slider.press('ArrowRight');
    assert.match(await text('#distance-answer'), /^At 105 ms /);
    assert.ok((await page.locator('#distance canvas').count()) > 0);
  });

  it('has every sample as CSV, and the verdict as Markdown', async () => {
    const { page, text, download, press } = home;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const headline = await text('#verdict-headline');
    const lines = (await readFile((await download('Download CSV')).file, 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, 1 + 6 * 4 * 5);

    await press('Copy as Markdown');
    await page.locator('#export-status', { hasText: 'Copied.' }).waitFor();
    assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(`**${headline}.**`));
    await press('Copy link to this plan');
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('http'));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.origin}/${SHORT}`);
  });

  it('is read back to the very same page', async () => {
    const { page, text, rows, download } = home;
    const shown = { verdict: await text('#verdict'), rows: await rows(), trust: await text('#trust-facts') };
    const { file, name } = await download('Download JSON');
    assert.match(name, /^sockshootout-[\dTZ-]+\.json$/);

    await page.goto(site.origin);
    await page.getByText('Open a saved result').click();
    await page.locator('#saved').setInputFiles(file);
    await page.locator('#verdict').waitFor();
    assert.deepEqual({ verdict: await text('#verdict'), rows: await rows(), trust: await text('#trust-facts') }, shown);
    assert.match(await text('#result-origin'), /^Read from .+: measured at http/);

    const report = createReport(parseResult(await readFile(file, 'utf8'), valibot));
    assert.ok(shown.verdict.startsWith(report.verdict.headline));
  });
});

describe('a run that is cancelled', () => {
  /** @type {ReturnType<typeof driveHome>} */
  let home;
  /** @type {boolean} */
  let couldOpenMeanwhile;
  const canOpen = () => home.page.locator('#saved').isEnabled();
  before(async () => {
    home = driveHome(await site.openTab(`/${LONG}`));
    await home.ready();
    await home.start();
    await home.underWay();
    couldOpenMeanwhile = await canOpen();
    await home.press('Cancel');
  });

  it('keeps what was measured, and gives no verdict', async () => {
    const { verdict, text, rows, complaints } = home;
    assert.equal(await verdict(), 'Cancelled: no verdict');
    assert.match(await text('#verdict-detail'), /^The run was cancelled\. \d+ of 200 blocks of 10/);
    // Nor does it say anything of other distances.
    assert.equal(await home.page.locator('#why').isVisible(), false);
    assert.ok((await rows()).every((row) => Number(row.at(-1)) > 0));
    // What Chromium says of a socket that is given up while it connects.
    const others = complaints.filter(
      (words) => !words.endsWith('WebSocket is closed before the connection is established.'),
    );
    assert.deepEqual(others, []);
  });

  it('lets no saved result be opened while it measures', async () => {
    assert.deepEqual([couldOpenMeanwhile, await canOpen()], [false, true]);
  });
});

describe('what is opened as a saved result', () => {
  it('is refused, by name, where it is none', async () => {
    await withHome('', async ({ page, text }) => {
      await page.getByText('Open a saved result').click();
      await page
        .locator('#saved')
        .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
      await page.locator('#saved-error', { hasText: 'This is no run of SockShootout: schema: ' }).waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
      assert.match(await text('#saved-error'), /: expected one of /);
    });
  });
});
