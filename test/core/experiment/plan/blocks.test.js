import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemOf } from '../../../../core/experiment/documents/problem.js';
import { countBlocks, describeBlocks, describeEarlyEnd, ruleOf } from '../../../../core/experiment/plan/blocks.js';
import { formatPlan, parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { measurement } from '../../../../core/experiments/shootout/measure.js';
import { isClear } from '../../../../core/experiments/jobs/measure.js';
import { createTrials } from '../../../support/results.js';
import { createScriptedTransport } from '../../../support/scripted-transport.js';

const LINK = 'transports=ajax,sockjs&blocks=12&looks=4,6,9&iterations=3&warmup=1&payload=0&seed=7';
/** @param {string} query */
const parse = (query) => parsePlan(shootout, new URLSearchParams(query));
const PLAN = parse(LINK);

/** @param {any} plan @param {(blockCount: number) => boolean} [clear] @returns {Promise<any>} */
function run(plan, clear) {
  const ajax = createScriptedTransport({ script: [], name: 'ajax' });
  const sockjs = createScriptedTransport({ script: [], name: 'sockjs', socket: true });
  return runExperiment(
    {
      ...measurement,
      around: undefined,
      ...(clear && { isClear: ({ trials }) => clear(countBlocks(trials)) }),
    },
    { plan, transports: { ajax: ajax.transport, sockjs: sockjs.transport }, now: ajax.now },
  );
}

describe('a run that looks', () => {
  it('ends only where its plan looks, and when the answer is clear', async () => {
    /** @type {number[]} */
    const looks = [];
    const { trials, ending } = await run(PLAN, (count) => looks.push(count) === 2);
    assert.deepEqual(looks, [4, 6]);
    assert.deepEqual([countBlocks(trials), ending], [6, undefined]);
    assert.equal(countBlocks((await run(PLAN, () => false)).trials), 12);
    assert.equal(countBlocks((await run({ ...PLAN, looks: undefined }, () => true)).trials), 12);
  });

  it('is whole where it looks, and nowhere else before its end', async () => {
    const { trials } = await run(PLAN, () => false);
    const wholeAt = (/** @type {any} */ plan) =>
      trials.flatMap((/** @type {any} */ _, /** @type {number} */ i) =>
        problemOf(shootout, { plan, trials: trials.slice(0, i + 1) }) ? [] : (i + 1) / 2,
      );
    assert.deepEqual(wholeAt(PLAN), [4, 6, 9, 12]);
    assert.deepEqual(wholeAt({ ...PLAN, looks: undefined }), [12]);
  });

  it('says that it ended as the answer was clear, but not if it was stopped', async () => {
    const { trials } = await run(PLAN, () => true);
    assert.equal(describeBlocks({ plan: PLAN, trials }), '4 of at most 12 blocks');
    assert.ok(describeEarlyEnd({ plan: PLAN, trials }));
    assert.equal(describeEarlyEnd({ plan: PLAN, trials, ending: {} }), '');
  });

  it('has wider intervals, and a verdict from its first look on', () => {
    assert.ok(ruleOf(PLAN).confidence > ruleOf({ blocks: 12 }).confidence);
    assert.deepEqual([ruleOf(PLAN).minBlocks, ruleOf({ blocks: 12 }).minBlocks], [4, 6]);
  });
});

describe('the looks of a plan', () => {
  it('are in its link, and absent where an older link has none', () => {
    assert.deepEqual(PLAN.looks, [4, 6, 9]);
    assert.equal(formatPlan(shootout, PLAN), LINK);
    assert.equal('looks' in parse(LINK.replace('&looks=4,6,9', '')), false);
  });

  for (const looks of ['3', '12', '4,6,8,9']) {
    it(`are refused: ${looks}`, () => assert.throws(() => parse(LINK.replace('4,6,9', looks)), /looks/));
  }
});

describe('a clear answer about messages', () => {
  /** @param {readonly [number, number][]} blocks @param {any} [situation] @param {{ url?: string, plan?: any }} [run] */
  const isClearBy = (blocks, situation, { url = 'https://example.org/', plan = PLAN } = {}) =>
    measurement.isClear?.(
      { trials: createTrials(blocks) },
      {
        ...{ plan, transports: {}, now: () => 0, ...(situation && { situation }) },
        environment: { url, userAgent: '', isCrossOriginIsolated: false },
      },
    );
  /** @param {number} ajaxMs by about a thousandth more in each block @returns {[number, number][]} */
  const fourBlocks = (ajaxMs) => [0, 1, 2, 3].map((i) => [ajaxMs + i / 10, 100]);

  it('is one that noise cannot turn: the same, slower, or faster by what users notice, or by less', () => {
    assert.deepEqual(
      [100, 70, 150, 115].map((ms) => isClearBy(fourBlocks(ms))),
      [true, true, true, true],
    );
  });

  it('is none across a limit: that of the ratio, or that of what users notice', () => {
    assert.deepEqual(
      [110, 120].map((ms) => isClearBy(fourBlocks(ms))),
      [false, false],
    );
    assert.equal(isClearBy(fourBlocks(120), { messageMattersMs: 5 }), true);
  });

  it('is that for users elsewhere, if the run was made on one machine', () => {
    // Four times as fast here, and the same within 10% at 100 ms.
    const near = [0, 1, 2, 3].map((i) => /** @type {[number, number]} */ ([4 + i / 100, 1]));
    const unsteady = [4, 40, 4, 60].map((ms) => /** @type {[number, number]} */ ([ms, 1]));
    const isClearAt = (/** @type {readonly [number, number][]} */ blocks) =>
      ['http://localhost:8000/', 'https://example.org/'].map((url) => isClearBy(blocks, undefined, { url }));
    assert.deepEqual([near, unsteady].map(isClearAt), [
      [true, true],
      [false, false],
    ]);
    // Of the machine it would be clear, as all of it is beyond 10%; at 100 ms it is across that limit.
    const across = [0, 1, 2, 3].map((i) => /** @type {[number, number]} */ ([14 + i / 100, 1]));
    assert.deepEqual(isClearAt(across), [false, true]);
  });

  it('is that for slower devices, if it is asked for them', () => {
    const blocks = fourBlocks(103);
    assert.deepEqual(
      ['like-this', '6x-slower'].map((device) => isClearBy(blocks, { device })),
      [true, false],
    );
  });

  it('is what was measured, where a payload leaves nothing to predict from', () => {
    assert.equal(isClearBy(fourBlocks(150), undefined, { plan: { ...PLAN, payloadBytes: 1000 } }), true);
  });
});

describe('a clear answer about news', () => {
  /** @param {number} low @param {number} high @param {number} intervalMs */
  const isClearBy = (low, high, intervalMs) => {
    const beyondHalfPeriod = { estimate: (low + high) / 2, low, high };
    const row = { delivery: 'sse', jobCount: 8, notifiedCount: 8, besidePolling: { beyondHalfPeriod, blockCount: 4 } };
    return isClear(/** @type {any} */ ([{ delivery: 'poll' }, row]), { intervalMs, rttMs: 0 });
  };

  it('depends on the interval of the visitor’s page, whose half is a part of the gain', () => {
    assert.deepEqual([isClearBy(-90, 90, 1000), isClearBy(-90, 90, 300), isClearBy(-90, 90, 10)], [true, false, true]);
  });

  it('is none without a method that notified of everything', () => {
    assert.equal(isClear([], { intervalMs: 1000, rttMs: 0 }), false);
  });
});
