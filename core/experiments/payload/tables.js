/** The tables of a run over sizes: heat maps, the smallest and the largest message, all figures. */
import { DASH, formatWithInterval, formatFailures } from '../../base/format.js';
import { nameInterval } from '../../experiment/answer/answer.js';
import { isBeyondMargin, isLittle, nameVerdict, VERDICT_LABELS } from '../../experiment/answer/verdict.js';
import { labelOfTransfer } from '../../experiment/answer/labels.js';
import { transportColumn, fixed } from '../../experiment/report/table.js';
import { DIRECTION_LABELS, formatSize } from './plan.js';
import { confidenceAt } from './summary.js';

/**
 * @import { Column } from '../../experiment/report/table.js'
 * @import { Report } from '../../experiment/report/findings.js'
 * @import { PayloadPlan, Sweep } from './plan.js'
 * @import { Figure, PayloadRow, PublishedRow } from './summary.js'
 * @typedef {Report['tables'][number]} Table
 * @typedef {{ size: number, rows: readonly any[] }} MapRow `rows`: of all transports
 */

/** Names the interval of ratios and their verdicts, such as '98.3% CI'. @param {{ sizes: readonly number[] }} plan */
export const nameOfInterval = ({ sizes }) => nameInterval({ confidence: confidenceAt(sizes.length) });

/**
 * Formats a figure, as in '1.9 (1.4 to 2.5)', or '1.93' without an interval.
 * @param {Figure | undefined} figure @param {number} [pivot]
 */
function formatFigure(figure, pivot) {
  return figure?.low === undefined ? formatSignificant(figure?.estimate) : formatWithInterval(figure, pivot);
}

/**
 * Formats significant digits without an exponent: '0.000125', '1.93'.
 * @param {number | undefined} value not below 0 @param {number} [digits]
 */
function formatSignificant(value, digits = 3) {
  if (value === undefined) return DASH;
  const tens = value > 0 ? Math.floor(Math.log10(value)) : 0;
  return value.toFixed(Math.min(20, Math.max(0, digits - 1 - tens)));
}

/** @type {readonly Column<PayloadRow | PublishedRow>[]} */
const PLACE = [
  { title: 'Direction', isText: true, isKey: true, value: ({ direction }) => DIRECTION_LABELS[direction] },
  { title: 'Size', isText: true, isKey: true, value: ({ size }) => formatSize(size) },
  transportColumn(labelOfTransfer),
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
];

/** @type {readonly Column<PayloadRow | PublishedRow>[]} */
const COUNTS = [
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Failures', name: 'failures', value: ({ failures }) => formatFailures(failures) },
];

const RATE = 'megabytes_per_second';
const MS_EACH = 'ms per message';

/** @type {readonly Column<PublishedRow>[]} */
const PUBLISHED_COLUMNS = [
  ...PLACE,
  { title: 'Better pass', name: 'better_ms', unit: MS_EACH, value: ({ betterMs }) => betterMs, format: fixed(2) },
  { title: 'Other pass', name: 'other_ms', unit: MS_EACH, value: ({ otherMs }) => otherMs, format: fixed(2) },
  { title: 'MB/s of the better', name: RATE, value: (row) => formatSignificant(row.megabytesPerSecond) },
  ...COUNTS,
];

/**
 * @param {Sweep} plan @param {string} [baseline] of the comparison @returns {Column<PayloadRow>[]} of a run in blocks
 */
const sweepColumnsOf = (plan, baseline) => [
  ...PLACE,
  { title: 'Time, ms (95% CI)', name: 'time_ms', value: ({ timeMs }) => formatFigure(timeMs) },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(2) },
  { title: 'MB/s (95% CI)', name: RATE, value: (row) => formatFigure(row.megabytesPerSecond) },
  ...(baseline === undefined ? [] : [ratioColumnOf(plan, baseline), VERDICT]),
  ...COUNTS,
];

/** @param {Sweep} plan @param {string} baseline @returns {Column<PayloadRow>} */
const ratioColumnOf = (plan, baseline) => ({
  title: `Speed-up over ${labelOfTransfer(baseline)} (${nameOfInterval(plan)})`,
  name: 'speed_ratio',
  value: ({ comparison }) => formatFigure(comparison?.speedRatio, 1),
});

/** @type {Column<PayloadRow>} */
const VERDICT = {
  title: 'Verdict',
  name: 'verdict',
  isText: true,
  value: ({ comparison }) => comparison?.verdict && nameVerdict(comparison),
};

/**
 * @param {PayloadPlan} plan @param {readonly any[]} rows @param {string} [baseline] of the comparison @returns {Table}
 */
export function figuresOf(plan, rows, baseline) {
  const columns = plan.preset ? PUBLISHED_COLUMNS : sweepColumnsOf(plan, baseline);
  return { heading: 'All figures', isDetail: true, columns, rows };
}

/**
 * Creates heat maps of the speed-up over the baseline, or of the time if there is none.
 * @param {PayloadPlan} plan @param {readonly (PayloadRow | PublishedRow)[]} rows @param {string} [baseline]
 * @returns {Table[]}
 */
export function heatMapsOf({ directions, sizes, transports }, rows, baseline) {
  const about = baseline === undefined ? MS_EACH : `speed-up over ${labelOfTransfer(baseline)}`;
  /** @param {string} transport @returns {Column<MapRow>} */
  const columnOf = (transport) => {
    const find = (/** @type {MapRow} */ row) => row.rows.find((one) => one.transport === transport);
    const timeOf = (/** @type {MapRow} */ row) => find(row).betterMs ?? find(row).timeMs?.estimate;
    const title = labelOfTransfer(transport);
    if (baseline === undefined) return { title, value: (row) => formatSignificant(timeOf(row)) };
    return { title, value: (row) => formatVerdict(find(row)), mark: (row) => colourMarkOf(find(row)) };
  };
  return directions.map((direction) => ({
    heading: `${DIRECTION_LABELS[direction]}: ${about}`,
    heatMap: { group: DIRECTION_LABELS[direction], about },
    columns: [
      { title: 'Size', isText: true, isKey: true, value: (/** @type {MapRow} */ { size }) => formatSize(size) },
      ...transports.filter((transport) => transport !== baseline).map(columnOf),
    ],
    rows: sizes.map((size) => ({
      size,
      rows: rows.filter((row) => row.direction === direction && row.size === size),
    })),
  }));
}

/** Formats a verdict; a factor is a result only if the transport is faster or slower. @param {PayloadRow} row */
function formatVerdict({ comparison }) {
  const { verdict, ratio } = comparison ?? {};
  if (!verdict || !ratio) return DASH;
  if (isLittle({ verdict })) return verdict === 'little-faster' ? '>1x' : '<1x';
  if (!isBeyondMargin({ verdict })) return VERDICT_LABELS[verdict];
  return `${formatSignificant(ratio.estimate, 2)}x`;
}

/** @param {PayloadRow} row */
function colourMarkOf({ comparison }) {
  const { verdict, speedRatio } = comparison ?? {};
  return verdict && speedRatio && { verdict, ratio: speedRatio.estimate };
}

/**
 * Tabulates the smallest and the largest message.
 * @param {Sweep} plan @param {readonly PayloadRow[]} rows @returns {Table[]}
 */
export function endsOf({ directions, sizes, transports }, rows) {
  const ends = /** @type {const} */ ([
    { size: sizes[0], what: 'time per message, in ms', note: 'Lower is better.', figure: 'timeMs' },
    {
      size: sizes[sizes.length - 1],
      what: 'throughput, in MB/s',
      note: 'Higher is better.',
      figure: 'megabytesPerSecond',
    },
  ]);
  return ends.slice(0, sizes.length).map(({ size, what, note, figure }) => ({
    heading: `${formatSize(size)}: ${what}`,
    note,
    isFolded: true,
    columns: [
      PLACE[0],
      ...transports.map((transport, i) => ({
        title: labelOfTransfer(transport),
        value: (/** @type {{ own: PayloadRow[] }} */ { own }) => formatSignificant(own[i][figure]?.estimate),
      })),
    ],
    rows: directions.map((direction) => ({
      direction,
      own: rows.filter((row) => row.direction === direction && row.size === size),
    })),
  }));
}
