/**
 * The sentence that decides: the first rule that holds says it. No rule says more than was measured, or predicted from
 * it; none calls anything cheaper, as a number of requests is no cost.
 */
import { formatInSeconds, formatInterval, formatRtt, formatSpan } from '../base/format.js';
import { negate } from '../base/statistics.js';
import { isLittle, isSmall, nameVerdict, SAME_PERCENT } from '../experiment/compare.js';
import { mattersIn } from '../experiment/situation.js';

/**
 * @import { NewsFinding, SendingFinding } from '../experiment/score-line.js'
 * @import { Interval } from '../base/statistics.js'
 * @import { Placed } from '../experiment/situation.js'
 * @typedef {{ situation: Placed, sending?: SendingFinding, news?: NewsFinding, undecided?: string }} Facts `undecided`: why a
 *   part that the situation needs decides nothing
 * @typedef {(facts: Facts) => string | undefined} Rule absent if it does not hold
 */

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
    news && news.maxPollDelayMs <= situation.lateMs
      ? besideSending(
          `Polling every ${formatSpan(situation.intervalMs)} is soon enough; push would need ${news.saving}.`,
          { sending, situation },
        )
      : undefined,

  'news alone, and a simpler push is as soon': ({ news, sending, situation }) =>
    news?.simpler && !sending && gainOf(news, situation) === 'noticed'
      ? `Move to ${news.simpler}, the simpler push: ${describeGain(news)}. ${news.name} is no sooner than that.`
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
  const finding = [sending, news].find((one) => one?.fallback);
  if (!finding?.fallback) return undefined;
  const { protocol, cost } = finding.fallback;
  return `WebSocket did not work from here: ${finding.name} fell back to ${protocol}${cost ? `, with ${cost}` : ''}.`;
}

/** @param {Facts} facts with a finding @returns {string} one sentence or two */
function describeBoth({ sending, news, situation }) {
  if (!news) return describeSending(/** @type {SendingFinding} */ (sending), situation);
  const gain = gainOf(news, situation);
  if (gain !== 'noticed') return besideSending(describeNoGain(gain, news, situation), { sending, situation });
  if (!sending) return `Move to ${news.name}: ${describeGain(news)}.`;
  const move = speedOf(sending, situation) === 'noticed' ? `Move to ${news.name}` : 'Move for push';
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

/** @param {NewsFinding} news @param {Placed} situation */
const gainOf = ({ gainMs }, situation) => (gainMs.high < 0 ? 'later' : noticeOf(gainMs, mattersIn(situation).newsMs));

/** @param {SendingFinding} sending @param {Placed} situation */
function speedOf({ verdict, speedRatio, savingMs }, situation) {
  if (verdict !== 'faster' && verdict !== 'little-faster') return verdict;
  const notice = noticeOf(savingMs, mattersIn(situation).messageMs);
  if (verdict === 'faster' || notice === 'not noticed') return notice;
  return isSmall(speedRatio.estimate) ? verdict : 'not shown';
}

/** @param {ReturnType<typeof gainOf>} gain that is no reason to move @param {NewsFinding} news @param {Placed} situation */
function describeNoGain(gain, { name, gainMs }, situation) {
  if (gain === 'later')
    return `Stay with polling: by ${name}, users see news ${formatInSeconds(negate(gainMs)).figure} later.`;
  const matters = formatSpan(mattersIn(situation).newsMs);
  if (gain === 'not noticed') {
    const most = formatSpan(Math.round(Math.max(0, gainMs.high)));
    return `Stay with polling: by ${name}, users see news at most ${most} sooner. They notice ${matters} or more.`;
  }
  if (gainMs.low <= 0) return 'No clear difference in when users see news.';
  return `By ${name}, users see news sooner, but whether by the ${matters} that they notice is not shown (${formatInterval(gainMs, 0, 0)} ms).`;
}

/** @param {NewsFinding} news that comes sooner @returns {string} a clause */
const describeGain = ({ gainMs, saving }) => `users see news ${formatInSeconds(gainMs).figure} sooner, with ${saving}`;

/** @param {Placed} situation */
const at = ({ rttMs }) => `at ${formatRtt(rttMs)} ms`;

/** The verdict on messages, beside another. @param {SendingFinding} sending @param {Placed} situation */
function describeSpeed(sending, situation) {
  const { verdict, name, baseline } = sending;
  const where = at(situation);
  if (verdict === 'same') return `Speed is no reason: the same within ${SAME_PERCENT}% ${where}.`;
  if (verdict === 'unclear') return `Messages show no clear difference ${where}.`;
  const speed = speedOf(sending, situation);
  if (speed === 'noticed') return `Messages are ${describeSaving(sending)} faster than by ${baseline}, too, ${where}.`;
  if (speed === 'not noticed')
    return `Messages are ${describeSaving(sending)} faster ${where}. ${describeMatters(situation)}`;
  if (speed === 'not shown') return `Messages are faster ${where}, ${describeDoubt(sending, situation)}.`;
  return `Messages are ${nameIn(sending, ` by ${name} than by ${baseline}`)}${where}.`;
}

/** The verdict on messages alone. @param {SendingFinding} sending @param {Placed} situation @param {string} [what] of the page */
function describeSending(sending, situation, what = '') {
  const { verdict, name, baseline } = sending;
  const where = at(situation);
  const speed = speedOf(sending, situation);
  if (speed === 'noticed')
    return `Move to ${name}${what}: messages are ${describeSaving(sending)} faster than by ${baseline} ${where}.`;
  if (speed === 'not noticed')
    return `Stay with ${baseline}: ${name} is ${describeSaving(sending)} faster per message ${where}. ${describeMatters(situation)}`;
  if (speed === 'not shown') return `No decision: ${name} is faster ${where}, ${describeDoubt(sending, situation)}.`;
  if (verdict === 'unclear') return `No decision: ${name} and ${baseline} show no clear difference ${where}.`;
  const why = verdict === 'same' ? `the same within ${SAME_PERCENT}% ` : nameIn(sending);
  return `Stay with ${baseline}: ${name} is ${why}${where}.`;
}

/** @param {SendingFinding} sending that is slower, or a little faster @param {string} [than] @returns {string} before where */
const nameIn = ({ verdict, speedRatio: ratio }, than) =>
  `${nameVerdict({ verdict, ratio }, { than })}${isLittle({ verdict }) ? ', ' : ' '}`;

/** @param {SendingFinding} sending that is faster */
const describeSaving = ({ savingMs: { estimate, low, high } }) =>
  low > 0 ? `${formatRtt(estimate)} ms` : `at most ${formatRtt(high)} ms`;

/** @param {Placed} situation @returns {string} a sentence */
const describeMatters = (situation) => `Users notice ${mattersIn(situation).messageMs} ms or more.`;

/** @param {SendingFinding} sending @param {Placed} situation @returns {string} a clause */
function describeDoubt({ savingMs }, situation) {
  const { messageMs } = mattersIn(situation);
  if (savingMs.low >= messageMs) return `but whether by more than ${SAME_PERCENT}% is not shown`;
  return `but whether by the ${messageMs} ms per message that users notice is not shown (${formatInterval(savingMs)} ms)`;
}
