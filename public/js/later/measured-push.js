/** Finds in a run of the home page what push was measured to take. Only who has measured needs it. */
import { newsIn } from '../../../core/full-test/decide.js';
import { isDocumentOf } from '../../../core/experiment/run/open-run.js';
import { scoreOf, summarizeParts } from '../../../core/full-test/score.js';
import { EXPERIMENTS, fullTest } from '../run/home-parts.js';

/**
 * @import { NewsChoice } from '../../../core/experiment/answer/answer.js'
 * @import { Word } from '../../../core/recording/rules.js'
 * @import { Situation } from '../../../core/experiment/plan/situation.js'
 * @typedef {object} MeasuredPush
 * @property {number} [rttMs] of the path that was measured; absent where that was one computer, whose delays are nobody’s
 * @property {number} blocks
 * @property {Partial<Record<Word, number>>} delaysMs how late news came on average, for each advice; empty for one computer
 */

/** What of a situation the delay and the cost of news depend on. @type {readonly (keyof Situation)[]} */
const ASKED = ['intervalMs', 'newsMs', 'newsBytes', 'polls'];

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
  const { count: blocks = 0, news } = answer;
  return isPredicted ? { blocks, delaysMs: {} } : { blocks, rttMs: placed.rttMs, delaysMs: delaysIn(news.choices) };
}

/** The delivery methods that measure what is advised. @type {Partial<Record<Word, readonly string[]>>} */
const MEASURED_BY = Object.freeze({ 'event-stream': ['sse'], socket: ['push', 'sockjs', 'socketio'] });

/** @param {readonly NewsChoice[]} choices @returns {MeasuredPush['delaysMs']} */
function delaysIn(choices) {
  const measured = Object.entries(MEASURED_BY).flatMap(([word, methods]) => {
    const meanMs = choices.find(({ by }) => methods.includes(String(by)))?.measured?.meanMs;
    return meanMs === undefined ? [] : [[word, meanMs]];
  });
  return Object.fromEntries(measured);
}
