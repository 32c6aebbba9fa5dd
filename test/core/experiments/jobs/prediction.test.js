import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describePrediction } from '../../../../core/experiments/jobs/elsewhere.js';
import { mean } from '../../../../core/base/statistics.js';
import { predictGain, summarize } from '../../../../core/experiments/jobs/summary.js';
import * as model from '../../../../core/net/delivery/model.js';
import { useGolden } from '../../../support/golden.js';
import { measureDocument } from '../../../support/jobs-report.js';

const matchGolden = useGolden(import.meta.url);
const PLAN = { deliveries: ['poll', 'push'], users: 4, jobs: 10, blocks: 6 };

/** @param {number} roundTripMs of the scripted server @param {object} [plan] */
async function measureAt(roundTripMs, plan) {
  const [poll, push] = summarize(await measureDocument({ ...PLAN, ...plan }, { roundTripMs }));
  return { poll, push };
}

/**
 * Polls for an hour: each request takes half a round trip to the server, and its answer the other half. There is news every 7 ms,
 * which the next request that arrives finds.
 * @param {{ intervalMs: number, rttMs: number, polls: string }} page
 */
function simulatePolling({ intervalMs, rttMs, polls }) {
  const hourMs = 3_600_000;
  /** @type {number[]} */
  const delaysMs = [];
  let count = 0;
  let newsMs = 0;
  for (let sentMs = 0; sentMs < hourMs; count++) {
    const answeredMs = sentMs + rttMs;
    for (; newsMs <= sentMs + rttMs / 2; newsMs += 7) delaysMs.push(answeredMs - newsMs);
    sentMs = polls === 'timer' ? sentMs + intervalMs : answeredMs + intervalMs;
  }
  return { delayMs: Number(mean(delaysMs)), countPerHour: count };
}

describe('how much sooner push notifies users elsewhere', () => {
  it('is predicted near what is measured there', async () => {
    const { push } = await measureAt(2);
    for (const rttMs of [40, 100, 230]) {
      const there = await measureAt(rttMs);
      const [predicted, measured] = [
        predictGain(push, { intervalMs: 500, rttMs }),
        there.poll.comparison?.differenceInterval,
      ];
      assert.ok(predicted && measured);
      // Neither knows the instants of the other's jobs, so their intervals overlap at least.
      assert.ok(
        predicted.low < measured.high && measured.low < predicted.high,
        `${rttMs}: ${JSON.stringify({ predicted, measured })}`,
      );
      assert.ok(Math.abs(predicted.estimate - (500 + rttMs) / 2) < 40, `${rttMs}: ${predicted.estimate}`);
    }
  });

  it('is what a simulation has, of a pause after each answer and of a timer', async () => {
    const { push } = await measureAt(2);
    const [intervalMs, rttMs] = [1000, 230];
    for (const [polls, gainMs, count] of /** @type {const} */ ([
      ['pause', 615, 3_600_000 / 1230],
      ['timer', 500, 3600],
    ])) {
      const page = { intervalMs, rttMs, polls };
      const simulated = simulatePolling(page);
      const delayMs = model.pollDelayMsOf(page);
      assert.ok(Math.abs(simulated.delayMs - delayMs) < 1, `${polls}: ${simulated.delayMs}, not ${delayMs}`);
      assert.ok(Math.abs(delayMs - model.pushDelayMsOf(page) - gainMs) < 1e-9);
      assert.ok(Math.abs(Number(predictGain(push, page)?.estimate) - gainMs) < 40, polls);
      assert.equal(model.pollCosts({ ...page, newsMs: 30_000 }).count, count);
      assert.ok(Math.abs(simulated.countPerHour / count - 1) < 0.001, `${polls}: ${simulated.countPerHour}`);
    }
  });

  it('is no more than news can be sooner, and never without an interval there', () => {
    const page = { intervalMs: 1000, rttMs: 100 };
    /** @param {{ estimate: number, low: number, high: number }} beyondHalfPeriod */
    const gainOf = (beyondHalfPeriod) => predictGain({ besidePolling: { beyondHalfPeriod, blockCount: 6 } }, page);
    assert.deepEqual(gainOf({ estimate: 30, low: -20, high: 80 }), { estimate: 550, low: 500, high: 550 });
    assert.deepEqual(gainOf({ estimate: -30, low: -60, high: -10 }), { estimate: 520, low: 490, high: 540 });
    // All of it is beyond the limit: as sure as it was measured, not surer.
    assert.deepEqual(gainOf({ estimate: 30, low: 20, high: 40 }), { estimate: 550, low: 540, high: 550 });
    assert.equal(model.delayMsAfter(550, page), model.pushDelayMsOf(page));
    assert.equal(model.delayMsAfter(520, page), model.pushDelayMsOf(page) + 30);
  });

  it('is no prediction of less than six blocks', async (t) => {
    const { poll, push } = await measureAt(2, { blocks: 5 });
    assert.equal(predictGain(push, { intervalMs: 500, rttMs: 100 }), undefined);
    assert.equal(describePrediction({ poll, push, rttMs: 100 }), undefined);
    const said = describePrediction({ ...(await measureAt(2)), rttMs: 100 });
    assert.ok(said?.lead?.bars);
    const { headline, evidence = '', lead } = said;
    matchGolden(t, 'jobs', [headline, evidence]);
    assert.equal(lead.word, 'Sooner');
    const [polling, pushed] = said.lead.bars;
    assert.ok(Math.abs(polling.value - pushed.value - lead.estimate) < 1e-9);
  });
});
