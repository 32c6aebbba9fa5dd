/**
 * The sentence that decides, from answers: that of a full test, which the first rule that holds says, and that of an echo run
 * alone. None says more than was measured, or predicted from it; none calls anything cheaper, as a number of requests is no
 * cost.
 */
import { formatInSeconds, formatRatio, formatRtt, formatSpan } from '../base/format.js';
import { negate } from '../base/statistics.js';
import { SAME_PERCENT } from './compare.js';
import { labelOf } from './labels.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { Answer } from './answer.js'
 * @import { Ending } from './contract.js'
 * @import { Placed } from './situation.js'
 * @typedef {Pick<Answer, 'subject' | 'fallback' | 'baseline' | 'verdict'>} Relation
 * @typedef {Answer & Interval & Required<Pick<Answer, 'news'>>} News the answer about being notified
 * @typedef {{ situation: Placed, sending?: Answer, news?: News, undecided?: string }} Facts `undecided`: why a part that the
 *   situation needs decides nothing
 * @typedef {(facts: Facts) => string | undefined} Rule absent if it does not hold
 */

/** The headlines of runs that ended before their plan did. @type {Readonly<Record<Ending['kind'], string>>} */
export const ENDINGS = Object.freeze({
  cancelled: 'Stopped: no verdict',
  invalid: 'This run is invalid: no verdict',
});

/** The headlines of echo runs that ended as planned, and have no verdict. */
export const UNDECIDED = Object.freeze({
  failed: (/** @type {string} */ name) => `${name} did not work from here`,
  tooCoarse: 'The clock is too coarse to tell',
  tooFew: 'Too few blocks to tell',
});

/**
 * The headline of an echo run, for a round-trip time.
 * @param {Relation & Interval & Pick<Answer, 'isPredicted'>} answer @param {number} rttMs that it is about
 * @returns {string} a sentence
 */
export function decideAlone(answer, rttMs) {
  // The ratio of a prediction stands with its interval.
  const [kind, outcome] = answer.isPredicted
    ? ['Predicted', describeRelation(answer)]
    : ['Measured', describeOutcome(answer)];
  return `${kind} at ${formatRtt(rttMs)} ms round-trip time: ${outcome}.`;
}

/** @param {Relation & Interval} answer @returns {string} a clause */
export function describeOutcome(answer) {
  const relation = describeRelation(answer);
  return answer.verdict === 'unclear' ? relation : `${relation} (${formatRatio(answer)})`;
}

/** @param {Relation} answer @returns {string} a clause, without a ratio */
export function describeRelation({ verdict, baseline, ...answer }) {
  const [name, other] = [nameSubject(answer), labelOf(baseline)];
  if (verdict === 'same') return `${name} and ${other} are the same within ${SAME_PERCENT}%`;
  return verdict === 'unclear'
    ? `${name} and ${other} show no clear difference`
    : `${name} is ${verdict} than ${other}`;
}

/** A fallback is named as such. @param {Pick<Answer, 'subject' | 'fallback'>} answer @returns {string} */
export const nameSubject = ({ subject, fallback }) =>
  fallback ? `${labelOf(subject)} over ${fallback.protocol}` : labelOf(subject);

/** @param {readonly Answer[]} answers @returns {Answer | undefined} */
export const sendingIn = (answers) => answers.find(({ topic }) => topic === 'sending');

/** @param {readonly Answer[]} answers @returns {News | undefined} */
export const newsIn = (answers) => /** @type {News | undefined} */ (answers.find(({ topic }) => topic === 'news'));

/** The rules by their subject, in their order. @type {Readonly<Record<string, Rule>>} */
export const RULES = Object.freeze({
  'a part that is needed decides nothing': ({ undecided }) => undecided && `No decision: ${undecided}`,

  'nothing that the page does was measured': ({ sending, news }) =>
    sending || news ? undefined : 'No decision: neither sending a message nor being notified was measured.',

  'WebSocket did not work': (facts) => {
    const fallback = describeFallback(facts);
    return fallback && `${fallback} ${describeBoth(facts)}`;
  },

  'polling is soon enough': ({ news, sending, situation }) =>
    news && news.news.maxPollDelayMs <= situation.lateMs
      ? join(
          `Polling every ${formatSpan(situation.intervalMs)} is soon enough; push would need ${news.news.saving}.`,
          sending && describeSpeed(sending, situation),
        )
      : undefined,

  'news alone, and a simpler push is as soon': ({ news, sending }) =>
    news?.news.simpler && !sending && isSooner(news)
      ? `Move to ${news.news.simpler}, the simpler push: ${describeGain(news)}. ${labelOf(news.subject)} is no sooner than that.`
      : undefined,

  'everything else': (facts) => describeBoth(facts),
});

/** @param {Facts} facts @returns {string} one sentence or more, by the first rule that holds */
export function decide(facts) {
  for (const rule of Object.values(RULES)) {
    const sentence = rule(facts);
    if (sentence) return sentence;
  }
  throw new RangeError('rules: expected one that holds, got none');
}

/** @param {Facts} facts @returns {string | undefined} a sentence, if what was considered fell back */
function describeFallback({ sending, news }) {
  const answer = [sending, news].find((one) => one?.fallback);
  if (!answer?.fallback) return undefined;
  const { protocol, cost } = answer.fallback;
  return `WebSocket did not work from here: ${labelOf(answer.subject)} fell back to ${protocol}${cost ? `, with ${cost}` : ''}.`;
}

/** @param {Facts} facts with an answer @returns {string} one sentence or two */
function describeBoth({ sending, news, situation }) {
  if (!news) return describeSending(/** @type {Answer} */ (sending), situation);
  const name = labelOf(news.subject);
  if (!isSooner(news)) {
    const notified = isLater(news)
      ? `Stay with polling: by ${name}, users see news ${formatInSeconds(negate(news)).figure} later.`
      : `No clear difference in when users see news.`;
    return join(notified, sending && describeSpeed(sending, situation));
  }
  if (!sending) return `Move to ${name}: ${describeGain(news)}.`;
  const move = sending.verdict === 'faster' ? `Move to ${name}` : 'Move for push';
  return `${move}: ${describeGain(news)}. ${describeSpeed(sending, situation)}`;
}

/** @param {News} news */
const isSooner = ({ low }) => low > 0;

/** @param {News} news */
const isLater = ({ high }) => high < 0;

/** @param {News} answer that comes sooner @returns {string} a clause */
const describeGain = ({ news, ...gainMs }) =>
  `users see news ${formatInSeconds(gainMs).figure} sooner, with ${news.saving}`;

/** @param {Placed} situation */
const at = ({ rttMs }) => `at ${formatRtt(rttMs)} ms`;

/** The verdict on messages, beside another. @param {Answer} sending @param {Placed} situation */
function describeSpeed({ verdict, subject, baseline }, situation) {
  const where = at(situation);
  if (verdict === 'same') return `Speed is no reason: the same within ${SAME_PERCENT}% ${where}.`;
  if (verdict === 'unclear') return `Messages show no clear difference ${where}.`;
  return verdict === 'faster'
    ? `Messages are faster than by ${labelOf(baseline)}, too, ${where}.`
    : `Messages are slower by ${labelOf(subject)} than by ${labelOf(baseline)} ${where}.`;
}

/** The verdict on messages alone. @param {Answer} answer @param {Placed} situation */
function describeSending({ verdict, ...compared }, situation) {
  const where = at(situation);
  const [name, baseline] = [compared.subject, compared.baseline].map(labelOf);
  if (verdict === 'faster') return `Move to ${name}: messages are faster than by ${baseline} ${where}.`;
  if (verdict === 'unclear') return `No decision: ${name} and ${baseline} show no clear difference ${where}.`;
  const why = verdict === 'same' ? `is the same within ${SAME_PERCENT}%` : 'is slower';
  return `Stay with ${baseline}: ${name} ${why} ${where}.`;
}

/** @param {...(string | undefined | false)} sentences */
const join = (...sentences) => sentences.filter(Boolean).join(' ');
