/** The list of tests says how long each takes in the words of its page. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';

describe('the list of tests in a browser', () => {
  const site = useBrowserSite();

  it('says of each test how long it takes as the button of its page does, which on a historic one says how long its messages take', () =>
    site.withTab('/tests', async ({ page, complaints }) => {
      const groups = await page.locator('.test-group').evaluateAll((sections) =>
        sections.map((section) => ({
          name: section.getAttribute('aria-label'),
          tests: [...section.querySelectorAll('li')].map((item) => ({
            href: item.querySelector('a')?.href ?? '',
            said: item.querySelector('small')?.textContent ?? '',
          })),
        })),
      );
      const tests = groups.flatMap(({ name, tests: own }) => own.map((test) => ({ ...test, group: name })));
      assert.equal(tests.length, 12);
      for (const { href, said, group } of tests) {
        await page.goto(href);
        assert.match(said, /^Takes \S/, href);
        const isHistoric = group === 'Historic';
        if (!isHistoric) await page.locator('#plan-link:not([hidden])').waitFor({ state: 'attached' });
        const words = await page.locator('#start').innerText();
        if (isHistoric) assert.match(words, /^Measure, about \S/, href);
        else assert.equal(words, said.replace('Takes ', 'Measure, '), href);
      }
      assert.deepEqual(complaints, []);
    }));
});
