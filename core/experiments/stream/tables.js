/** The tables of a run of streams: their columns, and the settings of proxies. */
import { DASH, formatMs, formatWithRange } from '../../base/format.js';
import { formatJudged } from '../../experiment/answer/verdict.js';
import { STREAM_LABELS, streamLabelWithin } from '../../net/stream/index.js';
import { isCut } from './plan.js';

/**
 * @import { Interval, Spread } from '../../base/statistics.js'
 * @import { Column } from '../../experiment/report/table.js'
 * @import { StreamPlan } from './plan.js'
 * @import { FlowName, StreamRow, StreamSummary } from './summary.js'
 */

/** @param {Interval | { estimate: number } | undefined} interval of ms @returns {string} */
const formatEstimate = (interval) =>
  !interval ? DASH : 'low' in interval ? formatWithRange(interval) : formatMs(interval.estimate);

/** @param {Spread | undefined} spread of ms @returns {string} */
const formatSpreadMs = (spread) => formatEstimate(spread && (spread.interval ?? { estimate: spread.median }));

/** @param {Spread | undefined} spread of whole numbers @returns {string} */
function formatCounts(spread) {
  if (!spread) return DASH;
  const { median, interval: { low, high } = { low: median, high: median } } = spread;
  const [middle, least, most] = [median, low, high].map((count) => String(Math.round(count)));
  return least === most ? middle : `${middle} (${least}–${most})`;
}

/** @type {Column<{ method: string }>} */
const METHOD_COLUMN = {
  title: 'Method',
  isText: true,
  isKey: true,
  idOf: ({ method }) => method,
  value: ({ method }) => STREAM_LABELS[method],
};

/** What each is called. @type {Readonly<Record<FlowName, string>>} */
export const FLOW_LABELS = Object.freeze({
  even: 'Even',
  gaps: 'With gaps',
  steps: 'In steps',
  bursts: 'In bursts',
  'at-once': 'All at once',
});

/** @type {Column<StreamRow>} */
const FLOW_COLUMN = {
  title: 'Flow',
  isText: true,
  value: ({ flow }) => flow && FLOW_LABELS[flow.name],
  answerMark: ({ flow }) => flow && (flow.name === 'even' ? 'better' : 'worse'),
};

/**
 * Declares the columns of what is shown first.
 * @param {StreamPlan} plan @param {readonly StreamRow[]} rows @param {boolean} isEnded @returns {Column<StreamRow>[]}
 */
export function shortColumns({ today, cut }, rows, isEnded) {
  const isCompared = rows.some(({ judged }) => judged);
  return [
    METHOD_COLUMN,
    { title: 'First piece, ms (95% CI)', name: 'first_ms', value: ({ first }) => formatEstimate(first) },
    { title: 'Longest gap, ms (95% CI)', name: 'longest_gap_ms', value: ({ gap }) => formatSpreadMs(gap) },
    ...(!isCut({ cut }) && rows.some(({ flow }) => flow) ? [FLOW_COLUMN] : []),
    ...(isCompared
      ? [
          {
            title: `First piece, compared with ${streamLabelWithin(today)}`,
            isText: true,
            value: (/** @type {StreamRow} */ { method, judged }) =>
              method === today ? 'baseline' : formatJudged(isEnded ? undefined : judged),
            judgedOf: (/** @type {StreamRow} */ { judged }) => (isEnded ? undefined : judged),
          },
        ]
      : []),
  ];
}

/** @type {Column<{ atOnce: number }>} */
const AT_ONCE_COLUMN = { title: 'At once', name: 'at_once', isKey: true, value: ({ atOnce }) => atOnce };

/** @type {readonly Column<StreamRow>[]} */
export const AT_ONCE = [
  METHOD_COLUMN,
  AT_ONCE_COLUMN,
  { title: 'First piece, median stream, ms (95% CI)', name: 'first_ms', value: ({ first }) => formatEstimate(first) },
  { title: 'The last waited longer by, ms (95% CI)', name: 'wait_ms', value: ({ wait }) => formatEstimate(wait) },
];

const percent = (/** @type {number} */ share) => `${Math.round(100 * share)}%`;

/** @type {readonly Column<StreamRow>[]} */
export const DETAILS = [
  METHOD_COLUMN,
  AT_ONCE_COLUMN,
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
  { title: 'Connection setup', name: 'set_up_ms', unit: 'ms', value: ({ setUpMs }) => setUpMs, format: formatMs },
  { title: 'Delay, p50, ms (95% CI)', name: 'late_p50_ms', value: ({ late }) => formatWithRange(late) },
  {
    title: 'Delay, p95 of all',
    name: 'late_p95_ms',
    unit: 'ms',
    value: ({ lateP95Ms }) => lateP95Ms,
    format: formatMs,
  },
  {
    title: 'Delay of the last piece',
    name: 'last_late_ms',
    unit: 'ms',
    value: ({ lastLateMs }) => lastLateMs,
    format: formatMs,
  },
  {
    title: 'Longest gap due',
    name: 'due_gap_ms',
    unit: 'ms',
    value: ({ dueGapMs }) => dueGapMs,
    format: formatMs,
  },
  { title: 'In one frame', name: 'frame_share', value: ({ frameShare }) => frameShare, format: percent },
  {
    title: 'In one frame, as due',
    name: 'due_frame_share',
    value: ({ dueFrameShare }) => dueFrameShare,
    format: percent,
  },
  { title: 'Read with others', name: 'read_share', value: ({ readShare }) => readShare, format: percent },
  {
    title: 'On the wire per piece',
    name: 'bytes_per_piece',
    unit: 'bytes',
    value: ({ bytesPerPiece }) => bytesPerPiece,
    format: (bytes) => bytes.toFixed(0),
  },
  {
    title: 'Server CPU per piece, µs (95% CI)',
    name: 'cpu_us_per_piece',
    value: ({ cpuUsPerPiece }) => formatWithRange(cpuUsPerPiece),
  },
  { title: 'Pieces', name: 'pieces', value: ({ pieceCount }) => pieceCount },
  { title: 'Failures', name: 'failures', value: ({ failures }) => failures.length },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];

/** @type {readonly Column<StreamSummary['cuts'][number]>[]} */
export const CUT = [
  METHOD_COLUMN,
  { title: 'Received before the reset', name: 'shown', value: ({ shown }) => formatCounts(shown) },
  { title: 'Lost', name: 'lost', value: ({ lost }) => formatCounts(lost) },
  { title: 'Resumed after, ms', name: 'back_ms', value: ({ back }) => formatSpreadMs(back) },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];

/** The settings of proxies; none of what this site's answers have already. */
export const PROXIES = [
  { proxy: 'nginx', setting: 'proxy_buffering off;' },
  { proxy: 'HAProxy', setting: 'option http-no-delay' },
  { proxy: 'Apache', setting: 'ProxyPass … flushpackets=on' },
  { proxy: 'Caddy', setting: 'reverse_proxy … { flush_interval -1 }' },
];

/** @type {readonly Column<typeof PROXIES[number]>[]} */
export const SETTINGS = [
  { title: 'Proxy', isText: true, isKey: true, value: ({ proxy }) => proxy },
  { title: 'Setting', isText: true, value: ({ setting }) => setting },
];
