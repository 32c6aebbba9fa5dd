/**
 * The home page as its visitor uses it: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { decide, modelOf, describeDecision, describeMeasured } from '../../core/experiments/shootout/verdict.js';
import { DEFAULT_RTT_MS } from '../../core/experiments/shootout/distance-model.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { parsePlan } from '../../core/experiments/shootout/plan.js';
import { summarize } from '../../core/experiments/shootout/summary.js';
import { useBrowserSite, withoutWebSockets } from '../support/browser-site.js';
import { assertComplaint } from '../support/complaint.js';
import { spawnServer } from '../support/server.js';
import { createShootout } from '../support/submissions.js';

/**
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { Summary } from '../../core/experiments/shootout/summary.js'
 * @import { Tab } from '../support/browser-site.js'
 */

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

/** @param {Tab} tab */
function driveHome(tab) {
  const { page } = tab;
  page.setDefaultTimeout(RUN_LIMIT_MS);
  /** Folded or not. @param {string} selector */
  const text = async (selector) => String(await page.locator(selector).textContent()).trim();
  /** @param {string} name of the button */
  const download = async (name) => {
    await page.locator('#exports').evaluate((menu) => menu.setAttribute('open', ''));
    const [file] = await Promise.all([page.waitForEvent('download'), tab.press(name)]);
    return { file: await file.path(), name: file.suggestedFilename() };
  };
  return {
    ...tab,
    text,
    download,
    // Measure works at once; what it would do is known when the server has been looked at.
    ready: () => page.locator('#start:text-matches("about"), #form-error:not(:empty)').first().waitFor(),
    start: () => page.getByRole('button', { name: /^Measure/ }).click(),
    openOptions: () => page.locator('#options-summary').click(),
    /** The plan of the form's link, which its words tell. */
    plan: async () => {
      const href = String(await page.locator('#plan-link:not([hidden])').getAttribute('href'));
      const plan = parsePlan(new URLSearchParams(href)) ?? assert.fail(href);
      const { blocks, iterations, transports } = plan;
      const [, ...counts] = /^(\d+) blocks of (\d+) messages/.exec(await text('#plan')) ?? [];
      assert.deepEqual(counts, [`${blocks}`, `${iterations}`]);
      assert.match(await text('#options-summary'), new RegExp(` ${transports.length} transports`));
      assert.match(await text('#start'), /about \d+ s$/);
      return plan;
    },
    /** Waits for a run to end. */
    verdict: async () => {
      await page.locator('#verdict-headline:not(:empty)').waitFor();
      return text('#verdict-headline');
    },
    /** What is to be said of the document that the page gives, and is shown by the page. */
    report: async () => {
      const { file } = await download('Download JSON');
      const report = summarize(parseDocument(await readFile(file, 'utf8'), valibot, shootout));
      const { headline, evidence, measured } = cardOf(report);
      assert.equal(await text('#verdict-headline'), headline);
      assert.equal(await text('#verdict-detail'), evidence);
      assert.equal(await text('#measured'), measured);
      assert.deepEqual(
        await page.locator('#trust-facts > *').allTextContents(),
        report.trust.flatMap(({ name, value, isWarning }) => [name, isWarning ? `⚠ ${value}` : value]),
      );
      assert.deepEqual(await page.locator('#notes li').allTextContents(), report.notes);
      return report;
    },
    /** Waits until a run is well under way. */
    underWay: () => page.locator('#progress-text', { hasText: /Block [2-9]/ }).waitFor(),
    rows: () =>
      page
        .locator('#rows tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent)))),
    /** @param {string} name of the fact */
    fact: (name) => text(`#trust-facts dt:text-is("${name}") + dd`),
  };
}

/**
 * What the card is to say when it opens.
 *
 * @param {Summary} report
 */
function cardOf(report) {
  const { verdict } = report;
  const model = modelOf(report);
  if (!model) return { headline: verdict.headline, evidence: verdict.detail, measured: verdict.advice };
  // A machine that is very busy may seem far away.
  const decision = decide(model, report.scope === 'path' ? model.floorMs : DEFAULT_RTT_MS);
  return { ...describeDecision(decision), measured: `${describeMeasured(report, decision)} ${verdict.advice}`.trim() };
}

describe('the home page', () => {
  for (const [preset, blocks] of [
    ['Quick', 6],
    ['Standard', 10],
    ['Thorough', 20],
  ]) {
    it(`shows the plan of ${preset}, how long it takes, and its link, before Measure`, async () => {
      await withHome('', async ({ page, ready, openOptions, plan }) => {
        await ready();
        await openOptions();
        await page.getByRole('radio', { name: String(preset) }).check();
        const { transports, ...others } = await plan();
        assert.deepEqual([others.blocks, others.payloadBytes], [blocks, 0]);
        assert.deepEqual(transports, ['ajax', 'xhr', 'websocket', 'sockjs']);
      });
    });
  }

  it('gives a verdict after one press, with all that it rests on', async () => {
    await withHome('', async ({ page, ready, openOptions, start, verdict, report, rows, fact, complaints }) => {
      await ready();
      await openOptions();
      await page.getByRole('radio', { name: 'Quick' }).check();
      await start();
      // Which it is depends on the machine.
      assert.match(await verdict(), /^Predicted: SockJS /);
      const { result, rows: measured, floorMs } = await report();
      const { savingMs, speedRatio, blockCount, baseline } =
        measured.find(({ transport }) => transport === 'sockjs')?.comparison ?? assert.fail();
      assert.deepEqual([baseline, blockCount, result.ending], ['ajax', 6, undefined]);
      assert.ok(savingMs && speedRatio && Number(floorMs) > 0);
      const { iterations } = result.plan;
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
      assert.equal(await fact('Messages from others during the run'), '0');
      assert.equal(await fact('IP family'), 'IPv4');
      assert.match(await fact('Server’s event-loop lag'), /^(⚠ )?[\d.]+ ms/);
      assert.match(await fact('AJAX'), /^http\/1\.1; worker 0; \d+ of \d+ requests/);
      assert.match(await fact('Server'), /^test, version /);
      assert.match(page.url(), /\?transports=ajax,xhr,websocket,sockjs&blocks=6&/);
      await page.locator('#round-trips summary').click();
      for (const figure of await page.locator('#after figure').all()) {
        const label = await figure.getByRole('img').getAttribute('aria-label');
        assert.match(String(label), /^Chart.+AJAX/);
        assert.ok((await figure.locator('canvas, svg').count()) > 0);
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
    await withHome('', async ({ page, ready, openOptions, start, verdict, plan, report, rows, complaints }) => {
      await ready();
      await openOptions();
      await page.getByRole('radio', { name: 'Quick' }).check();
      for (const name of ['XHR', 'WebSocket']) await page.getByRole('checkbox', { name, exact: true }).uncheck();
      for (const name of ['fetch', 'SockJS eventsource'])
        await page.getByRole('checkbox', { name, exact: true }).check();
      assert.deepEqual((await plan()).transports, ['ajax', 'fetch', 'sockjs', 'sockjs-eventsource']);
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
      const { notes } = await report();
      assert.match(notes[0], /^SockJS eventsource: includes the 25 ms /);
      assert.deepEqual(complaints, []);
    });
  });

  it('compares the two that are chosen in words, whatever else is measured', async () => {
    await withHome('', async ({ page, ready, openOptions, plan, text }) => {
      await ready();
      await page.getByLabel('You use').selectOption('fetch');
      await page.getByLabel('and consider').selectOption('WebSocket');
      assert.deepEqual((await plan()).transports, ['xhr', 'fetch', 'websocket']);
      await openOptions();
      const disabled = page.locator('[name=transport]:disabled');
      const names = await disabled.evaluateAll((boxes) =>
        boxes.map((box) => /** @type {HTMLInputElement} */ (box).value),
      );
      assert.deepEqual(names, ['ajax', 'fetch', 'websocket', 'sockjs']);
      assert.equal(await text('#form-error'), '');
    });
  });

  it('takes a link that leaves out anything, and names the parameter that is wrong', async () => {
    await withHome('?transports=fetch,websocket&seed=7', async ({ ready, plan, page }) => {
      await ready();
      const { transports, blocks, seed } = await plan();
      assert.deepEqual([transports, blocks, seed], [['fetch', 'websocket'], 10, 7]);
      // Folded, each tells how long it takes.
      const durations = await page.locator('[name=preset] + span').allTextContents();
      assert.deepEqual(
        durations.slice(0, 3).map((words) => words.replace(/\d+ s$/, 'N')),
        ['Quick, N', 'Standard, N', 'Thorough, N'],
      );
      assert.equal(await page.getByLabel('You use').inputValue(), 'fetch');
    });
    await withHome('?blocks=7', async ({ ready, plan, page, text }) => {
      await ready();
      const { blocks, iterations } = await plan();
      assert.equal(blocks, 7);
      const words = `7 blocks of ${iterations}`;
      assert.ok((await text('#options-summary')).startsWith(`Options: ${words}, 4 transports`));
      assert.ok((await page.locator('#linked-choice').textContent())?.includes(`As linked: ${words}, `));
    });
    for (const [query, complaint] of [
      ['transports=carrier-pigeon', /transports: .*“carrier-pigeon”/],
      ['rtt=far', /rtt: .*“far”/],
    ])
      await withHome(`?${query}`, async ({ ready, text }) => {
        await ready();
        assert.match(await text('#form-error'), /** @type {RegExp} */ (complaint));
      });
  });

  it('shows the last result again after a reload and after Back, and begins anew on a new visit', async () => {
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

  it('leads Back from the result to the form and Forward to the result, also after a reload of either', async () => {
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
      // A link within the result is no way out of it.
      await page.evaluate(() => location.assign('#after'));
      await page.waitForFunction(() => history.state !== null);
      await isAtAnswer();
      await page.goBack();
      await press('Change options');
      await question.waitFor();
      await page.waitForFunction(() => !history.state?.isAnswer);
    });
  });

  it('measures again from the result, and starts clean', async () => {
    await withHome(`${SHORTEST}&autostart=1`, async ({ page, verdict, report, press }) => {
      await verdict();
      const first = (await report()).result.startedAt;
      await page.locator('#exports').evaluate((menu) => menu.removeAttribute('open'));
      await page.locator('#measured').evaluate((text) => text.replaceChildren());
      await press('Measure again');
      await page.locator('#measured:not(:empty)').waitFor();
      assert.notEqual((await report()).result.startedAt, first);
      assert.equal(await page.locator('#curves svg').count(), 1);
    });
  });

  it('sends the same bytes by all transports where the plan has a payload', async () => {
    /** @type {string[]} */
    const methods = [];
    await withHome(SHORT.replace('payload=0', 'payload=500'), async ({ page, ready, start, verdict, rows, text }) => {
      await ready();
      assert.match(await text('#plan'), /of 500 bytes/);
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
      assert.match(await verdict(), /^Predicted: SockJS /);
      assert.match(await fact('Other traffic during the run'), /^⚠ unknown/);
    });
  });

  it('ends at once when the tab is hidden, and says why', async () => {
    await withHome(LONG, async ({ page, ready, start, underWay, verdict, report, fact }) => {
      await ready();
      await start();
      await underWay();
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      assert.match(await verdict(), /not valid|invalid/);
      const { ending } = (await report()).result;
      assert.equal(ending?.kind, 'invalid');
      assert.match(ending.reason, /tab was hidden/);
      assert.equal(await fact('Valid'), '⚠ no');
    });
  });

  it('is not valid when the server goes away and comes back during the run', async () => {
    const first = spawnServer();
    const origin = await first.origin();
    await withHome(
      LONG,
      async ({ ready, start, underWay, verdict, report }) => {
        await ready();
        await start();
        await underWay();
        await first.stop('SIGKILL');
        const second = spawnServer({ PORT: new URL(origin).port });
        try {
          await second.origin();
          assert.match(await verdict(), /not valid|invalid/);
          const { ending } = (await report()).result;
          assert.equal(ending?.kind, 'invalid');
          assert.match(ending.reason, /was lost|restarted/);
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
        async ({ ready, start, verdict, report, rows, fact }) => {
          await ready();
          await start();
          await verdict();
          const { headline, advice } = (await report()).verdict;
          assert.match(headline, /\bSockJS over xhr-streaming /);
          assert.match(advice, /^No WebSocket/);
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
      assert.match(await text('#form-error'), /plan in this link/);
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('looks again how far away the server is when the payload changes', async () => {
    await withHome('', async ({ page, ready, openOptions, text }) => {
      await ready();
      const seconds = async () => Number(/about (\d+) s/.exec(await text('#start'))?.[1]);
      await openOptions();
      await page.getByRole('radio', { name: 'Quick' }).check();
      const before = await seconds();
      await page.getByLabel('Payload, bytes').fill('1000000');
      await page.keyboard.press('Tab');
      await page.locator('#plan', { hasText: /of 1000000 bytes/ }).waitFor();
      await ready();
      const iterations = Number(/of (\d+) messages/.exec(await text('#plan'))?.[1]);
      assert.ok(iterations < 50 || (await seconds()) > before, await text('#plan'));
    });
  });

  it('takes the preset that a link asks for, and says where there is none of that name', async () => {
    await withHome('?preset=quick', async ({ ready, page, plan }) => {
      await ready();
      assert.equal((await plan()).blocks, 6);
      assert.ok(await page.locator('[name=preset][value=quick]').isChecked());
    });
    await withHome('?preset=slow', async ({ ready, text }) => {
      await ready();
      assert.match(await text('#form-error'), /preset: .*“slow”/);
    });
  });

  it('says what is wrong with a link, and offers a plan of its own', async () => {
    await withHome('?blocks=3', async ({ ready, text, page, plan }) => {
      await ready();
      const [, place, complaint] = /^(.+?): (.+)$/.exec(await text('#form-error')) ?? [];
      assert.match(place, /plan in this link/);
      assertComplaint(complaint, 'blocks', '“3”');
      assert.match(complaint, /6 to 200/);
      assert.equal((await plan()).blocks, 10);
      assert.equal(await page.getByRole('radio', { name: 'As linked' }).isVisible(), false);
    });
  });

  it('says what is wrong with the payload that was typed, and starts nothing', async () => {
    await withHome('', async ({ ready, openOptions, page, text, start }) => {
      await ready();
      await openOptions();
      await page.getByLabel('Payload, bytes').fill('12 apples');
      await start();
      const label = await text('label[for=payload]');
      assertComplaint(await text('#form-error'), label, '“12 apples”');
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('says that the server does not answer, where it does not', async () => {
    await withHome('', async ({ page }) => {
      await page.route('**/ajaxecho**', (route) => route.abort());
      await page.goto(page.url());
      await page.locator('#run-problem', { hasText: 'server' }).getByRole('button', { name: 'Retry' }).waitFor();
    });
  });
});

describe('a run of a linked plan', () => {
  /** @type {ReturnType<typeof driveHome>} */
  let home;
  /** @type {{ plan: Plan } & Record<'isLinked' | 'isResultVisible', boolean>} */
  let untilStart;
  before(async () => {
    home = driveHome(await site.openTab(`/${SHORT}`));
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
    assert.deepEqual(untilStart.plan, parsePlan(new URLSearchParams(SHORT)));
    assert.equal(untilStart.isResultVisible, false);
    assert.equal(new URL(home.page.url()).search, SHORT);
  });

  it('is not cancelled by a second press of the key that started it, and hands the focus to the verdict', async () => {
    assert.match(await home.text('#verdict-headline'), /^Predicted: SockJS /);
    await home.page.locator('#verdict-headline:focus').waitFor();
  });

  it('has a latency breakdown, and what connecting costs', async () => {
    const heads = (/** @type {string} */ table) => home.page.locator(`${table} tbody th`).allTextContents();
    assert.deepEqual(await heads('#breakdown-table'), ['Distance', 'SockJS’s framing and client', 'HTTP', 'jQuery']);
    assert.deepEqual(await heads('#set-ups'), ['AJAX', 'XHR', 'WebSocket', 'SockJS']);
  });

  it('answers for the round-trip time that is chosen, which is then in its link', async () => {
    const { page, text, report } = home;
    const model = modelOf(await report()) ?? assert.fail();
    const slider = page.getByRole('slider', { name: 'Round-trip time to your users' });
    await slider.press('ArrowRight');
    const rttMs = Number(new URL(page.url()).searchParams.get('rtt'));
    assert.ok(rttMs > 100 && rttMs < 120, String(rttMs));
    const words = describeDecision(decide(model, rttMs));
    assert.equal(await text('#verdict-headline'), words.headline);
    assert.equal(await text('#verdict-detail'), words.evidence);
    assert.equal(await slider.getAttribute('aria-valuetext'), `${rttMs} ms`);
    await slider.press('ArrowLeft');
  });

  it('has every sample as CSV, and the verdict as Markdown', async () => {
    const { page, download, press, report } = home;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { verdict } = await report();
    const lines = (await readFile((await download('Download CSV')).file, 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, 1 + 6 * 4 * 5);

    await press('Copy Markdown');
    await page.locator('#export-status', { hasText: 'Copied.' }).waitFor();
    assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(`${verdict.headline}.`));
    await press('Copy link to this plan');
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('http'));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${site.origin}/${SHORT}`);
  });

  it('is read back to the very same page', async () => {
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

describe('a run that is cancelled', () => {
  /** @type {ReturnType<typeof driveHome>} */
  let home;
  /** @type {boolean} */
  let couldOpenMeanwhile;
  const canOpen = () => home.page.locator('#saved').isVisible();
  before(async () => {
    home = driveHome(await site.openTab(`/${LONG}`));
    await home.ready();
    await home.start();
    await home.underWay();
    couldOpenMeanwhile = await canOpen();
    await home.stop();
  });

  it('keeps what was measured, and gives no verdict', async () => {
    const { verdict, report, rows, complaints } = home;
    assert.match(await verdict(), /^Stopped/);
    const { result, verdict: words } = await report();
    assert.deepEqual([result.ending?.kind, words.word], ['cancelled', 'none']);
    assert.match(words.detail, /\. \d+ of 200 blocks of 10/);
    // Nor does it say anything of other distances.
    for (const part of ['#curves', '#rtt-choice', '#candidates', '#breakdown', '#setup'])
      assert.equal(await home.page.locator(part).isVisible(), false, part);
    assert.ok((await rows()).every((row) => Number(row.at(-1)) > 0));
    // What Chromium says of a socket that is given up while it connects.
    const others = complaints.filter((complaint) => !complaint.includes('WebSocket is closed before'));
    assert.deepEqual(others, []);
  });

  it('lets no saved result be opened while it measures', async () => {
    assert.equal(couldOpenMeanwhile, false);
  });
});

describe('what is opened as a saved result', () => {
  it('is shown, and marked, where it cannot be true', async () => {
    const document = createShootout();
    for (const trial of document.trials) trial.startedAtMs = 0;
    await withHome('', async ({ page, text }) => {
      await page.locator('#options-summary').click();
      const buffer = Buffer.from(JSON.stringify(document));
      await page.locator('#saved').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer });
      await page.locator('#verdict').waitFor();
      const origin = await text('#result-origin');
      assert.ok(origin.includes('trials.1.startedAtMs: '), origin);
    });
  });

  it('is refused, by name, where it is none', async () => {
    await withHome('', async ({ page, text }) => {
      await page.locator('#options-summary').click();
      await page
        .locator('#saved')
        .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
      await page.locator('#saved-error', { hasText: 'run: schema: ' }).waitFor();
      assert.equal(await page.locator('#result').isVisible(), false);
      assert.match(await text('#saved-error'), /: expected sockshootout\/run\/1, got none\. Choose another file\.$/);
    });
  });

  it('is refused without the browser’s own words where it cannot be read', async () => {
    await withHome('', async ({ page, text }) => {
      await page.evaluate(() => (Blob.prototype.text = () => Promise.reject(new Error('NotReadable'))));
      await page.locator('#options-summary').click();
      const file = { name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
      await page.locator('#saved').setInputFiles(file);
      await page.locator('#saved-error:not(:empty)').waitFor();
      assert.equal(await text('#saved-error'), 'The file cannot be shown. Choose another file.');
    });
  });
});
