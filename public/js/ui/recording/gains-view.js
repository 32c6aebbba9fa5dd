/** Shows what the advised method gains as two cards: how late news is, and how many requests an hour, now and then. */
import { capitalize, formatBytes, formatDelay, formatRtt } from '../../../../core/base/format.js';
import { newsPerHourOf } from '../../../../core/recording/costs.js';
import { afterOf, countedBy, formatShare, isPush, sooner } from '../../../../core/recording/words.js';
import { create, element, keepTogether } from '../../base/page.js';
import { createBars, createPill } from '../answers.js';

/**
 * @import { Bar, Bars } from '../../../../core/picture/bars.js'
 * @import { PollAdvice } from '../../../../core/recording/advice.js'
 * @import { MeasuredPush } from '../../later/measured-push.js'
 * @typedef {{ question: string, word: string, figure: string, gain: string, beside: string, bars: Bars, basis: string }} Gain
 */

const COUNTED = 'Polling: counted in the recording.';
const COLOURS = Object.freeze({ now: 'delivery-poll', then: 'delivery-sockjs' });
/** Below it, nothing is gained. */
const MIN_GAIN = 0.01;

/** @param {PollAdvice | undefined} main @param {MeasuredPush} [measured] what push took in a run */
export function showGains(main, measured) {
  const gains = main && main.word !== 'leave' ? [newsGain(main, measured), requestGain(main), byteGain(main)] : [];
  const shown = gains.filter((gain) => gain !== undefined).slice(0, 2);
  element('#page-gains').replaceChildren(...shown.map(createCard));
}

/** @param {PollAdvice} main @param {MeasuredPush} [measured] @returns {Gain | undefined} */
function newsGain({ word, now, then }, measured) {
  if (now.delayMs - then.delayMs < MIN_GAIN * now.delayMs) return undefined;
  return {
    ...{ question: 'Seeing news', word: 'Sooner', gain: 'sooner', beside: 'on average' },
    figure: sooner(now, then),
    bars: barsOf(word, { now: now.delayMs, then: then.delayMs }, formatDelay),
    basis: measured ? describeMeasured(measured) : 'Both are predicted, from the interval and the round trip.',
  };
}

/** @param {PollAdvice} main @returns {Gain | undefined} */
function requestGain({ poll, word, now, then }) {
  const share = 1 - then.requestsPerHour / now.requestsPerHour;
  if (share < MIN_GAIN) return undefined;
  const saved = now.bytesPerHour - then.bytesPerHour;
  return {
    ...{
      question: `${capitalize(countedBy(word))} an hour`,
      word: 'Fewer',
      figure: formatShare(share),
      gain: 'fewer',
    },
    beside: saved >= 1000 ? `${formatBytes(saved)} less an hour` : 'for each user',
    bars: barsOf(word, { now: now.requestsPerHour, then: then.requestsPerHour }, formatNumber),
    basis: isPush(word) ? describeMessages(newsPerHourOf(poll), then) : describePredicted(word),
  };
}

/** The bars by their names. @param {PollAdvice['word']} word */
const describePredicted = (word) => `${COUNTED} ${afterOf(word)}: predicted.`;

/** The sum that the bar shows. @param {number} newsCount @param {PollAdvice['then']} then */
function describeMessages(newsCount, { requestsPerHour }) {
  const others = Math.round(requestsPerHour) - Math.round(newsCount);
  if (others === 0) return describePredicted('event-stream');
  return `${COUNTED} Push: predicted, ${formatNumber(newsCount)} with news and ${formatNumber(others)} to open and keep the connection.`;
}

/** @param {PollAdvice} main @returns {Gain | undefined} */
function byteGain({ word, now, then }) {
  const share = 1 - then.bytesPerHour / now.bytesPerHour;
  if (share < MIN_GAIN) return undefined;
  return {
    ...{ question: 'Bytes an hour', word: 'Less', figure: formatShare(share), gain: 'less', beside: 'for each user' },
    bars: barsOf(word, { now: now.bytesPerHour, then: then.bytesPerHour }, formatBytes),
    basis: describePredicted(word),
  };
}

/** @param {number} value */
const formatNumber = (value) => Math.round(value).toLocaleString('en');

/**
 * @param {PollAdvice['word']} word @param {{ now: number, then: number }} values
 * @param {(value: number) => string} format @returns {Bars}
 */
function barsOf(word, { now, then }, format) {
  const bar = (/** @type {string} */ name, /** @type {number} */ value, /** @type {string} */ colour) =>
    /** @type {Bar} */ ({ name, value, figure: format(value), colour });
  return [bar('Polling', now, COLOURS.now), bar(afterOf(word), then, COLOURS.then)];
}

/** @param {MeasuredPush} measured */
function describeMeasured({ rttMs, blocks }) {
  if (rttMs === undefined) return 'Both are still predicted: you measured on one computer.';
  return `Push: measured from here, ${formatRtt(rttMs)} ms away, in ${blocks} blocks. Polling: predicted.`;
}

/** @param {Gain} gain */
function createCard({ question, word, figure, gain, beside, bars, basis }) {
  const head = create('span', { class: 'answer-head' }, create('strong', { class: 'question' }, question));
  head.append(createPill({ mark: 'better', word }));
  const words = create(
    'span',
    { class: 'beside' },
    create('b', {}, gain),
    create('small', {}, ...keepTogether(beside)),
  );
  const line = create('span', { class: 'figure' }, create('strong', {}, ...keepTogether(figure)), ' ', words);
  return create('li', { class: 'answer-card' }, head, line, createBars(bars), create('small', {}, basis));
}
