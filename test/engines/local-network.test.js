import { after, before, describe, it } from 'node:test';
import { launchBrowser } from '../support/browser.js';
import { openServer } from '../support/server.js';
import { openTab } from '../support/tab.js';

/** @import { TestServer } from '../support/server.js' */

// In the Chromium that is installed: the one for tests, without windows, asks nobody for a permission.
describe('a server of the local network that Chrome does not let a page from the internet reach', () => {
  /** @type {TestServer} */
  let other;
  /** @type {TestServer} */
  let own;
  before(async () => {
    other = await openServer({ env: { SERVER_NAME: 'other' } });
    const env = { SERVER_NAME: 'own', SERVERS: JSON.stringify([{ name: 'Other', url: other.origin }]) };
    own = await openServer({ env });
  });
  after(async () => {
    for (const server of [own, other]) await server?.close();
  });

  it('is left out of a run, and the page says why', async () => {
    const { port } = new URL(own.origin);
    const chromium = await launchBrowser({ args: [`--ip-address-space-overrides=127.0.0.1:${port}=public`] });
    try {
      const { page } = await openTab(chromium, own.origin);
      await page.locator('#options-summary').click();
      await page.getByRole('checkbox', { name: 'Other' }).click();
      await page.locator('#form-error', { hasText: /^Other: Your browser ask.* local network.*: allow it/ }).waitFor();
    } finally {
      await chromium.close();
    }
  });
});
