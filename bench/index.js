/**
 * `npm run bench`: ours against bare loops and bare servers, as ratios measured in one run.
 */
import os from 'node:os';
import { echoCpuComparisons } from './echo-cpu.js';
import { loopComparisons } from './loop.js';
import { runBench } from './options.js';
import { createProgress } from './progress.js';
import { formatJson, formatTable } from './report.js';
import { judge } from './verdict.js';

/** @import { Outcome } from './report.js' */

const COMPARISONS = [...loopComparisons, ...echoCpuComparisons];
const GROUPS = [...new Set(COMPARISONS.map(({ group }) => group))];
const DEFAULT_PAIRS = 160;
/** Six blocks of eight: with fewer there is no 95 % interval. */
const PAIRS_FOR_INTERVAL = 48;
const MAX_PAIRS = 10_000;

const HELP = `usage: npm run bench -- [--only ${GROUPS.join('|')}]... [--pairs N] [--json]

Measures ours and a bare baseline in turn, in pairs, and prints the median of the pairs' ratios with its interval.

  --only GROUP  loop    messages per second of the pages' loops, against loops written by hand, in a real browser
                ajax    server CPU per AJAX echo, against node:http
                sockjs  server CPU per SockJS echo, against sockjs-node
                ws      server CPU per SockJS echo, against ws (a raw frame per message)
                may be given more than once; without it: all
  --pairs N     pairs per comparison, 1 to ${MAX_PAIRS}; ${DEFAULT_PAIRS} by default, which takes some minutes in all; fewer
                than ${PAIRS_FOR_INTERVAL} show that it works, and give no interval
  --json        prints every pair instead of the table

A server is measured in blocks of pairs, each with freshly started processes; the interval is over the blocks' medians.
within: the whole interval keeps the limit. falls short: the whole interval is beyond it; only then the exit code is 1.
`;

/** @param {{ only: string[], pairs: number, json: boolean }} options */
async function bench({ only, pairs: pairCount, json }) {
  const startedAt = new Date().toISOString();
  const chosen = COMPARISONS.filter(({ group }) => only.includes(group));
  const onPair = createProgress(chosen.length * pairCount);
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const comparison of chosen) {
    const blocks = await comparison.measure({ pairCount, onPair: () => onPair(comparison.name) });
    outcomes.push({ comparison, blocks, verdict: judge(blocks, comparison.limit) });
  }
  const environment = {
    startedAt,
    node: process.version,
    system: `${os.type()} ${os.release()}`,
    cpu: os.cpus()[0]?.model,
  };
  process.stdout.write(json ? formatJson(outcomes, environment) : formatTable(outcomes));
  return outcomes.every(({ verdict }) => verdict.word !== 'falls short');
}

await runBench({
  help: HELP,
  numbers: { pairs: { max: MAX_PAIRS, default: DEFAULT_PAIRS } },
  names: { only: GROUPS },
  bench,
});
