/**
 * Known answer: at a distance a socket carries about as many times more as messages are in flight; AJAX over HTTP/1.1 no
 * more than its six connections allow.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { summarizeDepths } from '../core/experiments/in-flight-report.js';
import { withFarSite } from '../lab/far-site.js';

const RTT_MS = 100;
const RUN_LIMIT_MS = 180_000;
const CONNECTIONS = 6;

describe(`messages in flight at ${RTT_MS} ms`, () => {
  /** @type {import('../core/experiments/in-flight-report.js').DepthRow[]} */
  let rows;
  /** @type {import('../core/experiments/in-flight.js').DepthTrial[]} */
  let trials;
  before(
    async () => {
      await withFarSite({ rttMs: RTT_MS }, async ({ browser, origin }) => {
        const page = await browser.newPage();
        page.setDefaultTimeout(RUN_LIMIT_MS);
        await page.goto(`${origin}/inflight`);
        await page.getByRole('button', { name: 'Start', exact: true }).click();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          // Can be pressed only when the run has ended.
          page.getByRole('button', { name: 'Download JSON' }).click(),
        ]);
        const run = JSON.parse(await readFile(await download.path(), 'utf8'));
        assert.equal(run.ending, undefined);
        ({ trials } = run);
        rows = summarizeDepths(run.plan, trials);
      });
    },
    { timeout: 240_000 },
  );

  /** @param {string} transport @param {number} depth */
  const rowOf = (transport, depth) =>
    /** @type {import('../core/experiments/in-flight-report.js').DepthRow} */ (
      rows.find((row) => row.transport === transport && row.depth === depth)
    );

  it('has a SockJS that carries at least 6 times as many with 8 in flight as one at a time', (t) => {
    for (const { transport, depth, messagesPerSecond, gain } of rows) {
      t.diagnostic(
        `${transport}, ${depth} in flight: ${messagesPerSecond?.estimate.toFixed(1)}/s, ${gain?.toFixed(2)}x`,
      );
    }
    assert.ok(Number(rowOf('sockjs', 8).gain) >= 6);
  });

  it('has an AJAX that carries no more than its six connections allow, however many are to be in flight', () => {
    const own = trials.filter(({ transport }) => transport === 'ajax');
    assert.ok(own.length > 0);
    for (const { endedAtMs, depth } of own) {
      // A connection brings one answer a round trip, which takes at least so long.
      const roundTrips = endedAtMs[endedAtMs.length - 1] / RTT_MS;
      assert.ok(endedAtMs.length <= CONNECTIONS * roundTrips, `${endedAtMs.length} at ${depth} in ${roundTrips}`);
    }
    assert.ok(Number(rowOf('ajax', 4).gain) > 2);
  });
});
