import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDistanceModel, predictSpeedRatio } from '../../../../core/experiments/shootout/distance-model.js';
import { findSameDistance } from '../../../../core/experiments/shootout/same-distance.js';
import { findBreakEven, listSteps } from '../../../../core/experiments/shootout/report.js';
import { challengerOf } from '../../../../core/experiments/shootout/plan.js';
import { transports } from '../../../../core/net/echo/index.js';
import { summarize } from '../../../../core/experiments/shootout/summary.js';
import { createResult, createTrial } from '../../../support/results.js';

/**
 * @import { DistanceModel } from '../../../../core/experiments/shootout/distance-model.js'
 * @import { Summary, Row } from '../../../../core/experiments/shootout/summary.js'
 */

/** What each transport adds to the distance, in ms. */
const OVERHEAD_MS = { ajax: 5, xhr: 4, ws: 0.5, websocket: 0.625, sockjs: 0.75, 'sockjs-eventsource': 30 };
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
  /** @type {DistanceModel} */ (createDistanceModel(report, rowOf(report, 'sockjs').comparison));

describe('the distance model', () => {
  const near = modelOf(reportAt(1));

  it('predicts from a run at 1 ms what a run at another distance measures', () => {
    for (const distanceMs of [1, 20, 100, 230]) {
      const measured = Number(modelOf(reportAt(distanceMs)).speedRatio.estimate);
      assert.ok(Math.abs(predictSpeedRatio(near, distanceMs).estimate / measured - 1) < 0.005, String(distanceMs));
    }
  });

  it('predicts at the run’s own distance what was measured there; within the run with the same interval, of others with a wider one', () => {
    const overheads = [5, 9, 6, 30, 7, 5];
    const trials = overheads.flatMap((ms, block) => [
      createTrial('ajax', block, [1, ...Array(19).fill(1 + ms)]),
      createTrial('sockjs', block, Array(20).fill(1 + ms / (4 + block))),
    ]);
    const model = modelOf(summarize(createResult({ trials, plan: { ...PLAN, transports: ['ajax', 'sockjs'] } })));
    const predicted = predictSpeedRatio(model, model.floorMs, 0);
    for (const end of /** @type {const} */ (['estimate', 'low', 'high']))
      assert.ok(Math.abs(predicted[end] / model.speedRatio[end] - 1) < 1e-9, end);
    const ofOthers = predictSpeedRatio(model, model.floorMs);
    assert.ok(ofOthers.low < predicted.low && ofOthers.high > predicted.high);
  });

  it('predicts with a connection for each message, where a proxy closed each', () => {
    const requests = { seenCount: 23, openedCount: 23, cacheHitCount: 0 };
    const runAt = (/** @type {number} */ distanceMs, /** @type {string} */ url) => {
      // TCP takes a round trip before the message's own, and TLS another.
      const ajaxMs = (url.startsWith('https') ? 3 : 2) * distanceMs + 5;
      const trials = [0, 1, 2, 3, 4, 5].flatMap((block) => [
        createTrial('ajax', block, Array(20).fill(ajaxMs + block / 100), { requests }),
        createTrial('sockjs', block, [distanceMs, ...Array(19).fill(distanceMs + 1)]),
      ]);
      const plan = { ...PLAN, transports: ['ajax', 'sockjs'] };
      const environment = { url, userAgent: 'a', stepMs: 0.005, isCrossOriginIsolated: true };
      return summarize(createResult({ trials, plan, environment }));
    };
    for (const url of ['http://example.org/', 'https://example.org/']) {
      const model = modelOf(runAt(20, url));
      const predicted = predictSpeedRatio(model, 230);
      const measured = modelOf(runAt(230, url)).speedRatio;
      assert.ok(Math.abs(predicted.estimate / measured.estimate - 1) < 0.005, `${predicted.estimate} ${url}`);
      assert.equal(findSameDistance(model).highMs, Infinity);
    }
    const { rows, notes } = runAt(20, 'http://example.org/');
    assert.deepEqual(
      rows.map(({ roundTripCount }) => roundTripCount),
      [2, 1],
    );
    assert.match(notes.join(), /AJAX: opened a connection/);
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
    const { highMs: distanceMs } = findSameDistance(near);
    // All of the interval, not its middle alone, is within 10%.
    assert.ok(Math.abs(predictSpeedRatio(near, distanceMs).high - 1.1) < 1e-9);
    // 4.25 ms saved of 0.755 and the distance.
    const { estimateMs } = findSameDistance(near);
    assert.ok(Math.abs(estimateMs - 41.745) < 0.1, String(estimateMs));
    assert.ok(distanceMs > estimateMs);
  });

  it('finds it, too, for one that is slower, and for one that may be either', () => {
    const withSavings = (/** @type {number[]} */ ...ms) => ({
      ...near,
      overheads: ms.map((saved) => /** @type {const} */ ([4 + saved, 4])),
    });
    const slower = withSavings(-2.2, -2, -1.8);
    assert.ok(Math.abs(predictSpeedRatio(slower, findSameDistance(slower).highMs).low - 1 / 1.1) < 1e-9);
    const unclear = withSavings(-0.5, 1, 2.5);
    assert.ok(Math.abs(predictSpeedRatio(unclear, findSameDistance(unclear).highMs).high - 1.1) < 1e-9);
  });

  it('is none where nothing was measured', () => {
    const report = summarize(createResult());
    assert.equal(createDistanceModel(report, report.rows[1].comparison), undefined);
  });
});

describe('the transport that a verdict is about', () => {
  it('is one that the home page offers, where the run has such', () => {
    const others = ['ajax', 'xhr', 'socketio-websocket', 'sockjs-xhr-streaming'];
    for (const { name, isCandidate } of Object.values(transports)) {
      if (isCandidate) assert.equal(challengerOf({ transports: [...others, name].sort() }), name);
    }
  });
});

describe('the latency breakdown', () => {
  /** @param {Record<string, number>} overheadMs */
  function stepsWith(overheadMs) {
    const { result, floorMs } = reportAt(48, overheadMs);
    const steps = listSteps({ plan: result.plan, trials: result.trials, floorMs });
    return steps.map(({ name, meaning, costMs, blockCount }) => {
      return [name, meaning, Number(costMs?.estimate.toFixed(6)), blockCount];
    });
  }
  const { ajax, xhr, ws, websocket, sockjs } = OVERHEAD_MS;
  const DISTANCE = ['Distance', 'the fastest round trip of the run', 48, undefined];

  it('takes a message’s time apart, each step between two that differ in one thing', () => {
    assert.deepEqual(stepsWith(OVERHEAD_MS), [
      DISTANCE,
      ['jQuery', 'AJAX less XHR', 1, 6],
      ['HTTP', 'XHR less WebSocket', 3.5, 6],
      ['SockJS’s WebSocket library', 'WebSocket (SockJS’s server) less WebSocket', 0.125, 6],
      ['SockJS’s framing and client', 'SockJS less WebSocket (SockJS’s server)', 0.125, 6],
      ['Falling back to eventsource', 'SockJS eventsource less SockJS', 29.25, 6],
    ]);
  });

  it('has SockJS as a whole where its library was not measured alone', () => {
    assert.deepEqual(stepsWith({ ajax, xhr, ws, sockjs }), [
      DISTANCE,
      ['jQuery', 'AJAX less XHR', 1, 6],
      ['HTTP', 'XHR less WebSocket', 3.5, 6],
      ['SockJS as a whole', 'SockJS less WebSocket', 0.25, 6],
    ]);
  });

  it('is what it was of a run that was stored before there was a WebSocket without that library', () => {
    assert.deepEqual(stepsWith({ ajax, xhr, websocket, sockjs }), [
      DISTANCE,
      ['jQuery', 'AJAX less XHR', 1, 6],
      ['HTTP', 'XHR less WebSocket (SockJS’s server)', 3.375, 6],
      ['SockJS’s framing and client', 'SockJS less WebSocket (SockJS’s server)', 0.125, 6],
    ]);
  });

  it('says of each step, in a sentence, what it isolates', () => {
    const { result, floorMs } = reportAt(48);
    for (const { name, isolates } of listSteps({ ...result, floorMs })) assert.match(isolates, /^[A-Z].*\.$/, name);
  });

  it('has no step with a transport that fell back, as more than one thing differs then', () => {
    const { result, floorMs } = reportAt(48, { ajax, xhr, ws, sockjs });
    const trials = result.trials.map((trial) =>
      trial.transport === 'sockjs' ? { ...trial, protocol: 'xhr-streaming' } : trial,
    );
    const names = listSteps({ plan: result.plan, trials, floorMs }).map(({ name }) => name);
    assert.deepEqual(names, ['Distance', 'jQuery', 'HTTP']);
  });

  it('has steps over other transports alone', () => {
    for (const { name, steps = [] } of Object.values(transports)) {
      for (const { over } of steps) assert.ok(Object.hasOwn(transports, over) && over !== name, `${name} over ${over}`);
    }
  });

  it('leaves out what the plan does not have', () => {
    assert.deepEqual(stepsWith({ ajax: 5, sockjs: 1 }), [DISTANCE]);
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
