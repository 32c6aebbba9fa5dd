/** `sockshootout load`: how many requests per second a server, or our own as one process and one per CPU, answers. */
import { setMaxListeners } from 'node:events';
import os from 'node:os';
import { connectDirectly, NODE_TRANSPORTS } from '../net/transports.js';
import { probeServer } from '../net/probe.js';
import { withOwnServer } from '../program/child.js';
import { cancelOnSignals, checkWritable, createProgress, EXIT, writeOutput } from '../program/program.js';
import { watchClientLoad } from '../stress/client-load.js';
import { formatReport, reportOf, rowOf } from './report.js';
import { createTally, sendAll } from './send.js';
import { Option } from 'commander';
import { transports } from '../../core/net/echo/index.js';
import { choiceOption, createCommand, integerOption, parseArguments } from '../program/command.js';
import { parseBaseUrl } from '../run/options.js';

/**
 * @import { Progress } from '../program/program.js'
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

/**
 * The transports of a load: sockets that Node.js opens without a fallback, and one HTTP request, as all HTTP transports
 * of a page send the same.
 */
const TRANSPORTS = [
  'ajax',
  ...NODE_TRANSPORTS.filter((name) => transports[name].isSocket && transports[name].fallback !== 'always'),
].sort();

const createLoad = () =>
  createCommand(
    'npx sockshootout load',
    `Sends many messages to the echo of a SockShootout server over several connections. Each connection sends its next message after the previous answer. Prints requests per second, latency percentiles, and errors by kind. With ajax, the latency of each connection's first message includes connecting; with the others, it does not.

Without --url, it starts and measures two servers on this machine: one process, then one process per CPU, each after a warm-up. With --url there is no warm-up; load only a server that is yours.`,
  )
    .option('--url <url>', 'server to load: http://HOST:PORT or https://HOST/PATH; redirects are not followed')
    .addOption(integerOption('requests', 'messages in total', { max: 1_000_000, default: 10_000 }))
    .addOption(integerOption('concurrency', 'connections', { max: 1000, default: 100 }))
    .addOption(choiceOption('--transport <name>', 'of the messages', TRANSPORTS).default('ajax'))
    .addOption(
      integerOption('duration', 'seconds after which each load and each warm-up ends', { max: 600, default: 600 }),
    )
    .addOption(new Option('--json', 'print JSON instead of text').conflicts('markdown'))
    .option('--markdown', 'print Markdown instead of text')
    .option('--out <file>', 'write to a file')
    .option('-q, --quiet', 'print no progress')
    .addHelpText(
      'after',
      `
Exit codes:
  0  every message that was sent was answered
  1  a message failed, none was answered, or Ctrl-C ended the load
  2  the load could not start

Ctrl-C ends the load and prints what was measured.`,
    );

/**
 * @typedef {object} LoadPlan
 * @property {string} transport
 * @property {number} requests messages in all
 * @property {number} concurrency connections
 * @property {number} durationS after which each load ends, in seconds
 * @typedef {object} LoadOptions
 * @property {LoadPlan} plan
 * @property {string} [baseUrl] absent for servers of its own
 * @property {'text' | 'json' | 'markdown'} format
 * @property {string} [out]
 * @property {boolean} isQuiet
 */

/**
 * Reads the arguments: its messages, its connections and its time are all bounded.
 * @param {string[]} args @returns {LoadOptions}
 * @throws {InvalidInputError | CommanderError} what, expected, got; the latter after its help
 */
export function parseLoadOptions(args) {
  const values = parseArguments(createLoad(), args);
  const { url, transport, requests, concurrency, duration: durationS, json, markdown, out, quiet = false } = values;
  return {
    // A connection without a message would measure nothing.
    plan: { transport, requests, concurrency: Math.min(concurrency, requests), durationS },
    baseUrl: url === undefined ? undefined : parseBaseUrl(url),
    format: json ? 'json' : markdown ? 'markdown' : 'text',
    out,
    isQuiet: quiet,
  };
}
