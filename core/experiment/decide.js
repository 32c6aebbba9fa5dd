/**
 * Writes the sentence that decides: for a full test by the first rule that holds, and for a single echo run. No sentence says
 * more than was measured or predicted. None calls anything cheaper, as a number of requests is not a cost.
 */
import { formatInSeconds, formatInterval, formatRatio, formatRtt, formatSpan } from '../base/format.js';
import { negate } from '../base/statistics.js';
import { isSmall, nameVerdict, nameVerdicts, SAME_PERCENT } from './compare.js';
import { labelOf } from './labels.js';
import { mattersIn } from './situation.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { Answer } from './answer.js'
 * @import { Ending } from './contract.js'
 * @import { Placed } from './situation.js'
 * @typedef {Pick<Answer, 'subject' | 'fallback' | 'baseline' | 'verdict'>} Relation
 * @typedef {Answer & Interval & Required<Pick<Answer, 'savingMs'>>} Sending the answer about sending a message
 * @typedef {Answer & Interval & Required<Pick<Answer, 'news'>>} News the answer about being notified
 * @typedef {{ situation: Placed, sending?: Sending, news?: News, undecided?: string }} Facts `undecided`: why a part that the
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
    ? ['Predicted', describeRelation(answer, [answer])]
    : ['Measured', describeOutcome(answer)];
  return `${kind} at ${formatRtt(rttMs)} ms round-trip time: ${outcome}.`;
}

/** @param {Relation & Interval} answer @returns {string} a clause */
export function describeOutcome(answer) {
  const relation = describeRelation(answer, [answer]);
  return answer.verdict === 'unclear' ? relation : `${relation} (${formatRatio(answer)})`;
}

/** @param {Relation} answer with a verdict @param {readonly Interval[]} ratios of all that have it @returns {string} a clause, without a ratio */
function describeRelation({ verdict, baseline, ...answer }, ratios) {
  const [name, other] = [nameSubject(answer), labelOf(baseline)];
  if (verdict === 'same') return `${name} and ${other} are the same within ${SAME_PERCENT}%`;
  if (!verdict || verdict === 'unclear') return `${name} and ${other} show no clear difference`;
  return `${name} is ${nameVerdicts(verdict, ratios, { than: ` than ${other}` })}`;
}

/** A fallback is named as such. @param {Pick<Answer, 'subject' | 'fallback'>} answer @returns {string} */
export const nameSubject = ({ subject, fallback }) =>
  fallback ? `${labelOf(subject)} over ${fallback.protocol}` : labelOf(subject);

/** @param {readonly Answer[]} answers @returns {Sending | undefined} */
export const sendingIn = (answers) =>
  /** @type {Sending | undefined} */ (answers.find(({ topic }) => topic === 'sending'));

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
      ? besideSending(
          `Stay with polling: every ${formatSpan(situation.intervalMs)} is soon enough. Push would need ${news.news.saving}.`,
          { sending, situation },
        )
      : undefined,

  'news alone, and a simpler push is as soon': ({ news, sending, situation }) =>
    news?.news.simpler && !sending && gainOf(news, situation) === 'noticed'
      ? `Move to ${news.news.simpler}, the simpler push: ${describeGain(news)}. ${labelOf(news.subject)} would not be sooner.`
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
  return `WebSocket did not work from here: ${labelOf(answer.subject)} fell back to ${protocol}.${cost ? ` Its figures include ${cost}.` : ''}`;
}

/** @param {Facts} facts with an answer @returns {string} one sentence or two */
function describeBoth({ sending, news, situation }) {
  if (!news) return describeSending(/** @type {Sending} */ (sending), situation);
  const name = labelOf(news.subject);
  const gain = gainOf(news, situation);
  if (gain !== 'noticed') return besideSending(describeNoGain(gain, news, situation), { sending, situation });
  if (!sending) return `Move to ${name}: ${describeGain(news)}.`;
  const move = speedOf(sending, situation) === 'noticed' ? `Move to ${name}` : `Move to ${name} for push`;
  return `${move}: ${describeGain(news)}. ${describeSpeed(sending, situation)}`;
}

/**
 * What sending says beside news that is no reason to move.
 * @param {string} ofNews a sentence @param {Pick<Facts, 'sending' | 'situation'>} facts @returns {string} one sentence or more
 */
function besideSending(ofNews, { sending, situation }) {
  if (!sending) return ofNews;
  return speedOf(sending, situation) === 'noticed'
    ? `${describeSending(sending, situation, ' for sending')} ${ofNews}`
    : `${ofNews} ${describeSpeed(sending, situation)}`;
}

/**
 * Compares all of an interval with what users notice: noise widens it, and so never makes a difference noticed.
 * @param {Interval} differenceMs @param {number} mattersMs
 */
const noticeOf = ({ low, high }, mattersMs) =>
  low >= mattersMs ? 'noticed' : high < mattersMs ? 'not noticed' : 'not shown';

/** @param {News} news @param {Placed} situation */
const gainOf = (news, situation) => (news.high < 0 ? 'later' : noticeOf(news, mattersIn(situation).newsMs));

/** @param {Sending} sending @param {Placed} situation */
function speedOf({ verdict, estimate, savingMs }, situation) {
  if (verdict !== 'faster' && verdict !== 'little-faster') return verdict;
  const notice = noticeOf(savingMs, mattersIn(situation).messageMs);
  if (verdict === 'faster' || notice === 'not noticed') return notice;
  return isSmall(estimate) ? verdict : 'not shown';
}

/** @param {ReturnType<typeof gainOf>} gain that is no reason to move @param {News} news @param {Placed} situation */
function describeNoGain(gain, { subject, ...gainMs }, situation) {
  const name = labelOf(subject);
  if (gain === 'later')
    return `Stay with polling: with ${name}, users would see news ${formatInSeconds(negate(gainMs)).figure} later.`;
  const matters = formatSpan(mattersIn(situation).newsMs);
  if (gain === 'not noticed') {
    const most = formatSpan(Math.round(Math.max(0, gainMs.high)));
    return `Stay with polling: with ${name}, users would see news at most ${most} sooner. They notice ${matters} or more.`;
  }
  if (gainMs.low <= 0) return 'No decision on push: no clear difference in when users see news.';
  return `No decision on push: with ${name}, users see news sooner, but perhaps by less than the ${matters} that they notice (${formatInterval(gainMs, 0, 0)} ms).`;
}

/** @param {News} answer that comes sooner @returns {string} a clause */
const describeGain = ({ news, ...gainMs }) =>
  `users see news ${formatInSeconds(gainMs).figure} sooner, with ${news.saving}`;

/** @param {Placed} situation */
const at = ({ rttMs }) => `at ${formatRtt(rttMs)} ms`;

/** The verdict on messages, beside another. @param {Sending} sending @param {Placed} situation */
function describeSpeed(sending, situation) {
  const { verdict } = sending;
  const [name, baseline] = [sending.subject, sending.baseline].map(labelOf);
  const where = at(situation);
  if (verdict === 'same') return `Sending takes the same time within ${SAME_PERCENT}% ${where}.`;
  if (verdict === 'unclear') return `Sending shows no clear difference ${where}.`;
  const speed = speedOf(sending, situation);
  if (speed === 'noticed') return `Sending is also ${describeSaving(sending)} faster ${where}.`;
  if (speed === 'not noticed')
    return `Sending is ${describeSaving(sending)} faster ${where}. ${describeMatters(situation)}`;
  if (speed === 'not shown') return `Sending is faster ${where}, ${describeDoubt(sending, situation)}.`;
  return `For sending, ${name} is ${nameIn(sending, ` than ${baseline}`)} ${where}.`;
}

/** The verdict on messages alone. @param {Sending} sending @param {Placed} situation @param {string} [what] of the page */
function describeSending(sending, situation, what = '') {
  const { verdict } = sending;
  const [name, baseline] = [sending.subject, sending.baseline].map(labelOf);
  const where = at(situation);
  const speed = speedOf(sending, situation);
  if (speed === 'noticed')
    return `Move to ${name}${what}: messages are ${describeSaving(sending)} faster than with ${baseline} ${where}.`;
  if (speed === 'not noticed')
    return `Stay with ${baseline}: ${name} is ${describeLittle(sending)} faster per message ${where}. ${describeMatters(situation)}`;
  if (speed === 'not shown') return `No decision: ${name} is faster ${where}, ${describeDoubt(sending, situation)}.`;
  if (verdict === 'unclear') return `No decision: ${name} and ${baseline} show no clear difference ${where}.`;
  const only = verdict === 'little-faster' ? 'only ' : '';
  const why = verdict === 'same' ? `the same within ${SAME_PERCENT}%` : nameIn(sending);
  return `Stay with ${baseline}: ${name} is ${only}${why} ${where}.`;
}

/** @param {Sending} sending that is slower, or a little faster @param {string} [than] */
const nameIn = ({ verdict, ...ratio }, than) => nameVerdict({ verdict, ratio }, { than });

/** @param {Sending} sending that is faster */
const describeSaving = ({ savingMs: { estimate, low, high } }) =>
  low > 0 ? `${formatRtt(estimate)} ms` : `at most ${formatRtt(high)} ms`;

/** @param {Sending} sending that nobody notices */
const describeLittle = (sending) => `${sending.savingMs.low > 0 ? 'only ' : ''}${describeSaving(sending)}`;

/** @param {Placed} situation @returns {string} a sentence */
const describeMatters = (situation) => `Users notice ${mattersIn(situation).messageMs} ms or more.`;

/** @param {Sending} sending @param {Placed} situation @returns {string} a clause */
function describeDoubt({ savingMs }, situation) {
  const { messageMs } = mattersIn(situation);
  if (savingMs.low >= messageMs) return `but perhaps by less than ${SAME_PERCENT}%`;
  return `but perhaps by less than the ${messageMs} ms per message that users notice (${formatInterval(savingMs)} ms)`;
}
