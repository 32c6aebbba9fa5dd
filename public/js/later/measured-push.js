/** Finds in a run of the home page what push was measured to take. Only who has measured needs it. */
import { newsIn } from '../../../core/experiment/decide.js';
import { isDocumentOf } from '../../../core/experiment/schemas.js';
import { scoreOf, summarizeParts } from '../../../core/full-test/score.js';
import { EXPERIMENTS, fullTest } from '../run/home-parts.js';

/**
 * @import { Situation } from '../../../core/experiment/situation.js'
 * @typedef {object} MeasuredPush
 * @property {number} [rttMs] of the path that was measured; absent where that was one computer, whose delays are nobody’s
 * @property {number} blocks
 * @property {Readonly<Record<string, number>>} delaysMs how late news came on average, by delivery method
 */

/** What of a situation the delay and the cost of news depend on. @type {readonly (keyof Situation)[]} */
const ASKED = ['intervalMs', 'newsMs', 'polls'];

/**
 * @param {any} document a run of the home page @param {Partial<Situation>} situation that it has to be about
 * @returns {MeasuredPush | undefined} absent if it is about another, or measured nothing about news on a path
 */
export function findMeasuredPush(document, situation) {
  if (!isDocumentOf(fullTest, document)) return undefined;
  if (ASKED.some((field) => document.situation[field] !== situation[field])) return undefined;
  const {
    answers,
    isPredicted,
    situation: placed,
  } = scoreOf(summarizeParts(document, EXPERIMENTS), document.situation);
  const answer = newsIn(answers);
  if (!answer?.news) return undefined;
  const delays = answer.news.choices.flatMap(({ by, measured }) =>
    measured?.meanMs === undefined ? [] : [[String(by), measured.meanMs]],
  );
  return {
    rttMs: isPredicted ? undefined : placed.rttMs,
    blocks: answer.count ?? 0,
    delaysMs: Object.fromEntries(delays),
  };
}
