/**
 * The sentence that decides: the first rule that holds says it. No rule says more than was measured, or predicted from
 * it; none calls anything cheaper, as a number of requests is no cost.
 */
import { formatInSeconds, formatRtt, formatSpan } from '../base/format.js';
import { negate } from '../base/statistics.js';
import { SAME_PERCENT } from '../experiment/compare.js';

/**
 * @import { NewsFinding, SendingFinding } from '../experiment/score-line.js'
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
      ? join(
          `Polling every ${formatSpan(situation.intervalMs)} is soon enough; push would need ${news.saving}.`,
          sending && describeSpeed(sending, situation),
        )
      : undefined,

  'news alone, and a simpler push is as soon': ({ news, sending }) =>
    news?.simpler && !sending && isSooner(news)
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
  if (!isSooner(news)) {
    const notified = isLater(news)
      ? `Stay with polling: by ${news.name}, users see news ${formatInSeconds(negate(news.gainMs)).figure} later.`
      : `No clear difference in when users see news.`;
    return join(notified, sending && describeSpeed(sending, situation));
  }
  if (!sending) return `Move to ${news.name}: ${describeGain(news)}.`;
  const move = sending.verdict === 'faster' ? `Move to ${news.name}` : 'Move for push';
  return `${move}: ${describeGain(news)}. ${describeSpeed(sending, situation)}`;
}

/** @param {NewsFinding} news */
const isSooner = ({ gainMs }) => gainMs.low > 0;

/** @param {NewsFinding} news */
const isLater = ({ gainMs }) => gainMs.high < 0;

/** @param {NewsFinding} news that comes sooner @returns {string} a clause */
const describeGain = ({ gainMs, saving }) => `users see news ${formatInSeconds(gainMs).figure} sooner, with ${saving}`;

/** @param {Placed} situation */
const at = ({ rttMs }) => `at ${formatRtt(rttMs)} ms`;

/** The verdict on messages, beside another. @param {SendingFinding} sending @param {Placed} situation */
function describeSpeed({ verdict, name, baseline }, situation) {
  const where = at(situation);
  if (verdict === 'same') return `Speed is no reason: the same within ${SAME_PERCENT}% ${where}.`;
  if (verdict === 'unclear') return `Messages show no clear difference ${where}.`;
  return verdict === 'faster'
    ? `Messages are faster than by ${baseline}, too, ${where}.`
    : `Messages are slower by ${name} than by ${baseline} ${where}.`;
}

/** The verdict on messages alone. @param {SendingFinding} sending @param {Placed} situation */
function describeSending({ verdict, name, baseline }, situation) {
  const where = at(situation);
  if (verdict === 'faster') return `Move to ${name}: messages are faster than by ${baseline} ${where}.`;
  if (verdict === 'unclear') return `No decision: ${name} and ${baseline} show no clear difference ${where}.`;
  const why = verdict === 'same' ? `is the same within ${SAME_PERCENT}%` : 'is slower';
  return `Stay with ${baseline}: ${name} ${why} ${where}.`;
}

/** @param {...(string | undefined | false)} sentences */
const join = (...sentences) => sentences.filter(Boolean).join(' ');
