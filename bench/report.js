/**
 * What a comparison brought, for people and for programs.
 *
 * @typedef {{ comparison: Comparison, blocks: Block[], verdict: Verdict }} Outcome
 */
import { medianOf } from './verdict.js';

/**
 * @import { Comparison, Limit } from './comparison.js'
 * @import { Block } from './pairs.js'
 * @import { Verdict } from './verdict.js'
 */

const COLUMNS = ['ours / baseline', 'ours', 'baseline', 'unit', 'ratio', 'interval', 'pairs', 'blocks', 'limit', ''];

/**
 * @param {readonly Outcome[]} outcomes
 * @returns {string} a table, a line per comparison
 */
export function formatTable(outcomes) {
  const rows = [COLUMNS, ...outcomes.map(formatRow)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column])).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** @param {Outcome} outcome */
function formatRow({ comparison: { name, unit, limit }, blocks, verdict }) {
  const pairs = blocks.flat();
  const { medianRatio, interval, word } = verdict;
  return [
    name,
    medianOf(pairs.map(({ ours }) => ours)).toPrecision(4),
    medianOf(pairs.map(({ baseline }) => baseline)).toPrecision(4),
    unit,
    medianRatio.toFixed(3),
    formatInterval(interval),
    String(pairs.length),
    String(blocks.length),
    formatLimit(limit),
    word,
  ];
}

/** @param {Verdict['interval']} interval */
export function formatInterval(interval) {
  if (!interval) return '-';
  const { low, high, level } = interval;
  return `${low.toFixed(3)} to ${high.toFixed(3)} (${(level * 100).toFixed(1)} %)`;
}

/** @param {Limit} [limit] */
function formatLimit(limit) {
  if (!limit) return 'none';
  return 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
}

/**
 * @param {readonly Outcome[]} outcomes
 * @param {Record<string, unknown>} environment
 * @returns {string} every pair, so that all that is shown can be computed again
 */
export function formatJson(outcomes, environment) {
  const comparisons = outcomes.map(({ comparison: { name, unit, limit }, verdict, blocks }) => ({
    name,
    unit,
    limit,
    ...verdict,
    blocks,
  }));
  return `${JSON.stringify({ schema: 'sockshootout/bench/1', ...environment, comparisons }, null, 1)}\n`;
}
