/**
 * What comparisons brought, for people and for programs.
 *
 * @typedef {{ comparison: Comparison, blocks: Block[], verdict: Verdict }} Outcome
 */
import { fixed, toText } from '../core/experiment/table.js';
import { medianOf } from './verdict.js';

/**
 * @import { Column } from '../core/experiment/table.js'
 * @import { Block, Comparison } from './pairs.js'
 * @import { Limit, Verdict } from './verdict.js'
 */

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
  { title: 'limit', value: ({ comparison }) => comparison.limit && formatLimit(comparison.limit) },
  { title: '', value: ({ verdict }) => verdict.word },
];

/**
 * @param {readonly Outcome[]} outcomes
 * @returns {string} a table, a line per comparison
 */
export function formatTable(outcomes) {
  return `${toText({ columns: COLUMNS, rows: outcomes }).join('\n')}\n`;
}

/** @param {Verdict['interval']} interval */
export function formatInterval(interval) {
  if (!interval) return '-';
  const { low, high, level } = interval;
  return `${low.toFixed(3)} to ${high.toFixed(3)} (${(level * 100).toFixed(1)} %)`;
}

/** @param {Limit} limit */
function formatLimit(limit) {
  return 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
}

/**
 * @param {readonly Outcome[]} outcomes
 * @param {Record<string, unknown>} environment
 * @returns {string} every pair, so that all that is shown can be computed again
 */
export function formatJson(outcomes, environment) {
  const comparisons = outcomes.map(({ comparison: { name, unit, limit }, verdict, blocks }) => {
    return { name, unit, limit, ...verdict, blocks };
  });
  return `${JSON.stringify({ schema: 'sockshootout/bench/1', ...environment, comparisons }, null, 1)}\n`;
}
