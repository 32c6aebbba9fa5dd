/**
 * `sudo node lab/devices.js`: predicts from a run in Chromium what slower devices measure, and measures it in the same browser, made
 * slower. Prints a table in Markdown.
 */
import { createCommand, parseArguments } from '../cli/program/command.js';
import { EXIT, runProgram, RunError, UsageError } from '../cli/program/program.js';
import { DASH, formatMs, formatRange, formatRatio } from '../core/base/format.js';
import { mean } from '../core/base/statistics.js';
import { toMarkdown, words } from '../core/experiment/report/table.js';
import { modelOf, predictSpeedRatio, slowDown } from '../core/experiments/shootout/distance-model.js';
import { createPlan } from '../core/experiments/shootout/plan.js';
import { summarize } from '../core/experiments/shootout/summary.js';
import { withFarSite } from './far-site.js';
import { measureThrottled } from './throttled.js';

/**
 * @import { Interval } from '../core/base/statistics.js'
 * @import { Column } from '../core/experiment/report/table.js'
 * @import { DistanceModel } from '../core/experiments/shootout/distance-model.js'
 * @typedef {{ rttMs: number, slowness: number, workMs?: number, model: DistanceModel, predicted?: Interval }} Row `predicted`: from the
 *   run that was not slowed down, at the same round-trip time
 */

const SLOWNESSES = [1, 4, 6];

/** @type {readonly Column<Row>[]} */
const COLUMNS = [
  words('RTT', ({ rttMs }) => `${rttMs} ms`),
  words('Slower', ({ slowness }) => `${slowness}x`),
  words('Calibration, ms', ({ workMs }) => (workMs === undefined ? DASH : formatMs(workMs))),
  ...[0, 1].map((side) =>
    words(`${['AJAX', 'SockJS'][side]} beyond the RTT, ms`, (/** @type {Row} */ { model }) =>
      formatMs(Number(mean(model.overheads.map((both) => both[side])))),
    ),
  ),
  words('Predicted speed-up (95% prediction interval)', ({ predicted }) => formatSpeedUp(predicted)),
  words('Measured speed-up (95% CI)', ({ model }) => formatSpeedUp(model.speedRatio)),
];

/** @param {Interval} [ratio] */
const formatSpeedUp = (ratio) => (ratio ? `${formatRatio(ratio)} (${formatRange(ratio)})` : DASH);

/** @param {number} rttMs @returns {Promise<Row[]>} */
const measureAt = (rttMs) =>
  withFarSite({ rttMs }, async ({ browser, origin: baseUrl }) => {
    const choices = { transports: ['ajax', 'sockjs'] };
    const plan = createPlan({ preset: 'standard', roundTripMs: rttMs, seed: 7, choices });
    /** @type {Row[]} */
    const rows = [];
    for (const slowness of SLOWNESSES) {
      const run = await measureThrottled(browser, { baseUrl, plan, slowness });
      const model = modelOf(summarize(run));
      if (!model) throw new RunError(`${rttMs} ms, ${slowness}x slower: expected a run with a verdict`);
      const like = rows.at(0)?.model;
      const predicted = like && predictSpeedRatio(slowDown(like, slowness), like.floorMs);
      rows.push({ rttMs, slowness, workMs: run.environment.device?.workMs, model, predicted });
    }
    return rows;
  });

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const command = createCommand('sudo node lab/devices.js', 'Predicts what slower devices measure, and measures it.');
  command.option('--rtt <ms...>', 'round-trip times; default: 20 100 230');
  const { rtt = ['20', '100', '230'] } = parseArguments(command, args);
  const wrong = rtt.find((/** @type {string} */ text) => !/^\d{1,4}$/.test(text));
  if (wrong !== undefined) throw new UsageError(`--rtt: expected milliseconds, got “${wrong}”`);
  const rows = [];
  for (const text of rtt) rows.push(...(await measureAt(Number(text))));
  process.stdout.write(`${toMarkdown({ columns: COLUMNS, rows }).join('\n')}\n`);
  return EXIT.done;
}

await runProgram(main);
