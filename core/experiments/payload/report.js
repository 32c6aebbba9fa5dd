/** The report of a run over sizes: an answer, a sentence for each direction, heat maps, a short table, all figures. */
import { formatFailures, formatRange, formatRatio } from '../../base/format.js';
import { mean } from '../../base/statistics.js';
import { findBaseline, formatJudged, isClear, judge, listOf, SAME_PERCENT } from '../../experiment/compare.js';
import { labelOfTransfer } from '../../net/labels.js';
import { newNameOf } from '../../net/transfer/index.js';
import { describeLeftOut, DIRECTION_LABELS, formatSize, newTransportsOf, withinBudget } from './plan.js';
import { confidenceAt } from './summary.js';
import { endsOf, figuresOf, heatMapsOf, nameOfInterval } from './tables.js';

/**
 * @import { Report } from '../../experiment/contract.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { VerdictName } from '../../experiment/compare.js'
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadPlan } from './plan.js'
 * @import { PayloadDocument, PayloadTrial } from './schema.js'
 * @import { PayloadRow, PublishedRow } from './summary.js'
 */

export const BEST_OF_NOTE =
  'The better of two passes is biased towards fast times, most of all where a pass is a single message (1 MB, 10 MB). Two passes give no interval. The transports are not interleaved, so a change of the network affects only one of them.';

/** @type {Readonly<Record<Direction, string>>} */
const ACTIONS = { up: 'uploading', down: 'downloading', echo: 'echoing' };

const TOO_LITTLE = 'too few measurements, or too coarse a clock';
/** The number of comparisons from which on some may differ by chance. */
const MANY_COMPARISONS = 20;

/** @param {readonly any[]} allRows @param {PayloadDocument} document @returns {Report} */
export function report(allRows, { plan: asked, trials, ending }) {
  const plan = withinBudget(asked);
  const rows = allRows.filter(({ transport }) => plan.transports.includes(transport));
  const baseline = contestedBaselineOf(plan);
  const figures = figuresOf(plan, allRows, baseline);
  const ends = plan.preset ? [] : endsOf(plan, rows);
  return {
    heading: 'Time by payload size',
    answer: ending || plan.preset ? undefined : describeAnswer(plan, rows),
    sentences: ending
      ? []
      : [...describeFindings(plan, rows), ...describeConnections(plan, trials), ...describeFailures(plan, trials)],
    notes: [...describeLeftOut(asked), ...(ending ? [] : [describeReading(plan), ...describeChance(plan, rows)])],
    tables: ending ? [figures] : [...heatMapsOf(plan, rows, baseline), ...ends, figures],
    charts: [],
    method:
      'The time of a message runs from the call that sends it until the page has the whole answer: the server’s receipt of an upload, the message of a download or an echo. Creating the message and checking each of its bytes are not timed; a wrong byte is a failure. Connections are kept; the time over a new connection per message includes its setup. In interleaved blocks each transport first sends an uncounted message of each size.',
  };
}

/**
 * @param {PayloadPlan} plan @returns {string | undefined} the baseline, if another transport can be compared with it
 */
function contestedBaselineOf(plan) {
  return plan.preset || plan.transports.length === 1 ? undefined : findBaseline(plan.transports);
}

/** @param {PayloadPlan} plan @returns {string} how to read the figures */
export function describeReading(plan) {
  if (plan.preset) return BEST_OF_NOTE;
  const { length } = plan.sizes;
  const rate = 'MB/s of an echo counts both directions.';
  if (contestedBaselineOf(plan) === undefined || length === 1) return rate;
  return `Ratios and verdicts use a ${nameOfInterval(plan)} (Bonferroni correction for ${length} sizes), times a 95% CI. ${rate}`;
}

/**
 * Describes the failures, a sentence for each transport.
 * @param {PayloadPlan} plan @param {readonly PayloadTrial[]} trials
 */
function describeFailures(plan, trials) {
  return [...plan.transports, ...newTransportsOf(plan)].flatMap((transport) => {
    const failed = trials.filter((trial) => trial.transport === transport && trial.failure);
    if (failed.length === 0) return [];
    const places = new Set(
      failed.map(({ size, direction }) => `${formatSize(size)} ${DIRECTION_LABELS[direction].toLowerCase()}`),
    );
    const kinds = formatFailures(failed.flatMap(({ failure }) => failure ?? []));
    return [`${labelOfTransfer(transport)} failed (${kinds}) at ${[...places].join(', ')}.`];
  });
}

/** @param {PayloadPlan} plan @param {readonly any[]} rows @returns {string[]} */
function describeFindings(plan, rows) {
  if (plan.preset) return [describePublished(rows)];
  if (contestedBaselineOf(plan) === undefined) return [];
  return plan.directions.map((direction) => describeDirection(plan, rows, direction));
}

/** @param {readonly PublishedRow[]} rows @returns {string} a sentence or two */
function describePublished(rows) {
  const farthest = rows.reduce((max, row) => ((row.apartPercent ?? -1) > (max.apartPercent ?? -1) ? row : max));
  const { direction, size, transport, apartPercent } = farthest;
  if (apartPercent === undefined) return 'Too few measurements.';
  return `Two passes give no interval, so no verdict. They differ by up to ${apartPercent.toFixed(0)}% (${labelOfTransfer(transport)}, ${formatSize(size)} ${DIRECTION_LABELS[direction].toLowerCase()}).`;
}

/**
 * The finding whose interval is farthest from 1, and how many are same or unclear.
 * @param {PayloadPlan} plan @param {readonly PayloadRow[]} rows
 */
function describeAnswer(plan, rows) {
  const baseline = contestedBaselineOf(plan);
  if (baseline === undefined) return 'No comparison of transports: it needs AJAX or fetch, and another one.';
  const judged = rows.filter(({ comparison }) => comparison?.verdict);
  if (judged.length === 0) return `No comparison: ${TOO_LITTLE}.`;
  const won = judged.filter(({ comparison }) => isClear({ verdict: comparison?.verdict }));
  const [strongest] = won.sort((a, b) => strengthOf(b) - strengthOf(a));
  const countOf = (/** @type {VerdictName} */ name) =>
    judged.filter(({ comparison }) => comparison?.verdict === name).length;
  const [same, unclear] = [countOf('same'), countOf('unclear')];
  const finding = strongest && describeStrongest(strongest, labelOfTransfer(baseline), plan);
  const sentences = [
    same > 0 && `Same within ${SAME_PERCENT}% in ${same} of ${judged.length} comparisons.`,
    unclear > 0 && `No clear difference in ${unclear} of ${judged.length} comparisons.`,
  ];
  // If most comparisons are the same, that sentence comes first.
  return (2 * same > judged.length ? [...sentences, finding] : [finding, ...sentences]).filter(Boolean).join(' ');
}

/** Returns the distance of the interval from 1, as a logarithm. @param {PayloadRow} row */
function strengthOf({ comparison }) {
  const { low = 1, high = 1 } = comparison?.timeRatio ?? {};
  return Math.max(Math.log(low), -Math.log(high));
}

/** @param {PayloadRow} row that has a clear verdict @param {string} baseline its name @param {PayloadPlan} plan */
function describeStrongest({ transport, direction, size, comparison }, baseline, plan) {
  const { timeRatio, verdict } = comparison ?? {};
  const ratio = /** @type {Interval} */ (timeRatio);
  return `${labelOfTransfer(transport)} is ${verdict} than ${baseline} at ${ACTIONS[direction]} ${formatSize(size)}: ${formatRatio(ratio)} the time (${nameOfInterval(plan)} ${formatRange(ratio)}).`;
}

/**
 * @param {PayloadPlan} plan @param {readonly PayloadRow[]} rows @returns {string[]} a sentence, if comparisons are many
 */
function describeChance({ sizes }, rows) {
  const { length } = rows.filter(({ comparison }) => comparison?.verdict);
  if (length < MANY_COMPARISONS) return [];
  const count = length * (1 - confidenceAt(sizes.length));
  return [`Of ${length} verdicts, about ${count.toFixed(1)} may be wrong by chance.`];
}

/** @param {PayloadPlan} plan @param {readonly PayloadRow[]} rows @param {Direction} direction */
function describeDirection(plan, rows, direction) {
  const own = rows.filter((row) => row.direction === direction);
  const found = plan.transports.map((transport) => {
    const ofTransport = own.filter((row) => row.transport === transport);
    return { name: labelOfTransfer(transport), finding: describeVerdicts(plan, ofTransport) };
  });
  const findings = [...new Set(found.map(({ finding }) => finding).filter(Boolean))];
  const clauses = findings.map((finding, i) => {
    const names = found.filter((one) => one.finding === finding).map(({ name }) => name);
    const [verdict] = finding.split(' ', 1);
    const where = finding.slice(verdict.length);
    const subject = `${listOf(names)} ${names.length === 1 ? 'is' : 'are'}`;
    if (i === 0) return `${subject} ${verdict} than ${labelOfTransfer(String(findBaseline(plan.transports)))}${where}`;
    // A finding is not repeated if nothing else was said since.
    const isSaid = findings[i - 1].startsWith(verdict) && !findings[i - 1].includes(' but ');
    return isSaid ? `${listOf(names)}${where}` : `${subject} ${finding}`;
  });
  const none = own.some(({ comparison }) => comparison?.verdict) ? 'no clear difference at any size' : TOO_LITTLE;
  return `${DIRECTION_LABELS[direction]}: ${clauses.join('; ') || none}.`;
}

/**
 * Describes the verdicts, as in 'faster at 1 B but slower from 10 kB on'.
 * @param {PayloadPlan} plan @param {readonly PayloadRow[]} rows
 */
function describeVerdicts({ sizes }, rows) {
  const clauses = ['faster', 'slower'].flatMap((verdict) => {
    const found = rows.filter(({ comparison }) => comparison?.verdict === verdict).map(({ size }) => size);
    return found.length > 0 ? [`${verdict} ${formatSizes(found, sizes)}`] : [];
  });
  return clauses.join(' but ');
}

/**
 * Formats sizes, as in 'up to 10 kB', 'at 1 B and 1 MB'.
 * @param {readonly number[]} sizes @param {readonly number[]} all rising
 */
export function formatSizes(sizes, all) {
  const first = all.indexOf(sizes[0]);
  const names = sizes.map(formatSize);
  const [from, to] = [names[0], names[names.length - 1]];
  const isGapless = sizes.every((size, i) => size === all[first + i]);
  if (sizes.length > 1 && sizes.length === all.length) return 'at every size';
  if (sizes.length < 3 || !isGapless) return `at ${listOf(names)}`;
  if (first === 0) return `up to ${to}`;
  return first + sizes.length === all.length ? `from ${from} on` : `from ${from} to ${to}`;
}

/**
 * @param {PayloadPlan} plan @param {readonly PayloadTrial[]} trials
 * @returns {string[]} a sentence; none without new connections
 */
function describeConnections(plan, trials) {
  const anew = newTransportsOf(plan);
  if (anew.length === 0) return [];
  const clauses = plan.transports
    .filter((transport) => anew.includes(newNameOf(transport)))
    .map((transport) => {
      const { verdict, ratio } = judge(ratiosOf(transport, trials));
      const timeRatio = ratio && { estimate: 1 / ratio.estimate, low: 1 / ratio.high, high: 1 / ratio.low };
      const found = verdict ? formatJudged({ verdict, ratio: timeRatio }) : 'too few measurements';
      return `${labelOfTransfer(transport)}, ${found}`;
    });
  const what = 'Reusing a connection, compared with a new one per message (time, all sizes and directions)';
  return [`${what}: ${clauses.join('; ')}.`];
}

/**
 * Returns the ratio of each block: geometric means over sizes and directions.
 * @param {string} transport @param {readonly PayloadTrial[]} trials
 */
function ratiosOf(transport, trials) {
  /** Returns NaN if a message failed. @param {string} name @param {number} inBlock */
  const meanLogOf = (name, inBlock) => {
    const own = trials.filter((trial) => trial.transport === name && trial.block === inBlock);
    return Number(mean(own.map(({ durationMs = NaN }) => Math.log(durationMs))));
  };
  const blocks = [...new Set(trials.map(({ block }) => block))];
  const logs = blocks.map((block) => meanLogOf(newNameOf(transport), block) - meanLogOf(transport, block));
  return logs.filter(Number.isFinite).map(Math.exp);
}
