/**
 * `npm run bench`: ours against bare loops and bare servers, as ratios measured in one run.
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { comparisons } from './comparison.js';
import { createProgressLine } from './progress-line.js';
import { formatJson, formatTable } from './report.js';
import { judge } from './verdict.js';

const GROUPS = [...new Set(comparisons.map(({ group }) => group))];
const DEFAULT_PAIRS = 160;
/** Six blocks of eight: with fewer there is no 95 % interval. */
const MIN_PAIRS = 48;
const MAX_PAIRS = 10_000;

const HELP = `usage: npm run bench -- [--only ${GROUPS.join('|')}]... [--pairs N] [--json]

Measures ours and a bare baseline in turn, in pairs, and prints the median of the pairs' ratios with its interval.

  --only GROUP  loop    messages per second of the pages' loops, against loops written by hand, in a real browser
                ajax    server CPU per AJAX echo, against node:http
                sockjs  server CPU per SockJS echo, against sockjs-node
                ws      server CPU per SockJS echo, against ws (a raw frame per message)
                may be given more than once; without it: all
  --pairs N     pairs per comparison, ${MIN_PAIRS} to ${MAX_PAIRS}; ${DEFAULT_PAIRS} by default, which takes some minutes in all
  --json        prints every pair instead of the table

A server is measured in blocks of pairs, each with freshly started processes; the interval is over the blocks' medians.
within: the whole interval keeps the limit. falls short: the whole interval is beyond it; only then the exit code is 1.
`;

/**
 * @param {string[]} args
 * @throws {RangeError | TypeError} what, expected, got
 */
function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      only: { type: 'string', multiple: true, default: GROUPS },
      pairs: { type: 'string', default: String(DEFAULT_PAIRS) },
      json: { type: 'boolean', default: false },
    },
  });
  const unknown = values.only.find((group) => !GROUPS.includes(group));
  if (unknown !== undefined) throw new RangeError(`--only: expected one of ${GROUPS.join(', ')}, got '${unknown}'`);
  const pairCount = /^\d{1,9}$/.test(values.pairs) ? Number(values.pairs) : NaN;
  if (!(pairCount >= MIN_PAIRS && pairCount <= MAX_PAIRS)) {
    throw new RangeError(`--pairs: expected an integer from ${MIN_PAIRS} to ${MAX_PAIRS}, got '${values.pairs}'`);
  }
  return { help: values.help, json: values.json, only: values.only, pairCount };
}

/** @param {{ only: string[], pairCount: number, json: boolean }} options */
async function bench({ only, pairCount, json }) {
  const startedAt = new Date().toISOString();
  const chosen = comparisons.filter(({ group }) => only.includes(group));
  const progressLine = createProgressLine(process.stderr, chosen.length * pairCount);
  /** @type {import('./report.js').Outcome[]} */
  const outcomes = [];
  for (const comparison of chosen) {
    const blocks = await comparison.measure({ pairCount, onPair: () => progressLine.step(comparison.name) });
    outcomes.push({ comparison, blocks, verdict: judge(blocks, comparison.limit) });
  }
  progressLine.end();

  const [cpu] = os.cpus();
  const environment = { startedAt, node: process.version, system: `${os.type()} ${os.release()}`, cpu: cpu?.model };
  process.stdout.write(json ? formatJson(outcomes, environment) : formatTable(outcomes));
  if (outcomes.some(({ verdict }) => verdict.word === 'falls short')) process.exitCode = 1;
}

/** @param {string[]} args */
function readOptions(args) {
  try {
    return parseOptions(args);
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    process.exit(2);
  }
}

const options = readOptions(process.argv.slice(2));
if (options.help) process.stdout.write(HELP);
else await bench(options);
