/** Reports a run in the form of all experiments, with the tables that pages show, too. */
import { DASH, formatFailures, formatWithInterval } from '../../base/format.js';
import { compareTransports } from '../../experiment/compare.js';
import { fixed, words } from '../../experiment/table.js';
import { transports } from '../../net/echo/index.js';
import { labelOf } from '../../net/labels.js';
import { DEFAULT_RTT_MS } from './distance-model.js';
import { decide, describeDecision, modelOf } from './decision.js';
import { WHERE } from './verdict.js';

/**
 * @import { Column, Report, Table } from '../../experiment/contract.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Plan } from './plan.js'
 * @import { Fact, Summary, Row } from './summary.js'
 * @typedef {{ name: string, meaning: string, costMs?: Interval, blockCount?: number }} Step `meaning`: how it is
 *   computed; `costMs`: absent if it was not measured in two blocks or more; `blockCount`: absent for the distance
 */

/** Reports for exports and terminals; its pages draw more. @param {Summary} found @returns {Report} */
export function report(found) {
  const { result, verdict, notes, scope, trust } = found;
  // Only the prediction says something about other users, as on the card.
  const model = scope === 'path' ? undefined : modelOf(found);
  const predicted = model && describeDecision(decide(model, DEFAULT_RTT_MS));
  const tables = [
    { heading: 'Latency by transport', ...tabulateLatency(found) },
    { heading: 'Latency breakdown', ...tabulateSteps(found), isDetail: true },
    { heading: 'Connection setup and break-even', ...tabulateSetUps(found), isDetail: true },
    { heading: 'Trust checks (⚠: casts doubt)', columns: TRUST_COLUMNS, rows: trust, isDetail: true },
  ];
  return {
    heading: 'Latency by transport',
    answer: predicted?.headline ?? `${verdict.headline}.`,
    sentences: [
      predicted ? `${predicted.scope}: ${predicted.evidence} Measured ${WHERE[scope]}: ${verdict.headline}.` : '',
      // The renderer of the report says why a run ended.
      result.ending ? verdict.counts : verdict.detail,
      verdict.advice,
    ].filter(Boolean),
    notes,
    tables: tables.filter(({ rows }) => rows.length > 0),
    charts: [],
  };
}

/** @type {Column<Fact>[]} */
const TRUST_COLUMNS = [
  { ...words('Check', ({ name, isWarning }) => (isWarning ? `⚠ ${name}` : name)), isKey: true },
  words('Found', ({ value }) => value),
];

/** @type {Column<Row>} */
const TRANSPORT = { ...words('Transport', ({ transport }) => labelOf(transport)), isKey: true };

/** @param {Pick<Summary, 'baseline' | 'rows'>} summary @returns {Table<Row>} */
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
        'difference of the medians per block, mean over the blocks (95% CI); below 0, this transport is slower',
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
        'median time to open a connection (number of samples); “reused” counts trials that reused an open one',
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
  format: fixed(3),
}));

/** @param {Row} row */
function formatSetUp({ setUp: { medianMs, count, reusedCount } }) {
  const opened = medianMs === undefined ? '' : `${medianMs.toFixed(1)} (of ${count})`;
  const reused = reusedCount > 0 ? `reused (${reusedCount})` : '';
  return [opened, reused].filter(Boolean).join(', ') || DASH;
}

/**
 * The steps: the additional time of one transport compared with another in the same blocks, if the two differ in one
 * thing only.
 */
const STEPS = [
  { name: 'SockJS’s framing and client', slower: 'sockjs', faster: 'websocket' },
  { name: 'HTTP', slower: 'xhr', faster: 'websocket' },
  { name: 'jQuery', slower: 'ajax', faster: 'xhr' },
];

/** @param {{ plan: Plan, trials: readonly RunTrial[], stepMs?: number, floorMs?: number }} run @returns {Step[]} */
export function listSteps({ plan, trials, stepMs, floorMs }) {
  const fallbacks = plan.transports
    .filter((name) => transports[name].fallback === 'always')
    .map((slower) => ({ name: `Falling back to ${transports[slower].only}`, slower, faster: 'sockjs' }));
  const measured = [...STEPS, ...fallbacks]
    .filter(({ slower, faster }) => [slower, faster].every((name) => plan.transports.includes(name)))
    .map(({ name, slower, faster }) => {
      const { savingMs, blockCount } = compareTransports({ trials, baseline: slower, transport: faster, stepMs });
      const meaning = `${labelOf(slower)} less ${labelOf(faster)}`;
      return { name, meaning, costMs: savingMs, blockCount };
    });
  if (floorMs === undefined) return measured;
  const distance = { estimate: floorMs, low: floorMs, high: floorMs };
  return [{ name: 'Distance', meaning: 'the fastest round trip of the run', costMs: distance }, ...measured];
}

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
