/** Reports a run in the form of all experiments, with the tables that pages show, too. */
import { DASH, formatFailures, formatMs, formatWithInterval } from '../../base/format.js';
import { compareTransports } from '../../experiment/answer/compare.js';
import { ruleOf } from '../../experiment/plan/blocks.js';
import { fixed, words, transportColumn } from '../../experiment/report/table.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { didFallBack } from '../../experiment/answer/fallback.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { transports } from '../../net/echo/index.js';
import { namesOf } from '../../net/rows.js';
import { modelOf, speedAt } from './distance-model.js';
import { barsOf } from './full-test.js';
import { describeSpeed, rttOf } from './speed-words.js';

/**
 * @import { Column, Table } from '../../experiment/report/table.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { Bars } from '../../picture/bars.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Plan } from './plan.js'
 * @import { Summary, Row } from './summary.js'
 * @typedef {{ name: string, meaning: string, isolates: string, costMs?: Interval, blockCount?: number }} Step `meaning`:
 *   how it is computed; `isolates`: a sentence; `costMs`: absent if it was not measured in two blocks or more;
 *   `blockCount`: absent for the distance
 */

/** Reports for exports and terminals; its pages draw more. @param {Summary} found @returns {OwnReport} */
export function report(found) {
  const { result, verdict, notes } = found;
  const tables = [
    { heading: 'Latency by transport', ...tabulateLatency(found) },
    { heading: 'Latency breakdown', ...tabulateSteps(found), isDetail: true },
    { heading: 'Connection setup and break-even', ...tabulateSetUps(found), isDetail: true },
  ];
  return {
    heading: 'Latency by transport',
    ...headlinesOf(found),
    // The renderer of the report says why a run ended.
    sentences: [result.ending ? verdict.counts : verdict.detail, verdict.advice].filter(Boolean),
    notes,
    tables: tables.filter(({ rows }) => rows.length > 0),
    charts: [],
  };
}

/**
 * Returns the conclusion for the place that measured, and what it predicts for users elsewhere.
 * @param {Summary} found @returns {{ conclusion?: string, bars?: Bars, elsewhere?: OwnReport['elsewhere'] }}
 */
function headlinesOf(found) {
  const { scope, verdict } = found;
  const measured = `${verdict.headline}.`;
  const model = modelOf(found);
  // Why there is no verdict holds everywhere; a ratio that no model predicts from does not.
  if (!model) return { conclusion: measured, ...(verdict.name === 'none' && { elsewhere: { headline: measured } }) };
  const speed = speedAt(model, rttOf(found, model));
  const { headline, evidence } = describeSpeed(speed);
  const said =
    scope === 'path' ? { conclusion: headline } : { conclusion: measured, elsewhere: { headline, evidence } };
  return { ...said, bars: barsOf(speed) };
}

/** @type {Column<Row>} */
const TRANSPORT = transportColumn();

/**
 * Tabulates the round trips of each transport, and how each compares with the baseline.
 * @param {{ baseline: string, rows: readonly Row[] }} summary @returns {Table<Row>}
 */
export function tabulateLatency({ baseline, rows }) {
  const name = labelOf(baseline);
  /** @type {Column<Row>[]} */
  const columns = [
    { ...TRANSPORT, explanation: 'the selected transport' },
    {
      ...words('Protocol', ({ protocols }) => protocols.join(', ') || DASH),
      explanation: 'the negotiated protocol',
    },
    {
      title: 'Messages/s',
      name: 'messages_per_second',
      explanation: 'from the first answer of a trial to its last, so without connection setup',
      value: ({ summary }) => summary.messagesPerSecond,
      format: fixed(1),
    },
    {
      title: `Difference to ${name}`,
      name: 'saves_ms',
      unit: 'ms',
      explanation:
        'difference of the geometric means over the blocks; its 95% CI follows from that of the ratio; below 0, this transport is slower',
      value: ({ comparison }) => (comparison ? formatWithInterval(comparison.savingMs) : 'baseline'),
    },
    {
      title: `Speed-up over ${name}`,
      name: 'speed_ratio',
      explanation:
        'ratio of the medians per block, geometric mean over the blocks (95% CI); above 1, this transport is faster',
      value: ({ comparison }) => (comparison ? formatWithInterval(comparison.speedRatio, 1) : 'baseline'),
    },
    ...MS_COLUMNS,
    {
      title: 'Connection setup',
      name: 'setup_ms',
      unit: 'ms',
      explanation:
        'median time to open a connection; “new” counts the trials that opened one, and “reused” those that used an open one; “until upgraded”: until its messages went over a WebSocket, where it began with HTTP',
      value: formatSetUp,
    },
    {
      title: 'Failures',
      name: 'failures',
      explanation: 'messages without a correct answer, by kind',
      value: ({ failures }) => formatFailures(failures),
    },
    {
      title: 'Samples',
      name: 'samples',
      explanation: 'number of round trips',
      value: ({ summary }) => summary.sampleCount,
    },
  ];
  return { columns, rows };
}

/** @type {Column<Row>[]} */
const MS_COLUMNS = /** @type {const} */ ([
  ['Mean', 'meanMs', 'mean round trip'],
  ['p50', 'p50Ms', 'median'],
  ['p90', 'p90Ms', '90th percentile'],
  ['p95', 'p95Ms', '95th percentile'],
  ['p99', 'p99Ms', '99th percentile; needs 100 samples'],
  ['Jitter', 'jitterMs', 'mean difference between a round trip and the previous one'],
]).map(([title, key, explanation]) => ({
  title,
  name: key.replace('Ms', '_ms'),
  unit: 'ms',
  explanation,
  value: ({ summary }) => summary[key],
  format: formatMs,
}));

/** @param {Row} row */
function formatSetUp({ setUp: { medianMs, count, reusedCount, upgrade } }) {
  const reused = reusedCount > 0 ? `${reusedCount} reused` : '';
  const opened =
    medianMs === undefined ? reused : `${medianMs.toFixed(1)} (${[`${count} new`, reused].filter(Boolean).join(', ')})`;
  const upgraded = upgrade ? `${upgrade.medianMs.toFixed(1)} until upgraded (${upgrade.count})` : '';
  return [opened, upgraded].filter(Boolean).join(', ') || DASH;
}

/**
 * Lists the steps: the additional time of one transport compared with another in the same blocks.
 * @param {{ plan: Plan, trials: readonly RunTrial[], stepMs?: number, floorMs?: number }} run @returns {Step[]}
 */
export function listSteps({ plan, trials, stepMs, floorMs }) {
  const measured = namesOf(transports, ({ name }) => plan.transports.includes(name)).flatMap((slower) => {
    const step = transports[slower].steps?.find(({ over }) => plan.transports.includes(over));
    // A transport that fell back differs in more.
    if (!step || [slower, step.over].some((name) => didFallBackIn(trials, name))) return [];
    const { over: faster, name, isolates } = step;
    const { savingMs, blockCount } = compareTransports({
      ...{ trials, baseline: slower, transport: faster, stepMs },
      rule: ruleOf(plan),
    });
    return [{ name, meaning: `${labelOf(slower)} less ${labelOf(faster)}`, isolates, costMs: savingMs, blockCount }];
  });
  if (floorMs === undefined) return measured;
  const distance = { estimate: floorMs, low: floorMs, high: floorMs };
  const isolates = 'The network, which every transport has to cross.';
  return [{ name: 'Distance', meaning: 'the fastest round trip of the run', isolates, costMs: distance }, ...measured];
}

/** @param {readonly RunTrial[]} trials @param {string} transport */
const didFallBackIn = (trials, transport) =>
  didFallBack({ transport, protocols: protocolsOf(trials.filter((trial) => trial.transport === transport)) });

/** @param {Summary} summary @returns {Table<Step>} the latency breakdown of a message */
export function tabulateSteps({ result: { plan, trials, environment }, floorMs }) {
  return {
    columns: [
      words('Step', ({ name }) => name),
      words('Difference between', ({ meaning }) => meaning),
      {
        title: 'Cost, ms (95% CI)',
        value: ({ costMs, blockCount }) =>
          blockCount === undefined ? costMs?.estimate.toFixed(2) : formatWithInterval(costMs),
      },
      { title: 'Blocks', value: ({ blockCount }) => blockCount },
      words('What it isolates', ({ isolates }) => isolates),
    ],
    rows: listSteps({ plan, trials, floorMs, stepMs: environment.stepMs }),
  };
}

/** @param {Summary} summary @returns {Table<Row>} the connection setup times; empty without a baseline */
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

/**
 * Returns the break-even: the number of messages after which a slower connection setup pays off.
 * @param {{ row: Row, baseline: Row }} rows
 */
export function findBreakEven({ row, baseline }) {
  const saving = row.comparison?.savingMs;
  const [setUpMs, baselineSetUpMs] = [row, baseline].map(({ setUp }) => setUp.medianMs);
  if (!saving || !(saving.low > 0) || setUpMs === undefined || baselineSetUpMs === undefined) return undefined;
  return Math.max(1, Math.ceil((setUpMs - baselineSetUpMs) / saving.estimate));
}
