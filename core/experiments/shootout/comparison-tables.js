/** Places beside each other as tables, the same on the page and in Markdown. */
import { DASH, formatFailures, formatWithInterval } from '../../base/format.js';
import { fixed, words } from '../../experiment/table.js';
import { formatKm } from '../../experiment/way.js';
import { labelOf } from '../../net/labels.js';
import { formatBlocks } from './comparison.js';

/**
 * @import { Place } from '../../experiment/names.js'
 * @import { Column, Table } from '../../experiment/table.js'
 * @import { Pair, PlaceComparison, Side } from './comparison.js'
 * @import { Row } from './report.js'
 */

/**
 * One place as 2012 had it: its transports' messages per second, and what they are to the baseline's.
 * @param {Side} side @returns {Table<Row>}
 */
export function tabulateRates({ report: { baseline, rows, result } }) {
  return {
    columns: [
      words('Transport', ({ transport }) => labelOf(transport)),
      { title: 'Messages/s', value: ({ summary }) => summary.messagesPerSecond, format: fixed(3) },
      {
        title: `Ratio to ${labelOf(baseline)} (95% CI)`,
        value: ({ comparison }) =>
          comparison ? formatWithInterval(result.ending ? undefined : comparison.speedRatio, 1) : 'baseline',
      },
    ],
    rows,
  };
}

/** What stands above a place's column. @param {Side} side */
export const headOfSide = ({ number, title }) => `${number}. ${title}`;

/** @param {PlaceComparison} comparison @returns {Table<Side>} all places, to stand side by side */
export function tabulateSides({ pair, sides, model }) {
  /** @type {Column<Side>} */
  const prediction = {
    title: `Predicted by ${sides[0].number}`,
    explanation: 'the same ratio, from what that run’s transports add and this one’s round-trip time',
    value: ({ predicted }) => formatWithInterval(predicted, 1),
  };
  const predictions = model && sides.length > 1 ? [prediction] : [];
  return {
    columns: [...PLACE, ...wayColumns(sides), ...figureColumns(pair), ...predictions, ...runColumns(pair)],
    rows: sides,
  };
}

/** @type {readonly Column<Side>[]} */
const PLACE = [
  words('Label', ({ run }) => run.label),
  words('Visitor’s place', ({ run }) => formatPlace(run.place)),
  words('Server', ({ run: { digest } }) => [digest.server, digest.location].filter(Boolean).join(', ')),
  {
    title: 'Round-trip time',
    unit: 'ms',
    explanation: 'the smallest of the run',
    value: ({ report }) => report.floorMs,
    format: fixed(3),
  },
];

/**
 * The same of both transports.
 * @param {Pair} pair @param {string} title @param {(row: Row | undefined, side: Side) => any} valueOf
 * @param {Partial<Column<Side>>} more @param {string} [meaning] of the value, after the transport's name
 * @returns {Column<Side>[]}
 */
function both(pair, title, valueOf, more, meaning) {
  return /** @type {const} */ (['base', 'other']).map((key) => {
    const label = labelOf(key === 'base' ? pair.baseline : pair.transport);
    const explanation = meaning && `${label}${meaning}`;
    return { title: `${label} ${title}`, explanation, value: (side) => valueOf(side[key], side), ...more };
  });
}

/** @param {Pair} pair @returns {Column<Side>[]} */
function figureColumns(pair) {
  const [baseline, name] = [pair.baseline, pair.transport].map(labelOf);
  const ms = { unit: 'ms', format: fixed(3) };
  return [
    ...both(pair, 'messages/s', (row) => row?.summary.messagesPerSecond, { format: fixed(3) }),
    ...both(pair, 'p50', (row) => row?.summary.p50Ms, ms),
    ...both(pair, 'adds', (row, { report }) => overheadOf(row, report), ms, '’s p50 minus the round-trip time'),
    {
      title: `Time saved by ${name}`,
      unit: 'ms',
      explanation: '95% CI; negative: it takes longer',
      value: ({ comparison }) => formatWithInterval(comparison?.savingMs),
    },
    {
      title: `${name} to ${baseline}`,
      explanation: 'times as fast (95% CI)',
      value: ({ comparison }) => formatWithInterval(comparison?.speedRatio, 1),
    },
  ];
}

/** @param {Pair} pair @returns {Column<Side>[]} */
function runColumns(pair) {
  return [
    words('Verdict', ({ report }) => report.verdict.headline),
    words('Valid', ({ report: { result } }) => (result.ending ? `no: ${result.ending.reason}` : 'yes')),
    {
      title: 'Blocks compared',
      value: ({ comparison, report: { result } }) => `${comparison?.blockCount ?? 0} of ${result.plan.blocks}`,
    },
    {
      title: 'Samples',
      value: ({ base, other }) => [base, other].map((row) => row?.summary.sampleCount ?? 0).join(' + '),
    },
    {
      title: 'Failures',
      value: ({ base, other }) => formatFailures([base, other].flatMap((row) => row?.failures ?? [])),
    },
    ...both(pair, 'by', (row) => row?.protocols.join(', ') || DASH, { isText: true }),
    words('Plan', ({ report: { result } }) => formatBlocks(result.plan)),
    { title: 'Payload', unit: 'bytes', value: ({ report: { result } }) => result.plan.payloadBytes },
    words('Server’s version', ({ run }) => run.digest.version),
    words('Browser', ({ report: { result } }) => result.environment.userAgent),
    words('Started', ({ report: { result } }) => result.startedAt),
  ];
}

/** @param {readonly Side[]} sides @returns {Column<Side>[]} none where no way is known */
function wayColumns(sides) {
  if (!sides.some(({ way }) => way)) return [];
  const isSure = sides.every(({ way }) => way?.isToServer ?? true);
  return [
    {
      title: 'Great circle',
      explanation: isSure ? 'visitor to server' : 'between which places is said below',
      value: ({ way }) => way && formatKm(way),
    },
    {
      title: 'Light in fibre',
      unit: 'ms',
      explanation: 'there and back by the great circle: no floor can be lower',
      value: ({ way }) => way?.lightMs,
      format: fixed(1),
    },
  ];
}

/** @param {Place} [place] @returns {string} */
function formatPlace({ name, latitude, longitude } = {}) {
  const coordinates = latitude === undefined ? '' : `${latitude}°, ${longitude}°`;
  if (!name) return coordinates || DASH;
  return coordinates ? `${name} (${coordinates})` : name;
}

/** What a transport adds to the distance. @param {Row | undefined} row @param {{ floorMs?: number }} report */
export function overheadOf(row, { floorMs }) {
  const p50Ms = row?.summary.p50Ms;
  return p50Ms === undefined || floorMs === undefined ? undefined : p50Ms - floorMs;
}
