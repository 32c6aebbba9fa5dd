/** The figures of both classic pages, which a tab keeps. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMs } from '../../core/base/format.js';
import { useBrowserSite } from '../support/browser-site.js';
import { parseLog } from '../support/classic.js';

/** @import { Tab } from '../support/browser-site.js' */

const { withTab } = useBrowserSite();

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
    assert.equal(await page.locator('#sockjs-rates').isVisible(), sockjs.length > 0);
    for (const [i, { name, iterations, rate }] of expected.entries()) {
      const [, , shown, ms] = rows[i];
      assert.deepEqual(rows[i].slice(0, 2), [name, iterations]);
      // As in the headline; the log has the rate to three decimals.
      const digits = Number(shown.replaceAll(',', ''));
      const decimals = shown.split('.')[1]?.length ?? 0;
      assert.ok(Math.abs(digits - rate) <= 0.51 * 10 ** -decimals, `${shown} is not ${rate}`);
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
        await assertRates(tab, {});
        await tab.page.getByLabel('Iterations', { exact: true }).fill('10,100');
        await tab.press('Measure');
        await tab.idleAfter(2);
        const ajax = [await rateIn(tab, 1), await rateIn(tab, 3)];
        await assertRates(tab, { ajax });

        await tab.page.locator('main').getByRole('link', { name: 'SockJS echo' }).click();
        await tab.page.waitForURL('**/socktest');
        await assertRates(tab, { ajax });
        await tab.press('100');
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
        await tab.idleAfter(1);
        assert.deepEqual(parseLog(await tab.log()), [10]);
        await assertRates(tab, {});
        assert.deepEqual(tab.complaints, []);
      },
      OWN,
    ));
});
