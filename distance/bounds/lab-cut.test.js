/**
 * `sockshootout lab run cuts --cut`: packets that are dropped both ways. Nothing arrives meanwhile, TCP delivers afterwards what
 * was not lost, and the document knows the instants.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { summarize } from '../../core/experiments/cuts/summary.js';
import { problemOf } from '../../core/experiment/documents/problem.js';
import { cuts } from '../../core/experiments/cuts/index.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { dueMsOf } from '../../core/net/feed/feed.js';
import { pressCtrlCAt, runProgram } from '../../test/support/program.js';

/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 300_000;
const CUT_MS = 6000;
/** One that only Ctrl-C ends. */
const LONG_CUT_MS = 60_000;
const DELIVERIES = ['poll', 'ws', 'ws-replay', 'events'];
/** What was on its way may still arrive; and the instants are readings of the run's clock when it heard of them. */
const BLUR_MS = 500;

/** From the start of a trial; by then the link is cut, and stays so as long again. */
const STOP_MS = 10_000;

/** @param {number} cutMs @param {Parameters<typeof runProgram>[2]} [options] */
const run = (cutMs, options) => {
  const command = `lab run cuts --cut ${cutMs / 1000}s --deliveries ${DELIVERIES} --blocks 1 --json`;
  return runProgram('cli/sockshootout.js', command.split(' '), options);
};

/** Presses Ctrl-C while the link is cut. */
async function runAndStop() {
  const press = pressCtrlCAt('0%');
  const startedAtMs = performance.now();
  const onProgress = (/** @type {Parameters<typeof press>} */ ...given) => void setTimeout(press, STOP_MS, ...given);
  const { code, err } = await run(LONG_CUT_MS, { onProgress });
  return { code, err, elapsedMs: performance.now() - startedAtMs };
}

describe('a cut of the link', () => {
  /** @type {any} */
  let document;
  /** @type {{ code: number | null, err: string, elapsedMs: number }} */
  let stopped;
  before(
    async () => {
      // At the same time, as both wait for most of it.
      const [{ code, out, err }, ended] = await Promise.all([run(CUT_MS), runAndStop()]);
      assert.equal(code, 0, err);
      document = JSON.parse(out);
      stopped = ended;
    },
    { timeout: LIMIT_MS },
  );

  it('is one in the block, of that length, the same for all deliveries', () => {
    assert.equal(problemOf(cuts, document), undefined);
    assert.deepEqual(
      document.trials.map((/** @type {any} */ { delivery }) => delivery),
      DELIVERIES,
    );
    const [{ linkCut, feedAtMs }, ...others] = document.trials;
    assert.ok(linkCut.toMs - linkCut.fromMs >= CUT_MS - BLUR_MS, JSON.stringify(linkCut));
    assert.ok(linkCut.fromMs >= feedAtMs + 3000);
    for (const other of others) assert.deepEqual(other.linkCut, linkCut);
    assert.equal(reportOf(cuts, document).timelines?.length, 1);
  });

  it('lets nothing through', () => {
    for (const { delivery, linkCut, arrivals } of document.trials) {
      const during = arrivals.atMs.filter(
        (/** @type {number} */ ms) => ms > linkCut.fromMs + BLUR_MS && ms < linkCut.toMs - BLUR_MS,
      );
      assert.deepEqual(during, [], delivery);
    }
  });

  it('is found, to a message, where nobody says when it was', () => {
    const trials = document.trials.map((/** @type {any} */ { linkCut: _, ...trial }) => trial);
    const { rows } = summarize({ ...document, trials });
    for (const [i, { delivery, figures }] of summarize(document).rows.entries()) {
      const [{ noticedMs, backMs, isCut }] = rows[i].figures;
      assert.ok(isCut, delivery);
      assert.equal(noticedMs === undefined, figures[0].noticedMs === undefined, delivery);
      const errors = [
        Number(noticedMs ?? 0) - Number(figures[0].noticedMs ?? 0),
        Number(backMs) - Number(figures[0].backMs),
      ];
      for (const error of errors)
        assert.ok(Math.abs(error) <= 1000 / document.plan.rate + BLUR_MS, `${delivery}: ${errors}`);
    }
  });

  it('makes each message late by its rest, or lost; TCP and replay lose none', () => {
    for (const { delivery, figures } of summarize(document).rows) {
      const [{ sentCount, receivedCount, lostCount, backMs, latestMs }] = figures;
      assert.equal(sentCount, receivedCount + lostCount);
      const { linkCut, feedAtMs } = document.trials.find((/** @type {any} */ trial) => trial.delivery === delivery);
      assert.ok(Number(backMs) >= CUT_MS - 2 * BLUR_MS, `${delivery}: back after ${backMs} ms`);
      // A connection without pings waits: TCP sends again until the link is whole.
      assert.equal(lostCount, 0, delivery);
      const rate = document.plan.rate;
      const firstDropped = Math.ceil(((linkCut.fromMs + BLUR_MS - feedAtMs) * rate) / 1000);
      const restMs = linkCut.toMs - feedAtMs - dueMsOf(firstDropped, { rate });
      assert.ok(Number(latestMs) >= restMs - BLUR_MS, `${delivery}: ${latestMs} ms late, with ${restMs} ms to go`);
    }
  });

  it('ends with the run on Ctrl-C', () => {
    const { code, err, elapsedMs } = stopped;
    assert.equal(code, 1, err);
    assert.ok(!err.includes('could not be taken down'), err);
    assert.ok(elapsedMs < LONG_CUT_MS);
  });
});
