/**
 * The links of a site with PUBLIC_URL: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openServer } from '../support/server.js';
import { CLIPBOARD, drive, RUN, SHORTEST, useSharing } from '../support/sharing.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/**
 * @import { TestServer } from '../support/server.js'
 * @import { Visitor } from '../support/sharing.js'
 */

const { site } = useSharing();

describe('a site with PUBLIC_URL', () => {
  const PUBLIC_URL = 'https://shootout.example';
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer({ env: { PUBLIC_URL } });
  });
  after(() => server.close());

  /** @param {string} path @param {(tab: Visitor) => Promise<unknown>} use */
  const withPublicTab = (path, use) =>
    site.withTab(path, (tab) => use(drive(tab)), {
      origin: server.origin,
      context: CLIPBOARD,
    });

  /** @param {Visitor} tab */
  const unfold = ({ page }) =>
    page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));

  /** @param {Visitor} tab @param {string} button */
  async function copiedBy({ page, press }, button) {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await press(button);
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
    return page.evaluate(() => navigator.clipboard.readText());
  }

  it('begins each link that visitors copy with it, whatever address they opened', async () => {
    await withPublicTab(SHORTEST, async (tab) => {
      await tab.offered();
      const { permalink, deleteLink } = await tab.saved();
      assert.match(permalink, /^https:\/\/shootout\.example\/results\/[\w-]{16}$/);
      assert.ok(deleteLink.startsWith(`${permalink}#delete=`), deleteLink);
    });
    await withPublicTab(RUN, async (tab) => {
      await tab.offered();
      await unfold(tab);
      assert.equal(
        await copiedBy(tab, 'Copy link to this plan'),
        PUBLIC_URL + RUN.replace('&seed=1&autostart=1', '&payload=0&seed=1'),
      );
    });
    const ids = [];
    for (const label of ['a', 'b']) {
      const { answer } = await postSubmission(server.origin, { document: createShootout(), label });
      ids.push(answer.id);
    }
    for (const [path, button] of [
      [`/results/${ids[0]}`, 'Copy link'],
      [`/compare?ids=${ids.join(',')}`, 'Copy link to this comparison'],
    ]) {
      await withPublicTab(path, async (tab) => {
        await unfold(tab);
        assert.equal(await copiedBy(tab, button), PUBLIC_URL + path);
      });
    }
  });
});
