#!/usr/bin/env node
/**
 * `npm run jobs`: poll or push from the command line.
 */
import { jobs as jobsKind } from '../core/experiments/jobs/index.js';
import { describeJobsPlan, eachTrial, formatJobsPlan } from '../core/experiments/jobs/plan.js';
import { formatJobsMarkdown } from '../core/experiments/jobs/report.js';
import { labelOfWay } from '../core/net/delivery/labels.js';
import { cancelOnSignals } from './program/cancel-on-signals.js';
import { checkWritable } from './program/check-writable.js';
import { describeFileLimit, readFileLimit } from './program/file-limit.js';
import { formatJobs } from './jobs/format.js';
import { formatStress } from './jobs/format-stress.js';
import { HELP, parseJobsOptions } from './jobs/options.js';
import { createJobsProgress } from './jobs/progress.js';
import { lookAround } from './net/look-around.js';
import { measureJobsDocument } from './jobs/measure.js';
import { withOwnServer } from './program/own-server.js';
import { EXIT, runProgram, writeOutput } from './program/run-program.js';
import { measureStress } from './jobs/stress.js';
import { createTransports } from './net/transports.js';

/**
 * @import { JobsDocument } from '../core/experiments/jobs/summary.js'
 * @import { JobsOptions } from './jobs/options.js'
 */

/**
 * @typedef {object} Outcome
 * @property {string} text to be printed
 * @property {string} [reason] why the program ends with 1
 */

/**
 * @type {Record<JobsOptions['format'], (document: JobsDocument, options: { planWords?: string }) => string>}
 */
const FORMATTERS = {
  text: formatJobs,
  json: formatJson,
  csv: (document) => jobsKind.formatCsv(document),
  markdown: formatJobsMarkdown,
};

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const options = await parseJobsOptions(words);
  if (!options) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  if (options.out !== undefined) await checkWritable(options.out);
  const signal = cancelOnSignals();
  const measure = (/** @type {string} */ origin) => measureAt(origin, options, signal);
  const outcome = await (options.origin === undefined ? withOwnServer(measure) : measure(options.origin));
  if (outcome.text !== '') await writeOutput(outcome.text, options.out);
  if (outcome.reason === undefined) return EXIT.done;
  process.stderr.write(`${outcome.reason}\n`);
  return EXIT.failed;
}

/**
 * @param {string} origin
 * @param {JobsOptions} options
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 * @throws {UsageError} where no server answers
 */
async function measureAt(origin, { plan, format, mostUsers, isQuiet, ...options }, signal) {
  const { fetch } = await createTransports(origin, ['fetch']);
  const isThere = await lookAround(fetch, { origin, payloadBytes: 0, signal });
  if (isThere === undefined) return { text: '', reason: 'Cancelled before the run began.' };
  // Its libraries take longer to load than all else before a run.
  const { createJobClients } = await import('./net/job-client.js');
  const site = { origin, createClient: await createJobClients(origin) };
  // Its own server is gone when this is read: no link leads there.
  const planWords = options.origin === undefined ? `npm run jobs -- --plan '?${formatJobsPlan(plan)}'` : undefined;
  const fileLimit = readFileLimit();
  const progress = createJobsProgress({ stream: process.stderr, isQuiet });
  try {
    if (mostUsers !== undefined) {
      const stress = await measureStress({ site, plan, mostUsers, fileLimit, progress, signal });
      return { text: format === 'json' ? formatJson(stress) : formatStress(stress), reason: stress.ending?.reason };
    }
    progress.say(describeJobsPlan(plan));
    for (const trial of eachTrial(plan)) {
      const limited = describeFileLimit(trial, plan, fileLimit);
      if (limited) progress.say(limited);
    }
    const document = await measureJobsDocument({ site, plan, progress, signal });
    if (document.trials.length === 0) return { text: '', reason: 'Cancelled before the run began.' };
    return { text: FORMATTERS[format](document, { planWords }), reason: reasonToFail(document) };
  } finally {
    progress.end();
  }
}

/**
 * @param {JobsDocument} document
 * @returns {string | undefined} a sentence; absent where all was measured
 */
function reasonToFail({ ending, trials }) {
  if (ending) return ending.reason;
  const silent = trials.find(({ told }) => told.job.length === 0);
  return silent && `No job was told of by ${labelOfWay(silent.way, silent.intervalMs)}: ${silent.failures[0]?.message}`;
}

/** @param {object} value */
function formatJson(value) {
  return `${JSON.stringify(value)}\n`;
}

await runProgram(main);
