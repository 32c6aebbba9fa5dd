/**
 * A link that forgets its connections, as a NAT that restarted: `sockshootout lab run cuts --cut forget`, and a page that is told
 * nothing, and finds the cut. Each message that was due after the instant at which the link forgot is truth.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summarize } from '../../core/experiments/cuts/summary.js';
import { problemOf } from '../../core/experiment/documents/problem.js';
import { cuts } from '../../core/experiments/cuts/index.js';
import { dueMsOf } from '../../core/net/feed/feed.js';
import { feedMethods } from '../../core/net/feed/index.js';
import { withFarSite } from '../../lab/far-site.js';
import { downloadRun } from '../../test/support/download.js';
import { runProgram } from '../../test/support/program.js';

/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 300_000;
/** What was on its way may still arrive; and the instants are readings of several programs' clocks. */
const BLUR_MS = 500;
/** A ping comes 5 s after the last answer at most, and waits as long. */
const PING_MS = 5000;
/** Every method has a connection, and its first messages. */
const LEAD_MS = 8000;
const DELIVERIES = 'poll,ws,ws-ping,ws-replay,sockjs,sockjs-ping,sockjs-replay,events';

/**
 * @param {any} document @param {(trial: any) => number} forgotAtMsOf when the link forgot, since the start of a trial
 */
function assertForgotten(document, forgotAtMsOf) {
  const { rate } = document.plan;
  for (const { delivery, figures, cutCount } of summarize(document).rows) {
    const [{ lostCount, noticedMs, backMs }] = figures;
    const { hasPings, replays, client } = feedMethods[delivery];
    const trial = document.trials.find((/** @type {any} */ one) => one.delivery === delivery);
    const forgotAtMs = forgotAtMsOf(trial);
    assert.equal(cutCount, 1, delivery);
    if (hasPings || client === 'poll') {
      const loss = trial.losses.find((/** @type {any} */ { atMs }) => atMs >= forgotAtMs - BLUR_MS);
      assert.ok(loss.atMs - forgotAtMs >= PING_MS - BLUR_MS, `${delivery}: noticed after ${loss.atMs - forgotAtMs} ms`);
      // Who is not told of the cut knows that it came between two messages.
      const error = Number(noticedMs) - (loss.atMs - forgotAtMs);
      assert.ok(Math.abs(error) <= 1000 / rate + BLUR_MS, `${delivery}: ${error} ms`);
      assert.ok(backMs !== undefined, delivery);
      assert.equal(lostCount > 0, !replays, delivery);
    } else {
      const late = trial.arrivals.n.filter(
        (/** @type {number} */ n) => trial.feedAtMs + dueMsOf(n, { rate }) > forgotAtMs + BLUR_MS,
      );
      assert.deepEqual([late, noticedMs, backMs], [[], undefined, undefined], delivery);
      assert.ok(lostCount > 0, delivery);
    }
  }
}

describe('a link that forgets its connections', { concurrency: true }, () => {
  it('costs what has no ping every message from then on, by the command', { timeout: LIMIT_MS }, async () => {
    const command = `lab run cuts --cut forget --deliveries ${DELIVERIES} --blocks 1 --json`;
    const { code, out, err } = await runProgram('cli/sockshootout.js', command.split(' '));
    assert.equal(code, 0, err);
    const document = JSON.parse(out);
    assert.equal(problemOf(cuts, document), undefined);
    for (const { linkCut } of document.trials) assert.deepEqual(Object.keys(linkCut), ['fromMs']);
    assertForgotten(document, ({ linkCut }) => linkCut.fromMs);
  });

  it('is a cut that a page finds by itself', { timeout: LIMIT_MS }, () =>
    withFarSite(
      { rttMs: 20 },
      async ({ link, origin, browser }) => {
        const page = await browser.newPage();
        const plan = `cuts=watch&watch=45&blocks=1&seed=1&deliveries=${DELIVERIES}`;
        await page.goto(`${origin}/cuts?${plan}&autostart=1`);
        await page.locator('#live:not([hidden])').waitFor();
        await page.waitForTimeout(LEAD_MS);
        await link.forget();
        const forgotAt = Date.now();
        await page.locator('#result-headline:focus').waitFor({ timeout: LIMIT_MS });
        const document = JSON.parse(await downloadRun(page));
        assertForgotten(document, ({ startedAtMs }) => forgotAt - Date.parse(document.startedAt) - startedAtMs);
      },
      { forgets: true },
    ),
  );
});
