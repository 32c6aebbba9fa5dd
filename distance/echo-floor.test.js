/**
 * Known answer: the smallest echo of a run is the distance and a constant. So when the distance grows, the floor grows
 * by as much as ping does, on both pages alike.
 *
 * That nothing comes sooner than the link lets it holds in every attempt; that the least of so many comes as soon as it can,
 * on both sides, in one.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withFarSite } from '../lab/far-site.js';
import { holdsOnce } from '../test/support/attempts.js';
import { downloadRun } from '../test/support/download.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Trial } from '../core/net/echo/trial.js'
 */

const PAGES = [
  { path: '/ajaxtest', protocol: 'http/1.1' },
  { path: '/socktest', protocol: 'websocket' },
];
const FAR_RTT_MS = 230;
const PING_COUNT = 20;
const ITERATIONS = 30;
/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 300_000;
/** A page's clock may tell a moment up to a step, of at most 0.1 ms, too early, and another one as much too late. */
const BLUR_MS = 0.2;

/**
 * What the two differences may be apart, for what the machine adds.
 *
 * @param {number} pingDifferenceMs
 */
const toleranceMs = (pingDifferenceMs) => 0.02 * pingDifferenceMs + 1;

/**
 * @typedef {object} Floors smallest round trips, in ms
 * @property {string} kind of the link
 * @property {number} pingMs
 * @property {Map<string, number>} echoMs by path
 */

/**
 * A run as its visitor makes it, with the samples that the visitor can download.
 *
 * @param {Browser} browser
 * @param {string} url
 * @returns {Promise<Trial>}
 */
async function runPage(browser, url) {
  const context = await browser.newContext();
  try {
    context.setDefaultTimeout(RUN_LIMIT_MS);
    const page = await context.newPage();
    await page.goto(url);
    await page.locator('#start-controls:enabled').waitFor();
    await page.getByRole('textbox', { name: 'Iterations' }).fill(String(ITERATIONS));
    await page.getByRole('button', { name: 'Measure' }).click();
    const { runs } = JSON.parse(await downloadRun(page));
    return runs[0].trial;
  } finally {
    await context.close();
  }
}

/**
 * @param {Trial} trial
 * @param {string} protocol
 */
function floorOf(trial, protocol) {
  assert.deepEqual(trial.failures, []);
  assert.equal(trial.samples.roundTripMs.length, ITERATIONS);
  assert.equal(trial.protocol, protocol);
  return Math.min(...trial.samples.roundTripMs);
}

/**
 * @param {number} rttMs
 * @param {boolean} isAtOnce whether the pages may run side by side
 * @returns {Promise<Floors>}
 */
function measureFloors(rttMs, isAtOnce) {
  return withFarSite({ rttMs }, async ({ link, browser, origin }) => {
    const echoMs = new Map();
    /** @param {typeof PAGES[number]} page */
    const measure = async ({ path, protocol }) => {
      echoMs.set(path, floorOf(await runPage(browser, origin + path), protocol));
    };
    const measureAll = async () => {
      if (isAtOnce) await Promise.all(PAGES.map(measure));
      else for (const page of PAGES) await measure(page);
    };
    const [{ minMs }] = await Promise.all([link.ping({ count: PING_COUNT }), measureAll()]);
    return { kind: link.kind, pingMs: minMs, echoMs };
  });
}

describe('a floor that grows with the distance', () => {
  it('grows as ping does, on both pages', (t) =>
    holdsOnce(t, async () => {
      const near = await measureFloors(0, false);
      // There nearly all of the time is the way's: the pages leave each other the machine.
      const far = await measureFloors(FAR_RTT_MS, true);
      t.diagnostic(`ping over ${far.kind}: ${near.pingMs} ms at 0 ms, ${far.pingMs} ms at ${FAR_RTT_MS} ms`);
      assert.equal(near.kind, far.kind);
      assert.ok(far.pingMs >= FAR_RTT_MS, `${far.pingMs} ms`);
      const pingDifferenceMs = far.pingMs - near.pingMs;
      const apart = PAGES.map(({ path }) => {
        const [nearMs, farMs] = [near, far].map(({ echoMs }) => Number(echoMs.get(path)));
        t.diagnostic(
          `${path}: smallest round trip ${nearMs.toFixed(3)} ms at 0 ms, ${farMs.toFixed(3)} ms at ${FAR_RTT_MS} ms; ` +
            `grown by ${(farMs - nearMs).toFixed(3)} ms, ping by ${pingDifferenceMs.toFixed(3)} ms`,
        );
        assert.ok(farMs >= FAR_RTT_MS - BLUR_MS, `${path}: ${farMs} ms`);
        return { path, apartMs: farMs - nearMs - pingDifferenceMs };
      });
      const off = apart.filter(({ apartMs }) => Math.abs(apartMs) > toleranceMs(pingDifferenceMs));
      return off.length === 0 ? undefined : off.map(({ path, apartMs }) => `${path}: ${apartMs.toFixed(3)} ms`).join();
    }));
});
