/** `sockshootout run NAME`: measures an experiment and prints its report. */
import { exportOf } from '../../core/experiment/export.js';
import { quote } from '../../core/experiment/fields.js';
import { findingsOf, formatText } from '../../core/experiment/report.js';
import { LOADERS } from '../../core/experiments/index.js';
import { loadClient } from '../clients/index.js';
import { withOwnServer } from '../program/child.js';
import { createProgress, cancelOnSignals, checkWritable, EXIT, UsageError, writeOutput } from '../program/program.js';
import { formatHelp, formatOverview } from './help.js';
import { parseRunOptions } from './options.js';
import { environmentOf, measureInBrowser, measureInNode } from './measure.js';

/**
 * @import { Experiment, Findings } from '../../core/experiment/contract.js'
 * @import { Digest } from '../../core/experiment/documents/digest.js'
 * @import { NodeClient } from '../clients/index.js'
 * @import { RunOptions } from './options.js'
 * @typedef {{ text: string, listReasons(): string[] }} Outcome `text`: to be printed; `listReasons`: why the program
 *   exits with 1; throws a UsageError if a condition names something that does not exist
 * @typedef {{ experiment: Experiment, client: NodeClient, options: RunOptions }} Asked
 */

/** @type {Outcome} */
const CANCELLED = { text: '', listReasons: () => ['Stopped before the run began.'] };

/**
 * The formats of the output; `plan`: the command that repeats it, if no link does.
 * @type {Record<RunOptions['format'], (document: any, asked: { experiment: Experiment, findings: Findings, plan?:
 *   string }) => string>}
 */
const FORMATTERS = {
  text: (document, { experiment, findings: { report }, plan }) => formatText(experiment, document, { plan, report }),
  json: (document, { experiment, findings }) => `${JSON.stringify(exportOf(experiment, document, findings))}\n`,
  csv: (document, { experiment }) => experiment.formatCsv(document),
  markdown: (document, { experiment, findings }) => experiment.formatMarkdown(document, findings),
};

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main([name, ...args]) {
  if (name === '--help' || name === '-h') {
    const { EXPERIMENTS } = await import('../../core/experiments/all.js');
    process.stdout.write(formatOverview(EXPERIMENTS));
    return EXIT.done;
  }
  if (name === undefined || !Object.hasOwn(LOADERS, name)) {
    throw new UsageError(`run: expected one of ${Object.keys(LOADERS).join(', ')}, got ${quote(name ?? null)}`);
  }
  const [experiment, client] = await Promise.all([LOADERS[name](), loadClient(name)]);
  const options = await parseRunOptions(args, { experiment, client });
  if (options) return run({ experiment, client, options });
  process.stdout.write(formatHelp(experiment, client));
  return EXIT.done;
}

/** @param {Asked} asked @returns {Promise<number>} the exit code */
async function run(asked) {
  const { origin, out } = asked.options;
  await checkWritable(out);
  const signal = cancelOnSignals();
  const measure = (/** @type {string} */ site) => measureAt(site, asked, signal);
  const { text, listReasons } = await (origin === undefined ? withOwnServer(measure) : measure(origin));
  if (text !== '') await writeOutput(text, out);
  const reasons = listReasons();
  for (const reason of reasons) process.stderr.write(`${reason}\n`);
  return reasons.length > 0 ? EXIT.failed : EXIT.done;
}

/** @param {string} origin @param {Asked} asked @param {AbortSignal} signal @returns {Promise<Outcome>} */
async function measureAt(origin, asked, signal) {
  const { experiment, client, options } = asked;
  const fitted = await client.fitPlan({ origin, plan: options.plan, own: options.own, signal });
  if (!fitted) return CANCELLED;
  const { plan, text = '' } = fitted;
  checkConditions(plan, asked);
  const progress = createProgress(options.isQuiet);
  const nodeRun = { origin, plan, progress, signal };
  try {
    const other = client.options?.instead?.(nodeRun, options);
    if (other) return await other;
    progress.say(`${experiment.describePlan(plan)} ${text}`.trim());
    const document = await (options.isInBrowser
      ? measureInBrowser(experiment, nodeRun)
      : measureInNode(experiment, client, nodeRun));
    if (options.link) document.environment.link = options.link;
    if (document.trials?.length === 0) return CANCELLED;
    // The local server is gone when this is read, so a link would lead nowhere.
    const repeated = options.origin === undefined ? formatCommand(plan, asked) : undefined;
    const findings = findingsOf(experiment, document);
    return {
      text: FORMATTERS[options.format](document, { experiment, findings, plan: repeated }),
      listReasons: () => listReasons(document, findings, asked),
    };
  } finally {
    progress.end();
  }
}

/** @param {any} plan @param {Asked} asked @returns {string} that repeats it */
function formatCommand(plan, { experiment: { name, formatPlan, needsPage }, options }) {
  const browser = options.isInBrowser && !needsPage ? ' --browser' : '';
  return `npx sockshootout run ${name}${browser} --plan '?${formatPlan(plan)}'`;
}

/**
 * Checks the conditions before the measurement: a run without any trial has the same columns as a complete one.
 * @param {any} plan @param {Asked} asked
 */
function checkConditions(plan, { experiment, options: { conditions } }) {
  if (conditions.length === 0) return;
  const document = {
    schema: experiment.schema,
    startedAt: new Date().toISOString(),
    plan,
    environment: environmentOf('http://localhost'),
    trials: [],
    ending: { kind: 'cancelled', reason: '' },
    ...experiment.unmeasured,
  };
  const findings = findingsOf(experiment, document);
  for (const { condition } of conditions) condition.check(findings);
}

/**
 * @param {any} document @param {Findings} findings @param {Asked} asked
 * @returns {string[]} why the run failed, else each condition that is met
 */
function listReasons(document, findings, { experiment, options: { conditions } }) {
  const seen = { ...findings, digest: () => experiment.digest(document, findings) };
  const { failureRule } = experiment;
  const reason = failureRule
    ? failureRule.reasonOf(document, findings.summary)
    : describeFailure(document, seen.digest(), experiment);
  if (reason !== undefined) return [reason];
  return conditions.flatMap(({ text, condition }) => {
    condition.check(seen);
    const met = condition.reasonOf(seen);
    return met === undefined ? [] : [`--fail-if '${text}': ${met}`];
  });
}

/**
 * @param {any} document @param {Digest} digest @param {Experiment} experiment
 * @returns absent if every message was answered
 */
function describeFailure(document, { isValid, detail, failureCount, sampleCount }, { countsOf, describeTrial }) {
  if (document.ending) return document.ending.reason;
  if (!isValid) return detail;
  if (failureCount === 0) return undefined;
  const failed = document.trials.find((/** @type {any} */ trial) => countsOf(trial).failures.length > 0);
  const [{ message }] = countsOf(failed).failures;
  return `${failureCount} of ${failureCount + sampleCount} messages failed, the first with ${describeTrial(failed)}: ${message}`;
}
