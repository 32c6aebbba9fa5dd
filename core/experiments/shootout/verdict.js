/** Formulates the verdict of a run, with its interval and the counts behind it. */
import {
  decimalsOf,
  formatCount,
  formatInterval,
  formatRange,
  formatRatio,
  formatRtt,
  formatSigned,
  isVeryWide,
} from '../../base/format.js';
import { negate } from '../../base/statistics.js';
import { nameSubject } from '../../experiment/answer/fallback.js';
import { isLittle, nameVerdicts, SAME_PERCENT } from '../../experiment/answer/verdict.js';
import { ENDINGS } from '../../experiment/report/headline.js';
import { describeBlocks, describeEarlyEnd, ruleOf } from '../../experiment/plan/blocks.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { baselineOf, challengerOf } from './plan.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { UsedFallback } from '../../experiment/answer/answer.js'
 * @import { Comparison } from '../../experiment/answer/compare.js'
 * @import { VerdictName } from '../../experiment/answer/verdict.js'
 * @import { Result } from './index.js'
 * @import { Scope } from '../../experiment/run/scope.js'
 * @import { Plan } from './plan.js'
 * @import { Row } from './summary.js'
 * @typedef {{ name: VerdictName | 'none', headline: string, detail: string, counts: string, advice: string }} EchoVerdict
 *   `none` if there is no conclusion; `detail`: the figures behind the headline, or why it ended; `counts`: of blocks
 *   and failures
 */

/** The percentage from which on distance is the main part of a message's time. */
const MAIN_PART_PERCENT = 80;

/** @typedef {{ subject: string, fallback?: UsedFallback, baseline: string, verdict?: VerdictName }} Relation */

/** Names a transport; a fallback is named as such, unless it was requested by its own name. @param {Row} row @returns {string} */
export const nameOf = (row) => nameSubject({ subject: row.transport, fallback: row.fallback });

/** The advice for a run that ended early. */
const ENDING_ADVICE = Object.freeze({
  invalid: 'The figures measured until then are for diagnosis only. Measure again.',
  cancelled: 'A stopped run gives no verdict, because the moment of stopping may favor one side.',
});

/** @param {{ result: Result, rows: readonly Row[], floorMs?: number, scope: Scope }} measured @returns {EchoVerdict} */
export function createVerdict({ result, rows, floorMs, scope }) {
  const { plan, ending } = result;
  const [base, row] = [baselineOf(plan), challengerOf(plan)].map(
    (name) => /** @type {Row} */ (rows.find(({ transport }) => transport === name)),
  );
  const comparison = /** @type {Comparison} */ (row.comparison);
  const name = nameOf(row);
  const counts = formatCounts(comparison, result, [base, row]);
  const { verdict, savingMs, speedRatio } = comparison;
  if (ending || !verdict || !savingMs || !speedRatio) {
    const [headline, advice, reason] = ending
      ? [ENDINGS[ending.kind], ENDING_ADVICE[ending.kind], ending.reason]
      : withoutComparison(comparison, name, { rows: [base, row], plan });
    return { name: 'none', headline, detail: join(reason, counts), counts, advice };
  }
  return {
    name: verdict,
    headline: headlineOf({
      ...{ subject: row.transport, fallback: row.fallback },
      ...{ baseline: comparison.baseline, verdict, ...speedRatio },
    }),
    detail: join(formatFigures(comparison, name, floorMs), counts),
    counts,
    advice: join(fallbackAdvice(row, rows), adviceOf(comparison, { rows, floorMs, scope })),
  };
}

/** @param {Relation & Interval} answer @returns {string} a clause: which of the two is faster, by how much */
export function headlineOf(answer) {
  const relation = describeRelation(answer);
  return answer.verdict === 'unclear' ? relation : `${relation} (${formatRatio(answer)})`;
}

/** @param {Relation & Interval} answer @returns {string} a clause, without a ratio */
export function describeRelation({ verdict, baseline, ...answer }) {
  const [name, other] = [nameSubject(answer), labelOf(baseline)];
  if (verdict === 'same') return `${name} and ${other} are the same within ${SAME_PERCENT}%`;
  if (!verdict || verdict === 'unclear') return `${name} and ${other} show no clear difference`;
  return `${name} is ${nameVerdicts(verdict, [answer], { than: ` than ${other}` })}`;
}

/** @param {Comparison} comparison @param {string} name @param {number} [floorMs] */
function formatFigures({ baseline, savingMs, speedRatio, statistic, verdict }, name, floorMs) {
  if (!savingMs || !speedRatio) return '';
  const other = labelOf(baseline);
  const ratio = (asFast = 'as fast') =>
    isVeryWide(speedRatio)
      ? 'The interval of the ratio is too wide to show'
      : `It was ${formatRange(speedRatio)} times ${asFast} (95% CI)`;
  const means = statistic === 'mean' ? ' (by means: the clock is too coarse for single round trips)' : '';
  const isFaster = savingMs.estimate >= 0;
  const amount = isFaster ? savingMs : negate(savingMs);
  const found =
    verdict === 'unclear'
      ? `${name} differed from ${other} by ${formatInterval(savingMs)} ms per message (95% CI; below 0: slower)${means}. ${ratio()}`
      : `${name} was ${formatSigned(amount.estimate, decimalsOf(amount))} ms ${isFaster ? 'faster' : 'slower'} per message (95% CI ${formatInterval(amount)} ms)${means}. ${ratio(`as fast as ${other}`)}`;
  const distance = floorMs === undefined ? '' : `, at a round-trip time of ${formatRtt(floorMs)} ms`;
  return `${found}, one message at a time${distance}.`;
}

/** @param {Comparison} comparison @param {Result} result @param {readonly Row[]} rows */
function formatCounts({ blockCount }, result, rows) {
  const failing = rows
    .filter(({ failures }) => failures.length > 0)
    .map(({ transport, failures }) => `${failures.length} of ${labelOf(transport)}`);
  const failures = failing.length > 0 ? `; failures: ${failing.join(', ')}` : '';
  return `${describeBlocks(result, blockCount)} of ${formatCount(result.plan.iterations, 'message')}, in random order${failures}. ${describeEarlyEnd(result)}`.trim();
}

/**
 * @param {Comparison} comparison @param {string} name @param {{ rows: readonly Row[], plan: Plan }} run
 * @returns {string[]} headline, advice, reason
 */
function withoutComparison({ baseline, blockCount, isTooCoarse }, name, { rows, plan }) {
  const failed = rows.find(({ summary }) => summary.sampleCount === 0);
  if (failed) {
    const headline = `${labelOf(failed.transport)} did not work from here`;
    return [headline, 'There is nothing to compare. See Latency by transport.', failed.failures[0]?.message ?? ''];
  }
  if (isTooCoarse) {
    return [
      'The clock is too coarse to tell',
      'Use a browser without fingerprinting protection, or more iterations.',
      'A whole trial takes only a few steps of this browser’s clock.',
    ];
  }
  return [
    'Too few blocks to tell',
    'See Latency by transport, then measure again.',
    `${name} and ${labelOf(baseline)} both have samples in ${blockCount} blocks; ${ruleOf(plan).minBlocks} are needed.`,
  ];
}

/** @param {Row} row @param {readonly Row[]} rows */
function fallbackAdvice(row, rows) {
  if (!row.fallback) return '';
  const couldOpen = rows.some(({ protocols }) => protocols.includes('websocket'));
  const reason = couldOpen
    ? `${labelOf(row.transport)} fell back, although WebSockets can be opened from here`
    : 'No WebSocket could be opened from here';
  const { cost } = row.fallback;
  return join(`${reason}: these are the figures of a fallback.`, cost ? `They include ${cost}.` : '');
}

/**
 * @param {Comparison} comparison with a verdict @param {{ rows: readonly Row[], floorMs?: number, scope: Scope }}
 *   context
 */
function adviceOf({ baseline, verdict, neededBlocks }, { rows, floorMs, scope }) {
  if (verdict === 'unclear') {
    return `This run shows no clear difference. About ${neededBlocks} blocks would decide, under the same conditions.`;
  }
  // The notice of a run on one machine says what to do.
  if (scope !== 'path') return '';
  return verdict === 'same' || isLittle({ verdict }) ? distanceAdvice(rows, baseline, floorMs) : '';
}

/** @param {readonly Row[]} rows @param {string} baseline @param {number | undefined} floorMs */
function distanceAdvice(rows, baseline, floorMs) {
  const p50Ms = rows.find(({ transport }) => transport === baseline)?.summary.p50Ms;
  if (floorMs === undefined || p50Ms === undefined) return '';
  const percent = Math.floor((100 * floorMs) / p50Ms);
  if (percent < MAIN_PART_PERCENT) return '';
  return `The network takes ${percent}% of each ${labelOf(baseline)} round trip. No transport can reduce that.`;
}

/** @param {...string} sentences */
const join = (...sentences) => sentences.filter(Boolean).join(' ');
