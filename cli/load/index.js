/** `sockshootout load`: how many requests per second a server, or our own as one process and one per CPU, answers. */
import { setMaxListeners } from 'node:events';
import os from 'node:os';
import { connectDirectly } from '../net/transports.js';
import { probeServer } from '../net/probe.js';
import { withOwnServer } from '../program/child.js';
import { cancelOnSignals, checkWritable, createProgress, EXIT, writeOutput } from '../program/program.js';
import { watchClientLoad } from '../stress/client-load.js';
import { parseLoadOptions } from './options.js';
import { formatReport, reportOf, rowOf } from './report.js';
import { createTally, sendAll } from './send.js';

/**
 * @import { Progress } from '../program/program.js'
 * @import { LoadOptions, LoadPlan } from './options.js'
 * @import { LoadRow } from './report.js'
 * @typedef {{ plan: LoadPlan, progress: Progress, signal: AbortSignal }} Begun
 */

/** The warm-up of each process: a server compiles its code on first use. */
const WARM_UP_REQUESTS = 10_000;

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const options = parseLoadOptions(args);
  const { plan, format, out } = options;
  await checkWritable(out);
  connectDirectly();
  const startedAt = new Date();
  const signal = cancelOnSignals();
  const progress = createProgress(options.isQuiet);
  const rows = await measure(options, { plan, progress, signal }).finally(progress.end);
  const isCutOff = rows.some((row) => row.isCutOff);
  const limit = isCutOff ? `Ended after ${plan.durationS} s (--duration).` : undefined;
  const sharesCpus = options.baseUrl === undefined;
  const ending = signal.aborted ? 'Stopped before the end.' : limit;
  if (rows.length > 0)
    await writeOutput(formatReport(reportOf(plan, { startedAt, rows, sharesCpus, ending }), format), out);
  const hasFailed = rows.some(({ answered, errors }) => answered === 0 || Object.keys(errors).length > 0);
  return hasFailed || signal.aborted ? EXIT.failed : EXIT.done;
}

/** @param {LoadOptions} options @param {Begun} begun @returns {Promise<LoadRow[]>} fewer if it was cancelled */
async function measure({ baseUrl }, begun) {
  if (baseUrl !== undefined) {
    await probeServer(() => probeEcho(baseUrl, begun.signal), { baseUrl, expected: 'echo', signal: begun.signal });
    return begun.signal.aborted ? [] : [await loadServer(baseUrl, baseUrl, begun)];
  }
  const rows = [];
  for (const processCount of new Set([1, os.availableParallelism()])) {
    if (!begun.signal.aborted) rows.push(await loadOwnServer(processCount, begun));
  }
  return rows.filter((row) => row !== undefined);
}

/** @param {string} baseUrl @param {AbortSignal} signal @throws {Error} if it is not an echo, or redirects */
async function probeEcho(baseUrl, signal) {
  const response = await fetch(`${baseUrl}/ajaxecho?count=0`, { redirect: 'error', signal });
  const text = await response.text();
  if (text !== '{"count":1}') throw new Error(`status ${response.status}, ${text.slice(0, 80)}`);
}

/**
 * @param {number} processCount @param {Begun} begun @returns {Promise<LoadRow | undefined>} absent if it was cancelled
 */
function loadOwnServer(processCount, begun) {
  return withOwnServer(
    async (baseUrl) => {
      const { requests, ...rest } = begun.plan;
      const plan = { ...rest, requests: Math.min(requests, WARM_UP_REQUESTS) * processCount };
      const server = processCount === 1 ? 'one process' : `${processCount} processes`;
      await loadServer(baseUrl, `${server}, warm-up`, { ...begun, plan });
      return begun.signal.aborted ? undefined : loadServer(baseUrl, server, begun);
    },
    { processCount },
  );
}

/** @param {string} baseUrl @param {string} server its name @param {Begun} begun @returns {Promise<LoadRow>} */
async function loadServer(baseUrl, server, { plan, progress, signal }) {
  const tally = createTally();
  progress.start({ title: server, state: tally, messageCount: plan.requests });
  const endClientLoad = watchClientLoad();
  const limit = AbortSignal.timeout(plan.durationS * 1000);
  const end = AbortSignal.any([signal, limit]);
  // Each connection adds a listener.
  setMaxListeners(0, end);
  await sendAll({ baseUrl, plan, tally, signal: end });
  const isCutOff = limit.aborted && tally.completedCount < plan.requests;
  return rowOf(server, tally, { isCutOff, busiest: endClientLoad().busiest });
}
