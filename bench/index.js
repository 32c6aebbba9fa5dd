/** `npm run bench`: ours against bare loops and bare servers, as ratios measured in one run. */
import os from 'node:os';
import { choiceOption, createCommand, integerOption, parseArguments } from '../cli/program/command.js';
import { EXIT, runProgram } from '../cli/program/program.js';
import { fixed, toText } from '../core/experiment/report/table.js';
import { echoCpuComparisons } from './echo-cpu.js';
import { loopComparisons, withPages } from './loop.js';
import { formatInterval, judge, medianOf } from './pairs.js';

/**
 * @import { Column } from '../core/experiment/report/table.js'
 * @import { Block, Comparison, Limit, Options, Verdict } from './pairs.js'
 * @typedef {{ comparison: Omit<Comparison, 'measure'>, blocks: Block[], verdict: Verdict }} Outcome
 */

const GROUPS = [...new Set([...loopComparisons, ...echoCpuComparisons].map(({ group }) => group))];
const DEFAULT_PAIRS = 160;
/** Six blocks of eight pairs: with fewer there is no 95% interval. */
const PAIRS_FOR_INTERVAL = 48;
const MAX_PAIRS = 10_000;

const createBench = () =>
  createCommand(
    'npm run bench --',
    'Measures our code and a bare baseline in turn, in pairs. Prints the median ratio of the pairs with its 95% interval.',
  )
    .addOption(choiceOption('--only <group...>', 'measure only this group; repeatable', GROUPS))
    .addOption(
      integerOption(
        'pairs',
        `pairs per comparison; the default takes some minutes in total; fewer than ${PAIRS_FOR_INTERVAL} give no interval`,
        { max: MAX_PAIRS, default: DEFAULT_PAIRS },
      ),
    )
    .option('--json', 'print every pair instead of the table')
    .addHelpText(
      'after',
      `
Groups:
  loop      messages per second of the pages' loops, against loops written by hand, in a real browser
  ajax      server CPU per AJAX echo, against node:http
  sockjs    server CPU per SockJS echo, against sockjs-node
  ws        server CPU per WebSocket echo, against ws
  socketio  server CPU per Socket.IO echo over a WebSocket, against Socket.IO

A server is measured in blocks of pairs, each with freshly started processes; the interval is over the blocks' medians.
“within”: the whole interval keeps the limit. “falls short”: the whole interval is beyond the limit; the exit code is 1.`,
    );

/** @type {readonly Column<Outcome>[]} */
const COLUMNS = [
  { title: 'ours / baseline', value: ({ comparison }) => comparison.name },
  { title: 'ours', value: ({ blocks }) => medianOf(blocks.flat().map(({ ours }) => ours)).toPrecision(4) },
  { title: 'baseline', value: ({ blocks }) => medianOf(blocks.flat().map(({ baseline }) => baseline)).toPrecision(4) },
  { title: 'unit', value: ({ comparison }) => comparison.unit },
  { title: 'ratio', value: ({ verdict }) => verdict.medianRatio, format: fixed(3) },
  { title: 'interval', value: ({ verdict }) => formatInterval(verdict.interval) },
  { title: 'pairs', value: ({ blocks }) => blocks.flat().length },
  { title: 'blocks', value: ({ blocks }) => blocks.length },
  { title: 'limit', value: ({ comparison }) => formatLimit(comparison.limit) },
  { title: '', value: ({ verdict }) => verdict.word },
];

/** @param {Limit} [limit] */
function formatLimit(limit) {
  return limit && ('atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`);
}

/** @param {readonly Outcome[]} outcomes @param {object} environment @returns every pair, so that all can be computed again */
function formatJson(outcomes, environment) {
  const comparisons = outcomes.map(({ comparison: { name, unit, limit }, verdict, blocks }) => {
    return { name, unit, limit, ...verdict, blocks };
  });
  return JSON.stringify({ schema: 'sockshootout/bench/1', ...environment, comparisons }, null, 1);
}

/**
 * @param {number} total
 * @returns {(label: string) => void} to be called after each: standard error gets a line for every tenth of them
 */
function createProgress(total) {
  let done = 0;
  return (label) => {
    const before = Math.floor((10 * done) / total);
    done++;
    const tenths = Math.floor((10 * done) / total);
    if (tenths > before) process.stderr.write(`${10 * tenths}%  ${label}\n`);
  };
}

/** @param {string[]} args @returns {Promise<number>} the exit code: 1 if a limit is broken */
async function main(args) {
  const { only = GROUPS, pairs: pairCount, json } = parseArguments(createBench(), args);
  const startedAt = new Date().toISOString();
  const isChosen = (/** @type {{ group: string }} */ { group }) => only.includes(group);
  const [loops, echoes] = [loopComparisons.filter(isChosen), echoCpuComparisons.filter(isChosen)];
  const onPair = createProgress((loops.length + echoes.length) * pairCount);
  /** @type {Outcome[]} */
  const outcomes = [];
  /** @template {object} M @param {readonly Comparison<Options & M>[]} comparisons @param {M} means */
  const measureAll = async (comparisons, means) => {
    for (const { measure, ...comparison } of comparisons) {
      const blocks = await measure({ pairCount, onPair: () => onPair(comparison.name), ...means });
      outcomes.push({ comparison, blocks, verdict: judge(blocks, comparison.limit) });
    }
  };
  if (loops.length > 0) await withPages((withPage) => measureAll(loops, { withPage }));
  await measureAll(echoes, {});
  const system = `${os.type()} ${os.release()}`;
  const environment = { startedAt, node: process.version, system, cpu: os.cpus()[0]?.model };
  const text = json ? formatJson(outcomes, environment) : toText({ columns: COLUMNS, rows: outcomes }).join('\n');
  process.stdout.write(`${text}\n`);
  return outcomes.every(({ verdict }) => verdict.word !== 'falls short') ? EXIT.done : EXIT.failed;
}

await runProgram(main);
