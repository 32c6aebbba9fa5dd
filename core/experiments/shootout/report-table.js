/**
 * A report's table, the same on the page and in Markdown.
 */
import { DASH, formatFailures, formatNumber, formatWithInterval } from '../../base/format.js';
import { labelOf } from '../../net/echo/labels.js';

/** @import { Row, SetUp } from './report.js' */

/** @typedef {{ title: string, isText?: boolean, explanation: string }} Column */

/**
 * @param {string} baseline the transport that the others are set against
 * @returns {Column[]}
 */
export const columnsOf = (baseline) => [
  { title: 'Transport', isText: true, explanation: 'what was chosen' },
  { title: 'Protocol', isText: true, explanation: 'what was really negotiated' },
  { title: 'Messages/s', explanation: 'steady: from the first answer of a trial to its last' },
  {
    title: `Saves against ${labelOf(baseline)}, ms`,
    explanation: 'mean over the blocks of the difference of medians, with its 95 % interval; below 0 it costs more',
  },
  { title: `Speed against ${labelOf(baseline)}`, explanation: 'the same as a ratio, with its 95 % interval' },
  { title: 'Mean, ms', explanation: 'of the round trips' },
  { title: 'p50, ms', explanation: 'half of the round trips took at most so long' },
  { title: 'p90, ms', explanation: '90 % took at most so long' },
  { title: 'p95, ms', explanation: '95 % took at most so long' },
  { title: 'p99, ms', explanation: '99 % took at most so long; needs 100 samples' },
  { title: 'Jitter, ms', explanation: 'mean difference between a round trip and the one before it' },
  {
    title: 'Set-up, ms',
    explanation:
      'median of opening a connection, and of how many; “reused” counts the trials that found one open, as browsers keep those of HTTP',
  },
  { title: 'Failures', explanation: 'iterations that brought no answer, by kind' },
  { title: 'Samples', explanation: 'round trips behind the figures' },
];

/**
 * @param {Row} row
 * @returns {string[]} a cell for each column
 */
export function formatRow({ transport, protocols, setUp, summary, failures, comparison }) {
  return [
    labelOf(transport),
    protocols.join(', ') || DASH,
    formatNumber(summary.messagesPerSecond, 1),
    comparison ? formatWithInterval(comparison.savingMs) : 'baseline',
    comparison ? formatWithInterval(comparison.speedRatio, 1) : 'baseline',
    formatNumber(summary.meanMs, 3),
    formatNumber(summary.p50Ms, 3),
    formatNumber(summary.p90Ms, 3),
    formatNumber(summary.p95Ms, 3),
    formatNumber(summary.p99Ms, 3),
    formatNumber(summary.jitterMs, 3),
    formatSetUp(setUp),
    formatFailures(failures),
    String(summary.sampleCount),
  ];
}

/**
 * @param {SetUp} setUp
 * @returns {string}
 */
export function formatSetUp({ medianMs, count, reusedCount }) {
  const opened = medianMs === undefined ? '' : `${formatNumber(medianMs, 1)} (of ${count})`;
  const reused = reusedCount > 0 ? `reused (${reusedCount})` : '';
  return [opened, reused].filter(Boolean).join(', ') || DASH;
}
