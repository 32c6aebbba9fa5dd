/** Shows the same answers for users at several distances, a row each with two bars a question, and the field of the visitor's own list. */
import { DASH, formatRtt } from '../../../core/base/format.js';
import { describeLeading, leadingOf } from '../../../core/experiment/answer/answer-card.js';
import { drawAnswerBars } from '../../../core/picture/bars.js';
import { parseField } from '../../../core/experiment/plan/fields.js';
import { DISTANCES, DISTANCES_NOTE, nameDistance, USUAL_DISTANCES_MS } from '../../../core/full-test/distances.js';
import { createSvg } from '../charts/svg.js';
import { create, element, keepTogether, tryOrSay } from '../base/page.js';
import { createPill } from './answers.js';
import { keepInAddress } from './axis-slider.js';

/** @import { Answer } from '../../../core/experiment/answer/answer.js' */
/** @import { Bars } from '../../../core/picture/bars.js' */
/** @import { Distance } from '../../../core/full-test/distances.js' */
/**
 * @typedef {{ head: string, by: string, hasVerdict: boolean, answerOf(row: Distance): Answer | undefined, isMeasuredIn(row:
 *   Distance): boolean }} Topic `by`: the head of its gains; `hasVerdict`: where these do not say it
 */

const BAR_PX = 8;

/** @type {readonly Topic[]} */
const TOPICS = [
  { head: 'News', by: 'Sooner', hasVerdict: false, answerOf: ({ news }) => news, isMeasuredIn: () => false },
  {
    head: 'Sending',
    by: 'Faster',
    hasVerdict: true,
    answerOf: ({ sending }) => sending,
    isMeasuredIn: ({ isMeasured }) => isMeasured,
  },
];

/** @returns the distances of the page's link; the usual ones if it has none, or wrong ones */
const linkedDistances = () =>
  tryOrSay(() => parseField(new URLSearchParams(location.search).get(DISTANCES.parameter), DISTANCES)) ??
  USUAL_DISTANCES_MS;

/**
 * Shows what a run answers at the distances of the visitor's list, and again when that changes.
 * @param {(distancesMs: readonly number[]) => readonly Distance[]} list without any rows, nothing is shown
 */
export function showDistances(list) {
  showRows(list(linkedDistances()));
  const field = element('#own-distances', HTMLInputElement);
  field.value = linkedDistances().join(', ');
  element('#distance-form', HTMLFormElement).onsubmit = (event) => {
    event.preventDefault();
    const say = (/** @type {string} */ message) => (element('#distance-error').textContent = message);
    const asked = tryOrSay(() => parseField(field.value, DISTANCES), say);
    if (asked) field.removeAttribute('aria-invalid');
    else field.setAttribute('aria-invalid', 'true');
    if (!asked) return;
    keepInAddress(DISTANCES.parameter, ...asked);
    showRows(list(asked));
  };
}

/** @param {readonly Distance[]} rows */
function showRows(rows) {
  for (const part of ['#rtt-choice', '#distances', '#distance-list']) element(part).hidden = rows.length === 0;
  element('#distances-note').textContent = DISTANCES_NOTE;
  const topics = TOPICS.filter(({ answerOf }) => rows.some(answerOf));
  const heads = ['Away', ...topics.flatMap(({ head, by, hasVerdict }) => [head, by, ...(hasVerdict ? [''] : [])])];
  const longest = topics.map(({ answerOf }) =>
    Math.max(0, ...rows.flatMap((row) => answerOf(row)?.bars?.map(({ value }) => value) ?? [])),
  );
  const body = rows.map((row) => createRow(row, topics, longest));
  element('#distance-rows').replaceChildren(
    create(
      'thead',
      {},
      create('tr', {}, ...heads.map((head) => create(head ? 'th' : 'td', head ? { scope: 'col' } : {}, head))),
    ),
    create('tbody', {}, ...body),
  );
}

/** @param {Distance} row @param {readonly Topic[]} topics @param {readonly number[]} longest bar of each, ms */
function createRow(row, topics, longest) {
  const { rttMs, isOwn, isMeasured } = row;
  const name = isMeasured ? 'this run' : nameDistance(rttMs);
  const head = create('th', { scope: 'row' }, ...keepTogether(`${formatRtt(rttMs)} ms`));
  if (name) head.append(' ', create('small', {}, name));
  const cells = topics.flatMap((topic, i) => createCells(row, topic, longest[i]));
  return create('tr', isOwn ? { 'aria-current': 'true' } : {}, head, ...cells);
}

/** @param {Distance} row @param {Topic} topic @param {number} longest ms */
function createCells(row, { head, hasVerdict, answerOf, isMeasuredIn }, longest) {
  const answer = answerOf(row);
  if (!answer) return [create('td', { colspan: hasVerdict ? '3' : '2' }, DASH)];
  const { bars } = answer;
  const { gain, range } = describeLeading(leadingOf(answer));
  const about = [range, ...(isMeasuredIn(row) ? ['measured'] : [])].filter(Boolean).join(', ');
  return [
    create('td', { 'data-name': head }, ...(bars ? createPair(bars, longest) : [DASH])),
    create(
      'td',
      { class: 'gain' },
      create('strong', {}, ...keepTogether(gain)),
      create('small', {}, ...keepTogether(about)),
    ),
    ...(hasVerdict ? [create('td', { class: 'judged' }, createPill(brief(answer)))] : []),
  ];
}

/** Its bound is in the card. @param {Answer} answer @returns {{ mark: Answer['mark'], word: string }} */
const brief = ({ mark, word }) => ({ mark, word: word.replace(/ \(.*\)$/, '') });

/** @param {Bars} bars @param {number} longest ms */
function createPair(bars, longest) {
  const pair = create('span', { class: 'pair' });
  const drawn = drawAnswerBars(bars, { longest, height: BAR_PX, hasMark: false });
  pair.append(...drawn.map(({ picture }) => createSvg(picture)));
  const [from, to] = bars.map(({ figure }) => figure);
  const unit = / \S+$/.exec(to)?.[0] ?? '';
  const short = from.endsWith(unit) ? from.slice(0, from.length - unit.length) : from;
  const figures = create('small', {}, short, create('span', { class: 'to' }, '→'), ...keepTogether(to));
  return [pair, figures];
}
