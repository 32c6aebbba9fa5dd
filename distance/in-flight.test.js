/**
 * Known answer: at a distance a socket carries about as many times more as messages are in flight; AJAX over HTTP/1.1 no
 * more than its six connections allow; AJAX over HTTP/2 more than that.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { summarizeDepths } from '../core/experiments/in-flight-report.js';
import { withFarSite } from '../lab/far-site.js';

const RTT_MS = 100;
const RUN_LIMIT_MS = 60_000;
const CONNECTIONS = 6;

/**
 * A run as its visitor makes it, from what the visitor can download.
 *
 * @param {string} plan a link's query
 * @param {{ isBehindNginx?: boolean }} [options]
 * @returns {Promise<import('../core/measure-document.js').ExperimentDocument<
 *   import('../core/experiments/in-flight-plan.js').DepthPlan, import('../core/experiments/in-flight.js').DepthTrial>>}
 */
function measure(plan, options) {
  return withFarSite(
    { rttMs: RTT_MS },
    async ({ browser, origin }) => {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      page.setDefaultTimeout(RUN_LIMIT_MS);
      await page.goto(`${origin}/inflight?${plan}&autostart=1`);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        // Can be pressed only when the run has ended.
        page.getByRole('button', { name: 'Download JSON' }).click(),
      ]);
      const run = JSON.parse(await readFile(await download.path(), 'utf8'));
      assert.equal(run.ending, undefined);
      return run;
    },
    options,
  );
}

/** @typedef {Awaited<ReturnType<typeof measure>>} Run */

/**
 * @param {import('node:test').TestContext} t
 * @param {Run} run
 */
function report(t, { plan, trials }) {
  for (const { transport, protocols, depth, messagesPerSecond, gain } of summarizeDepths(plan, trials)) {
    t.diagnostic(
      `${transport} over ${protocols}, ${depth} in flight: ${messagesPerSecond?.estimate.toFixed(1)}/s${gain ? `, ${gain.estimate.toFixed(2)}x` : ''}`,
    );
  }
}

/**
 * @param {Run} run
 * @param {string} transport
 * @param {number} depth
 */
function gainOf({ plan, trials }, transport, depth) {
  return Number(
    summarizeDepths(plan, trials).find((row) => row.transport === transport && row.depth === depth)?.gain?.estimate,
  );
}

/** @param {import('../core/experiments/in-flight.js').DepthTrial} trial */
function messagesPerRoundTrip({ endedAtMs }) {
  return (endedAtMs.length * RTT_MS) / endedAtMs[endedAtMs.length - 1];
}

describe(`messages in flight at ${RTT_MS} ms`, () => {
  /** @type {Run} */
  let run;
  before(
    async () => {
      run = await measure('transports=ajax,sockjs&depths=1,4,8&blocks=2&seed=1');
    },
    { timeout: 120_000 },
  );

  it('has a SockJS that carries at least 6 times as many with 8 in flight as one at a time', (t) => {
    report(t, run);
    assert.ok(gainOf(run, 'sockjs', 8) >= 6);
  });

  it('has an AJAX that carries no more than its six connections allow, however many are to be in flight', () => {
    const own = run.trials.filter(({ transport }) => transport === 'ajax');
    assert.equal(own.length, 6);
    for (const trial of own) {
      assert.equal(trial.protocol, 'http/1.1');
      // A connection brings one answer a round trip, which takes at least so long.
      assert.ok(messagesPerRoundTrip(trial) <= CONNECTIONS, `${messagesPerRoundTrip(trial)} at ${trial.depth}`);
    }
    assert.ok(gainOf(run, 'ajax', 4) > 2);
  });
});

describe(`messages in flight at ${RTT_MS} ms, over HTTP/2`, () => {
  it('has an AJAX that carries more than six connections allow', { timeout: 120_000 }, async (t) => {
    const run = await measure('transports=ajax&depths=1,8,32&blocks=2&seed=1', { isBehindNginx: true });
    report(t, run);
    const deep = run.trials.filter(({ depth }) => depth === 32);
    assert.equal(deep.length, 2);
    for (const trial of deep) {
      assert.equal(trial.protocol, 'h2');
      assert.ok(messagesPerRoundTrip(trial) > CONNECTIONS, `${messagesPerRoundTrip(trial)} in a round trip`);
    }
  });
});
