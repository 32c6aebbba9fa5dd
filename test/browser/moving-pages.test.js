/** The pages about moving: in a real Chromium, against a real server. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';

const site = useBrowserSite();

describe('a page about moving', () => {
  it('copies each file of the code after', () =>
    site.withTab(
      '/moving/ws',
      async ({ page, complaints }) => {
        const buttons = page.getByRole('button', { name: /^Copy: After: / });
        const own = ['news-page', 'news-server', 'request-page', 'request-server', 'accept'];
        const names = [...own, 'nginx'];
        await buttons.first().waitFor();
        assert.equal(await buttons.count(), names.length);
        for (const [i, name] of names.entries()) {
          await buttons.nth(i).click();
          await page.locator(`#after-${name}`).getByText('Copied.').waitFor();
          const copied = await page.evaluate(() => navigator.clipboard.readText());
          const file = own.includes(name) ? `ws/${name}.js` : `${name}.conf`;
          assert.equal(copied.trimEnd(), (await readFile(`examples/${file}`, 'utf8')).trimEnd());
        }
        assert.deepEqual(complaints, []);
      },
      { context: { permissions: ['clipboard-read', 'clipboard-write'] } },
    ));
});
