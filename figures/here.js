/**
 * The figures that any machine can make again: the README's answer, jobs, the count-down, the load.
 */
import { RunError } from '../cli/program/program.js';
import { formatRange } from '../core/base/format.js';
import { isBrowser, nameBrowser } from '../core/experiment/names.js';
import { toMarkdown, words } from '../core/experiment/table.js';
import { msPerIteration } from '../core/experiments/countdown/summary.js';
import { decide, describeDecision, describeMeasured, modelOf } from '../core/experiments/shootout/decision.js';
import { DEFAULT_RTT_MS } from '../core/experiments/shootout/distance-model.js';
import { summarize as summarizeShootout } from '../core/experiments/shootout/summary.js';
import { labelOf, labelOfDelivery } from '../core/net/labels.js';
import { runJson, summarize } from './measure.js';
import { rangeOf, tabulate } from './values.js';

/**
 * @import { LoadReport } from '../cli/load/report.js'
 * @import { Column } from '../core/experiment/contract.js'
 * @import { Countdown } from '../core/experiments/countdown/measure.js'
 * @import { JobsDocument } from '../core/experiments/jobs/schema.js'
 * @import { JobsRow } from '../core/experiments/jobs/summary.js'
 * @import { Interval } from '../core/base/statistics.js'
 * @import { Figure } from './list.js'
 */

const KIB = 1024;

/** @param {{ environment: { userAgent: string } }} document @returns {string} what sent the messages */
export const clientOf = ({ environment: { userAgent } }) => (isBrowser(userAgent) ? nameBrowser(userAgent) : userAgent);

/** @type {Figure} */
export const answer = {
  name: 'answer',
  file: 'README.md',
  command: 'npx sockshootout run shootout --browser',
  async make() {
    const document = await runJson(answer.command);
    const report = summarizeShootout(document);
    const model = modelOf(report);
    if (!model) throw new RunError(`Expected an answer, got “${report.verdict.headline}”`);
    const decision = decide(model, DEFAULT_RTT_MS);
    const { headline, evidence } = describeDecision(decision);
    return {
      client: clientOf(document),
      markdown: `> **${headline}**\n> ${evidence}\n>\n> ${describeMeasured(report, decision)}`,
    };
  },
};

/** The number of runs if a single run has no interval. */
const REPEATS = 3;

/** @param {string} head of the titles @param {readonly { title: string, repeats: readonly number[] }[]} measured several times */
const tabulateRepeats = (head, measured) =>
  tabulate(
    [head],
    measured.map(({ title, repeats }) => ({
      place: [title],
      kind: `median (range) of ${REPEATS}`,
      interval: rangeOf(repeats),
    })),
  );

/** @param {string} command @returns {Promise<any[]>} its JSON, of each run */
async function repeatJson(command) {
  const runs = [];
  while (runs.length < REPEATS) runs.push(await runJson(command));
  return runs;
}

/** @typedef {JobsRow & { bytes?: Interval, cpuMs?: Interval }} JobsFigures `bytes` and `cpuMs`: of each job, over the blocks */

/** @param {JobsRow} row */
const nameOfRow = ({ delivery, intervalMs }) => labelOfDelivery(delivery, intervalMs);

/** @param {string} command @returns {Promise<{ client: string, rows: JobsFigures[] }>} */
async function measureJobs(command) {
  /** @type {JobsDocument} */
  const document = await runJson(command);
  const { blocks = 1 } = document.plan;
  const all = await summarize(document, 'jobs');
  const byBlock = await Promise.all(
    Array.from({ length: blocks }, (_, block) =>
      summarize({ ...document, trials: document.trials.filter((trial) => (trial.block ?? 0) === block) }, 'jobs'),
    ),
  );
  const rows = all.map((/** @type {JobsRow} */ row, /** @type {number} */ index) => ({
    ...row,
    bytes: rangeOf(byBlock.flatMap((one) => one[index].bytesPerJob?.both ?? [])),
    cpuMs: rangeOf(byBlock.flatMap((one) => one[index].cpuMsPerJob ?? [])),
  }));
  return { client: clientOf(document), rows };
}

/** @param {number | undefined} measured @param {number | undefined} predicted @param {number} decimals */
const beside = (measured, predicted, decimals) =>
  [measured?.toFixed(decimals), predicted && `(${predicted.toFixed(decimals)})`].filter(Boolean).join(' ');

/**
 * @param {string} title
 * @param {(row: JobsFigures) => string | number | undefined} value
 */
const numbers = (title, value) => ({ title, value: (/** @type {JobsFigures} */ row) => value(row) || undefined });

const POLLS = numbers('polls per job (predicted)', ({ pollsPerJob, prediction }) =>
  beside(pollsPerJob, prediction.pollsPerJob, 2),
);

/**
 * Creates a table of a run of jobs: a row for each delivery method.
 *
 * @param {Pick<Figure, 'name' | 'file' | 'command'>} figure
 * @param {object} table
 * @param {Column<JobsFigures>[]} table.columns after the method's name
 * @param {(row: JobsFigures) => unknown} [table.isShown]
 * @returns {Figure}
 */
const createJobsFigure = (figure, { columns, isShown = () => true }) => ({
  ...figure,
  async make() {
    const { client, rows } = await measureJobs(figure.command);
    const table = { columns: [words('delivery method', nameOfRow), ...columns], rows: rows.filter(isShown) };
    return { client, markdown: toMarkdown(table).join('\n') };
  },
});

export const jobs = createJobsFigure(
  {
    name: 'jobs',
    file: 'docs/jobs.md',
    command:
      'npx sockshootout run jobs --deliveries poll,long-poll,sse,socket-per-job,push,sockjs --blocks 3 --seed 2018',
  },
  {
    columns: [
      numbers('mean latency, ms (predicted)', ({ lag, prediction }) => beside(lag.meanMs, prediction.meanLagMs, 1)),
      POLLS,
      numbers('kB per job', ({ bytes }) => bytes && (bytes.estimate / 1000).toFixed(2)),
      numbers('server CPU per job, ms', ({ cpuMs }) => cpuMs && formatRange(cpuMs)),
    ],
  },
);

/** The run has one block, as in 2018, so it has no interval. */
export const of2018 = createJobsFigure(
  {
    name: '2018',
    file: 'docs/seeds.md',
    command: 'npx sockshootout run jobs --preset as-in-2018 --seed 2018',
  },
  {
    columns: [
      POLLS,
      numbers('kB of 1,024 bytes per job', ({ bytes }) => bytes && (bytes.estimate / KIB).toFixed(2)),
      numbers('2018', ({ published }) => published?.kibPerJob.toFixed(2)),
      numbers('server CPU per job, ms', ({ cpuMs, cpuFault }) => cpuMs?.estimate.toFixed(2) ?? cpuFault),
      numbers('2018: CPU', ({ published }) => published?.cpuMsPerJob.toFixed(2)),
    ],
    isShown: ({ published }) => published,
  },
);

const MEMORY_METHODS = 'poll,long-poll,sse,socket-per-job,push,sockjs'.split(',');

/** @param {string} method */
const memoryCommandOf = (method) =>
  `npx sockshootout run jobs --stress --users 500 --max-users 500 --jobs 1 --min 3000 --max 4000 --interval 500 --deliveries ${method}`;

/** @type {Figure} A process reuses memory, so each method has servers of its own. */
export const jobsMemory = {
  name: 'jobs-memory',
  file: 'docs/jobs.md',
  command: memoryCommandOf('METHOD'),
  async make() {
    const rows = [];
    let client = '';
    for (const method of MEMORY_METHODS) {
      const runs = await repeatJson(memoryCommandOf(method));
      client = clientOf(runs[0]);
      const repeats = runs.flatMap(({ deliveries: [{ memory }] }) => (memory ? memory.bytesPer1000Users / 1e6 : []));
      rows.push({ title: labelOfDelivery(method), repeats });
    }
    return { client, markdown: tabulateRepeats('MB per 1,000 users', rows) };
  },
};

/** @type {Figure} */
export const of2019 = {
  name: '2019',
  file: 'docs/seeds.md',
  command: 'npx sockshootout run countdown --kind both3 --iterations 1000',
  async make() {
    const document = await runJson(of2019.command);
    /** @type {{ tests: Countdown[] }} */
    const { tests } = await summarize(document, 'countdown');
    const rows = ['xhr', 'websocket'].map((transport) => ({
      title: labelOf(transport),
      repeats: tests.flatMap((test) => (test.trial.transport === transport ? (msPerIteration(test) ?? []) : [])),
    }));
    return { client: clientOf(document), markdown: tabulateRepeats('ms per message', rows) };
  },
};

/** @type {Figure} */
export const load = {
  name: 'load',
  file: 'docs/seeds.md',
  command: 'npx sockshootout load',
  async make() {
    /** @type {LoadReport[]} */
    const reports = await repeatJson(load.command);
    const [{ node, rows: servers }] = reports;
    const rows = servers.map(({ server }, index) => ({
      title: server,
      repeats: reports.flatMap((report) => report.rows[index].perSecond ?? []),
    }));
    const ratio = { title: 'ratio', repeats: reports.flatMap((report) => report.ratio ?? []) };
    return { client: `Node.js ${node}`, markdown: tabulateRepeats('requests/s', [...rows, ratio]) };
  },
};
