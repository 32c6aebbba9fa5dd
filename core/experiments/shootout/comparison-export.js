/** Places beside each other: to paste into an issue or a wiki, and for a spreadsheet or for R. */
import { escape } from '../../base/foreign-text.js';
import { formatBeside } from '../../experiment/names.js';
import { toCsv, toMarkdown, turn } from '../../experiment/table.js';
import { describeWay } from '../../experiment/way.js';
import { headOfSide, overheadOf, tabulateRates, tabulateSides } from './comparison-tables.js';
import { describeSameDistance } from './distance-model.js';

/** @import { Pair, PlaceComparison, Side } from './comparison.js' */

/** @param {PlaceComparison} comparison @param {string} link to the page that shows it @returns {string} */
export function formatMarkdown(comparison, link) {
  const { sides, differences } = comparison;
  return [
    `### ${escape(formatBeside(sides.map(({ title }) => title)))}`,
    '',
    ...sides.flatMap((side) => [
      `**${escape(headOfSide(side))}.** ${escape(side.report.verdict.headline)}. ${escape(side.report.verdict.detail)}`,
      '',
      ...toMarkdown(tabulateRates(side)),
      '',
    ]),
    ...(differences.length > 0 ? ['Other differences and warnings:', '', ...listOf(differences), ''] : []),
    ...toMarkdown(turn(tabulateSides(comparison), headOfSide)),
    '',
    ...listOf(listSentences(comparison)),
    '',
    link,
    '',
  ].join('\n');
}

/**
 * The sentences beside the tables: how each run fits the prediction of the first one, and its distance.
 * @param {PlaceComparison} comparison @returns {string[]}
 */
export function listSentences({ sides, model }) {
  return [
    ...(model ? [describeSameDistance(model)] : []),
    ...sides
      .filter(({ deviation, way }) => deviation || way)
      .map(({ number, title, deviation, way, report: { floorMs } }) => {
        const words = [deviation, way && describeWay(way, floorMs)].filter(Boolean);
        return `${number}. ${title}: ${words.join(' ')}`;
      }),
  ];
}

/** @param {readonly string[]} sentences */
function listOf(sentences) {
  return sentences.map((sentence) => `- ${escape(sentence)}`);
}

/** @type {Record<string, (side: Side, pair: Pair) => string | number | undefined>} */
const COLUMNS = {
  number: ({ number }) => number,
  id: ({ run }) => run.id,
  title: ({ title }) => title,
  label: ({ run }) => run.label,
  place: ({ run }) => run.place?.name,
  latitude: ({ run }) => run.place?.latitude,
  longitude: ({ run }) => run.place?.longitude,
  server: ({ run }) => run.digest.server,
  server_location: ({ run }) => run.digest.location,
  valid: ({ report }) => (report.result.ending ? 'no' : 'yes'),
  floor_ms: ({ report }) => report.floorMs,
  great_circle_km: ({ way }) => way?.km,
  great_circle_to: ({ way }) => way && (way.isToServer ? 'server' : 'other visitor'),
  light_ms: ({ way }) => way?.lightMs,
  baseline: (_, pair) => pair.baseline,
  transport: (_, pair) => pair.transport,
  baseline_protocols: ({ base }) => base?.protocols.join(' '),
  transport_protocols: ({ other }) => other?.protocols.join(' '),
  baseline_messages_per_second: ({ base }) => base?.summary.messagesPerSecond,
  transport_messages_per_second: ({ other }) => other?.summary.messagesPerSecond,
  baseline_p50_ms: ({ base }) => base?.summary.p50Ms,
  transport_p50_ms: ({ other }) => other?.summary.p50Ms,
  baseline_adds_ms: ({ base, report }) => overheadOf(base, report),
  transport_adds_ms: ({ other, report }) => overheadOf(other, report),
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
  blocks: ({ report: { result } }) => result.plan.blocks,
  iterations: ({ report: { result } }) => result.plan.iterations,
  payload_bytes: ({ report: { result } }) => result.plan.payloadBytes,
  baseline_samples: ({ base }) => base?.summary.sampleCount,
  transport_samples: ({ other }) => other?.summary.sampleCount,
  baseline_failures: ({ base }) => base?.failures.length,
  transport_failures: ({ other }) => other?.failures.length,
  server_version: ({ run }) => run.digest.version,
  user_agent: ({ report: { result } }) => result.environment.userAgent,
  started_at: ({ report: { result } }) => result.startedAt,
};

/** @param {PlaceComparison} comparison @returns {string} with a header, a line for each, and figures not rounded for people */
export function formatCsv({ pair, sides }) {
  const columns = Object.entries(COLUMNS).map(([title, valueOf]) => ({
    title,
    value: (/** @type {Side} */ side) => valueOf(side, pair),
    // No clock tells a millionth of a millisecond.
    format: (/** @type {string | number} */ cell) => String(typeof cell === 'number' ? Number(cell.toFixed(6)) : cell),
  }));
  return toCsv({ columns, rows: sides });
}
