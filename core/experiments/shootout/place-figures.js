/** Tabulates all figures of the places: as a table of pages, and as the columns of a CSV. */
import {
  DASH,
  formatFailures,
  formatMs,
  formatRatioWithRange,
  formatRtt,
  formatWithInterval,
} from '../../base/format.js';
import { nameOf } from '../../experiment/report/merged-report.js';
import { turn, words } from '../../experiment/report/table.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { PREDICTION_INTERVAL } from './distance-model.js';

/**
 * @import { Column } from '../../experiment/report/table.js'
 * @import { Plan } from './plan.js'
 * @import { Pair, Place, Places } from './comparison.js'
 * @import { Row } from './summary.js'
 */

/** Tabulates all figures of all places, next to each other. @param {Places} compared */
export function tabulateFigures({ pair, places, model }) {
  /** @type {Column<Place>} */
  const prediction = {
    title: 'Predicted speed-up',
    explanation: `from run ${places[0].number}’s overheads and this run’s round-trip time, ${PREDICTION_INTERVAL}`,
    value: ({ predicted }) => formatRatioWithRange(predicted),
  };
  const predictions = model && places.length > 1 ? [prediction] : [];
  const columns = [...placeColumns(), ...figureColumns(pair), ...predictions, ...runColumns(pair)];
  return { heading: 'All figures', isDetail: true, ...turn({ columns, rows: places }, nameOf, 'Figure') };
}

/** Made when it is asked for, so that pages without a comparison leave it out. @returns {Column<Place>[]} */
const placeColumns = () => [
  words('Label', ({ label }) => label),
  words('Visitor’s place', ({ place }) => place?.name),
  words('Server', ({ digest }) => [digest.server, digest.location].filter(Boolean).join(', ')),
  {
    title: 'Round-trip time',
    unit: 'ms',
    explanation: 'the fastest of the run',
    value: ({ summary }) => summary.floorMs,
    format: formatRtt,
  },
];

/**
 * Creates the columns of both transports; `meaning` stands after the transport's name.
 * @param {Pair} pair @param {string} title @param {(row: Row | undefined, place: Place) => any} valueOf
 * @param {Partial<Column<Place>>} more @param {string} [meaning] @returns {Column<Place>[]}
 */
function both(pair, title, valueOf, more, meaning) {
  return /** @type {const} */ (['base', 'other']).map((key) => {
    const label = labelOf(key === 'base' ? pair.baseline : pair.transport);
    const explanation = meaning && `${label}${meaning}`;
    return { title: `${label} ${title}`, explanation, value: (place) => valueOf(place[key], place), ...more };
  });
}

/** @param {Pair} pair @returns {Column<Place>[]} */
function figureColumns(pair) {
  const [baseline, name] = [pair.baseline, pair.transport].map(labelOf);
  const ms = { unit: 'ms', format: formatMs };
  return [
    ...both(pair, 'messages/s', (row) => row?.summary.messagesPerSecond, { format: formatMs }),
    ...both(pair, 'p50', (row) => row?.summary.p50Ms, ms),
    ...both(pair, 'overhead', (row, { summary }) => overheadOf(row, summary), ms, '’s p50 minus the round-trip time'),
    {
      title: `Difference to ${baseline}`,
      unit: 'ms',
      explanation: `of ${name}, 95% CI; below 0: slower`,
      value: ({ comparison }) => formatWithInterval(comparison?.savingMs),
    },
    {
      title: `Speed-up over ${baseline}`,
      explanation: `of ${name}, 95% CI; compares medians block by block, so one stall has little effect`,
      value: ({ comparison }) => formatRatioWithRange(comparison?.speedRatio),
    },
  ];
}

/** @param {Pair} pair @returns {Column<Place>[]} */
function runColumns(pair) {
  return [
    words('Headline', ({ report }) => report.headline),
    words('Complete', ({ document: { ending } }) => (ending ? `no: ${ending.reason}` : 'yes')),
    {
      title: 'Blocks compared',
      value: ({ comparison, document: { plan } }) => `${comparison?.blockCount ?? 0} of ${plan.blocks}`,
    },
    {
      title: 'Samples',
      value: ({ base, other }) => [base, other].map((row) => row?.summary.sampleCount ?? 0).join(' + '),
    },
    {
      title: 'Failures',
      value: ({ base, other }) => formatFailures([base, other].flatMap((row) => row?.failures ?? [])),
    },
    ...both(pair, 'protocol', (row) => row?.protocols.join(', ') || DASH, { isText: true }),
    words('Plan', ({ document: { plan } }) => formatBlocks(plan)),
    { title: 'Payload', unit: 'bytes', value: ({ document: { plan } }) => plan.payloadBytes },
    words('Server version', ({ digest }) => digest.version),
    words('Browser', ({ document: { environment } }) => environment.userAgent),
    words('Started', ({ document: { startedAt } }) => startedAt),
  ];
}

/**
 * Returns a transport's overhead over the distance.
 * @param {Row | undefined} row @param {{ floorMs?: number }} summary
 */
function overheadOf(row, { floorMs }) {
  const p50Ms = row?.summary.p50Ms;
  return p50Ms === undefined || floorMs === undefined ? undefined : p50Ms - floorMs;
}

/** @type {Record<string, (place: Place, pair: Pair) => string | number | undefined>} */
const CSV_COLUMNS = {
  number: ({ number }) => number,
  id: ({ id }) => id,
  title: ({ title }) => title,
  label: ({ label }) => label,
  place: ({ place }) => place?.name,
  server: ({ digest }) => digest.server,
  server_location: ({ digest }) => digest.location,
  valid: ({ document: { ending } }) => (ending ? 'no' : 'yes'),
  floor_ms: ({ summary }) => summary.floorMs,
  baseline: (_, pair) => pair.baseline,
  transport: (_, pair) => pair.transport,
  baseline_protocols: ({ base }) => base?.protocols.join(' '),
  transport_protocols: ({ other }) => other?.protocols.join(' '),
  baseline_messages_per_second: ({ base }) => base?.summary.messagesPerSecond,
  transport_messages_per_second: ({ other }) => other?.summary.messagesPerSecond,
  baseline_p50_ms: ({ base }) => base?.summary.p50Ms,
  transport_p50_ms: ({ other }) => other?.summary.p50Ms,
  baseline_adds_ms: ({ base, summary }) => overheadOf(base, summary),
  transport_adds_ms: ({ other, summary }) => overheadOf(other, summary),
  saving_ms: ({ comparison }) => comparison?.savingMs?.estimate,
  saving_low_ms: ({ comparison }) => comparison?.savingMs?.low,
  saving_high_ms: ({ comparison }) => comparison?.savingMs?.high,
  ratio: ({ comparison }) => comparison?.speedRatio?.estimate,
  ratio_low: ({ comparison }) => comparison?.speedRatio?.low,
  ratio_high: ({ comparison }) => comparison?.speedRatio?.high,
  predicted_ratio: ({ predicted }) => predicted?.estimate,
  predicted_low: ({ predicted }) => predicted?.low,
  predicted_high: ({ predicted }) => predicted?.high,
  blocks_compared: ({ comparison }) => comparison?.blockCount,
  blocks: ({ document: { plan } }) => plan.blocks,
  iterations: ({ document: { plan } }) => plan.iterations,
  payload_bytes: ({ document: { plan } }) => plan.payloadBytes,
  baseline_samples: ({ base }) => base?.summary.sampleCount,
  transport_samples: ({ other }) => other?.summary.sampleCount,
  baseline_failures: ({ base }) => base?.failures.length,
  transport_failures: ({ other }) => other?.failures.length,
  server_version: ({ digest }) => digest.version,
  user_agent: ({ document: { environment } }) => environment.userAgent,
  started_at: ({ document: { startedAt } }) => startedAt,
};

/**
 * Returns the columns of a line for each place, with unrounded figures.
 * @param {Pair} pair @returns {Column<Place>[]}
 */
export const csvColumns = (pair) =>
  Object.entries(CSV_COLUMNS).map(([title, valueOf]) => ({
    title,
    value: (place) => valueOf(place, pair),
    // No clock has a resolution of a millionth of a millisecond.
    format: (cell) => String(typeof cell === 'number' ? Number(cell.toFixed(6)) : cell),
  }));

/** @param {Plan} plan @returns {string} like '10 blocks of 50, after 3 for warm-up' */
export function formatBlocks({ blocks, iterations, warmUpCount }) {
  return `${blocks} blocks of ${iterations}, after ${warmUpCount} for warm-up`;
}
