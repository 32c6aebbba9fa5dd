/**
 * The comparison of 2012, localhost beside another continent, as its visitor makes it: a page from the visitor's own
 * machine measures that and a server 230 ms away, both runs are saved, and one link shows them side by side.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { withServer } from '../cli/program/child.js';
import { withFarSite } from '../lab/far-site.js';
import { holdsOnce } from '../test/support/attempts.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Digest } from '../core/experiment/documents/digest.js'
 */

const RTT_MS = 230;
const PLAN = 'transports=ajax,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=1';
/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 300_000;
/** A page's clock may tell a moment up to a step, of at most 0.1 ms, too early, and another one as much too late. */
const BLUR_MS = 0.2;

/** @typedef {{ id: string, digest: Digest }} Saved */

/**
 * @typedef {object} Places
 * @property {Saved[]} saved
 * @property {string} compared what the link shows in a browser that knows nothing of it
 * @property {string} afterwards the same after one of the two was deleted
 */

/** @returns {Promise<Places>} */
function measurePlaces() {
  return withFarSite({ rttMs: RTT_MS }, ({ link, browser, origin: far }) => {
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
       * @param {(page: Page) => Promise<T>} use
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
        await page.locator('#options-summary').click();
        await page.getByRole('checkbox', { name: 'far' }).check();
        await page.locator('#start').click();
        await page.getByRole('button', { name: 'Share' }).click();
        await page.locator('#save-label').fill('as in 2012');
        await page.locator('#save-submit').click();
        await page.locator('#save-done').waitFor();
        const [, last] = await page
          .locator('#save-delete-links a')
          .evaluateAll((anchors) => anchors.map((anchor) => /** @type {HTMLAnchorElement} */ (anchor).href));
        return [await page.locator('#save-permalink').innerText(), last];
      });
      const { compared, saved } = await withPage(permalink, async (page) => {
        await page.locator('#compared').waitFor();
        const ids = String(new URL(permalink).searchParams.get('ids')).split(',');
        return {
          compared: await page.locator('main').innerText(),
          saved: await page.evaluate(
            (all) => Promise.all(all.map(async (id) => (await fetch(`/api/results/${id}`)).json())),
            ids,
          ),
        };
      });
      await withPage(deleteLink, async (page) => {
        await page.locator('#delete-ask').click();
        await page.locator('#delete-confirm').click();
        await page.locator('#deleted').waitFor();
      });
      const afterwards = await withPage(permalink, (page) => page.locator('main').innerText());
      return { saved, compared, afterwards };
    });
  });
}

describe(`localhost beside a server ${RTT_MS} ms away, from one page`, () => {
  /** @type {Places} */
  let places;
  before(async () => {
    places = await measurePlaces();
  });

  it('has a valid run of each, the distance in the smallest round trip of the far one', () => {
    const [own, far] = places.saved.map(({ digest }) => digest);
    assert.deepEqual([own.server, far.server, own.isValid, far.isValid], ['own machine', 'far-site', true, true]);
    // The link adds that to every packet's way there and back.
    assert.ok(Number(far.floorMs) >= RTT_MS - BLUR_MS, `${far.floorMs}`);
  });

  it('has no such distance on its own machine, and a ratio that falls with it', (t) => {
    // The first attempt is what has been measured already.
    /** @type {Places | undefined} */
    let ready = places;
    return holdsOnce(t, async () => {
      const { saved, compared } = ready ?? (await measurePlaces());
      ready = undefined;
      t.diagnostic(compared.slice(compared.indexOf('Messages per second'), compared.indexOf('Details')));
      const [near, far] = saved.map(({ digest }) =>
        Number(/** @type {any} */ (digest).shootout.comparison?.speedRatio?.estimate),
      );
      const ownFloorMs = Number(saved[0].digest.floorMs);
      if (!(ownFloorMs < RTT_MS)) return `smallest round trip ${ownFloorMs} ms`;
      return near > far && far < 1.1 ? undefined : `ratios ${near}, ${far}`;
    });
  });

  it('is one link, which shows both places', () => {
    for (const words of ['own machine', 'far-site', 'as in 2012']) assert.ok(places.compared.includes(words), words);
  });

  it('says of one that was deleted that it is not there', () => {
    assert.ok(places.afterwards.includes(places.saved[1].id), places.afterwards);
    assert.match(places.afterwards, /deleted/);
  });
});
