/**
 * Places beside each other as tables, the same on the page and in Markdown.
 */
import { DASH, formatFailures, formatNumber, formatWithInterval } from '../../../base/format.js';
import { formatBlocks } from './comparison.js';
import { formatKm } from '../../../experiment/places/run-way.js';
import { labelOf } from '../../../net/echo/labels.js';

/**
 * @import { Place } from '../../../experiment/places/run-title.js'
 * @import { Row } from '../report.js'
 * @import { PlaceComparison, Side } from './comparison.js'
 */

/**
 * @typedef {object} Figure a line of the table that has a column for each place
 * @property {string} title
 * @property {string} [explanation] where the title does not say it all
 * @property {boolean} [isText] its cells hold words
 * @property {string[]} cells in the order of the places
 */

/**
 * One place as 2012 had it: its transports' messages per second, and what they are to the baseline's.
 *
 * @param {Side} side
 * @returns {string[][]} a row for each transport: its name, messages/s, ratio with interval
 */
export function listRates({ report: { rows, result } }) {
  return rows.map(({ transport, summary, comparison }) => [
    labelOf(transport),
    formatNumber(summary.messagesPerSecond, 3),
    comparison ? (result.ending ? DASH : formatWithInterval(comparison.speedRatio, 1)) : 'baseline',
  ]);
}

/**
 * @param {Pick<Side, 'report'>} side
 * @returns {string[]} the titles of {@link listRates}
 */
export function rateTitlesOf({ report: { baseline } }) {
  return ['Transport', 'Messages/s', `Ratio to ${labelOf(baseline)} (95 % interval)`];
}

/**
 * All places side by side.
 *
 * @param {PlaceComparison} comparison
 * @returns {Figure[]}
 */
export function listFigures({ pair, sides, model }) {
  const [baseline, name] = [pair.baseline, pair.transport].map(labelOf);
  /** @param {string} title @param {(side: Side) => string} cellOf @param {Pick<Figure, 'explanation' | 'isText'>} [more] */
  const figure = (title, cellOf, more) => ({ title, cells: sides.map(cellOf), ...more });
  const text = { isText: true };

  return [
    figure('Label', ({ run }) => run.label ?? DASH, text),
    figure('Visitor’s place', ({ run }) => formatPlace(run.place), text),
    figure('Server', ({ run: { digest } }) => [digest.server, digest.location].filter(Boolean).join(', '), text),
    figure(
      'Floor, ms',
      ({ report }) => formatNumber(report.floorMs, 3),
      because('the smallest round trip, which stands for the distance'),
    ),
    ...wayFigures(sides),
    figure(`${baseline} messages/s`, ({ base }) => formatNumber(base?.summary.messagesPerSecond, 3)),
    figure(`${name} messages/s`, ({ other }) => formatNumber(other?.summary.messagesPerSecond, 3)),
    figure(`${baseline} p50, ms`, ({ base }) => formatNumber(base?.summary.p50Ms, 3)),
    figure(`${name} p50, ms`, ({ other }) => formatNumber(other?.summary.p50Ms, 3)),
    figure(
      `${baseline} adds, ms`,
      ({ base, report }) => formatNumber(overheadOf(base, report), 3),
      because('a: its p50 less the floor'),
    ),
    figure(
      `${name} adds, ms`,
      ({ other, report }) => formatNumber(overheadOf(other, report), 3),
      because('s: its p50 less the floor'),
    ),
    figure(
      `${name} saves, ms`,
      ({ comparison }) => formatWithInterval(comparison?.savingMs),
      because('95 % interval; below 0 it costs more'),
    ),
    figure(
      `${name} to ${baseline}`,
      ({ comparison }) => formatWithInterval(comparison?.speedRatio, 1),
      because('how many times as fast, with its 95 % interval'),
    ),
    ...(model && sides.length > 1
      ? [
          figure(
            `Predicted by ${sides[0].number}`,
            ({ predicted }) => formatWithInterval(predicted, 1),
            because('the same ratio, from what that run’s transports add and this one’s floor'),
          ),
        ]
      : []),
    figure('Verdict', ({ report }) => report.verdict.headline, text),
    figure('Valid', ({ report: { result } }) => (result.ending ? `no: ${result.ending.reason}` : 'yes'), text),
    figure(
      'Blocks compared',
      ({ comparison, report: { result } }) => `${comparison?.blockCount ?? 0} of ${result.plan.blocks}`,
    ),
    figure('Samples', ({ base, other }) => [base, other].map((row) => row?.summary.sampleCount ?? 0).join(' + ')),
    figure('Failures', ({ base, other }) => formatFailures([base, other].flatMap((row) => row?.failures ?? []))),
    figure(`${baseline} by`, ({ base }) => base?.protocols.join(', ') || DASH, text),
    figure(`${name} by`, ({ other }) => other?.protocols.join(', ') || DASH, text),
    figure('Plan', ({ report: { result } }) => formatBlocks(result.plan), text),
    figure('Payload, bytes', ({ report: { result } }) => String(result.plan.payloadBytes)),
    figure('Server’s version', ({ run }) => run.digest.version ?? DASH, text),
    figure('Browser', ({ report: { result } }) => result.environment.userAgent, text),
    figure('Started', ({ report: { result } }) => result.startedAt, text),
  ];
}

/** @param {string} explanation */
function because(explanation) {
  return { explanation };
}

/**
 * @param {readonly Side[]} sides
 * @returns {Figure[]} none where no way is known
 */
function wayFigures(sides) {
  if (!sides.some(({ way }) => way)) return [];
  const isSure = sides.every(({ way }) => way?.isToServer ?? true);
  const whose = isSure ? 'visitor to server' : 'between which places is said below';
  return [
    { title: 'Great circle', explanation: whose, cells: sides.map(({ way }) => (way ? formatKm(way) : DASH)) },
    {
      title: 'Light in fibre, ms',
      explanation: 'there and back by the great circle: no floor can be lower',
      cells: sides.map(({ way }) => formatNumber(way?.lightMs, 1)),
    },
  ];
}

/**
 * @param {Place} [place]
 * @returns {string}
 */
export function formatPlace({ name, latitude, longitude } = {}) {
  const coordinates = latitude === undefined ? '' : `${latitude}°, ${longitude}°`;
  if (!name) return coordinates || DASH;
  return coordinates ? `${name} (${coordinates})` : name;
}

/**
 * @param {Row | undefined} row
 * @param {{ floorMs?: number }} report
 * @returns {number | undefined} what the transport adds to the distance
 */
export function overheadOf(row, { floorMs }) {
  const p50Ms = row?.summary.p50Ms;
  return p50Ms === undefined || floorMs === undefined ? undefined : p50Ms - floorMs;
}
