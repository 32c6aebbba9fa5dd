/** The figures of a message in ms follow from the ratio: neither they nor what is said of them contradict each other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../../core/base/random.js';
import { leadingOf } from '../../../../core/experiment/answer/answer-card.js';
import { compareTransports } from '../../../../core/experiment/answer/compare.js';
import { SAME_RATIO } from '../../../../core/experiment/answer/verdict.js';
import { createDistanceModel, slowDown, speedAt } from '../../../../core/experiments/shootout/distance-model.js';
import { createTrial } from '../../../support/results.js';

/**
 * @import { Interval } from '../../../../core/base/statistics.js'
 * @import { Answer } from '../../../../core/experiment/answer/answer.js'
 * @import { Comparison } from '../../../../core/experiment/answer/compare.js'
 * @import { VerdictName } from '../../../../core/experiment/answer/verdict.js'
 * @import { Summary } from '../../../../core/experiments/shootout/summary.js'
 */

const RUN_COUNT = 2000;
const RTTS_MS = [0.2, 5, 20, 100, 230];
const NAMES = /** @type {const} */ (['low', 'estimate', 'high']);
/** @type {Readonly<Partial<Record<VerdictName, number>>>} */
const SIDES = { faster: 1, 'little-faster': 1, slower: -1, 'little-slower': -1, unclear: 0 };
/** @type {Readonly<Record<string, number>>} */
const WORDS = { faster: 1, slower: -1 };

/** @param {readonly number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value) / values.length;

/** @param {{ low: number, high: number }} interval @param {number} pivot @returns {number} on which side of it; 0: on both */
const sideOf = ({ low, high }, pivot) => (low > pivot ? 1 : high < pivot ? -1 : 0);

/** @param {ReturnType<typeof createRandom>} random @returns {Comparison} of blocks with more noise than difference, of which some are far off */
function compareAtRandom(random) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [noise, shift, outliers] = [random() ** 2, 0.6 * normal() * random(), random() < 0.3 ? 3 : 0];
  const blockCount = 2 + Math.floor(11 * random());
  const trials = Array.from({ length: blockCount }, (_, block) => {
    const farMs = random() < 0.2 ? Math.exp(outliers * random()) : 1;
    const timeMs = (/** @type {number} */ factor) => 5 * farMs * factor * Math.exp(noise * normal());
    return [createTrial('ajax', block, [timeMs(Math.exp(shift))]), createTrial('sockjs', block, [timeMs(1)])];
  }).flat();
  const rule = { confidence: random() < 0.5 ? 0.95 : 0.957, minBlocks: 2 };
  return compareTransports({ trials, baseline: 'ajax', transport: 'sockjs', rule });
}

/**
 * The times are as printed: what is said of them is the verdict on the ratio, by the margin and by the sign.
 * @param {{ savingMs?: Interval, speedRatio?: Interval, verdict?: VerdictName }} figures
 * @param {readonly number[]} timesMs of the baseline, of the other
 */
function assertAgree({ savingMs, speedRatio, verdict }, [baselineMs, messageMs]) {
  assert.ok(savingMs && speedRatio && verdict);
  const context = JSON.stringify({ savingMs, speedRatio, verdict });
  for (const name of NAMES) assert.equal(Math.sign(savingMs[name]), Math.sign(speedRatio[name] - 1), context);
  assert.ok(savingMs.low <= savingMs.estimate && savingMs.estimate <= savingMs.high, context);
  const side = sideOf(savingMs, 0);
  assert.equal(side, sideOf(speedRatio, 1), context);
  assert.equal(side, SIDES[verdict] ?? side, context);
  const [fasterMs, slowerMs] = [baselineMs, -messageMs].map((ms) => ms * (1 - 1 / SAME_RATIO));
  for (const [limitMs, limit] of [
    [fasterMs, SAME_RATIO],
    [slowerMs, 1 / SAME_RATIO],
  ])
    // What was rounded is a limit, too.
    for (const name of NAMES)
      assert.ok((savingMs[name] - limitMs) * Math.sign(speedRatio[name] - limit) >= -1e-9 * baselineMs, context);
}

describe('the figures in ms and as a ratio', () => {
  it(`agree in ${RUN_COUNT} random runs, where they were measured and as predicted, on bars and cards, too`, (t) => {
    const random = createRandom(1);
    const counts = { clear: 0, changed: 0 };
    for (let run = 0; run < RUN_COUNT; run++) {
      const comparison = compareAtRandom(random);
      const geometricMs = [0, 1].map((side) => Math.exp(mean(comparison.centres.map((both) => Math.log(both[side])))));
      assertAgree(comparison, geometricMs);
      const ownMs = mean(comparison.centres.map(([ajaxMs, sockjsMs]) => ajaxMs - sockjsMs));
      if (Math.sign(ownMs) !== Math.sign(Number(comparison.savingMs?.estimate))) counts.changed++;
      if (sideOf(/** @type {Interval} */ (comparison.savingMs), 0) !== 0) counts.clear++;
      const [floorMs, roundTripCount] = [Math.min(...comparison.centres.flat()), random() < 0.8 ? 1 : 2];
      const rows = [
        { transport: 'ajax', roundTripCount },
        { transport: 'sockjs', roundTripCount: 1 },
      ];
      const summary = /** @type {Summary} */ (/** @type {unknown} */ ({ rule: { confidence: 0.95 }, floorMs, rows }));
      const measured = createDistanceModel(summary, comparison) ?? assert.fail('no model');
      for (const model of [measured, slowDown(measured, 4)])
        for (const rttMs of [floorMs, ...RTTS_MS]) {
          const speed = speedAt(model, rttMs);
          const { baselineMs, messageMs, savingMs, verdict, answer } = speed;
          assertAgree(speed, [baselineMs, messageMs]);
          assert.ok(Math.abs(baselineMs - messageMs - savingMs.estimate) < 1e-9);
          assert.ok(messageMs > 0);
          const { word } = leadingOf(/** @type {Answer} */ ({ ...answer, topic: 'sending', savingMs }));
          if (verdict !== 'same') assert.equal(WORDS[String(word)] ?? 0, SIDES[verdict]);
        }
    }
    t.diagnostic(JSON.stringify(counts));
    // The search is one: it finds what is clear, what is not, and means on different sides.
    assert.ok(counts.clear > 100 && counts.clear < RUN_COUNT - 100 && counts.changed > 10, JSON.stringify(counts));
  });
});
