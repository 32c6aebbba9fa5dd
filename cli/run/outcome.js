/** The end of a run: its report in the format that was chosen, and why the program exits with 1. */
import { CSV_FILE_START } from '../../core/base/foreign-text.js';
import { exportOf } from '../../core/experiment/documents/export.js';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { formatMarkdown, formatText } from '../../core/experiment/report/report.js';
import { isWhole } from '../../core/experiment/run/open-run.js';
import { shareRun } from './share.js';
import { connectDirectly } from '../net/transports.js';
import { withOwnServer } from '../program/child.js';
import { cancelOnSignals, checkWritable, EXIT, writeOutput } from '../program/program.js';

/**
 * @import { Experiment, Findings } from '../../core/experiment/contract.js'
 * @import { Digest } from '../../core/experiment/documents/digest.js'
 * @import { CommonOptions } from './options.js'
 * @import { SharedTo } from './share.js'
 * @typedef {{ text: string, listReasons(): string[], document?: any }} Outcome `text`: to be printed; `listReasons`: why the
 *   program exits with 1; throws a UsageError if a condition names something that does not exist; `document`: of the run, if
 *   there is one
 * @typedef {{ experiment: Experiment, options: { format: CommonOptions['format'], conditions: CommonOptions['conditions'], out?:
 *   string } }} Asked
 */

/** @type {Outcome} */
export const CANCELLED = { text: '', listReasons: () => ['Stopped before the run began.'] };

/**
 * The formats of the output; `plan`: the command that repeats it, if no link does; `isFile`: not standard output.
 * @type {Record<CommonOptions['format'], (document: any, asked: { experiment: Experiment, findings: Findings, plan?: string,
 *   isFile: boolean }) => string>}
 */
const FORMATTERS = {
  text: (document, { experiment, findings: { report }, plan }) => formatText(experiment, document, { plan, report }),
  json: (document, { experiment, findings }) => `${JSON.stringify(exportOf(experiment, document, findings))}\n`,
  csv: (document, { experiment, isFile }) => (isFile ? CSV_FILE_START : '') + experiment.formatCsv(document),
  markdown: (document, { experiment, findings }) => formatMarkdown(experiment, document, findings),
};

/**
 * Measures at a site, or at a server of its own, and prints what was found.
 * @param {{ baseUrl?: string, out?: string, shared?: CommonOptions['shared'] }} options
 * @param {(baseUrl: string, signal: AbortSignal) => Promise<Outcome>} measureAt @returns {Promise<number>} the exit code
 */
export async function printOutcome({ baseUrl, out, shared }, measureAt) {
  await checkWritable(out);
  connectDirectly();
  const signal = cancelOnSignals();
  const measure = (/** @type {string} */ site) => measureAt(site, signal);
  const { text, listReasons, document } = await (baseUrl === undefined ? withOwnServer(measure) : measure(baseUrl));
  const fault = text === '' ? undefined : await writeOutput(text, out).catch((error) => error);
  const reasons = listReasons();
  for (const reason of reasons) process.stderr.write(`${reason}\n`);
  if (document && baseUrl !== undefined && shared) {
    if (isWhole(document)) await share(document, { baseUrl, ...shared });
    else process.stderr.write('Not shared, as it ended early.\n');
  }
  if (fault) throw fault;
  return reasons.length > 0 ? EXIT.failed : EXIT.done;
}

/**
 * Shares a run, and says where it is: standard output may be read by a program.
 * @param {any} document @param {SharedTo} to
 */
async function share(document, to) {
  const { run, study, deleteToken } = await shareRun(document, to);
  process.stderr.write(`Shared: ${run}\nStudy: ${study}\nTo delete it: ${run}#delete=${deleteToken}\n`);
}

/**
 * @param {any} document @param {Asked & { plan?: string }} asked `plan`: the command that repeats it, if no link does
 * @returns {Outcome}
 */
export function outcomeOf(document, { plan, ...asked }) {
  const { experiment, options } = asked;
  const findings = findingsOf(experiment, document);
  return {
    document,
    text: FORMATTERS[options.format](document, { experiment, findings, plan, isFile: options.out !== undefined }),
    listReasons: () => listReasons(document, findings, asked),
  };
}

/**
 * @param {any} document @param {Findings} findings @param {Asked} asked
 * @returns {string[]} why the run failed, else each condition that is met
 */
function listReasons(document, findings, { experiment, options: { conditions } }) {
  const seen = { ...findings, digest: () => digestOf(experiment, document, findings) };
  const reason = experiment.failsIf ? findings.failure : describeFailure(document, seen.digest(), experiment);
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
function describeFailure(document, { isValid, detail, failureCount, sampleCount }, { readTrial, progressOf }) {
  if (document.ending) return document.ending.reason;
  if (!isValid) return detail;
  if (failureCount === 0) return undefined;
  const failed = document.trials.find((/** @type {any} */ trial) => readTrial(trial).failures.length > 0);
  const [{ message }] = readTrial(failed).failures;
  return `${failureCount} of ${failureCount + sampleCount} messages failed, the first with ${progressOf(failed, document.plan).label}: ${message}`;
}
