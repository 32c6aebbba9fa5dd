/** The tables of a run under load: what each load adds to each probe. */
import { DASH, formatBytes, formatMs, formatSigned, formatSpread } from '../../base/format.js';
import { formatJudged, nameVerdict } from '../../experiment/answer/verdict.js';
import { fixed } from '../../experiment/report/table.js';
import { baselineOf, bytesOf, formatRate, LOADS, PROBE_LABELS } from './plan.js';

/**
 * @import { Column } from '../../experiment/report/table.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Spread } from '../../base/statistics.js'
 * @import { LoadRowSummary, ProbeRow, UnderLoadSummary } from './summary.js'
 * @typedef {ProbeRow & { load: string, megabits?: Spread }} Row
 */

/** @param {number} ms of a difference, which may be below 0 @returns {string} */
const formatDifference = (ms) => (ms < 0 ? formatSigned(ms, 2) : formatMs(ms));

/** @type {Column<Row>} */
const PROBE = {
  title: 'Probe',
  isText: true,
  isKey: true,
  idOf: ({ transport }) => transport,
  value: ({ transport }) => PROBE_LABELS[transport],
};

/** @param {string | undefined} baseline @returns {readonly Column<Row>[]} */
const loadColumns = (baseline) => [
  PROBE,
  { title: 'Unloaded p50', unit: 'ms', name: 'unloaded_p50_ms', value: ({ base }) => base?.median, format: formatMs },
  {
    title: 'Added p50, ms (95% CI)',
    name: 'added_p50_ms',
    value: ({ addedP50 }) => formatSpread(addedP50, formatDifference),
  },
  {
    title: 'Added at most, ms (95% CI)',
    name: 'added_max_ms',
    explanation: 'the longest of a block under load, minus the unloaded p50 of the same block',
    value: ({ addedMax }) => formatSpread(addedMax, formatDifference),
  },
  ...(baseline
    ? [
        {
          title: `Verdict against ${PROBE_LABELS[baseline]}`,
          isText: true,
          value: (/** @type {Row} */ { transport, judged }) =>
            transport === baseline ? 'baseline' : formatJudged(judged),
          judgedOf: (/** @type {Row} */ { judged }) => judged,
        },
      ]
    : []),
];

/** @type {readonly Column<Row>[]} */
const DETAILS = [
  { title: 'Load', isText: true, isKey: true, value: ({ load }) => LOADS[load].label },
  PROBE,
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
  { title: 'p50, ms (95% CI)', name: 'p50_ms', value: ({ p50 }) => formatSpread(p50, formatMs) },
  { title: 'p95 of all', unit: 'ms', name: 'p95_ms', value: ({ p95Ms }) => p95Ms, format: formatMs },
  {
    title: 'Sent late at most',
    unit: 'ms',
    name: 'send_delay_ms',
    explanation: 'after the planned instant: the page was busy',
    value: ({ sendDelay }) => sendDelay?.median,
    format: formatMs,
  },
  { title: 'Load', unit: 'Mbit/s', name: 'load_mbit_s', value: ({ megabits }) => megabits?.median, format: fixed(1) },
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];

/** @param {ProbeRow | undefined} row @returns {string | undefined} without its figures, which the table of its load has */
const formatVerdict = (row) => row?.judged?.verdict && nameVerdict(row.judged, { isBrief: true });

/**
 * The table that the answer leads to: what each load adds at most to each probe.
 * @param {UnderLoadSummary} summary @returns {OwnReport['tables'][number]}
 */
function shortTable({ plan, loads, unloaded, about }) {
  const baseline = baselineOf(plan);
  const reached = loads.filter(({ blockCount }) => blockCount > 0);
  /** @typedef {UnderLoadSummary['unloaded'][number]} Unloaded */
  const find = (/** @type {LoadRowSummary} */ { rows }, /** @type {Unloaded} */ { transport }) =>
    rows.find((row) => row.transport === transport);
  /** @type {Column<Unloaded>[]} */
  const columns = [
    { title: 'Probe', isText: true, isKey: true, value: ({ transport }) => PROBE_LABELS[transport] },
    { title: 'Unloaded p50, ms', value: ({ p50 }) => p50?.median, format: formatMs },
    // A sentence says which loads were not reached.
    ...reached.map((one) => ({
      title: LOADS[one.load].label,
      value: (/** @type {Unloaded} */ row) => formatSpread(find(one, row)?.addedMax, formatDifference),
    })),
  ];
  if (baseline && about) {
    columns.push({
      title: `Verdict against ${PROBE_LABELS[baseline]}`,
      explanation: `by the p50 during: ${LOADS[about.load].label}`,
      isText: true,
      value: (row) => (row.transport === baseline ? 'baseline' : formatVerdict(find(about, row))),
      judgedOf: (row) => find(about, row)?.judged,
    });
  }
  // Without a load, the card has the same figures.
  return reached.length > 0
    ? { heading: 'Added at most, ms (95% CI)', columns, rows: unloaded }
    : { heading: 'Without load', isDetail: true, columns, rows: unloaded };
}

/** @param {UnderLoadSummary} summary @returns {OwnReport['tables']} */
export function tablesOf(summary) {
  const { plan, loads } = summary;
  const withLoad = loads.map(({ load, megabits, rows }) => rows.map((row) => ({ ...row, load, megabits })));
  const columns = loadColumns(baselineOf(plan));
  return [
    shortTable(summary),
    ...loads.flatMap(({ load, byteCount, megabits, blockCount }, i) => {
      if (blockCount === 0) return [];
      const size = formatBytes(byteCount ?? bytesOf(load, plan));
      const heading = `${LOADS[load].label}: ${size}${megabits ? ` at ${formatRate(megabits.median)}` : ''}`;
      return [{ heading, isDetail: true, columns, rows: withLoad[i] }];
    }),
    { heading: 'More figures', isDetail: true, columns: DETAILS, rows: withLoad.flat() },
  ];
}
