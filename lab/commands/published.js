/**
 * `lab published`: the networks of the published results, each with the classic tests, the comparison and the payload sizes.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as valibot from 'valibot';
import { findChromium } from '../../cli/program/chromium.js';
import { cancelOnSignals, EXIT, FLAG, parseNames, readArgs, RunError, TEXT } from '../../cli/program/program.js';
import { formatNumber, formatSeconds } from '../../core/base/format.js';
import { sumOf } from '../../core/base/statistics.js';
import { describeConditions } from '../../core/experiment/emulated-link.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { toMarkdown, words } from '../../core/experiment/table.js';
import { LOADERS } from '../../core/experiments/index.js';
import { costsOf } from '../../core/experiments/payload/budget.js';
import { parsePayloadPlan } from '../../core/experiments/payload/plan.js';
import { PRESETS } from '../../core/experiments/shootout/plan.js';
import { withSite } from '../far-site.js';
import { requireMachine, say, throwUnlessCancelled } from '../machine.js';
import { startRun } from '../measure.js';
import { PROFILES } from '../options.js';

/**
 * @import { Column } from '../../core/experiment/contract.js'
 * @import { Digest } from '../../core/experiment/documents/digest.js'
 * @import { Conditions, Ping } from '../../core/experiment/emulated-link.js'
 * @import { Site } from '../far-site.js'
 * @import { StartedRun } from '../measure.js'
 */

const NETWORKS = ['lan', 'wan', 'hsdpa-plus', 'london-california'];
const DEFAULT_FOLDER = 'published';
/** What is estimated where a link has no rate limit: TCP's window grows by the round trip, so it is far below what the machine can. */
const UNLIMITED_MBIT_PER_SECOND = 100;
/** A run takes that much longer than its estimate, and then that much more, only if something is wrong. */
const DOUBT = { factor: 3, ms: 120_000 };
const START_MS = 10_000;
/** A run that is ended writes what it has. */
const STOP_LIMIT_MS = 30_000;

/** How much is measured. `payload`: a link's query */
const SCALES = {
  full: { iterations: [10, 100, 1000], preset: 'standard', payload: 'preset=published' },
  quick: { iterations: [10], preset: 'quick', payload: 'sizes=1,1000,100000&directions=up,down&seed=1' },
};

const OPTIONS = {
  ...{ out: TEXT, quick: FLAG },
  profile: { ...TEXT, multiple: /** @type {const} */ (true) },
  help: { ...FLAG, short: 'h' },
};

const HELP = `usage: sudo npx sockshootout lab published [options]

Repeats published measurements over emulated networks (${NETWORKS.join(', ')}) in Chromium: the
tests of 2012, the comparison on the home page, and the sizes of the payload paper. Writes the JSON of each run and
summary.md to a folder.

  --out FOLDER    default: ${DEFAULT_FOLDER}
  --profile NAME  measure only this network; repeatable
  --quick         fewer messages: ${describeDuration(NETWORKS, 'quick')} instead of ${describeDuration(NETWORKS, 'full')}
  --help          print this text

Networks
${NETWORKS.map((name) => `  ${name}: ${describeConditions(PROFILES[name].conditions)}`).join('\n')}

Exit codes
  0  every run is complete
  1  a run is not complete
  2  the lab could not start
Ctrl-C stops everything and keeps the files written so far.
`;

/**
 * @typedef {keyof typeof SCALES} Scale
 * @typedef {{ name: string, args: string[], estimateMs: number }} PlannedRun `args`: the experiment, then its options
 * @typedef {{ network: string, ping: Ping, run: PlannedRun, file: string, digest?: Digest, code: number }} Finished `digest`: absent
 *   without a document
 */

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const { help, quick, out = DEFAULT_FOLDER, profile } = readArgs(args, OPTIONS);
  if (help) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  const networks = parseNames('profile', profile, NETWORKS);
  await requireMachine();
  await findChromium();
  await mkdir(out, { recursive: true });
  const scale = quick ? 'quick' : 'full';
  say(`About ${describeDuration(networks, scale)}; results in ${out}.`);
  const finished = await measure(networks, { scale, folder: out });
  await writeFile(path.join(out, 'summary.md'), formatSummary(finished));
  return finished.every(({ code }) => code === EXIT.done) ? EXIT.done : EXIT.failed;
}

/** @param {readonly string[]} networks @param {Scale} scale */
function describeDuration(networks, scale) {
  const ms = sumOf(networks, (name) =>
    sumOf(listRuns(PROFILES[name].conditions, scale), ({ estimateMs }) => estimateMs),
  );
  return formatSeconds(Math.round(ms / 1000));
}

/** @param {Conditions} conditions @param {Scale} scale @returns {PlannedRun[]} */
function listRuns({ rttMs, mbitPerSecond = UNLIMITED_MBIT_PER_SECOND }, scale) {
  const { iterations, preset, payload } = SCALES[scale];
  const bytesPerSecond = (mbitPerSecond * 1e6) / 8;
  const speed = { roundTripMs: rttMs, upBytesPerSecond: bytesPerSecond, downBytesPerSecond: bytesPerSecond };
  const payloadPlan = parsePayloadPlan(new URLSearchParams(payload), { seed: 1 });
  const payloadMs = payloadPlan ? sumOf(costsOf(payloadPlan, speed), ({ durationMs }) => durationMs) : 0;
  return [
    ...['ajax', 'sockjs'].map((transport) => ({
      name: `classic-${transport}`,
      args: ['classic', '--transport', transport, '--iterations', iterations.join()],
      estimateMs: START_MS + sumOf(iterations, (count) => count * rttMs),
    })),
    {
      name: 'shootout',
      args: ['shootout', '--browser', '--preset', preset],
      estimateMs: START_MS + PRESETS[preset].budgetMs,
    },
    { name: 'payload', args: ['payload', '--browser', '--plan', `?${payload}`], estimateMs: START_MS + payloadMs },
  ];
}

/** @param {readonly string[]} networks @param {{ scale: Scale, folder: string }} options @returns {Promise<Finished[]>} */
async function measure(networks, { scale, folder }) {
  /** @type {StartedRun | undefined} */
  let started;
  const signal = cancelOnSignals({ onSignal: (name) => started?.kill(name), mustTidyUp: true });
  /** @type {Finished[]} */
  const finished = [];
  /** @param {string} network @param {Site} site */
  const measureNetwork = async (network, { link, origin }) => {
    const ping = await link.ping();
    for (const run of listRuns(link.conditions, scale)) {
      signal.throwIfAborted();
      const file = path.join(folder, `${network}-${run.name}.json`);
      say(`${network}, ${run.name}: about ${formatSeconds(Math.round(run.estimateMs / 1000))}`);
      const args = [...run.args, '--quiet', '--json', '--out', file];
      // What an earlier command wrote there is not this run's.
      await rm(file, { force: true });
      started = startRun(link, { origin, ping, args });
      const code = await endOf(started, DOUBT.factor * run.estimateMs + DOUBT.ms);
      signal.throwIfAborted();
      finished.push({ network, ping, run, file, code, digest: await readDigest(file, run.args[0]) });
    }
  };
  try {
    for (const network of networks) {
      await withSite(PROFILES[network].conditions, (site) => measureNetwork(network, site));
    }
  } catch (error) {
    throwUnlessCancelled(error, signal);
    throw new RunError('Stopped. The link and the site were removed.');
  }
  return finished;
}

/**
 * @param {StartedRun} started
 * @param {number} limitMs after which it is ended, with what it has; without, where it does not end then
 * @returns {Promise<number>} the exit code
 */
export async function endOf({ end, kill }, limitMs) {
  const limits = [
    setTimeout(() => kill('SIGINT'), limitMs),
    setTimeout(() => kill('SIGKILL'), limitMs + STOP_LIMIT_MS),
  ];
  const code = await end;
  limits.forEach(clearTimeout);
  return code;
}

/** @param {string} file @param {string} name of its experiment @returns {Promise<Digest | undefined>} absent where there is none */
async function readDigest(file, name) {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const experiment = await LOADERS[name]();
  return experiment.digest(parseDocument(text, valibot, experiment));
}

/** @param {Finished[]} finished @returns {string} Markdown */
function formatSummary(finished) {
  /** @type {Column<Finished>[]} */
  const columns = [
    words('Network', ({ network }) => network),
    { title: 'Ping, min', unit: 'ms', value: ({ ping }) => formatNumber(ping.minMs, 1) },
    words('Run', ({ run }) => run.name),
    words('Result', ({ digest }) => digest?.headline ?? 'not finished'),
    words('File', ({ file }) => path.basename(file)),
  ];
  const networks = NETWORKS.map((name) => `- ${name}: ${describeConditions(PROFILES[name].conditions)}`);
  return `# SockShootout over the published networks\n\n${networks.join('\n')}\n\n${toMarkdown({ columns, rows: finished }).join('\n')}\n`;
}
