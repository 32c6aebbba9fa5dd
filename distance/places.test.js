/**
 * The comparison of 2012, localhost beside another continent, as its visitor makes it: a page from the visitor's own
 * machine measures that and a server 230 ms away, both runs are saved, and one link shows them side by side.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { withServer } from '../cli/own-server.js';
import { withFarSite } from '../lab/far-site.js';

const RTT_MS = 230;
const PLAN = 'transports=ajax,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=1';
const RUN_LIMIT_MS = 120_000;

/** @typedef {{ id: string, digest: import('../core/documents/index.js').Digest }} Saved */

describe(`localhost beside a server ${RTT_MS} ms away, from one page`, () => {
  /** @type {Saved[]} */
  let saved;
  /** What the link shows in a browser that knows nothing of it. @type {string} */
  let compared;
  /** The same after one of the two was deleted. @type {string} */
  let afterwards;
  before(
    () =>
      withFarSite({ rttMs: RTT_MS }, ({ link, browser, origin: far }) => {
        const env = {
          HOST: 'localhost',
          SERVER_NAME: 'own machine',
          SERVERS: JSON.stringify([{ name: 'far', url: far }]),
        };
        return withServer(link.clientCommand, env, async (port) => {
          const origin = `http://localhost:${port}`;
          /**
           * @template T
           * @param {string} url
           * @param {(page: import('playwright-core').Page) => Promise<T>} use
           */
          const withPage = async (url, use) => {
            const context = await browser.newContext();
            try {
              const page = await context.newPage();
              page.setDefaultTimeout(RUN_LIMIT_MS);
              await page.goto(url);
              return await use(page);
            } finally {
              await context.close();
            }
          };
          const [permalink, deleteLink] = await withPage(`${origin}/?${PLAN}`, async (page) => {
            await page.getByRole('checkbox', { name: 'far' }).check();
            await page.getByRole('button', { name: 'Start', exact: true }).click();
            await page.getByLabel('Label (optional)').fill('as in 2012');
            await page.getByRole('button', { name: 'Save this run' }).click();
            await page.locator('#save-done').waitFor();
            const [, last] = await page
              .locator('#save-delete-links a')
              .evaluateAll((anchors) => anchors.map((anchor) => /** @type {HTMLAnchorElement} */ (anchor).href));
            return [await page.locator('#save-permalink').innerText(), last];
          });
          await withPage(permalink, async (page) => {
            await page.getByRole('img').first().waitFor();
            compared = await page.locator('main').innerText();
            const ids = String(new URL(permalink).searchParams.get('ids')).split(',');
            saved = await page.evaluate(
              (all) => Promise.all(all.map(async (id) => (await fetch(`/api/results/${id}`)).json())),
              ids,
            );
          });
          await withPage(deleteLink, async (page) => {
            await page.getByRole('button', { name: 'Delete…' }).click();
            await page.getByRole('button', { name: 'Delete for good' }).click();
            await page.locator('#deleted').waitFor();
          });
          await withPage(permalink, async (page) => {
            afterwards = await page.locator('main').innerText();
          });
        });
      }),
    { timeout: 240_000 },
  );

  it('has a valid run of each, the distance in its smallest round trip', () => {
    const [own, far] = saved.map(({ digest }) => digest);
    assert.deepEqual([own.server, far.server, own.isValid, far.isValid], ['own machine', 'far-site', true, true]);
    // The link adds that to every packet's way there and back.
    assert.ok(Number(far.floorMs) >= RTT_MS && Number(own.floorMs) < RTT_MS, `${own.floorMs}, ${far.floorMs}`);
  });

  it('has a ratio that falls with the distance, while the milliseconds stay', (t) => {
    t.diagnostic(compared.slice(compared.indexOf('As in 2012'), compared.indexOf('Copy as Markdown')));
    const [near, far] = saved.map(({ digest }) => Number(digest.comparison?.speedRatio?.estimate));
    assert.ok(near > far && far < 1.1, `${near}, ${far}`);
  });

  it('is one link, which shows both places', () => {
    for (const words of ['own machine', 'far-site', 'as in 2012']) assert.ok(compared.includes(words), words);
  });

  it('says of one that was deleted that it is not there', () => {
    assert.ok(afterwards.includes(saved[1].id), afterwards);
    assert.match(afterwards, /deleted/);
  });
});
