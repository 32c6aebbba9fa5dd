/**
 * What a visitor sees of a server that goes away, and of a chart that cannot be drawn: on each page of an experiment.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';
import { isUpgrade } from '../support/door.js';

/** @import { Tab } from '../support/browser-site.js' */

const REFUSED = 'Could not connect to the server. Check your network, then retry.';
const LOST = 'The connection to the server was lost. Check your network, then retry.';

/** Each with a plan that is not over before the server is gone. */
const PAGES = /** @type {const} */ ([
  ['/inflight', '?transports=ajax,sockjs-xhr-polling&depths=1,128&blocks=50&seed=1'],
  ['/fixedrate', '?transports=ajax,sockjs&rate=50&messages=500&blocks=3&seed=1'],
  ['/polltest', '?deliveries=poll,sse,push&intervals=100&users=2&jobs=5&min=5000&max=9000&limit=11000&blocks=1&seed=1'],
  ['/reach', '?silences=60000&heartbeat=30000&blocks=2&idle=0&seed=1'],
  [
    '/payloadtest',
    '?transports=ajax,sockjs&directions=up,down,echo&sizes=100000,150000,200000,250000&repeats=50&seed=1',
  ],
]);

const site = useBrowserSite();
const { withTab, withDoor } = site;

/** @param {Tab} tab */
const alertOf = ({ page }) => page.locator('#run-problem-text:not(:empty)').innerText();

for (const [path, long] of PAGES) {
  describe(path, () => {
    it('stops with one message and Retry when the server goes away, and runs again when that is back', () =>
      withDoor((door) =>
        withTab(
          `${path}${long}`,
          async (tab) => {
            const { page, press, stop } = tab;
            await page.locator('#start-controls:enabled').waitFor();
            await press('Measure');
            await page.locator('#cancel:not(:disabled, [hidden])').waitFor();
            await page
              .locator('#progress-text')
              .getByText(/\d of \d/)
              .waitFor();
            await door.shut();
            assert.ok([LOST, REFUSED].includes(await alertOf(tab)), await alertOf(tab));
            assert.equal(await page.locator('#run-problem').isVisible(), true);
            await page.locator('#start-controls:enabled').waitFor({ state: 'attached' });
            assert.equal(await page.evaluate(() => document.activeElement?.id), 'retry');

            await press('Retry');
            await page.getByText(REFUSED).waitFor();

            await door.open();
            await press('Retry');
            await page
              .locator('#progress-text')
              .getByText(/\d of \d/)
              .waitFor();
            assert.equal(await page.locator('#run-problem').isVisible(), false);
            await stop();
            await page.locator('#ask:not([data-state=running])').waitFor({ state: 'attached' });
            assert.equal(await page.locator('#run-problem').isVisible(), false);
            assert.doesNotMatch(await page.locator('main').innerText(), /TypeError|Failed to fetch/);
          },
          { origin: door.origin },
        ),
      ));
  });
}

describe('the home page', () => {
  it('runs again by Retry when the server went away in the middle of a run, whose part is shown', () =>
    withDoor((door) =>
      withTab(
        '/?transports=ajax,sockjs&blocks=200&iterations=10&warmup=1&seed=1',
        async (tab) => {
          const { page, press } = tab;
          const underWay = () => page.locator('#progress-text', { hasText: /Block [2-9]/ }).waitFor();
          await page.locator('#start:text-matches("about")').waitFor();
          await press('Measure');
          await underWay();
          await door.shut();
          await page.locator('#verdict').waitFor();
          assert.ok([LOST, REFUSED].includes(await alertOf(tab)), await alertOf(tab));
          await door.open();
          await press('Retry');
          await underWay();
        },
        { origin: door.origin },
      ),
    ));
});

for (const path of ['/ajaxtest', '/socktest', '/countdown']) {
  describe(path, () => {
    it('shows one sentence and Retry where no server answers, and nothing to share', () =>
      withDoor((door) =>
        withTab(
          path,
          async (tab) => {
            await tab.page.locator('#start-controls:enabled').waitFor();
            await door.shut();
            await tab.page.locator('#start-controls [type=submit]').click();
            assert.equal(await alertOf(tab), REFUSED);
            assert.equal(await tab.page.locator('#retry').isVisible(), true);
            for (const part of ['#exports', '#save', '#run-details', '#result']) {
              assert.equal(await tab.page.locator(`${part}:visible`).count(), 0, part);
            }
          },
          { origin: door.origin },
        ),
      ));
  });
}

describe('/socktest', () => {
  it('says that the server is gone while SockJS connects, before SockJS has tried all that it has', () => {
    /** @type {string[]} */
    const asked = [];
    let shut = async () => {};
    // Its first handshake is the last that anybody hears of it.
    const refuses = (/** @type {string} */ request) => {
      const isLast = isUpgrade(request);
      if (isLast) void shut();
      return isLast;
    };
    return withDoor(
      (door) => {
        ({ shut } = door);
        return withTab(
          '/socktest',
          async (tab) => {
            tab.page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
            await tab.press('10');
            assert.equal(await alertOf(tab), REFUSED);
            assert.ok(asked.includes('info'), asked.join());
            // What it tries when the one before has had its five seconds.
            assert.ok(!asked.includes('xhr'), asked.join());
          },
          { origin: door.origin },
        );
      },
      { refuses },
    );
  });
});
