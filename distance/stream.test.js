/**
 * Known answer: over a link of 100 ms, each piece of a stream is late by a round trip at least, by whatever method, as its schedule
 * begins when the server gets the request; and a method that opens a connection for the answer takes two round trips more.
 *
 * What distance forbids holds in every attempt; that nothing else keeps pieces back, in one.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf } from '../core/experiment/report/findings.js';
import { stream } from '../core/experiments/stream/index.js';
import { streamsOf } from '../core/experiments/stream/plan.js';
import { dueTimesOf } from '../core/net/stream/stream.js';
import { withFarSite } from '../lab/far-site.js';
import { holdsOnce } from '../test/support/attempts.js';
import { downloadRun } from '../test/support/download.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { StreamDocument } from '../core/experiments/stream/schema.js'
 * @import { StreamRow } from '../core/experiments/stream/summary.js'
 */

const RTT_MS = 100;
/** For TCP's handshake, and WebSocket's. */
const OPENING_MS = 2 * RTT_MS;
const PLAN = 'methods=fetch,events,ws,ws-open&pieces=10&rate=50&spread=0&blocks=6&seed=1';
/** How much later than the link alone makes it a piece may come on a machine that is not busy. */
const MOST_MS = 40;
/** A page's clock may tell a moment up to a step too early, and another one as much too late. */
const BLUR_MS = 0.2;
/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 120_000;

/** @param {Browser} browser @param {string} origin @returns {Promise<StreamDocument>} */
async function measure(browser, origin) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(RUN_LIMIT_MS);
    await page.goto(`${origin}/stream?${PLAN}&autostart=1`);
    return JSON.parse(await downloadRun(page));
  } finally {
    await context.close();
  }
}

/** @param {string} method @returns {number} how late its pieces are at least */
const leastMsOf = (method) => RTT_MS + (method === 'ws' ? OPENING_MS : 0);

describe(`streams at ${RTT_MS} ms`, () => {
  it('bring each piece a round trip late, and that over a new connection two more', (t) =>
    withFarSite({ rttMs: RTT_MS }, ({ browser, origin }) =>
      holdsOnce(t, async () => {
        const run = await measure(browser, origin);
        assert.equal(run.ending, undefined);
        for (const trial of run.trials) {
          const [{ atMs, failure }] = trial.streams;
          assert.equal(failure, undefined);
          const due = dueTimesOf(streamsOf(run.plan, trial)[0]);
          const soonestMs = Math.min(...atMs.map((ms, n) => ms - due[n]));
          const leastMs = leastMsOf(trial.streamedBy) - BLUR_MS;
          assert.ok(soonestMs >= leastMs, `${trial.streamedBy}: ${soonestMs} ms, at least ${leastMs}`);
        }
        /** @type {readonly StreamRow[]} */
        const rows = findingsOf(stream, run).summary.rows;
        const late = rows.filter(({ method, late: lateMs }) => Number(lateMs?.estimate) > leastMsOf(method) + MOST_MS);
        return late.length === 0
          ? undefined
          : late.map(({ method, late: lateMs }) => `${method}: ${lateMs?.estimate} ms`).join(', ');
      }),
    ));
});
