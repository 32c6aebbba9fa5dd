/** A report's tables, the same on pages, in Markdown and at a terminal. */
import { DASH, formatFailures, formatWithInterval } from '../../base/format.js';
import { fixed } from '../../experiment/table.js';
import { labelOf } from '../../net/labels.js';
import { findBreakEven, listSteps } from './breakdown.js';

/**
 * @import { Column, Table } from '../../experiment/table.js'
 * @import { Report, Row } from './report.js'
 */

/** @param {Pick<Report, 'baseline' | 'rows'>} report @returns {Table<Row>} */
export function tabulateReport({ baseline, rows }) {
  return { columns: columnsOf(labelOf(baseline)), rows };
}

/** @type {Column<Row>} */
const TRANSPORT = { title: 'Transport', isText: true, isKey: true, value: ({ transport }) => labelOf(transport) };

/** @param {string} baseline @returns {Column<Row>[]} */
const columnsOf = (baseline) => [
  { ...TRANSPORT, explanation: 'what was chosen' },
  {
    title: 'Protocol',
    isText: true,
    explanation: 'what was really negotiated',
    value: ({ protocols }) => protocols.join(', ') || DASH,
  },
  {
    title: 'Messages/s',
    name: 'messages_per_second',
    explanation: 'steady: from the first answer of a trial to its last',
    value: ({ summary }) => summary.messagesPerSecond,
    format: fixed(1),
  },
  {
    title: `Difference to ${baseline}`,
    name: 'saves_ms',
    unit: 'ms',
    explanation: 'mean over the blocks of the difference of medians, with its 95% CI; below 0 it is slower',
    value: ({ comparison }) => (comparison ? formatWithInterval(comparison.savingMs) : 'baseline'),
  },
  {
    title: `Speed-up over ${baseline}`,
    name: 'speed_ratio',
    explanation: 'the same as a ratio, with its 95% CI',
    value: ({ comparison }) => (comparison ? formatWithInterval(comparison.speedRatio, 1) : 'baseline'),
  },
  msColumn('Mean', 'meanMs', 'of the round trips'),
  msColumn('p50', 'p50Ms', 'half of the round trips took at most so long'),
  msColumn('p90', 'p90Ms', '90 % took at most so long'),
  msColumn('p95', 'p95Ms', '95% took at most so long'),
  msColumn('p99', 'p99Ms', '99% took at most so long; needs 100 samples'),
  msColumn('Jitter', 'jitterMs', 'mean difference between a round trip and the one before it'),
  {
    title: 'Connection setup',
    name: 'setup_ms',
    unit: 'ms',
    explanation:
      'median of opening a connection, and of how many; “reused” counts the trials that found one open, as browsers keep those of HTTP',
    value: formatSetUp,
  },
  {
    title: 'Failures',
    name: 'failures',
    explanation: 'iterations that brought no answer, by kind',
    value: ({ failures }) => formatFailures(failures),
  },
  {
    title: 'Samples',
    name: 'samples',
    explanation: 'round trips behind the figures',
    value: ({ summary }) => summary.sampleCount,
  },
];

/**
 * @param {string} title
 * @param {'meanMs' | 'p50Ms' | 'p90Ms' | 'p95Ms' | 'p99Ms' | 'jitterMs'} key
 * @param {string} explanation
 * @returns {Column<Row>}
 */
function msColumn(title, key, explanation) {
  return {
    title,
    name: key.replace('Ms', '_ms'),
    unit: 'ms',
    explanation,
    value: ({ summary }) => summary[key],
    format: fixed(3),
  };
}

/** @param {Row} row */
function formatSetUp({ setUp: { medianMs, count, reusedCount } }) {
  const opened = medianMs === undefined ? '' : `${medianMs.toFixed(1)} (of ${count})`;
  const reused = reusedCount > 0 ? `reused (${reusedCount})` : '';
  return [opened, reused].filter(Boolean).join(', ') || DASH;
}

/** @param {Report} report @returns {Table<ReturnType<typeof listSteps>[0]>} what a message's time is made of */
export function tabulateSteps({ result: { plan, trials, environment }, floorMs }) {
  return {
    columns: [
      { title: 'Step', isText: true, value: ({ name }) => name },
      { title: 'Difference between', isText: true, value: ({ meaning }) => meaning },
      {
        title: 'Cost, ms (95% CI)',
        value: ({ costMs, blockCount }) =>
          blockCount === undefined ? costMs?.estimate.toFixed(2) : formatWithInterval(costMs),
      },
      { title: 'Blocks', value: ({ blockCount }) => blockCount },
    ],
    rows: listSteps({ plan, trials, floorMs, stepMs: environment.stepMs }),
  };
}

/** @param {Report} report @returns {Table<Row>} what connections cost; empty without a baseline */
export function tabulateSetUps({ rows }) {
  const baseline = rows.find(({ comparison }) => !comparison);
  return {
    columns: [
      TRANSPORT,
      { title: 'Connection setup, ms (median)', value: formatSetUp },
      {
        title: 'Break-even, messages',
        value: (row) => (row === baseline ? 'baseline' : baseline && findBreakEven({ row, baseline })),
      },
    ],
    rows: baseline ? rows : [],
  };
}
