/**
 * Shows the answers of a run. What decides is a card: question, verdict with icon and word, one large figure, and two bars. Any
 * other is a line.
 */
import { capitalize, isVeryWide } from '../../../core/base/format.js';
import { figureOf } from '../../../core/experiment/answer/answer.js';
import { describeBars, describeMatters, leadingOf } from '../../../core/experiment/answer/answer-card.js';
import { drawAnswerBars, placeOfMark } from '../../../core/picture/bars.js';
import { iconOf } from '../../../core/picture/icon.js';
import { createSvg } from '../charts/svg.js';
import { create, element, keepTogether } from '../base/page.js';

/** @import { Answer } from '../../../core/experiment/answer/answer.js' */
/** @import { Bars } from '../../../core/picture/bars.js' */
/** @typedef {(experiment: string) => string} HrefOf the address of a full result */

/** Shows each answer as a card, or as a line if it decides nothing. @param {readonly Answer[]} answers @param {HrefOf} hrefOf */
export function showAnswers(answers, hrefOf) {
  // Users notice news most.
  const sorted = [...answers].sort((a, b) => Number(b.topic === 'news') - Number(a.topic === 'news'));
  const items = sorted.map((answer) => {
    const { experiment, mark } = answer;
    const link = createLink(answer, hrefOf(experiment));
    const children = answer.topic ? createCard(answer, link) : createLine(answer, link);
    const kind = answer.topic ? 'answer-card' : 'answer-line';
    return create('li', { class: kind, 'data-mark': mark, 'data-experiment': experiment }, ...children);
  });
  element('#lines').replaceChildren(...items);
}

/** @param {{ mark: Answer['mark'], word: string }} verdict @returns {HTMLElement} its icon and its word */
export const createPill = ({ mark, word }) =>
  create('span', { class: 'word pill', 'data-mark': mark }, createSvg(iconOf(mark)), word);

/**
 * Creates what one test shows in the same way: its question is the page's heading, so the card has the place in the plan instead.
 * @param {Answer} answer @returns {HTMLElement}
 */
export function createLead(answer) {
  const { mark, at } = answer;
  const place = { ...answer, question: at ? capitalize(at) : '' };
  return create('div', { class: 'answer-card', 'data-mark': mark }, ...createCard(place));
}

/** @param {Answer} answer @param {readonly HTMLElement[]} [link] to the full result @returns {HTMLElement[]} */
function createCard(answer, link = []) {
  const { question, reason = '', aside = reason, bars, barsTitle } = answer;
  const { figure, word = '', limits, interval } = leadingOf(answer);
  const beside = create('span', { class: 'beside' });
  beside.append(
    create('b', limits ? { class: 'limits' } : {}, ...keepTogether(limits ?? word)),
    create('small', {}, ...keepTogether(interval ?? '')),
  );
  return [
    create(
      'span',
      { class: 'answer-head' },
      ...(question ? [create('strong', { class: 'question' }, ...keepTogether(question))] : []),
      createPill(answer),
    ),
    create(
      'span',
      { class: hasSupport(answer) ? 'figure' : 'figure minor' },
      ...(figure ? [create('strong', {}, ...keepTogether(figure)), ' '] : []),
      beside,
    ),
    ...(bars ? [createBars(bars, barsTitle)] : []),
    create(
      'span',
      { class: 'reason' },
      ...createReason(answer.news, bars ? aside : reason),
      ...link.flatMap((one) => [' ', one]),
    ),
  ];
}

/** A figure without a verdict, or with a very wide interval, is none to act on. @param {Answer} answer @returns {boolean} */
function hasSupport({ mark, verdict, low, high }) {
  if (low && high && isVeryWide({ low, high })) return false;
  return Boolean(verdict) || mark !== 'unclear';
}

/**
 * How often there is news decides what push saves: its sentence ends with a link to that setting, if the page has it.
 * @param {Answer['news']} news @param {string} reason @returns {(string | HTMLElement)[]}
 */
function createReason(news, reason) {
  const setting = news && document.querySelector('select#news');
  if (!(setting instanceof HTMLSelectElement)) return keepTogether(reason);
  const link = create('a', { href: '#news', class: 'change' }, 'change');
  link.addEventListener('click', (event) => {
    event.preventDefault();
    element('#change').click();
    const fold = setting.closest('details');
    if (fold) fold.open = true;
    setting.focus({ preventScroll: true });
    setting.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  return [...keepTogether(reason.slice(0, -1)), ' (', link, ').'];
}

/**
 * Creates the two bars of an answer, with their figures and the mark from which a difference matters.
 * @param {Bars} bars @param {string} [title]
 */
export function createBars(bars, title) {
  const label = ['Chart', ...(title ? [title] : []), describeBars(bars)].join('. ');
  const place = create('span', { class: 'answer-bars', role: 'img', 'aria-label': label });
  if (title) place.append(create('b', {}, ...keepTogether(title)));
  for (const { name, figure, picture } of drawAnswerBars(bars))
    place.append(
      create('span', {}, ...keepTogether(name)),
      create('span', { class: 'answer-track' }, createSvg(picture)),
      create('strong', {}, ...keepTogether(figure)),
    );
  const { matters } = bars[1];
  if (matters) place.append(createMarkLabel(describeMatters(matters), placeOfMark(bars) ?? 0));
  return place;
}

/** It ends or begins beneath its mark, on the side that has more room. @param {string} words @param {number} share of the bar's width */
function createMarkLabel(words, share) {
  const isLeft = share > 0.5;
  const label = create('small', { class: `matters-label ${isLeft ? 'left' : 'right'}` }, words);
  label.style.setProperty('--room', `${100 * (isLeft ? 1 - share : share)}%`);
  return label;
}

/** @param {Answer} answer @param {readonly HTMLElement[]} link @returns {HTMLElement[]} */
function createLine(answer, link) {
  const { question, reason = '' } = answer;
  const { figure, interval } = figureOf(answer);
  const figures = [
    ...(figure ? [create('strong', {}, ...keepTogether(figure)), ' '] : []),
    ...(interval ? [create('small', {}, ...keepTogether(interval))] : []),
  ];
  return [
    create('strong', { class: 'question' }, question),
    createPill(answer),
    create('span', { class: 'figure' }, ...figures),
    create('span', { class: 'reason' }, ...keepTogether(reason)),
    ...link,
  ];
}

/** @param {Answer} answer @param {string} href @returns {HTMLElement[]} a link to the full result, if there is one */
const createLink = ({ hasResult, question }, href) =>
  hasResult ? [create('a', { href, 'aria-label': `${question}: full result` }, 'Full result ›')] : [];
