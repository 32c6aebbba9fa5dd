import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createDistanceModel,
  findSameDistanceMs,
  predictSpeedRatio,
} from '../../../../core/experiments/shootout/distance-model.js';
import { findBreakEven, listSteps } from '../../../../core/experiments/shootout/report.js';
import { summarize } from '../../../../core/experiments/shootout/summary.js';
import { createResult, createTrial } from '../../../support/results.js';

/**
 * @import { DistanceModel } from '../../../../core/experiments/shootout/distance-model.js'
 * @import { Summary, Row } from '../../../../core/experiments/shootout/summary.js'
 */

/** What each transport adds to the distance, in ms. */
const OVERHEAD_MS = { ajax: 5, xhr: 4, websocket: 0.5, sockjs: 0.75, 'sockjs-eventsource': 30 };
const PLAN = {
  transports: Object.keys(OVERHEAD_MS),
  blocks: 6,
  iterations: 20,
  warmUpCount: 3,
  payloadBytes: 0,
  seed: 1,
};

/**
 * @param {number} distanceMs
 * @param {Record<string, number>} [overheadMs]
 */
function reportAt(distanceMs, overheadMs = OVERHEAD_MS) {
  const trials = Array.from({ length: PLAN.blocks }, (_, block) =>
    Object.entries(overheadMs).map(([name, ms]) =>
      // Its first message is the fastest there is, its others vary a little from block to block.
      createTrial(name, block, [distanceMs, ...Array(19).fill(distanceMs + ms + (block % 2) / 100)], {
        setUpMs: ms * 2,
      }),
    ),
  ).flat();
  return summarize(createResult({ trials, plan: { ...PLAN, transports: Object.keys(overheadMs) } }));
}

/** @param {Summary} report @param {string} name */
const rowOf = ({ rows }, name) => /** @type {Row} */ (rows.find(({ transport }) => transport === name));

/** @param {Summary} report */
const modelOf = (report) =>
  /** @type {DistanceModel} */ (createDistanceModel(report.floorMs, rowOf(report, 'sockjs').comparison));

describe('the distance model', () => {
  const near = modelOf(reportAt(1));

  it('predicts from a run at 1 ms what a run at another distance measures', () => {
    for (const distanceMs of [1, 20, 100, 230]) {
      const measured = Number(modelOf(reportAt(distanceMs)).speedRatio.estimate);
      assert.ok(Math.abs(predictSpeedRatio(near, distanceMs).estimate / measured - 1) < 0.005, String(distanceMs));
    }
  });

  it('predicts at the run’s own distance what was measured there, with the same interval', () => {
    const overheads = [5, 9, 6, 30, 7, 5];
    const trials = overheads.flatMap((ms, block) => [
      createTrial('ajax', block, [1, ...Array(19).fill(1 + ms)]),
      createTrial('sockjs', block, Array(20).fill(1 + ms / (4 + block))),
    ]);
    const model = modelOf(summarize(createResult({ trials, plan: { ...PLAN, transports: ['ajax', 'sockjs'] } })));
    const predicted = predictSpeedRatio(model, model.floorMs);
    for (const end of /** @type {const} */ (['estimate', 'low', 'high']))
      assert.ok(Math.abs(predicted[end] / model.speedRatio[end] - 1) < 1e-9, end);
  });

  it('predicts a ratio that falls towards 1 with the distance', () => {
    const ratios = [0, 10, 50, 200, 400].map((ms) => predictSpeedRatio(near, ms).estimate);
    assert.deepEqual(
      ratios,
      ratios.toSorted((a, b) => b - a),
    );
    assert.ok(ratios[4] > 1 && ratios[4] < 1.02);
  });

  it('finds where the two become the same within 10%', () => {
    const distanceMs = Number(findSameDistanceMs(near));
    // All of the interval, not its middle alone, is within 10%.
    assert.ok(Math.abs(predictSpeedRatio(near, distanceMs).high - 1.1) < 1e-9);
    // 4.25 ms saved of 0.755 and the distance.
    assert.ok(Math.abs(distanceMs - 41.745) < 0.1, String(distanceMs));
  });

  it('finds it, too, for one that is slower, and for one that may be either', () => {
    const withSavings = (/** @type {number[]} */ ...ms) => ({
      ...near,
      overheads: ms.map((saved) => /** @type {const} */ ([4 + saved, 4])),
    });
    const slower = withSavings(-2.2, -2, -1.8);
    assert.ok(Math.abs(predictSpeedRatio(slower, findSameDistanceMs(slower)).low - 1 / 1.1) < 1e-9);
    const unclear = withSavings(-0.5, 1, 2.5);
    assert.ok(Math.abs(predictSpeedRatio(unclear, findSameDistanceMs(unclear)).high - 1.1) < 1e-9);
  });

  it('is none where nothing was measured', () => {
    const report = summarize(createResult());
    assert.equal(createDistanceModel(report.floorMs, report.rows[1].comparison), undefined);
  });
});

describe('the latency breakdown', () => {
  it('takes a message’s time apart', () => {
    const { result, floorMs } = reportAt(48);
    const steps = listSteps({ plan: result.plan, trials: result.trials, floorMs });
    assert.deepEqual(
      steps.map(({ name, costMs }) => [name, Number(costMs?.estimate.toFixed(6))]),
      [
        ['Distance', 48],
        ['SockJS’s framing and client', 0.25],
        ['HTTP', 3.5],
        ['jQuery', 1],
        ['Falling back to eventsource', 29.25],
      ],
    );
    assert.deepEqual(
      steps.map(({ blockCount }) => blockCount),
      [undefined, 6, 6, 6, 6],
    );
  });

  it('leaves out what the plan does not have', () => {
    const { result, floorMs } = reportAt(48, { ajax: 5, sockjs: 1 });
    assert.deepEqual(
      listSteps({ plan: result.plan, trials: result.trials, floorMs }).map(({ name }) => name),
      ['Distance'],
    );
  });
});

describe('findBreakEven', () => {
  const report = reportAt(1);

  it('is the number of messages whose saving pays for the connection', () => {
    const row = { ...rowOf(report, 'sockjs'), setUp: { medianMs: 60, count: 6, reusedCount: 0 } };
    // (60 - 10) / 4.25
    assert.equal(findBreakEven({ row, baseline: rowOf(report, 'ajax') }), 12);
  });

  it('is 1 where the connection costs less already', () => {
    assert.equal(findBreakEven({ row: rowOf(report, 'sockjs'), baseline: rowOf(report, 'ajax') }), 1);
  });

  it('is none where the transport does not save, or a set-up is not known', () => {
    const baseline = rowOf(report, 'ajax');
    assert.equal(findBreakEven({ row: rowOf(report, 'sockjs-eventsource'), baseline }), undefined);
    const row = { ...rowOf(report, 'sockjs'), setUp: { count: 0, reusedCount: 6 } };
    assert.equal(findBreakEven({ row, baseline }), undefined);
  });
});
