/** The report of a run over sizes: a conclusion, sentences, heat maps, a short table, all figures. */
import { formatFailures, formatRange, formatRatio } from '../../base/format.js';
import { mean } from '../../base/statistics.js';
import { judge } from '../../experiment/answer/compare.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import { formatJudged, isBeyondMargin } from '../../experiment/answer/verdict.js';
import { labelOfTransfer } from '../../experiment/answer/labels.js';
import { newNameOf, transfers } from '../../net/transfer/index.js';
import { contestedBaselineOf, describeSweep } from './findings.js';
import { describeLeftOut, DIRECTION_LABELS, formatSize, newTransportsOf, withinBudget } from './plan.js';
import { endsOf, figuresOf, heatMapsOf, nameOfInterval } from './tables.js';

/**
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { Part } from '../../experiment/run/open-run.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { PayloadPlan } from './plan.js'
 * @import { PayloadDocument, PayloadTrial } from './schema.js'
 * @import { PublishedRow } from './summary.js'
 */

export const BEST_OF_NOTE =
  'The better of two passes is biased towards fast times, most of all where a pass is a single message (1 MB, 10 MB). Two passes give no interval. The transports are not interleaved, so a change of the network affects only one of them.';

/**
 * Reports the times by size and direction.
 * @param {readonly any[]} allRows @param {PayloadDocument & Pick<Part, 'situation'>} document @returns {OwnReport}
 */
export function report(allRows, { plan: asked, trials, ending, situation }) {
  const plan = withinBudget(asked);
  const rows = allRows.filter(({ transport }) => plan.transports.includes(transport));
  const baseline = contestedBaselineOf(plan);
  const figures = figuresOf(plan, allRows, baseline);
  const ends = plan.preset ? [] : endsOf(plan, rows);
  const found = ending ? undefined : describeFindings(plan, rows, mattersIn(situation ?? {}).messageMs);
  const findings = found?.sentences ?? [];
  // The heat maps show what those of a sweep say.
  const [shown, folded] = plan.preset ? [findings, []] : [[], findings];
  return {
    heading: 'Time by payload size',
    conclusion: found?.conclusion,
    ...(found?.nextStep && { nextStep: found.nextStep }),
    sentences: found ? [...shown, ...describeConnections(plan, trials), ...describeFailures(plan, trials)] : [],
    notes: [...folded, ...describeLeftOut(asked), ...(ending ? [] : [describeReading(plan)])],
    tables: ending ? [figures] : [...heatMapsOf(plan, rows, baseline), ...ends, figures],
    charts: [],
    method:
      'The time of a message runs from the call that sends it until the page has the whole answer: the server’s receipt of an upload, the message of a download or an echo. Creating the message and checking each of its bytes are not timed; a wrong byte is a failure. Connections are kept; the time over a new connection per message includes its setup. In interleaved blocks each transport first sends an uncounted message of each size.',
  };
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
    const { sendLimit } = transfers[transport] ?? {};
    const isBeyond = failed.some(({ size, direction }) => sendLimit && direction !== 'down' && size > sendLimit.bytes);
    const reason = isBeyond ? ` ${sendLimit?.reason}` : '';
    return [`${labelOfTransfer(transport)} failed (${kinds}) at ${[...places].join(', ')}.${reason}`];
  });
}

/**
 * @param {PayloadPlan} plan @param {readonly any[]} rows @param {number} mattersMs what users notice
 * @returns {Pick<OwnReport, 'conclusion' | 'nextStep' | 'sentences'>}
 */
function describeFindings(plan, rows, mattersMs) {
  if (plan.preset)
    return { conclusion: 'No verdict: two passes give no interval.', sentences: [describePublished(rows)] };
  const baseline = contestedBaselineOf(plan);
  if (baseline !== undefined) return describeSweep(plan, rows, { baseline, mattersMs });
  const conclusion = 'No comparison of transports: it needs AJAX or fetch, and another one.';
  return { conclusion, nextStep: 'change', sentences: [] };
}

/** @param {readonly PublishedRow[]} rows @returns {string} a sentence or two */
function describePublished(rows) {
  const farthest = rows.reduce((max, row) => ((row.apartPercent ?? -1) > (max.apartPercent ?? -1) ? row : max));
  const { direction, size, transport, apartPercent } = farthest;
  if (apartPercent === undefined) return 'Too few measurements.';
  return `The two passes differ by up to ${apartPercent.toFixed(0)}% (${labelOfTransfer(transport)}, ${formatSize(size)} ${DIRECTION_LABELS[direction].toLowerCase()}).`;
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
    .map((transport) => describeReuse(labelOfTransfer(transport), judge(ratiosOf(transport, trials))));
  return [
    `With a reused connection instead of a new one per message (all sizes and directions), ${clauses.join('; ')}.`,
  ];
}

/** @param {string} name @param {Judged} judged reusing a connection, compared with a new one */
function describeReuse(name, judged) {
  const { ratio, verdict } = judged;
  if (!ratio || !verdict) return `there are too few measurements for ${name}`;
  if (isBeyondMargin(judged)) return `${name} is ${formatRatio(ratio)} as fast (95% CI ${formatRange(ratio)})`;
  return `${name} ${verdict === 'same' ? 'is the' : 'shows'} ${formatJudged(judged)}`;
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
