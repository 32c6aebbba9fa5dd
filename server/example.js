/**
 * The result that the home page shows before a run: a real one, made by `node lab/make-example.js`. It is drawn where the pages are
 * bundled, as that takes a tenth of a server's start.
 */
import { readFileSync } from 'node:fs';
import { newsIn, sendingIn } from '../core/experiment/decide.js';
import { sayRatio } from '../core/experiment/verdict.js';
import { nameBrowser } from '../core/experiment/names.js';
import { drawCurves } from '../core/experiments/shootout/curves.js';
import { modelOf, modelsOf } from '../core/experiments/shootout/distance-model.js';
import { shootout } from '../core/experiments/shootout/index.js';
import { findingsOf } from '../core/experiment/report.js';
import { PUBLISHED, withRatio } from '../core/net/echo/published.js';
import { leadingOf } from '../core/experiment/answer-card.js';
import { LABELS } from '../core/experiment/labels.js';
import { fullTest } from '../core/full-test/all.js';
import { USUAL_DISTANCES_MS } from '../core/full-test/distances.js';
import { scoreOf } from '../core/full-test/score.js';
import { createWhiskers } from '../core/matrix/whiskers.js';
import { toMarkup } from '../core/picture/svg.js';

/**
 * @import { Answer } from '../core/experiment/answer.js'
 * @import { Bar } from '../core/experiment/answer-card.js'
 * @import { MeasuredPart, Score } from '../core/full-test/score.js'
 * @typedef {{ low: number, high: number }} Ends
 * @typedef {object} Fact
 * @property {string} title
 * @property {{ name: string, figure: string, share: number, colour?: string, interval?: Ends }[]} [bars] of times, from 0 on
 * @property {{ scale: string, lines: { name: string, figure: string, picture: string }[] }} [dots] of ratios, on a logarithmic scale:
 *   markup
 * @property {string} source
 * @property {string} [href] of a source that is no part of the page
 * @typedef {{ name: string, ratio: number, interval?: Ends }} NamedRatio
 * @typedef {object} Example
 * @property {string} places what was measured, with what
 * @property {string} date
 * @property {Score['decision']} decision
 * @property {{ narrow: string, wide: string }} pictures markup
 * @property {Fact[]} facts
 */

const FILE = new URL('../views/example-run.json', import.meta.url);

/** The sizes of the chart, one for each place on the page; none is scaled down, so that the text is readable. */
const SIZES = { narrow: { width: 248, height: 200 }, wide: { width: 440, height: 200 } };

/** Draws the example; its data are JSON. @returns {Example} */
export function drawExample() {
  const { places, document } = JSON.parse(readFileSync(FILE, 'utf8'));
  const { measured, score } = findingsOf(fullTest, document).summary;
  const summary = measured.find((/** @type {MeasuredPart} */ { member }) => member.name === shootout.name)?.findings
    ?.summary;
  const model = summary && modelOf(summary);
  if (!model) throw new RangeError(`${FILE}: expected a run with a verdict, got none`);
  /** @param {{ width: number, height: number }} size */
  const draw = (size) => toMarkup(drawCurves({ models: modelsOf(summary, model), ...size }));
  return {
    places: `${places}, ${nameBrowser(document.environment.userAgent)}`,
    date: String(document.startedAt).slice(0, 10),
    decision: score.decision,
    pictures: { narrow: draw(SIZES.narrow), wide: draw(SIZES.wide) },
    facts: [describeNews(score), describeSending(measured, score), describePublished()],
  };
}

const FROM_EXAMPLE = Object.freeze({ source: 'Example' });

/** What the example says about news. @param {Score} score @returns {Fact} */
function describeNews({ answers }) {
  const news = newsIn(answers);
  const { figure, word, limits } = news ? leadingOf(news) : {};
  const [now, other] = news?.bars ?? [];
  const { low = 0, high = 0 } = news ?? {};
  return {
    title: ['Push:', figure, word, limits].filter(Boolean).join(' '),
    bars:
      now && other ? scaleBars([now, { ...other, interval: { low: now.value - high, high: now.value - low } }]) : [],
    ...FROM_EXAMPLE,
  };
}

/** What the example says about messages, near and far. @param {readonly MeasuredPart[]} measured @param {Score} score @returns {Fact} */
function describeSending(measured, { situation }) {
  const ratios = [Math.min(...USUAL_DISTANCES_MS), Math.max(...USUAL_DISTANCES_MS)].flatMap((rttMs) => {
    const sending = sendingIn(scoreOf(measured, situation, { rttMs }).answers);
    const [now, other] = sending?.bars ?? [];
    if (!sending || !now || !other) return [];
    const ratioAt = (/** @type {number} */ savingMs) => now.value / (now.value - savingMs);
    const interval = { low: ratioAt(sending.savingMs.low), high: ratioAt(sending.savingMs.high) };
    return [{ name: `${rttMs} ms away`, ratio: now.value / other.value, interval }];
  });
  return {
    title: `${LABELS[situation.considers]}: ${titleRatios(ratios)}`,
    dots: drawRatios(ratios),
    ...FROM_EXAMPLE,
  };
}

/** @param {readonly { ratio: number }[]} ratios near and far @returns {string} such as '1.4x near, 1.0x far' */
const titleRatios = (ratios) =>
  ratios.map(({ ratio }, i) => `${formatTimes(ratio)} ${i === 0 ? 'near' : 'far'}`).join(', ');

/** What the experiment found that the site repeats. @returns {Fact} */
function describePublished() {
  const ratios = Object.values(PUBLISHED).map(({ name, rates }) => ({
    name,
    ratio: Number(withRatio(rates[1000]).ratio),
  }));
  return {
    title: `${LABELS.sockjs}, 2012`,
    dots: drawRatios(ratios),
    source: 'Published without intervals',
    href: '/ajaxtest',
  };
}

/** @param {number} ratio */
const formatTimes = (ratio) => `${ratio.toFixed(1)}x`;

/** A ratio has no zero from which a bar could begin. @param {readonly NamedRatio[]} ratios @returns {Fact['dots']} */
function drawRatios(ratios) {
  const figures = ratios.map(({ ratio, interval }) => ({
    value: ratio,
    ...interval,
    mark: markOfRatio(ratio, interval),
  }));
  const whiskers = createWhiskers('times-as-fast', figures);
  return (
    whiskers && {
      scale: toMarkup(whiskers.drawHead()),
      lines: ratios.map(({ name, ratio }, i) => ({
        name,
        figure: formatTimes(ratio),
        picture: toMarkup(whiskers.draw(figures[i])),
      })),
    }
  );
}

/** @param {number} estimate @param {Ends} [interval] @returns {Answer['mark']} */
const markOfRatio = (estimate, { low, high } = { low: estimate, high: estimate }) =>
  sayRatio({ estimate, low, high }).mark;

/**
 * @param {readonly (Bar & { interval?: Ends })[]} bars `interval`: of the end, where it is known
 * @returns {Fact['bars']} their lengths as parts of the longest
 */
function scaleBars(bars) {
  const longest = Math.max(...bars.flatMap(({ value, interval }) => [value, interval?.high ?? 0]));
  return bars.map(({ value, interval, ...bar }) => ({
    ...bar,
    share: value / longest,
    ...(interval && { interval: { low: Math.max(0, interval.low) / longest, high: interval.high / longest } }),
  }));
}
