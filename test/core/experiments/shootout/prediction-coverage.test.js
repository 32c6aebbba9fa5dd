/**
 * Two runs of a simulated pair of transports, whose overheads differ by chance from run to run: how often the prediction of one covers
 * what the other measures elsewhere. Seeded, so it is the same each time.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createRandom } from '../../../../core/base/random.js';
import {
  modelOf,
  OVERHEAD_DEVIATION,
  predictSpeedRatio,
  speedAt,
} from '../../../../core/experiments/shootout/distance-model.js';
import { summarize } from '../../../../core/experiments/shootout/summary.js';
import { createPlaceRun } from '../../../support/places.js';
import { runProgram } from '../../../support/program.js';

/** @import { DistanceModel } from '../../../../core/experiments/shootout/distance-model.js' */

const RTTS_MS = [1, 20, 100, 230];
const PAIR_COUNT = 800;

/** @param {number} deviation of the overheads of two runs @param {number} seed @returns {(distanceMs: number) => ReturnType<typeof createPlaceRun>} */
function createRuns(deviation, seed) {
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  // The difference of two has twice the variance of one.
  const overheadMs = (/** @type {number} */ ms) => ms * Math.exp((deviation / Math.SQRT2) * normal());
  return (distanceMs) => createPlaceRun({ distanceMs, addsMs: { ajax: overheadMs(4.4), sockjs: overheadMs(0.4) } });
}

describe('the interval of a prediction', () => {
  it('covers what another run measures elsewhere in 95% of runs, and in few without what runs differ by', (t) => {
    const createRun = createRuns(OVERHEAD_DEVIATION, 1);
    const measureAt = (/** @type {number} */ rttMs) =>
      /** @type {DistanceModel} */ (modelOf(summarize(createRun(rttMs))));
    const counts = { all: 0, withinRun: 0, saving: 0 };
    for (let pair = 0; pair < PAIR_COUNT; pair++) {
      const model = measureAt(RTTS_MS[pair % 4]);
      const other = measureAt(RTTS_MS[(pair + 1 + (pair % 3)) % 4]);
      const { floorMs, speedRatio } = other;
      const covers = (/** @type {number} */ deviation) => {
        const { low, high } = predictSpeedRatio(model, floorMs, deviation);
        return low <= speedRatio.estimate && speedRatio.estimate <= high;
      };
      if (covers(OVERHEAD_DEVIATION)) counts.all++;
      if (covers(0)) counts.withinRun++;
      const [predicted, measured] = [model, other].map((one) => speedAt(one, floorMs).savingMs);
      if (predicted.low <= measured.estimate && measured.estimate <= predicted.high) counts.saving++;
    }
    t.diagnostic(JSON.stringify(counts));
    assert.ok(Math.abs(counts.all / PAIR_COUNT - 0.95) <= 0.025, JSON.stringify(counts));
    assert.ok(Math.abs(counts.saving / PAIR_COUNT - 0.95) <= 0.025, JSON.stringify(counts));
    assert.ok(counts.withinRun / PAIR_COUNT < 0.5, JSON.stringify(counts));
  });

  it('follows from runs: the program finds by how much their overheads differ', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    try {
      const createRun = createRuns(0.5, 2);
      const files = Array.from({ length: 80 }, (_, i) => path.join(folder, `${i}.json`));
      for (const [i, file] of files.entries()) await writeFile(file, JSON.stringify(createRun(RTTS_MS[i % 4])));
      const { code, out, err } = await runProgram('lab/between-runs.js', files);
      assert.equal(code, 0, err);
      const [, needed] = /95% need (\d\.\d+)/.exec(out) ?? assert.fail(out);
      assert.ok(Math.abs(Number(needed) - 0.5) < 0.1, out);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
