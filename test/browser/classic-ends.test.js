/** How a run of a classic page ends before its time, and what a blocked WebSocket costs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';
import { isUpgrade } from '../support/door.js';

/** @import { Door, Tab } from '../support/browser-site.js' */

/** A run of many messages is still running when a test looks. */
const ANSWER_MS = 5;

const { withTab, withDoor } = useBrowserSite();

/** As `withTab`, behind a slow door. @param {string} path @param {(tab: Tab, door: Door) => Promise<unknown>} use */
const withSlowTab = (path, use) =>
  withDoor((door) => withTab(path, (tab) => use(tab, door), { origin: door.origin }), { answerMs: ANSWER_MS });

/** Starts a run that does not end by itself, and waits until it measures. @param {Tab} tab */
async function measureForLong({ page, press }) {
  await page.getByLabel('Iterations', { exact: true }).fill('100000');
  await press('Measure');
  await page.waitForFunction(() => parseInt(String(document.querySelector('#progress-text')?.textContent)) > 20);
}

for (const path of ['/ajaxtest', '/socktest']) {
  describe(path, () => {
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
        await tab.idleAfter(2);
        assert.match(await tab.log(), /Finished 10 iterations/);
        assert.deepEqual(tab.complaints, []);
      }));

    it('says so when the server dies, keeps what was measured, and works again once it is back', () =>
      withSlowTab(path, async (tab, door) => {
        await measureForLong(tab);
        await door.shut();
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
        await tab.idleAfter(2);
        assert.match(await tab.log(), /Failed .*\b0 of 10\b.*: ./);
        assert.equal(
          await tab.page.locator('#run-problem-text').innerText(),
          'Could not connect to the server. Check your network, then retry.',
        );
        assert.equal(await tab.page.locator('#progress-text').innerText(), 'Failed');

        await door.open();
        await tab.press('Retry');
        await tab.idleAfter(3);
        assert.match(await tab.log(), /Finished 10 iterations/);
        assert.equal(await tab.page.locator('#run-problem').isVisible(), false);
      }));

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
  });
}

describe('/ajaxtest', () => {
  it('shows the server’s reason where it rejects', () =>
    withTab('/ajaxtest', async (tab) => {
      await tab.page.route('**/ajaxecho?*', (route) =>
        route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'Too busy' } } }),
      );
      await tab.press('10');
      await tab.idleAfter(1);
      assert.match(await tab.log(), /Failed .*\b0 of 10\b.*: Too busy\s*$/);
    }));
});

describe('/socktest', () => {
  it('names the fallback that it got where WebSocket is blocked, and what that costs', () =>
    withDoor(
      ({ origin }) =>
        withTab(
          '/socktest',
          async (tab) => {
            await tab.press('10');
            await tab.idleAfter(1);
            const [cells] = await tab.rows();
            assert.deepEqual([cells[1], cells[7], cells[8]], ['xhr-streaming', '10', '0']);
            assert.match(String(await tab.page.locator('#notes').textContent()), /SockJS fell back.*25 ms/);
          },
          { origin },
        ),
      { refuses: isUpgrade },
    ));
});
