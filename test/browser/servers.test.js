import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { launchBrowser } from '../support/browser.js';
import { assertComplaint } from '../support/complaint.js';
import { openServer } from '../support/server.js';
import { openTab } from '../support/tab.js';
import { downloadRun } from '../support/download.js';

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { Result } from '../../core/experiments/shootout/index.js'
 * @import { TestServer } from '../support/server.js'
 */

const PLAN = 'blocks=6&iterations=4&warmup=1&payload=10&seed=1';
const TRANSPORTS = 'ajax,fetch,ws,websocket,sse,sockjs,sockjs-xhr-streaming,sockjs-iframe-eventsource';

describe('a run to this server and another', () => {
  /** @type {Browser} */
  let browser;
  /** @type {TestServer} */
  let other;
  /** @type {TestServer} */
  let own;
  /** @type {TestServer} */
  let closed;
  before(async () => {
    browser = await launchBrowser();
    other = await openServer({ env: { SERVER_NAME: 'other', BASE_PATH: '/far' } });
    closed = await openServer({ env: { SERVER_NAME: 'closed', ALLOWED_ORIGINS: 'https://elsewhere.example' } });
    const list = [
      // It is below a path of its host, which this server is not.
      { name: 'Other', url: `${other.origin}/far` },
      { name: 'Closed', url: closed.origin },
      { name: 'Plain', url: 'http://plain.example' },
    ];
    own = await openServer({ env: { SERVER_NAME: 'own', SERVERS: JSON.stringify(list) } });
  });
  after(async () => {
    await browser?.close();
    for (const server of [own, other, closed]) await server?.close();
  });

  it('gives a result of each, by the same plan, every transport with its own protocol', async () => {
    const { page, press, complaints, close } = await openTab(
      browser,
      `${own.origin}/?transports=${TRANSPORTS}&${PLAN}`,
    );
    try {
      await page.locator('#options-summary').click();
      await page.getByRole('checkbox', { name: 'Other' }).check();
      await page.locator('#plan', { hasText: 'each of 2 servers' }).waitFor();
      await page.evaluate(watchNotes);
      await page.locator('#start').click();
      await page.locator('#server-results').waitFor({ timeout: 60_000 });
      await assertOneRun(page, 'Other');
      const download = async () => {
        return /** @type {Result} */ (parseDocument(await downloadRun(page), valibot, shootout));
      };
      const first = await download();
      await page.getByRole('radio', { name: /^Other: / }).check();
      await page
        .locator('#trust-facts', { hasText: `${own.origin}, not the measured server` })
        .waitFor({ state: 'attached' });
      const second = await download();

      assert.deepEqual(first.plan, second.plan);
      assert.deepEqual(
        [first, second].map(({ environment, statusBefore }) => [
          environment.url,
          environment.pageOrigin,
          statusBefore?.server,
        ]),
        [
          [`${own.origin}/`, undefined, 'own'],
          [`${other.origin}/far/`, own.origin, 'other'],
        ],
      );
      const protocolsOf = (/** @type {typeof first} */ { trials }) =>
        Object.fromEntries(trials.map(({ transport, protocol }) => [transport, protocol]));
      assert.deepEqual(protocolsOf(second), protocolsOf(first));
      assert.equal(protocolsOf(second).ajax, 'http/1.1');
      for (const { trials, ending } of [first, second]) {
        assert.equal(ending, undefined);
        assert.deepEqual(
          trials.flatMap(({ failures }) => failures),
          [],
        );
      }
      assert.deepEqual([first.preflight, second.preflight?.firstMs.length], [undefined, 3]);
      assert.deepEqual(Object.keys(second.coldSetUpMs).sort(), Object.keys(first.coldSetUpMs).sort());
      const leave = reportOf(shootout, second).trust.find(({ name }) => name.includes('Preflight')) ?? assert.fail();
      assert.match(leave.value, /^−?\d+\.\d ms .*\b3 pairs\b/);
      assert.equal(await page.locator(`#trust-facts dt:text-is("${leave.name}") + dd`).textContent(), leave.value);

      await press('Share');
      await page.locator('#save-label').fill('two servers');
      await press('Share and copy link');
      await page.locator('#save-done').waitFor();
      const link = new URL(await page.locator('#save-permalink').innerText());
      const ids = String(link.searchParams.get('ids')).split(',');
      const saved = await Promise.all(ids.map(async (id) => (await fetch(`${own.origin}/api/results/${id}`)).json()));
      assert.deepEqual(
        saved.map(({ label, digest }) => [label, digest.server, digest.origin]),
        [
          ['two servers', 'own', own.origin],
          ['two servers', 'other', other.origin],
        ],
      );
      // SockJS's frames try that for browsers of old.
      assert.deepEqual(
        complaints.filter((text) => !text.startsWith('document.domain mutation is ignored')),
        [],
      );
    } finally {
      await close();
    }
  });

  it('leaves out a server that does not let this one’s page in, and says so', async () => {
    const { page, close } = await openTab(browser, `${own.origin}/?transports=ajax,sockjs&${PLAN}`);
    try {
      // It is unchecked as soon as it is known to be closed.
      await page.locator('#options-summary').click();
      await page.getByRole('checkbox', { name: 'Closed' }).click();
      await page.locator('#form-error', { hasText: 'Closed: ' }).waitFor();
      assert.equal(await page.getByRole('checkbox', { name: 'Closed' }).isChecked(), false);
      await page.locator('#start:enabled').waitFor();
    } finally {
      await close();
    }
  });

  it('cannot be asked for without any server', async () => {
    const { page, complaints, close } = await openTab(browser, `${own.origin}/?transports=ajax,sockjs&${PLAN}`);
    try {
      await page.locator('#options-summary').click();
      await page.getByRole('checkbox', { name: 'own (this one)' }).uncheck();
      const refusal = page.locator('#form-error', { hasText: 'got none' });
      await refusal.waitFor();
      await page.locator('#start').click();
      await refusal.waitFor();
      assertComplaint(await refusal.innerText(), 'Servers', 'none');
      assert.equal(await page.locator('#result').isVisible(), false);
      assert.deepEqual(complaints, []);
      await page.getByRole('checkbox', { name: 'own (this one)' }).check();
      await page.locator('#plan', { hasText: '6 blocks' }).waitFor();
      assert.equal(await page.locator('#form-error').innerText(), '');
    } finally {
      await close();
    }
  });

  it('says which combination a browser forbids', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    // The site as it is behind TLS.
    await page.route('https://site.example/**', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: own.origin + pathname + search }) });
    });
    try {
      await page.goto('https://site.example/');
      await page.locator('#options-summary').click();
      const box = page.getByRole('checkbox', { name: /^Plain \(.*\bhttps\b/ });
      await box.waitFor();
      assert.equal(await box.isDisabled(), true);
      // What is on the visitor's own machine is no such combination.
      await page.getByRole('checkbox', { name: /^Other$/ }).waitFor();
    } finally {
      // The page is still looking around.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
  });

  it('is let by the page’s policy to exactly the servers that are listed', async () => {
    const policy = String((await fetch(own.origin)).headers.get('content-security-policy'));
    const listed = [other.origin, closed.origin, 'http://plain.example'];
    const sockets = listed.map((origin) => origin.replace('http', 'ws'));
    assert.ok(policy.includes(`connect-src 'self' ${[...listed, ...sockets].join(' ')};`), policy);
    const alone = String((await fetch(other.origin)).headers.get('content-security-policy'));
    assert.ok(alone.includes("connect-src 'self';"), alone);
  });
});

/** Notes what the live picture says of a run so far: runs in the page. */
function watchNotes() {
  const notes = Object.assign(window, { liveNotes: /** @type {Set<string>} */ (new Set()) }).liveNotes;
  const place = document.querySelector('#live');
  const note = () => notes.add(String(place?.querySelector('.note')?.textContent));
  if (place) new MutationObserver(note).observe(place, { childList: true, subtree: true });
}

/**
 * Asserts that the live picture was about the run to one server, of which it had more and more.
 * @param {Page} page @param {string} other the server that it was not about
 */
async function assertOneRun(page, other) {
  const notes = await page.evaluate(() => [.../** @type {Set<string>} */ (/** @type {any} */ (window).liveNotes)]);
  const said = notes.flatMap((note) => {
    const [, name, count] = /^(.+): (\d+)/.exec(note.replaceAll('\u00a0', ' ')) ?? [];
    return name ? [{ name, count: Number(count) }] : [];
  });
  assert.ok(said.length > 1, notes.join(' | '));
  const names = new Set(said.map(({ name }) => name));
  assert.ok(names.size === 1 && !names.has(other), [...names].join(' | '));
  const counts = said.map(({ count }) => count);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
}
