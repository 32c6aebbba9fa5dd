/**
 * Writes the sentence that decides: what to use for news and for sending, each by its own figures. No sentence says more than was
 * measured or predicted. None calls anything cheaper, as a number of requests is not a cost.
 */
import { capitalize, formatInSeconds, formatInterval, formatRtt, formatSpan, listOf } from '../base/format.js';
import { negate } from '../base/statistics.js';
import { isSmall, nameVerdict, noticeOf, SAME_PERCENT } from '../experiment/answer/verdict.js';
import { labelOf } from '../experiment/answer/labels.js';
import { asksForNews, mattersIn, needsPush, sendsMessages } from '../experiment/plan/situation.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { Answer, NewsMethod, NewsMethods } from '../experiment/answer/answer.js'
 * @import { Placed } from '../experiment/plan/situation.js'
 * @typedef {Answer & Interval & { savingMs: Interval }} Sending the answer about sending a message
 * @typedef {Answer & Interval & { news: NewsMethods }} News the answer about being notified
 * @typedef {{ situation: Placed, sending?: Sending, news?: News, undecided?: string, unpredicted?: string, doubt?: 'prediction' |
 *   'warning' }} Facts `undecided`: why a part that the situation needs decides nothing; `unpredicted`: why sending was measured, but is
 *   not predicted for these users; `doubt`: the figures are of one machine or network, or for
 *   slower devices, and so predicted, or have a serious warning
 * @typedef {{ text: string, uses?: string, topic?: string, isOpen?: boolean, newsBy?: string | number }} Advice `uses`: the transport or
 *   delivery method, if it is another than now; `topic`: if it is about a part of the page; `isOpen`: without a decision, and then a
 *   sentence; `newsBy`: the delivery method or polling interval that news should come by
 */

/**
 * Finds the answer about sending a message, if it was measured.
 * @param {readonly Answer[]} answers @returns {Sending | undefined}
 */
export const sendingIn = (answers) =>
  /** @type {Sending | undefined} */ (answers.find(({ topic }) => topic === 'sending'));

/** Finds the answer about being notified, if it was measured. @param {readonly Answer[]} answers @returns {News | undefined} */
export const newsIn = (answers) => /** @type {News | undefined} */ (answers.find(({ topic }) => topic === 'news'));

/**
 * Decides about what the page does, whatever else was measured.
 * @param {Facts} facts @returns {{ sentence: string, uses: readonly string[], newsBy?: string | number }} `sentence`: one or
 *   more; `uses`: the transports and delivery methods to use instead of those of now; `newsBy`: as of its advice
 */
export function decide({ situation, undecided, unpredicted, doubt, ...answers }) {
  const none = (/** @type {string} */ why) => ({ sentence: `No decision: ${why}`, uses: [] });
  if (undecided) return none(undecided);
  const sending = sendsMessages(situation) ? answers.sending : undefined;
  const news = asksForNews(situation) ? answers.news : undefined;
  const isUnpredicted = unpredicted && sendsMessages(situation);
  if (!sending && !news && !isUnpredicted) return none('neither sending a message nor being notified was measured.');
  /** @type {Advice[]} */
  const advice = [
    ...advise({ sending, news, situation }),
    ...(isUnpredicted ? [{ text: `No decision on sending: ${unpredicted}.`, isOpen: true }] : []),
  ];
  const sentences = [
    describeFallback({ sending, news }),
    ...advice.map((one) => toSentence(one, doubt && !one.isOpen ? 'probably ' : '')),
    doubt === 'warning' ? 'Check the warnings, then measure again.' : '',
  ];
  return {
    sentence: sentences.filter(Boolean).join(' '),
    uses: advice.flatMap(({ uses }) => uses ?? []),
    newsBy: advice.find(({ newsBy }) => newsBy !== undefined)?.newsBy,
  };
}

/** @param {Advice} advice @param {string} certainty before its verb, or empty */
function toSentence({ text, topic, isOpen }, certainty) {
  if (isOpen) return text;
  return topic ? `For ${topic}, ${certainty}${text}` : capitalize(`${certainty}${text}`);
}

/** @param {Facts} facts @returns {Advice[]} about news, and about sending */
function advise({ sending, news, situation }) {
  const ofSending = sending && adviseOnSending(sending, situation, news && 'sending');
  const ofNews = news && adviseOnNews(news, situation);
  if (!ofNews || !ofSending) return [ofNews, ofSending].filter((one) => one !== undefined);
  const { considered } = news.news;
  // A socket that sending needs carries news, too, if users notice no other to be sooner.
  if (ofNews.uses && ofSending.uses && considered && isAsGood(considered, news.news.best, situation))
    return [
      {
        text: `use ${considered.name} for news and sending: ${describeGain(considered, 'news')}. ${describeAlso(sending)}`,
        uses: sending.subject,
        newsBy: considered.delivery,
      },
    ];
  return [ofNews, ofSending];
}

/** @param {NewsMethod} considered @param {NewsMethod} best @param {Placed} situation */
function isAsGood(considered, { laterMs }, situation) {
  const isLater = laterMs && noticeOf(negate(laterMs), mattersIn(situation).newsMs) === 'noticed';
  return !isLater && gainOf(considered, situation) === 'noticed';
}

/** @param {{ sending?: Sending, news?: News }} facts @returns {string} a sentence or two, if what was considered fell back */
function describeFallback({ sending, news }) {
  const answer = [sending, news].find((one) => one?.fallback);
  if (!answer?.fallback) return '';
  const { protocol, cost } = answer.fallback;
  return `WebSocket did not work from here: ${labelOf(answer.subject)} fell back to ${protocol}.${cost ? ` Its figures include ${cost}.` : ''}`;
}

/** @param {Interval} gainMs @param {Placed} situation */
const gainOf = (gainMs, situation) => (gainMs.high < 0 ? 'later' : noticeOf(gainMs, mattersIn(situation).newsMs));

/** @param {Sending} sending @param {Placed} situation */
function speedOf({ verdict, estimate, savingMs }, situation) {
  const notice = noticeOf(savingMs, mattersIn(situation).messageMs);
  // Noise may leave the ratio unclear where it cannot hide a difference that matters.
  if (verdict === 'unclear' && notice === 'not noticed' && savingMs.high > 0) return notice;
  if (verdict !== 'faster' && verdict !== 'little-faster') return verdict;
  if (verdict === 'faster' || notice === 'not noticed') return notice;
  return isSmall(estimate) ? verdict : 'not shown';
}

/** @param {News} answer @param {Placed} situation @returns {Advice} */
function adviseOnNews({ news }, situation) {
  const { best } = news;
  const { intervalMs, lateMs } = situation;
  const keep = (/** @type {string} */ why, newsBy = intervalMs) => ({ text: `keep polling for news${why}`, newsBy });
  if (intervalMs <= lateMs) {
    const longer = lateMs > intervalMs ? `, and every ${formatSpan(lateMs)} would do` : '';
    return keep(`: every ${formatSpan(intervalMs)} is soon enough${longer}.${describeSavingBy(best)}`);
  }
  if (!needsPush(situation))
    return keep(`, but every ${formatSpan(lateMs)} instead of every ${formatSpan(intervalMs)}.`, lateMs);
  const gain = gainOf(best, situation);
  if (gain === 'noticed') return { text: describeUse(news, situation), uses: best.delivery, newsBy: best.delivery };
  if (gain === 'later')
    return keep(`: with ${best.name}, users would see it ${formatInSeconds(negate(best)).figure} later.`);
  if (gain === 'not noticed') {
    const most = formatSpan(Math.round(Math.max(0, best.high)));
    return keep(`: with ${best.name}, users would see it at most ${most} sooner, which nobody notices.`);
  }
  return { isOpen: true, text: `No decision on news: ${describeUnclear(best, situation)}.` };
}

/** @param {NewsMethod} best @returns {string} a sentence, or none */
const describeSavingBy = ({ name, saving }) =>
  saving ? ` ${capitalize(name)} would save ${saving.share} of the ${saving.what}.` : '';

/** @param {NewsMethod} best @param {Placed} situation @returns {string} a clause */
function describeUnclear(best, situation) {
  if (best.low <= 0) return `no clear difference between ${best.name} and polling`;
  const matters = formatSpan(mattersIn(situation).newsMs);
  return `users see it ${formatInterval(best, 0, 0)} ms sooner with ${best.name}, and notice ${matters} or more`;
}

/** @param {News['news']} news @param {Placed} situation @returns {string} a sentence or two */
function describeUse({ best, considered, failed }, situation) {
  const why = failed.length > 0 ? `: ${listOf(failed)} did not work from here` : '';
  const name = best.isSimplest ? `${best.name}, the simplest` : best.name + why;
  return `use ${best.isPush ? `push for news (${name})` : `${name} for news`}: ${describeGain(best)}.${describeRival(best, considered, situation)}`;
}

/**
 * What is not shown of the method that is recommended, as another may be sooner.
 * @param {NewsMethod} best @param {NewsMethod | undefined} considered @param {Placed} situation @returns {string} a sentence, or none
 */
function describeRival({ name, laterMs }, considered, situation) {
  const { newsMs } = mattersIn(situation);
  if (!considered || !laterMs || noticeOf(laterMs, newsMs) !== 'not shown') return '';
  return laterMs.estimate < newsMs
    ? ` ${capitalize(name)} was ${describeLater(laterMs)} than ${considered.name}; users notice ${formatSpan(newsMs)} or more.`
    : ` ${considered.name} may be sooner than ${name}, by ${formatInterval(laterMs, 0, 0)} ms.`;
}

/** Both limits: the interval is rarely symmetric. @param {{ low: number, high: number }} laterMs @returns {string} a clause */
const describeLater = ({ low, high }) =>
  `${low < 0 ? `${formatSpan(-low)} sooner` : formatSpan(low)} to ${formatSpan(high)} later`;

/** @param {NewsMethod} method that comes sooner @param {string} [what] news @returns {string} a clause */
const describeGain = ({ saving, ...gainMs }, what = 'it') =>
  `users see ${what} ${formatInSeconds(gainMs).figure} sooner${saving ? `, with ${saving.share} fewer ${saving.what}` : ''}`;

/** @param {Sending} sending that is faster, too @returns {string} a sentence */
const describeAlso = (sending) => `Sending is also ${describeSaving(sending)} faster.`;

/** @param {Sending} sending @param {Placed} situation @param {string} [topic] if the page does more @returns {Advice} */
function adviseOnSending(sending, situation, topic) {
  const [name, baseline] = [sending.subject, sending.baseline].map(labelOf);
  const { uses, isOpen, why } = judgeSending(sending, situation);
  if (isOpen) return { isOpen, text: `No decision${topic ? ` on ${topic}` : ''}: ${why}.` };
  const text = `${uses ? `use ${name}` : `keep ${baseline}`}: ${why}.`;
  return { text, topic, ...(uses && { uses: sending.subject }) };
}

/**
 * @param {Sending} sending @param {Placed} situation
 * @returns {{ uses: boolean, isOpen?: boolean, why: string }} `why`: a clause
 */
function judgeSending(sending, situation) {
  const { verdict } = sending;
  const [name, baseline] = [sending.subject, sending.baseline].map(labelOf);
  const speed = speedOf(sending, situation);
  if (speed === 'noticed')
    return { uses: true, why: `messages are ${describeSaving(sending)} faster than with ${baseline}` };
  const stays = (/** @type {string} */ why) => ({ uses: false, why: `${name} is ${why}` });
  if (speed === 'not noticed') return stays(`${describeSaving(sending)} faster, which nobody notices`);
  if (speed === 'not shown') return { ...stays(`faster, ${describeDoubt(sending, situation)}`), isOpen: true };
  if (verdict === 'unclear')
    return { uses: false, isOpen: true, why: `${name} and ${baseline} show no clear difference` };
  if (verdict === 'same') return stays(`as fast as ${baseline}, within ${SAME_PERCENT}%`);
  return stays(`${verdict === 'little-faster' ? 'only ' : ''}${nameIn(sending)}`);
}

/** @param {Sending} sending that is slower, or a little faster */
const nameIn = ({ verdict, ...ratio }) => nameVerdict({ verdict, ratio });

/** @param {Sending} sending that is faster */
const describeSaving = ({ savingMs: { estimate, low, high } }) =>
  low > 0 ? `${formatRtt(estimate)} ms` : `at most ${formatRtt(high)} ms`;

/** @param {Sending} sending @param {Placed} situation @returns {string} a clause */
function describeDoubt({ savingMs }, situation) {
  const { messageMs } = mattersIn(situation);
  if (savingMs.low >= messageMs) return `but perhaps by less than ${SAME_PERCENT}%`;
  return `by ${formatInterval(savingMs)} ms per message, and users notice ${messageMs} ms or more`;
}
