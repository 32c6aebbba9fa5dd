#!/usr/bin/env node
/**
 * `npm run shootout`: the home page's run from the command line.
 */
import { estimateDurationMs } from '../core/experiments/shootout/plan.js';
import { createReport } from '../core/experiments/shootout/report.js';
import { formatSamplesCsv } from '../core/experiment/documents/samples-csv.js';
import { formatMarkdown } from '../core/experiments/shootout/markdown.js';
import { formatResult } from '../core/experiments/shootout/result.js';
import { cancelOnSignals } from './program/cancel-on-signals.js';
import { checkWritable } from './program/check-writable.js';
import { choosePlan } from './shootout/choose-plan.js';
import { checkConditions, listFailures } from './program/fail-if.js';
import { formatText } from './shootout/format-text.js';
import { lookAround } from './net/look-around.js';
import { measure } from './shootout/measure.js';
import { HELP, parseOptions } from './shootout/options.js';
import { createProgress } from './program/progress.js';
import { EXIT, runProgram, writeOutput } from './program/run-program.js';
import { createTransports } from './net/transports.js';

/**
 * @import { Report } from '../core/experiments/shootout/report.js'
 * @import { Result } from '../core/experiments/shootout/result.js'
 * @import { PlanMaker } from './shootout/choose-plan.js'
 * @import { Options } from './shootout/options.js'
 */

/** @type {Record<Options['format'], (report: Report) => string>} */
const FORMATTERS = {
  text: formatText,
  json: ({ result }) => formatResult(result),
  csv: ({ result }) => formatSamplesCsv(result),
  markdown: formatMarkdown,
};

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const options = parseOptions(words);
  if (options.isHelp) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  if (options.out !== undefined) await checkWritable(options.out);
  const makePlan = await choosePlan(options);
  const signal = cancelOnSignals();
  const result = await run(options, makePlan, signal);
  if (!result) {
    process.stderr.write('Cancelled before the run began.\n');
    return EXIT.failed;
  }

  const report = createReport(result);
  await writeOutput(FORMATTERS[options.format](report), options.out);
  const reasons = reasonsToFail(report, options);
  for (const reason of reasons) process.stderr.write(`${reason}\n`);
  return reasons.length > 0 ? EXIT.failed : EXIT.done;
}

/**
 * @param {Options} options
 * @param {PlanMaker} makePlan
 * @param {AbortSignal} signal
 * @returns {Promise<Result | undefined>} absent where it was cancelled before it began
 */
async function run({ origin, conditions, isInBrowser, isQuiet, payloadBytes = 0 }, makePlan, signal) {
  const transports = await createTransports(origin, isInBrowser ? ['fetch'] : undefined);
  const roundTripMs = await lookAround(transports.fetch, { origin, payloadBytes, signal });
  if (roundTripMs === undefined) return undefined;
  const plan = makePlan(roundTripMs);
  checkConditions(conditions, plan);
  const progress = createProgress({
    stream: process.stderr,
    blocks: plan.blocks,
    trialsPerBlock: plan.transports.length,
    isQuiet,
  });
  const seconds = Math.max(1, Math.round(estimateDurationMs(plan, roundTripMs) / 1000));
  progress.say(
    `${plan.blocks} blocks of ${plan.iterations} messages by each of ${plan.transports.join(', ')}: about ${seconds} s.`,
  );
  try {
    if (!isInBrowser) return await measure({ plan, origin, transports, progress, signal });
    const { measureInBrowser } = await import('./program/measure-in-browser.js');
    return await measureInBrowser({ plan, origin, signal });
  } finally {
    progress.end();
  }
}

/**
 * @param {Report} report
 * @param {Options} options
 * @returns {string[]} sentences
 */
function reasonsToFail(report, { conditions }) {
  const { verdict, result } = report;
  if (verdict.word === 'none') return [`${verdict.headline}. ${result.ending?.reason ?? verdict.detail}`];
  return listFailures(conditions, report);
}

await runProgram(main);
