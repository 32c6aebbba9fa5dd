/**
 * The page of a shared run: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSavedDocument } from '../support/saved-documents.js';
import { EVIL, useSharing } from '../support/sharing.js';
import { createShootout } from '../support/submissions.js';

const { post, site, withTab } = useSharing();

describe('the page of a shared run', () => {
  it('shows HTML that a visitor sent as text', async () => {
    const document = createShootout({
      environment: { url: 'http://localhost:8000/', userAgent: EVIL, isCrossOriginIsolated: true },
      statusBefore: { server: EVIL, location: EVIL, version: EVIL, worker: 0, workers: [], silentWorkerCount: 0 },
    });
    const short = EVIL.slice(0, 80);
    const { url } = await post({ document, label: short, note: EVIL, place: { name: short } });
    await withTab(url, async ({ page, text, content, complaints }) => {
      await page.locator('#verdict').waitFor();
      assert.equal(await text('#visitor-note'), EVIL);
      const facts = await text('#run-facts');
      for (const words of [short, `${EVIL}, ${EVIL}, version ${EVIL}`]) assert.ok(facts.includes(words), words);
      assert.ok((await content('#trust-facts')).includes(EVIL));
      assert.equal(await page.locator('main img').count(), 0);
      assert.ok((await page.title()).startsWith(`${short}: `), await page.title());
      assert.deepEqual(complaints, []);
    });
  });

  it('deletes nothing by a wrong token, and says so', async () => {
    const { url } = await post();
    await withTab(`${url}#delete=wrong`, async ({ page, press, text }) => {
      assert.notEqual(await text('#delete-kept'), '');
      await press('Delete this shared run');
      await press('Delete permanently');
      await page.locator('#delete-status:not(:empty)').waitFor();
    });
    assert.equal((await fetch(site.origin + url)).status, 200);
  });

  it('takes the token of its delete link out of the address, and deletes by it after a reload', async () => {
    const { url, deleteToken } = await post();
    await withTab(`${url}#delete=${deleteToken}`, async ({ page, press, text }) => {
      await page.locator('#delete-kept').waitFor();
      assert.equal(page.url(), site.origin + url);
      await page.reload();
      await page.locator('#delete-kept').waitFor();
      assert.equal(await page.locator('#delete-warning').isVisible(), false);
      await press('Delete this shared run');
      await press('Delete permanently');
      await page.locator('#deleted').waitFor();
      assert.match(await text('#deleted'), /^Deleted/);
      assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes('delete-token')), false);
    });
    assert.equal((await fetch(site.origin + url)).status, 404);
  });

  it('leaves the token in the address, and says so, where the browser stores nothing', async () => {
    const { url } = await post();
    await withTab('/', async ({ page }) => {
      await page.addInitScript('Object.defineProperty(window, "sessionStorage", { get() { throw new Error("no"); } })');
      await page.goto(`${site.origin}${url}#delete=token`);
      await page.locator('#delete-warning').waitFor();
      assert.equal(page.url(), `${site.origin}${url}#delete=token`);
      assert.equal(await page.locator('#delete-kept').isVisible(), false);
    });
  });

  it('keeps the summary of the server where the samples cannot be loaded', async () => {
    const { url, digest } = await post();
    await withTab('/', async ({ page, text }) => {
      await page.route('**/api/results/*', (route) => route.abort());
      await page.goto(site.origin + url);
      await page.locator('#load-error:not(:empty)').waitFor();
      assert.ok((await text('#summary')).startsWith(digest.headline));
      assert.equal(await page.locator('#result').isVisible(), false);
    });
  });

  it('marks a run that contradicts itself, and keeps the direction of text', async () => {
    const { url } = await post();
    await withTab('/', async ({ page, text, content }) => {
      await page.route('**/api/results/*', async (route) => {
        const run = await (await route.fetch()).json();
        run.document.environment.userAgent = 'Chrome\u202e/1';
        for (const trial of run.document.trials) trial.startedAtMs = 0;
        await route.fulfill({ json: run });
      });
      await page.goto(site.origin + url);
      await page.locator('#verdict').waitFor();
      const marks = await text('#contradictions');
      for (const path of ['environment.userAgent: ', 'trials.1.startedAtMs: ']) assert.ok(marks.includes(path), marks);
      assert.ok((await content('#trust-facts')).includes('Chrome /1'));
      assert.doesNotMatch(await text('main'), /\u202e/);
    });
  });

  it('offers to invite somebody to its plan, where it was measured on one machine', async () => {
    const document = readSavedDocument('payload-whole').document;
    const { url } = await post({ document });
    await withTab(url, async ({ page }) => {
      await page.locator('#result-notice:not(:empty)').waitFor();
      const invite = page.getByRole('link', { name: 'Invite someone there' });
      const { pathname, searchParams } = new URL(String(await invite.getAttribute('href')), site.origin);
      assert.equal(pathname, '/c');
      assert.match(String(searchParams.get('plan')), /^\/payloadtest\?.*\bsizes=/);
      // The legend has the colours of what its maps say in words, and no others.
      const verdictsOf = async (/** @type {string} */ selector) =>
        new Set(
          await page.locator(selector).evaluateAll((all) => all.map((one) => /** @type {any} */ (one).dataset.verdict)),
        );
      const said = await verdictsOf('.heat td[data-verdict]');
      for (const verdict of ['faster', 'slower']) said.delete(verdict);
      assert.deepEqual(await verdictsOf('.heat-legend li'), said);
    });
  });

  it('shows the verdict without JavaScript', async () => {
    const { url, digest } = await post({ label: 'by hand' });
    await withTab(
      url,
      async ({ text }) => {
        const main = await text('main');
        for (const words of ['by hand', digest.headline, digest.detail]) {
          assert.ok(main.includes(words), words);
        }
      },
      { javaScriptEnabled: false },
    );
  });
});
