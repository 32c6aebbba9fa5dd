/**
 * The result that the home page shows before a run: a real one, made by `node lab/make-example.js`. It is drawn where the pages are
 * bundled, as that takes a tenth of a server's start.
 */
import { readFileSync } from 'node:fs';
import { formatBytes, formatCount, formatRange, formatRtt, uncapitalize } from '../core/base/format.js';
import { UNITS } from '../core/experiment/answer/answer.js';
import { newsIn, sendingIn } from '../core/full-test/decide.js';
import { SAME_PERCENT, sayRatio } from '../core/experiment/answer/verdict.js';
import { nameBrowser } from '../core/experiment/run/names.js';
import { findingsOf } from '../core/experiment/report/findings.js';
import { PUBLISHED, withRatio } from '../core/net/echo/published.js';
import { describeBars } from '../core/experiment/answer/answer-card.js';
import { drawAnswerBars } from '../core/picture/bars.js';
import { iconOf } from '../core/picture/icon.js';
import { LABELS } from '../core/experiment/answer/labels.js';
import { fullTest } from '../core/full-test/all.js';
import { USUAL_DISTANCES_MS } from '../core/full-test/distances.js';
import { scoreOf } from '../core/full-test/score.js';
import { createWhiskers } from '../core/matrix/whiskers.js';
import { toMarkup } from '../core/picture/svg.js';

/**
 * @import { Answer } from '../core/experiment/answer/answer.js'
 * @import { Bars } from '../core/picture/bars.js'
 * @import { Figure } from '../core/matrix/whiskers.js'
 * @import { NewsChoice } from '../core/experiment/answer/answer.js'
 * @import { MeasuredPart, Score } from '../core/full-test/score.js'
 * @typedef {{ low: number, high: number }} Ends
 * @typedef {{ name: string, figure: string, picture: string }} DrawnBar `picture`: markup
 * @typedef {object} Fact
 * @property {string} title
 * @property {DrawnBar[]} [bars]
 * @property {{ scale: string, lines: (DrawnBar & { unclear?: string })[] }} [dots] of ratios, on a logarithmic scale: markup;
 *   `unclear`: the icon of a figure that is not clear, which is its interval
 * @property {string} source
 * @property {string} [href] of a source that is no part of the page
 * @typedef {{ name: string, ratio: number, interval?: Ends, isPredicted?: boolean }} NamedRatio
 * @typedef {object} Example
 * @property {string} places what was measured, with what
 * @property {string} date
 * @property {string[]} sentences of its decision
 * @property {{ question: string, label: string, bars: DrawnBar[] }[]} answers `label`: what their bars say, in words
 * @property {number} samePercent that two may differ by and be the same
 * @property {Fact[]} facts
 */

const FILE = new URL('../views/example-run.json', import.meta.url);

/** The height of a bar. */
const BAR_PX = 20;

/** Draws the example; its data are JSON. @returns {Example} */
export function drawExample() {
  const { places, document } = JSON.parse(readFileSync(FILE, 'utf8'));
  const { measured, score } = findingsOf(fullTest, document).summary;
  const answers = [newsIn(score.answers), sendingIn(score.answers)].flatMap((answer) => answer ?? []);
  if (answers.length < 2)
    throw new RangeError(`${FILE}: expected answers about news and about sending, got ${answers.length}`);
  return {
    places: `${formatRtt(score.situation.rttMs)} ms ${places}, ${nameBrowser(document.environment.userAgent)}`,
    date: String(document.startedAt).slice(0, 10),
    sentences: score.decision.split(/(?<=[.]) (?=[A-Z])/),
    answers: answers.flatMap(({ question, bars }) => (bars ? [{ question, ...drawPair(bars) }] : [])),
    samePercent: SAME_PERCENT,
    facts: [describeNews(score), describeSending(measured, score), describePublished()],
  };
}

/** Draws what an answer compares, without the mark, which needs the room of a label. @param {Bars} bars */
function drawPair([now, other]) {
  /** @type {Bars} */
  const bars = [now, { ...other, matters: undefined }];
  return { label: describeBars(bars), bars: drawBars(bars) };
}

/** @param {Bars} bars @returns {DrawnBar[]} */
const drawBars = (bars) =>
  drawAnswerBars(bars, { height: BAR_PX }).map(({ name, figure, picture }) => ({
    name,
    figure,
    picture: toMarkup(picture),
  }));

const FROM_EXAMPLE = Object.freeze({ source: 'See example' });

/** What push would save the example’s page. @param {Score} score @returns {Fact} */
function describeNews({ answers }) {
  const { best, choices = [] } = newsIn(answers)?.news ?? {};
  const now = choices.find(({ isNow }) => isNow);
  const other = choices.find(({ by }) => by === best?.delivery);
  const { share, what } = best?.saving ?? {};
  return {
    title: `Push: ${share} fewer ${what} (calculated)`,
    bars: now && other ? drawBars([toBar(now), toBar(other)]) : [],
    ...FROM_EXAMPLE,
  };
}

/** @param {NewsChoice} choice @returns {Bars[number]} what it costs in an hour */
const toBar = ({ name, by, count, bytes }) => ({
  name,
  value: bytes ?? count,
  figure: `${bytes ? formatBytes(bytes) : formatCount(Math.round(count), 'request')}/h`,
  colour: `delivery-${typeof by === 'number' ? 'poll' : by}`,
});

/** What the example says about messages, near and far. @param {readonly MeasuredPart[]} measured @param {Score} score @returns {Fact} */
function describeSending(measured, { situation }) {
  const ratios = [Math.min(...USUAL_DISTANCES_MS), Math.max(...USUAL_DISTANCES_MS)].flatMap((rttMs) => {
    const sending = sendingIn(scoreOf(measured, situation, { rttMs }).answers);
    if (!sending) return [];
    const { estimate: ratio, low, high } = sending;
    return [{ rttMs, name: `${rttMs} ms`, ratio, interval: { low, high }, isPredicted: true }];
  });
  return {
    title: `${LABELS[situation.uses]} and ${LABELS[situation.considers]}, predicted: ${titlePredicted(ratios)}`,
    dots: drawRatios(ratios),
    ...FROM_EXAMPLE,
  };
}

/**
 * @param {readonly (Required<NamedRatio> & { rttMs: number })[]} ratios near and far
 * @returns {string} such as 'no clear difference at 20 ms, same within 10% at 230 ms'
 */
const titlePredicted = (ratios) =>
  ratios
    .map(
      ({ rttMs, ratio, interval }) => `${uncapitalize(sayRatio({ estimate: ratio, ...interval }).word)} at ${rttMs} ms`,
    )
    .join(', ');

/** Of the published counts, the one that lasts longest. */
const PUBLISHED_COUNT = 1000;

/** What the experiment found that the site repeats. @returns {Fact} */
function describePublished() {
  const [near, far] = [PUBLISHED.localhost, PUBLISHED.distance].map(({ name, rates }) => ({
    name,
    ratio: Number(withRatio(rates[PUBLISHED_COUNT]).ratio),
  }));
  return {
    title: `${LABELS.sockjs} in 2012: ${UNITS['times-as-fast'].format(near.ratio)} as fast as AJAX on localhost, ${UNITS['times-as-fast'].format(far.ratio)} to London`,
    dots: drawRatios([near, far]),
    source: 'Published without intervals',
    href: '/ajaxtest',
  };
}

/** A ratio has no zero from which a bar could begin. @param {readonly NamedRatio[]} ratios @returns {Fact['dots']} */
function drawRatios(ratios) {
  /** @type {readonly Figure[]} */
  const figures = ratios.map(
    /** @returns {Figure} */ ({ ratio, interval, isPredicted }) => ({
      value: ratio,
      ...interval,
      mark: markOfRatio(ratio, interval),
      ...(isPredicted && { local: 'predicted' }),
    }),
  );
  const whiskers = createWhiskers('times-as-fast', figures);
  return (
    whiskers && {
      scale: toMarkup(whiskers.drawHead()),
      lines: ratios.map(({ name, ratio, interval }, i) => ({
        name,
        ...(interval && figures[i].mark === 'unclear'
          ? {
              figure: `${formatRange({ estimate: ratio, ...interval })}x`,
              unclear: toMarkup(iconOf('unclear')),
            }
          : { figure: UNITS['times-as-fast'].format(ratio) }),
        picture: toMarkup(whiskers.draw(figures[i])),
      })),
    }
  );
}

/** @param {number} estimate @param {Ends} [interval] @returns {Answer['mark']} */
const markOfRatio = (estimate, { low, high } = { low: estimate, high: estimate }) =>
  sayRatio({ estimate, low, high }).mark;
