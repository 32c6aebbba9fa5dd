#!/usr/bin/env node
/**
 * `npm run shootout`: the home page's run from the command line.
 */
import { writeFile } from 'node:fs/promises';
import { estimateDurationMs } from '../core/plan.js';
import { createReport } from '../core/report.js';
import { formatCsv } from '../core/result-csv.js';
import { formatMarkdown } from '../core/result-markdown.js';
import { formatResult } from '../core/result.js';
import { checkWritable } from './check-writable.js';
import { choosePlan } from './choose-plan.js';
import { RunError, UsageError } from './errors.js';
import { checkConditions, listFailures } from './fail-if.js';
import { formatText } from './format-text.js';
import { lookAround } from './look-around.js';
import { measure } from './measure.js';
import { measureInBrowser } from './measure-in-browser.js';
import { HELP, parseOptions } from './options.js';
import { createProgress } from './progress.js';
import { createTransports } from './transports.js';

const EXIT = { done: 0, failed: 1, wrong: 2 };

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
  const text = FORMATTERS[options.format](report);
  if (options.out === undefined) process.stdout.write(text);
  else await writeFile(options.out, text);
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
  const transports = createTransports(origin);
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
    return isInBrowser
      ? await measureInBrowser({ plan, origin, signal })
      : await measure({ plan, origin, transports, progress, signal });
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

/** @returns {AbortSignal} the first Ctrl-C ends the run, the second the program */
function cancelOnSignals() {
  const controller = new AbortController();
  /** @type {import('../core/run.js').Ending} */
  const reason = { kind: 'cancelled', reason: 'The run was cancelled.' };
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(name, () => controller.abort(reason));
  return controller.signal;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof RangeError;
  const { message, stack } = /** @type {Error} */ (error);
  process.stderr.write(`${isUsage || error instanceof RunError ? message : stack}\n`);
  process.exitCode = isUsage ? EXIT.wrong : EXIT.failed;
}
