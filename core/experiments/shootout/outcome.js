/** Says which of two transports is faster: in a clause, or as the headline of a run. */
import { formatRatio, formatRtt } from '../../base/format.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { nameVerdicts, SAME_PERCENT } from '../../experiment/answer/verdict.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Answer } from '../../experiment/answer/answer.js'
 * @typedef {{ subject: string, fallback?: Answer['fallback'], baseline: string, verdict?: Answer['verdict'] }} Relation
 */

/**
 * The headline of an echo run, for a round-trip time.
 * @param {Relation & Interval & { isPredicted?: boolean }} answer @param {number} rttMs that it is about
 * @returns {string} a sentence
 */
export function decideAlone(answer, rttMs) {
  // The ratio of a prediction stands with its interval.
  const outcome = answer.isPredicted ? describeRelation(answer, [answer]) : describeOutcome(answer);
  // Lists and titles may cut what stands last.
  return `${outcome} at ${formatRtt(rttMs)} ms round-trip time${answer.isPredicted ? ' (predicted)' : ''}.`;
}

/** @param {Relation & Interval} answer @returns {string} a clause */
export function describeOutcome(answer) {
  const relation = describeRelation(answer, [answer]);
  return answer.verdict === 'unclear' ? relation : `${relation} (${formatRatio(answer)})`;
}

/**
 * @param {Relation} answer with a verdict @param {readonly Interval[]} ratios of all that have it
 * @returns {string} a clause, without a ratio
 */
function describeRelation({ verdict, baseline, ...answer }, ratios) {
  const [name, other] = [nameSubject(answer), labelOf(baseline)];
  if (verdict === 'same') return `${name} and ${other} are the same within ${SAME_PERCENT}%`;
  if (!verdict || verdict === 'unclear') return `${name} and ${other} show no clear difference`;
  return `${name} is ${nameVerdicts(verdict, ratios, { than: ` than ${other}` })}`;
}

/** A fallback is named as such. @param {{ subject: string, fallback?: Answer['fallback'] }} answer @returns {string} */
export const nameSubject = ({ subject, fallback }) =>
  fallback ? `${labelOf(subject)} over ${fallback.protocol}` : labelOf(subject);
