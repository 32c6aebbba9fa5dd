/**
 * An answer as a card: one large figure with its interval and count, and what it compares as two bars. The score's cards and its rows
 * for other distances are made of it; `core/picture` draws the bars, and the icon of its mark.
 */
import {
  DASH,
  decimalsOf,
  formatBarTime,
  formatCount,
  formatDelay,
  formatInSeconds,
  formatInterval,
  formatLimits,
  formatNotAsZero,
  formatRatio,
  formatRatioLimits,
  formatRtt,
  formatSpan,
  isSeconds,
  isVeryWide,
} from '../../base/format.js';
import { negate } from '../../base/statistics.js';
import { figureOf, nameInterval, unitOf } from './answer.js';
import { isBeyondMargin, SAME_PERCENT } from './verdict.js';
import { labelOf } from './labels.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Answer } from './answer.js'
 * @import { Bar, Bars } from '../../picture/bars.js'
 * @import { Findings } from '../contract.js'
 *
 * @typedef {{ figure?: string, word?: string, limits?: string, range?: string, unit?: string, interval?: string }} Leading `figure`:
 *   with its unit; `word`: such as 'sooner'; `limits`: what stands in the place of both where nothing is clear: the ends of the
 *   interval; `range`: these, without their `unit`; `interval`: its name, its ends where they stand nowhere else, and what it rests on
 */

/** What the subject is to the baseline, by the topic. */
const DIRECTIONS = Object.freeze({ news: ['sooner', 'later'], sending: ['faster', 'slower'] });

/** @param {Answer} answer @returns {Leading} without a figure if nothing was compared */
export function leadingOf(answer) {
  const gainMs = gainOf(answer);
  // A test of its own decides nothing, but has the same figures.
  const topic = answer.topic ?? (answer.unit === 'sooner-ms' ? 'news' : undefined);
  const basis = answer.basis ?? (answer.count ? formatCount(answer.count, 'block') : undefined);
  const from = basis ? `, ${basis}` : '';
  if (!gainMs || !topic) return leadRatio(answer, from);
  // Its headline and bars are in ms, too.
  const sizes = answer.topic ?? 'sending';
  const { figure, range, unit } = describeGain(sizes, gainMs);
  const word = wordOf(topic, gainMs);
  const name = nameInterval(answer);
  return word
    ? { figure, word, range, unit, interval: `${name} ${range} ${unit}${from}` }
    : { limits: limitsOf(topic, gainMs, sizes), range, unit, interval: `${name}${from}` };
}

/** @param {Answer} answer @param {string} from what it rests on @returns {Leading} its figure apart from what it counts */
function leadRatio(answer, from) {
  const { figure, interval } = figureOf(answer);
  const { estimate, low, high, unit, verdict } = answer;
  if (low === undefined || high === undefined) return leadCount(answer);
  const counts = unit && unitOf(unit).counts;
  if (!counts || estimate === undefined) return { figure, interval };
  const ratio = { estimate, low, high };
  return verdict === 'unclear' && !isVeryWide(ratio)
    ? { limits: `${formatRatioLimits(ratio)} ${counts}`, interval: `${nameInterval(answer)}${from}` }
    : { figure: formatRatio(ratio), word: counts, interval: `${interval}${from}` };
}

/** @param {Answer} answer @returns {Leading} a count has no interval, but a name; beneath that of a part stands what is not counted */
function leadCount({ total, ...answer }) {
  const { figure, interval: name = '' } = figureOf({ total, ...answer });
  const [word, interval] = total === undefined ? [name] : name.split(', ');
  return { figure, word, interval };
}

/**
 * Chooses what one test shows as its card: of the clear differences the largest, one that users notice if there is any, else one that is
 * the same, or else an unclear one, if only because its blocks are too few for a verdict.
 * @param {readonly Answer[]} answers @returns {Answer | undefined} says that there are others, with its place in the plan, or beside its
 *   bars; absent where none has an interval and bars
 */
export function leadOf(answers) {
  const drawn = answers.filter(({ bars, low, high }) => bars && low !== undefined && high !== undefined);
  const judged = drawn.filter(({ verdict }) => verdict);
  const clear = judged.filter((answer) => isMarked(answer) || isBeyondMargin(answer));
  const [first] = clear.sort((a, b) => Number(isMarked(b)) - Number(isMarked(a)) || sizeOf(b) - sizeOf(a));
  if (first && clear.length > 1) return asLargest(first, clear);
  return first ?? judged.find(({ mark }) => mark === 'same') ?? judged[0] ?? drawn[0];
}

/** @param {Answer} answer @returns {boolean} */
const isMarked = ({ mark }) => mark === 'better' || mark === 'worse';

/** @param {Answer} chosen of several @param {readonly Answer[]} clear all of them @returns {Answer} says why it is shown */
function asLargest(chosen, clear) {
  const { at, aside, reason, ...answer } = chosen;
  const who = clear.some((other) => sizeOf(other) > sizeOf(chosen)) ? ' that users may notice' : '';
  return at
    ? { ...answer, aside, reason, at: `largest difference${who}: ${at}` }
    : { ...answer, reason, aside: [`The largest clear difference${who}.`, aside ?? reason].filter(Boolean).join(' ') };
}

/**
 * Chooses what the page of one test shows beneath its headline: where that is a prediction, what is predicted.
 * @param {{ answers: Findings['answers'], report: Findings['report'], scope: Findings['scope'] }} findings @returns {Answer | undefined}
 */
export function leadBeneath({ answers, report: { elsewhere, lead }, scope }) {
  if (lead) return lead;
  const predicted = scope === 'path' ? undefined : elsewhere?.lead;
  const measured = predicted && answers.find(({ baseline }) => baseline === predicted.baseline);
  return measured ? { ...measured, ...predicted } : leadOf(answers);
}

/** @param {Answer} answer @returns {number} how large its difference is, whatever its direction, among those of one unit */
const sizeOf = ({ estimate = 0, unit }) => Math.abs(unit === 'sooner-ms' ? estimate : Math.log(estimate));

/** @param {Answer} answer @returns {Interval | undefined} how much sooner or faster, ms */
function gainOf({ topic, estimate, low, high, savingMs }) {
  if (topic === 'sending') return savingMs;
  return estimate === undefined || low === undefined || high === undefined ? undefined : { estimate, low, high };
}

/**
 * @param {NonNullable<Answer['topic']>} topic @param {Interval} gainMs
 * @returns {string | undefined} absent where the interval contains 0
 */
function wordOf(topic, { low, high }) {
  const [gain, loss] = DIRECTIONS[topic];
  if (low > 0) return gain;
  return high < 0 ? loss : undefined;
}

/**
 * Says what an interval with 0 in it allows.
 * @param {NonNullable<Answer['topic']>} topic @param {Interval} gainMs
 * @param {NonNullable<Answer['topic']>} sizes the topic whose way to format is used
 * @returns {string} such as '27 ms slower to 3 ms faster'
 */
function limitsOf(topic, gainMs, sizes) {
  const [gain, loss] = DIRECTIONS[topic];
  const decimals = decimalsOfGain(gainMs);
  const formatGain = (/** @type {number} */ ms) =>
    isSeconds(ms) ? formatSpan(ms) : `${formatNotAsZero(ms, decimals)} ms`;
  return formatLimits(gainMs, { gain, loss, format: sizes === 'news' ? formatDelay : formatGain });
}

/** As many as the interval has, but not more digits than one reads at a glance. @param {Interval} gainMs */
const decimalsOfGain = (gainMs) => Math.min(1, decimalsOf(gainMs));

/**
 * @param {Leading} leading @returns {{ gain: string, range: string }} in a column of gains; `gain`: such as '7 ms', '7 ms slower', or
 *   '−7.0 to 3.0 ms', which says the range, too
 */
export function describeLeading({ figure = DASH, word, limits, range = '', unit }) {
  if (limits) return { gain: `${range} ${unit}`, range: '' };
  const isLoss = Object.values(DIRECTIONS).some(([, loss]) => loss === word);
  return { gain: isLoss ? `${figure} ${word}` : figure, range };
}

/**
 * @param {NonNullable<Answer['topic']>} topic @param {Interval} gainMs
 * @returns {{ figure: string, range: string, unit: string }} `figure`: with its unit
 */
function describeGain(topic, gainMs) {
  const sided = gainMs.high < 0 ? negate(gainMs) : gainMs;
  if (topic === 'news') return { ...formatInSeconds(sided), unit: 's' };
  const shownMs = sided.estimate;
  if (isSeconds(Math.abs(shownMs))) return describeSeconds(sided);
  const figure = `${shownMs < 10 ? formatNotAsZero(shownMs, decimalsOfGain(sided)) : formatRtt(shownMs)} ms`;
  const range = formatInterval(sided, 0, 1);
  return { figure, range: range.includes('−') ? range : range.replace(' to ', '–'), unit: 'ms' };
}

/** As bars have it, but for ends that would look the same. @param {Interval} gainMs @returns {{ figure: string, range: string, unit: string }} */
function describeSeconds({ estimate, low, high }) {
  const ends = (/** @type {number} */ decimals) => [low, high].map((ms) => formatNotAsZero(ms / 1000, decimals));
  let decimals = Math.abs(estimate) < 10_000 ? 1 : 0;
  while (decimals < 3 && new Set(ends(decimals)).size === 1) decimals++;
  return { figure: formatSpan(estimate), range: ends(decimals).join(low < 0 ? ' to ' : '–'), unit: 's' };
}

/**
 * @param {{ name: string, value?: number, figure?: string }} baseline its transport, or other method; `figure`: if its value is no time
 * @param {{ name: string, value?: number, figure?: string }} subject
 * @param {{ prefix?: string, nameOf?: (name: string) => string }} [style] `prefix`: of the colours
 * @returns {Bars | undefined} absent where one of the two was not measured
 */
export function barsBetween(baseline, subject, { prefix = '', nameOf = labelOf } = {}) {
  const [base, own] = [baseline, subject].map(({ name, value = 0, figure = formatBarTime(value) }) =>
    Object.freeze({ name: nameOf(name), value, figure, colour: `${prefix}${name}` }),
  );
  return base.value > 0 && own.value > 0 ? [base, own] : undefined;
}

/** @param {Bars} bars @returns {string} what they show, for those who do not see them */
export function describeBars(bars) {
  const lengths = bars.map(({ name, figure }) => `${name} ${figure}`).join(', ');
  const { matters } = bars[1];
  return [lengths, ...(matters ? [describeMatters(matters)] : [])].map((one) => `${one}.`).join(' ');
}

/** @param {NonNullable<Bar['matters']>} matters @returns {string} the label of its mark */
export const describeMatters = ({ figure }) => `${SAME_PERCENT}% faster: ${figure}`;
