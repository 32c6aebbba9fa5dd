/**
 * `node lab/between-runs.js FILE...`: by how much the overheads of two runs differ, from runs (JSON) of one pair of transports at
 * several round-trip times. Each run predicts what each other one measured.
 */
import { readFile } from 'node:fs/promises';
import * as valibot from 'valibot';
import { createCommand, parseArguments } from '../cli/program/command.js';
import { EXIT, runProgram, RunError } from '../cli/program/program.js';
import { quantile, sort } from '../core/base/statistics.js';
import { parseDocument } from '../core/experiment/documents/check.js';
import { modelOf, OVERHEAD_DEVIATION, predictSpeedRatio } from '../core/experiments/shootout/distance-model.js';
import { shootout } from '../core/experiments/shootout/index.js';

import { summarize } from '../core/experiments/shootout/summary.js';

/** @import { DistanceModel } from '../core/experiments/shootout/distance-model.js' */

/** @param {string} file @returns {Promise<DistanceModel>} */
async function readModel(file) {
  const model = modelOf(summarize(parseDocument(await readFile(file, 'utf8'), valibot, shootout)));
  if (!model) throw new RunError(`${file}: expected a run with a verdict and without payload`);
  return model;
}

/**
 * Returns the deviation of the overheads from which on the prediction covers what another run measured.
 * @param {DistanceModel} model @param {DistanceModel} measured
 */
function neededDeviation(model, { floorMs, speedRatio }) {
  const reachWith = (/** @type {number} */ deviation) => {
    const { low, high } = predictSpeedRatio(model, floorMs, deviation);
    return Math.log(high / low) / 2;
  };
  const error = Math.log(speedRatio.estimate / predictSpeedRatio(model, floorMs).estimate);
  const [ofRun, withOne] = [reachWith(0), reachWith(1)];
  return Math.sqrt(Math.max(0, error ** 2 - ofRun ** 2) / (withOne ** 2 - ofRun ** 2));
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const command = createCommand('node lab/between-runs.js', 'Prints by how much the overheads of two runs differ.');
  parseArguments(command.argument('<files...>', 'runs (JSON) at several round-trip times'), args);
  const models = await Promise.all(command.args.map(readModel));
  // At one distance there is nothing to predict.
  const isElsewhere = (/** @type {DistanceModel} */ a, /** @type {DistanceModel} */ b) => {
    const [near, far] = sort([a.floorMs, b.floorMs]);
    return far > 1.5 * near && far - near > 5;
  };
  const needed = sort(models.flatMap((a) => models.filter((b) => isElsewhere(a, b)).map((b) => neededDeviation(a, b))));
  if (needed.length === 0) throw new RunError('Expected runs at two round-trip times or more.');
  const countWith = (/** @type {number} */ deviation) =>
    `${needed.filter((one) => one <= deviation).length} of ${needed.length}`;
  process.stdout.write(
    `${models.length} runs; a prediction covers what another run measured elsewhere:\n` +
      `${countWith(0)} with the interval within the run, ${countWith(OVERHEAD_DEVIATION)} with overheads that differ by ${OVERHEAD_DEVIATION}.\n` +
      `95% need ${Number(quantile(needed, 0.95)).toFixed(2)}.\n`,
  );
  return EXIT.done;
}

await runProgram(main);
