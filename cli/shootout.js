#!/usr/bin/env node
/**
 * `npm run shootout`: the home page's run from the command line.
 */
import { estimateDurationMs } from '../core/plan.js';
import { createReport } from '../core/report.js';
import { formatCsv } from '../core/result-csv.js';
import { formatMarkdown } from '../core/result-markdown.js';
import { formatResult } from '../core/result.js';
import { cancelOnSignals } from './cancel-on-signals.js';
import { checkWritable } from './check-writable.js';
import { choosePlan } from './choose-plan.js';
import { checkConditions, listFailures } from './fail-if.js';
import { formatText } from './format-text.js';
import { lookAround } from './look-around.js';
import { measure } from './measure.js';
import { HELP, parseOptions } from './options.js';
import { createProgress } from './progress.js';
import { EXIT, runProgram, writeOutput } from './run-program.js';
import { createTransports } from './transports.js';

/** @type {Record<import('./options.js').Options['format'], (report: import('../core/report.js').Report) => string>} */
const FORMATTERS = {
  text: formatText,
  json: ({ result }) => formatResult(result),
  csv: ({ result }) => formatCsv(result),
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
 * @param {import('./options.js').Options} options
 * @param {import('./choose-plan.js').PlanMaker} makePlan
 * @param {AbortSignal} signal
 * @returns {Promise<import('../core/result.js').Result | undefined>} absent where it was cancelled before it began
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
    const { measureInBrowser } = await import('./measure-in-browser.js');
    return await measureInBrowser({ plan, origin, signal });
  } finally {
    progress.end();
  }
}

/**
 * @param {import('../core/report.js').Report} report
 * @param {import('./options.js').Options} options
 * @returns {string[]} sentences
 */
function reasonsToFail(report, { conditions }) {
  const { verdict, result } = report;
  if (verdict.word === 'none') return [`${verdict.headline}. ${result.ending?.reason ?? verdict.detail}`];
  return listFailures(conditions, report);
}

await runProgram(main);
