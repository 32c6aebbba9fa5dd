/**
 * Known answer: at a distance a socket carries about as many times more as messages are in flight; AJAX over HTTP/1.1 no
 * more than its six connections allow; AJAX over HTTP/2 more than that.
 *
 * What connections and distance forbid holds in every attempt; what they allow, on a machine that may be busy, in one.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summarize } from '../core/experiments/in-flight/summary.js';
import { withFarSite } from '../lab/far-site.js';
import { holdsOnce } from '../test/support/attempts.js';
import { downloadRun } from '../test/support/download.js';

/**
 * @import { TestContext } from 'node:test'
 * @import { ExperimentDocument } from '../core/experiment/contract.js'
 * @import { DepthPlan } from '../core/experiments/in-flight/plan.js'
 * @import { DepthTrial } from '../core/experiments/in-flight/schema.js'
 */

const RTT_MS = 100;
/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 300_000;
/** A page's clock may tell a moment up to a step, of at most 0.1 ms, too early, and another one as much too late. */
const BLUR_MS = 0.2;
const CONNECTIONS = 6;

/**
 * A run as its visitor makes it, from what the visitor can download.
 *
 * @param {string} plan a link's query
 * @param {{ isBehindNginx?: boolean }} [options]
 * @returns {Promise<ExperimentDocument< DepthPlan, DepthTrial>>}
 */
function measure(plan, options) {
  return withFarSite(
    { rttMs: RTT_MS },
    async ({ browser, origin }) => {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      page.setDefaultTimeout(RUN_LIMIT_MS);
      await page.goto(`${origin}/inflight?${plan}&autostart=1`);
      const run = JSON.parse(await downloadRun(page));
      assert.equal(run.ending, undefined);
      return run;
    },
    options,
  );
}

/** @typedef {Awaited<ReturnType<typeof measure>>} Run */

/**
 * @param {TestContext} t
 * @param {Run} run
 */
function report(t, run) {
  for (const { transport, protocols, depth, messagesPerSecond, gain } of summarize(run).rows) {
    t.diagnostic(
      `${transport} over ${protocols}, ${depth} in flight: ${messagesPerSecond?.estimate.toFixed(1)}/s${gain.ratio ? `, ${gain.ratio.estimate.toFixed(2)}x` : ''}`,
    );
  }
}

/**
 * @param {Run} run
 * @param {string} transport
 * @param {number} depth
 */
function gainOf(run, transport, depth) {
  const row = summarize(run).rows.find((one) => one.transport === transport && one.depth === depth);
  return Number(row?.gain.ratio?.estimate);
}

/** @param {DepthTrial} trial */
function messagesPerRoundTrip({ endedAtMs }) {
  return (endedAtMs.length * RTT_MS) / (endedAtMs[endedAtMs.length - 1] + BLUR_MS);
}

describe(`messages in flight at ${RTT_MS} ms`, () => {
  it('have an AJAX that carries no more than its six connections allow, and a SockJS that carries 6 times as many with 8', (t) =>
    holdsOnce(t, async () => {
      const run = await measure('transports=ajax,sockjs&depths=1,4,8&blocks=2&seed=1');
      report(t, run);
      const own = run.trials.filter(({ transport }) => transport === 'ajax');
      assert.equal(own.length, 6);
      for (const trial of own) {
        assert.equal(trial.protocol, 'http/1.1');
        // A connection brings one answer a round trip, which takes at least so long.
        assert.ok(messagesPerRoundTrip(trial) <= CONNECTIONS, `${messagesPerRoundTrip(trial)} at ${trial.depth}`);
      }
      const [ajax, sockjs] = [gainOf(run, 'ajax', 4), gainOf(run, 'sockjs', 8)];
      return ajax > 2 && sockjs >= 6 ? undefined : `AJAX ${ajax}x with 4, SockJS ${sockjs}x with 8`;
    }));
});

describe(`messages in flight at ${RTT_MS} ms, over HTTP/2`, () => {
  it('have an AJAX that carries more than six connections allow', (t) =>
    holdsOnce(t, async () => {
      const run = await measure('transports=ajax&depths=1,8,32&blocks=2&seed=1', { isBehindNginx: true });
      report(t, run);
      const deep = run.trials.filter(({ depth }) => depth === 32);
      assert.deepEqual(
        deep.map(({ protocol }) => protocol),
        ['h2', 'h2'],
      );
      const carried = deep.map(messagesPerRoundTrip);
      return carried.every((count) => count > CONNECTIONS) ? undefined : `${carried.join(', ')} in a round trip`;
    }));
});
