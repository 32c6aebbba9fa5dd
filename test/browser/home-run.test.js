/**
 * A run on the home page: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isUpgrade } from '../support/door.js';
import { LONG, SHORT, SHORTEST, useHome } from '../support/home.js';
import { spawnServer } from '../support/server.js';

/** @import { Home } from '../support/home.js' */

const { site, openHome, withHome } = useHome();

describe('a run on the home page', () => {
  it('gives a verdict after one click, with all that it rests on', async () => {
    await withHome('?preset=quick', async ({ page, ready, start, verdict, report, rows, fact, complaints }) => {
      await ready();
      await start();
      // The verdict itself depends on the machine.
      assert.match(await verdict(), /^SockJS .* at 100 ms round-trip time \(predicted\)\.$/);
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
      assert.match(await fact('Complete'), /^yes/);
      assert.equal(await fact('Answers from a cache'), '0 (must be 0)');
      assert.equal(await fact('Messages from others during the run'), '0');
      assert.equal(await fact('IP family'), 'IPv4');
      assert.match(await fact('Server’s event-loop lag'), /^(⚠ )?[\d.]+ ms/);
      assert.match(await fact('AJAX'), /^http\/1\.1; worker 0; \d+ of \d+ requests/);
      assert.match(await fact('Server'), /^test, version /);
      assert.match(page.url(), /\?transports=ajax,xhr,ws,sockjs&blocks=6&/);
      await page.locator('#round-trips summary').click();
      for (const figure of await page.locator('#after figure:visible').all()) {
        const label = await figure.getByRole('img').getAttribute('aria-label');
        assert.match(String(label), /^Chart.+AJAX/);
        assert.ok((await figure.locator('svg').count()) > 0);
      }
      assert.deepEqual(complaints, []);
    });
  });

  it('goes on after a double-click on the button that starts it, in whose place Stop comes', async () => {
    await withHome(LONG, async ({ page, ready, underWay, stop, verdict }) => {
      await ready();
      await page.locator('#start').dblclick();
      await underWay();
      await stop();
      assert.match(await verdict(), /^Stopped/);
    });
  });

  it('starts by itself where the link asks for it', async () => {
    await withHome(`${SHORTEST}&autostart=1`, async ({ verdict, rows }) => {
      await verdict();
      assert.equal((await rows()).length, 2);
    });
  });

  it('measures the checked transports, and says what a fallback’s figures include', async () => {
    await withHome(
      '?preset=quick',
      async ({ page, ready, openOptions, start, verdict, plan, report, rows, complaints }) => {
        await ready();
        await openOptions();
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
      },
    );
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
    // The JSON {"count":N,"body":"..."} is around the 500 letters.
    assert.deepEqual([...new Set(posts)], ['POST 521']);
  });

  it('gives a verdict where the server does not say how busy it is', async () => {
    await withHome(SHORTEST, async ({ page, ready, start, verdict, fact }) => {
      await page.route('**/status', (route) => route.fulfill({ contentType: 'application/json', body: '{"ok":true}' }));
      await ready();
      await start();
      assert.match(await verdict(), /^SockJS .* at 100 ms round-trip time \(predicted\)\.$/);
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
      assert.equal(await fact('Complete'), '⚠ no');
    });
  });

  it('is not valid when the server restarts meanwhile', async () => {
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

  it('shows a WebSocket that failed, and the fallback that SockJS used', () =>
    site.withDoor(
      ({ origin }) =>
        withHome(
          SHORT.replace('xhr,', '').replace('iterations=5', 'iterations=2'),
          async ({ ready, start, verdict, report, rows, fact }) => {
            await ready();
            await start();
            await verdict();
            const { headline, advice } = (await report()).verdict;
            assert.match(headline, /\bSockJS over xhr-streaming /);
            assert.match(advice, /^No WebSocket/);
            const [, ws, sockjs] = await rows();
            assert.deepEqual(ws.slice(0, 3), ['WebSocket', '–', '–']);
            assert.deepEqual(ws.slice(-2), ['6 closed', '0']);
            assert.deepEqual([sockjs[1], sockjs.at(-1)], ['xhr-streaming', '12']);
            assert.match(await fact('SockJS'), /^⚠ xhr-streaming/);
          },
          origin,
        ),
      { refuses: isUpgrade },
    ));
});

describe('a run that is cancelled', () => {
  /** @type {Home} */
  let home;
  /** @type {boolean} */
  let couldOpenMeanwhile;
  const canOpen = () => home.page.locator('#saved').isVisible();
  before(async () => {
    home = await openHome(LONG);
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
    assert.deepEqual([result.ending?.kind, words.name], ['cancelled', 'none']);
    assert.match(words.detail, /\. \d+ of 200 blocks of 10/);
    // It says nothing of other distances either, and nothing to others.
    for (const part of ['#save', '#charts', '#distances', '#candidates', '#breakdown', '#setup'])
      assert.equal(await home.page.locator(part).isVisible(), false, part);
    assert.ok((await rows()).every((row) => Number(row.at(-1)) > 0));
    // Chromium complains of a socket that is closed while it connects.
    const others = complaints.filter((complaint) => !complaint.includes('WebSocket is closed before'));
    assert.deepEqual(others, []);
  });

  it('hid the field for a saved file while it measured', async () => {
    assert.equal(couldOpenMeanwhile, false);
  });
});
