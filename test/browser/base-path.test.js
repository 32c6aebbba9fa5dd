/**
 * A site below a path, as its visitor uses it: measures, shares, reloads, opens the link, compares. In a real Chromium,
 * against a real server.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openServer } from '../support/server.js';
import { CLIPBOARD, drive, runAt, useSharing } from '../support/sharing.js';

/**
 * @import { TestServer } from '../support/server.js'
 * @import { Visitor } from '../support/sharing.js'
 */

const BASE_PATH = '/shootout';
const TRANSPORTS = 'ajax,sse,sockjs,socketio,socketio-websocket,sockjs-xhr-polling,sockjs-iframe-eventsource';
const RUN = `?transports=${TRANSPORTS}&blocks=6&iterations=3&warmup=0&seed=1&autostart=1`;
const { site } = useSharing();

describe('a site below a path', () => {
  /** @type {TestServer} */
  let server;
  /** @type {Visitor} */
  let visitor;
  /** @type {string} */
  let own;
  /** All that the tab has asked for. @type {string[]} */
  const asked = [];
  /** @type {{ permalink: string, deleteLink: string }} */
  let links;
  before(async () => {
    server = await openServer({ env: { BASE_PATH } });
    own = server.origin + BASE_PATH;
    visitor = drive(await site.openTab('/privacy', { origin: own, context: CLIPBOARD }));
    const { page } = visitor;
    for (const name of /** @type {const} */ (['request', 'websocket'])) {
      page.on(/** @type {any} */ (name), (/** @type {any} */ one) => asked.push(one.url()));
    }
    // As a visitor types it.
    await page.goto(own + RUN);
    await visitor.offered();
    links = await visitor.saved();
  });
  after(async () => {
    await visitor?.close();
    await server?.close();
  });

  it('shares a run at a link with the path, whose document has the URL of the site', async () => {
    const { permalink, deleteLink } = links;
    assert.ok(permalink.startsWith(`${own}/results/`), permalink);
    assert.ok(deleteLink.startsWith(`${permalink.replace(/\?.*/, '')}#delete=`), deleteLink);
    const { document, url } = await runAt(permalink);
    assert.equal(document.environment.url, `${own}/`);
    const failed = document.trials.filter((/** @type {any} */ { failures }) => failures.length > 0);
    assert.deepEqual(failed, []);
    assert.equal(own + url.slice(BASE_PATH.length), permalink.replace(/\?.*/, ''));
  });

  it('shows it again after a reload, and copies a link to its plan', async () => {
    const { page, text, press } = visitor;
    await page.reload();
    await page.locator('#save-button', { hasText: 'Shared' }).click();
    await page.locator('#save-done').waitFor();
    assert.equal(await text('#save-permalink'), links.permalink);
    await press('Close');
    await page.locator('#exports').evaluate((menu) => menu.setAttribute('open', ''));
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await press('Copy link to this plan');
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.startsWith(`${own}/?transports=${TRANSPORTS}&`), copied);
    assert.equal(
      await page.locator('#next-link').evaluate((link) => /** @type {any} */ (link).pathname),
      `${BASE_PATH}/all`,
    );
  });

  it('opens the run at its link, which repeats it and compares it', async () => {
    const { page } = visitor;
    await page.goto(links.permalink);
    const again = page.locator('#run-again:not([hidden])');
    await again.waitFor();
    assert.match(String(await again.getAttribute('href')), /^\/shootout\/\?transports=/);
    await page.goto(`${own}/results`);
    assert.match(String(await page.locator('#history-runs a').getAttribute('href')), /^\/shootout\/results\//);
    await page.goto(links.permalink);
    await page.getByRole('link', { name: 'Compare with other runs' }).click();
    await page.locator('#compared').waitFor();
    assert.equal(new URL(page.url()).pathname, `${BASE_PATH}/compare`);
  });

  it('asks nothing outside it', () => {
    const outside = asked.filter((url) => !/^[a-z]+:\/\/[^/]+\/shootout[/?]/.test(url) && !/^(?:data|blob):/.test(url));
    assert.deepEqual(outside, []);
    assert.ok(asked.some((url) => url.startsWith('ws:')));
    // SockJS's frames try that for browsers of old.
    const complaints = visitor.complaints.filter((text) => !text.startsWith('document.domain mutation is ignored'));
    assert.deepEqual(complaints, []);
  });
});
