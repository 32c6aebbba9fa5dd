/**
 * Shows a full test: the sentence that decides, a card or a line for each question, and the same for users at other distances.
 * Two sliders are for the visitor's users: their round-trip time, and how often the page asks.
 */
import { formatSpan } from '../../../core/base/format.js';
import { newsIn, sendingIn } from '../../../core/full-test/decide.js';
import { parseField } from '../../../core/experiment/plan/fields.js';
import { findingsOf } from '../../../core/experiment/report/findings.js';
import { ELSEWHERE_RTT_MS } from '../../../core/experiment/run/scope.js';
import { SITUATION_FIELDS, slownessIn } from '../../../core/experiment/plan/situation.js';
import { drawDelays, intervalStops } from '../../../core/experiments/jobs/delays.js';
import { drawCurves } from '../../../core/experiments/shootout/curves.js';
import { modelOf, modelsOf, slowDown } from '../../../core/experiments/shootout/distance-model.js';
import { parseRtt, rttStops } from '../../../core/experiments/shootout/round-trip-times.js';
import { scoreOf } from '../../../core/full-test/score.js';
import { listDistances } from '../../../core/full-test/distances.js';
import { describeUsers, tabulateNews } from '../../../core/full-test/report.js';
import { deliveries } from '../../../core/net/delivery/index.js';
import { createPictureView } from '../charts/svg.js';
import { formatRoundTrip, keepInAddress, mountAxisSlider } from './axis-slider.js';
import { create, element, keepTogether, tryOrSay } from '../base/page.js';
import { at } from '../site-url.js';
import { showAnswers } from './answers.js';
import { showDistances } from './distance-rows.js';
import { createScroll, fillTable } from './table.js';
import { showTrust } from './trust.js';

/** @import { Experiment } from '../../../core/experiment/contract.js' */
/** @import { Situation } from '../../../core/experiment/plan/situation.js' */
/** @import { MeasuredPart, Score } from '../../../core/full-test/score.js' */
/** @import { Summary } from '../../../core/experiments/shootout/summary.js' */
/** @import { FullTestDocument } from '../../../core/full-test/schema.js' */
/** @import { HrefOf } from './answers.js' */

/**
 * @typedef {{ rttMs: number, situation: Situation }} Users what the sliders ask about
 * @typedef {{ measured: readonly MeasuredPart[], answers: Score['answers'], ownRttMs: number, isPredicted: boolean, users: Users }}
 *   Asked `answers`, `ownRttMs` and `isPredicted`: of the users that the run itself decides about
 * @typedef {{ ask(users: Users, words: string): void, destroy(): void }} Picture
 */

const EVERY = SITUATION_FIELDS.intervalMs;

/** @param {Experiment} fullTest @param {{ hrefOf: HrefOf }} links to full results */
export function createScoreView(fullTest, { hrefOf }) {
  /** @type {Picture[]} */
  let pictures = [];
  const clear = () => {
    for (const picture of pictures) picture.destroy();
    pictures = [];
    // An echo run has none of these, and what it has instead is not a full test's.
    for (const part of ['#verdict-eyebrow', '#moving', '#lines', '#verdict-detail', '#measured'])
      element(part).replaceChildren();
    element('#delays').hidden = true;
    for (const part of ['#rtt-choice', '#distances', '#distance-list', '#choices']) element(part).hidden = true;
    delete element('#verdict').dataset.every;
  };

  return {
    /** @param {FullTestDocument} document @param {string} [origin] where it comes from, if it was not made just now */
    show(document, origin = '') {
      clear();
      const { summary, report } = findingsOf(fullTest, document);
      const { measured, score } = summary;
      showTrust(report);
      element('#result').hidden = false;
      element('#result-notice').textContent = report.notice ?? '';
      element('#result-origin').textContent = origin;
      const { answers, isPredicted } = score;
      const asked = { measured, answers, ownRttMs: score.situation.rttMs, isPredicted, users: usersOf(score) };
      const answer = createAnswer(asked, hrefOf);
      const words = answer(asked.users);
      pictures = [mountCurves(asked, words), mountDelays(asked, words)].filter((one) => one !== undefined);
      element('#charts').hidden = pictures.length === 0;
      mountSliders(asked, (users) => {
        const said = answer(users);
        for (const picture of pictures) picture.ask(users, said);
      });
    },
    clear,
  };
}

/** The users that a link asks about; a link without any, or with a wrong one, those of the run. @param {Score} score @returns {Users} */
function usersOf({ situation: { rttMs, ...situation } }) {
  const query = new URLSearchParams(location.search);
  const linkedMs = tryOrSay(() => parseRtt(query.get('rtt')));
  const everyMs = tryOrSay(() => parseField(query.get(EVERY.parameter), { ...EVERY, default: situation.intervalMs }));
  return { rttMs: linkedMs ?? rttMs, situation: { ...situation, intervalMs: everyMs ?? situation.intervalMs } };
}

/**
 * @param {Asked} asked @param {HrefOf} hrefOf
 * @returns {(users: Users) => string} shows the answer for them, and returns the text alternative of the charts
 */
function createAnswer(asked, hrefOf) {
  const { measured, ownRttMs } = asked;
  /** @type {number | undefined} */
  let shownIntervalMs;
  return ({ rttMs, situation }) => {
    const score = scoreOf(measured, situation, { rttMs });
    element('#verdict-eyebrow').replaceChildren(...keepTogether(describeUsers(score)));
    element('#verdict-headline').replaceChildren(...keepTogether(score.decision));
    showAnswers(score.answers, hrefOf);
    showMoving(score.uses);
    // The answers at other distances do not depend on this one.
    if (shownIntervalMs !== situation.intervalMs) {
      const own = { ...asked, situation: { ...situation, rttMs: ownRttMs } };
      showDistances((distancesMs) => listDistances(measured, own, distancesMs));
      shownIntervalMs = situation.intervalMs;
    }
    showChoices(tabulateNews(score));
    const { dataset } = element('#verdict');
    dataset.rtt = String(Number(rttMs.toFixed(3)));
    dataset.every = String(situation.intervalMs);
    return `Chart. ${score.decision}`;
  };
}

/** Links to what using other methods takes. @param {readonly string[]} uses the methods, of news first */
function showMoving(uses) {
  const topics = uses.length > 1 ? [' for news', ' for sending'] : [''];
  const links = uses.map((name, i) => create('a', { href: at(movingPath(name)) }, `How to switch${topics[i]}`));
  element('#moving').replaceChildren(...links.flatMap((link, i) => (i === 0 ? [link] : [', ', link])));
}

/** @param {string} name of a transport or a delivery method */
function movingPath(name) {
  const { transport = name } = deliveries[name] ?? {};
  return `/moving/${name === 'long-poll' ? name : transport}`;
}

/** @param {ReturnType<typeof tabulateNews>} tables what lies between polling as now and push: one, or none */
function showChoices([table]) {
  element('#choices').hidden = !table;
  if (!table) return;
  const shown = fillTable(create('table', { class: 'figures stacked' }), table);
  element('#choices-lead').replaceChildren(...keepTogether(table.lead));
  element('#choices .table').replaceChildren(createScroll('Delays, requests and bytes', shown));
  element('#choices-note').replaceChildren(...keepTogether(table.note ?? ''));
}

/** @param {Asked} asked @returns {Summary | undefined} */
function echoIn({ measured, answers }) {
  const sending = sendingIn(answers);
  return measured.find(({ member }) => member.name === sending?.experiment)?.findings?.summary;
}

/** Draws the speed-up over the round-trip time. @param {Asked} asked @param {string} words @returns {Picture | undefined} */
function mountCurves(asked, words) {
  const summary = echoIn(asked);
  const model = summary && modelOf(summary);
  element('#curves').hidden = !model;
  if (!summary || !model) return undefined;
  const models = modelsOf(summary, slowDown(model, slownessIn(asked.users.situation)));
  // What was measured here lies beside the curve of a slower device.
  const dots = slownessIn(asked.users.situation) > 1 ? { dots: [] } : {};
  return createPictureView(
    element('#curves .picture'),
    ({ rttMs }, size) => drawCurves({ models, ...dots, rttMs, ...size }),
    {
      state: asked.users,
      words,
    },
  );
}

/** Draws the delay of news over the polling interval. @param {Asked} asked @param {string} words @returns {Picture | undefined} */
function mountDelays({ measured, answers, users }, words) {
  const { best } = newsIn(answers)?.news ?? {};
  element('#delays').hidden = !best;
  if (!best) return undefined;
  const { polls, intervalMs: ownIntervalMs } = users.situation;
  return createPictureView(
    element('#delays .picture'),
    ({ rttMs, situation }, size) => {
      // As in the answer for these users.
      const own = newsIn(scoreOf(measured, situation, { rttMs }).answers)?.news.best ?? best;
      const { delivery, name, estimate: gainMs } = own;
      const { intervalMs } = situation;
      return drawDelays({ delivery, name, gainMs, rttMs, intervalMs, polls, ownIntervalMs, ...size });
    },
    { state: users, words },
  );
}

/** @param {Asked} asked @param {(users: Users) => void} onInput */
function mountSliders(asked, onInput) {
  let { users } = asked;
  const ask = (/** @type {Users} */ next) => onInput((users = next));
  const floorMs = echoIn(asked)?.floorMs ?? asked.ownRttMs;
  mountAxisSlider({
    slider: element('#rtt', HTMLInputElement),
    output: element('#rtt-value', HTMLOutputElement),
    stops: rttStops([ELSEWHERE_RTT_MS, floorMs, asked.ownRttMs, users.rttMs], floorMs),
    value: users.rttMs,
    format: formatRoundTrip,
    onInput: (rttMs) => ask({ ...users, rttMs }),
    onChange: (ms) => keepInAddress('rtt', ms),
  });
  mountAxisSlider({
    slider: element('#interval', HTMLInputElement),
    output: element('#interval-value', HTMLOutputElement),
    stops: intervalStops(users.situation.intervalMs),
    value: users.situation.intervalMs,
    format: formatSpan,
    onInput: (intervalMs) => ask({ ...users, situation: { ...users.situation, intervalMs } }),
    onChange: (ms) => keepInAddress(EVERY.parameter, ms),
  });
}
