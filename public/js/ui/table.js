/** Tables of a report: of figures, and such whose cells are coloured by their verdicts. */
import { DASH } from '../../../core/base/format.js';
import { SAME_PERCENT, VERDICT_LABELS, markOf } from '../../../core/experiment/answer/verdict.js';
import { iconOf } from '../../../core/picture/icon.js';
import { cellsOf, headOf } from '../../../core/experiment/report/table.js';
import { createSvg } from '../charts/svg.js';
import { create, keepAsOne } from '../base/page.js';
import { SHOWN_RATIO, strengthOf } from './strength.js';
import { createTermed } from './terms.js';

/**
 * @import { Answer } from '../../../core/experiment/answer/answer.js'
 * @import { Judged, VerdictName } from '../../../core/experiment/answer/verdict.js'
 * @import { Column, Mark, Table } from '../../../core/experiment/report/table.js'
 * @import { Report } from '../../../core/experiment/report/findings.js'
 */

/** The maximum length of a figure; a longer text is a sentence, such as why there is no figure, and may wrap. */
const MAX_FIGURE_LENGTH = 30;
/** What the words of cells mean that have no figure. @type {Partial<Record<VerdictName, string>>} */
const LEGEND = {
  'little-faster': `>1x: at least ${VERDICT_LABELS['little-faster']}`,
  'little-slower': `<1x: at least ${VERDICT_LABELS['little-slower']}`,
  same: `same: whole CI within ${SAME_PERCENT}%`,
  unclear: `unclear: ${VERDICT_LABELS.unclear}`,
};
/** The maximum number of columns without scrolling. */
const MAX_HEAT_COLUMNS = 8;

/**
 * @param {HTMLTableElement} target is emptied first; each cell also has its column's head, which stands beside it if a
 *   phone shows a row as a card
 * @param {Table<any>} table @returns {HTMLTableElement} the target
 */
export function fillTable(target, table) {
  const { columns } = table;
  const body = target.tBodies[0] ?? target.createTBody();
  target.createTHead().replaceChildren(createRow(columns.map(headOf), columns, 'col'));
  body.replaceChildren(...cellsOf(table).map((cells) => createRow(cells, columns, 'row')));
  columns.forEach(({ note, judgedOf, answerMark }, j) =>
    table.rows.forEach((row, i) => {
      addNote(body.rows[i].cells[j], note?.(row));
      addMark(body.rows[i].cells[j], answerMark?.(row) ?? markIn(judgedOf?.(row)));
    }),
  );
  return target;
}

/**
 * @param {readonly string[]} texts if they are fewer than the columns, the last cell spans the rest
 * @param {readonly Column<any>[]} columns @param {'col' | 'row'} scope 'col' makes all cells heads, 'row' the first
 */
function createRow(texts, columns, scope) {
  const cells = texts.map((text, index) => {
    const [tag, given] = scope === 'col' || index === 0 ? ['th', { scope }] : ['td', {}];
    const cell = create(
      /** @type {'th' | 'td'} */ (tag),
      given,
      ...(scope === 'col' ? createTermed(text) : [keepAsOne(text)]),
    );
    if (columns[index].isText) cell.classList.add('text');
    if (text.length > MAX_FIGURE_LENGTH) cell.classList.add('words');
    if (text === DASH) cell.classList.add('absent');
    if (scope === 'row') cell.dataset.name = headOf(columns[index]);
    return cell;
  });
  const last = cells[cells.length - 1];
  last.colSpan += columns.length - cells.length;
  if (last.colSpan > 1) last.classList.add('reason');
  return create('tr', {}, ...cells);
}

/** @param {HTMLElement} cell @param {string} [note] */
const addNote = (cell, note) => note && cell.append(create('small', {}, note));

/** @param {Judged} [judged] */
const markIn = (judged) => (judged?.verdict ? markOf(judged) : undefined);

/** Puts an icon before words, in the same colour. @param {HTMLElement} cell @param {Answer['mark']} [mark] */
function addMark(cell, mark) {
  if (!mark) return;
  const words = create('span', { class: 'verdict', 'data-mark': mark }, createSvg(iconOf(mark)));
  words.append(create('span', {}, ...cell.childNodes));
  cell.replaceChildren(words);
}

/**
 * Creates a place where a wide table scrolls.
 * @param {string} name @param {HTMLTableElement} table @returns {HTMLDivElement}
 */
export const createScroll = (name, table) =>
  create('div', { class: 'scroll', role: 'region', 'aria-label': name, tabindex: '0' }, table);

/**
 * Creates heat maps side by side, with a legend of the colours that they have.
 * @param {Report['tables']} maps @returns {HTMLElement}
 */
export function createHeatMaps(maps) {
  const marks = maps.flatMap(({ columns, rows }) => columns.flatMap(({ mark }) => rows.map((row) => mark?.(row))));
  return create('div', { class: 'heat-maps' }, ...maps.map(createHeatMap), ...createLegend(marks));
}

/** @param {Report['tables'][number]} map */
function createHeatMap({ heading = '', ...table }) {
  const isWide = table.columns.length > MAX_HEAT_COLUMNS;
  const target = fillTable(create('table', { class: isWide ? 'heat wide' : 'heat' }), table);
  for (const head of target.tHead?.rows[0].cells ?? []) addBreaks(head);
  table.rows.forEach((row, i) => {
    table.columns.forEach(({ mark }, j) => colour(target.tBodies[0].rows[i].cells[j], mark?.(row)));
  });
  return create('section', {}, create('h3', {}, heading), shadeOver(createScroll(heading, target)));
}

/**
 * Adds a shadow above coloured cells, which would hide the one at the edge of a scrolling table.
 * @param {HTMLElement} scroll
 */
function shadeOver(scroll) {
  const place = create('div', { class: 'shaded' }, scroll);
  const look = () =>
    place.classList.toggle('has-more', scroll.scrollLeft + scroll.clientWidth < scroll.scrollWidth - 1);
  scroll.addEventListener('scroll', look);
  new ResizeObserver(look).observe(scroll);
  return place;
}

/** @param {HTMLElement} target @param {Mark} mark */
function tint(target, { verdict, ratio }) {
  target.dataset.verdict = verdict;
  target.style.setProperty('--strength', `${strengthOf(ratio)}%`);
}

/** @param {HTMLElement} cell @param {Mark | undefined} mark */
function colour(cell, mark) {
  if (!mark) return;
  tint(cell, mark);
  if (cell.textContent !== VERDICT_LABELS[mark.verdict]) return;
  // The cell has room for one word; the legend explains it.
  cell.title = VERDICT_LABELS[mark.verdict];
  cell.textContent = LEGEND[mark.verdict]?.split(':')[0] ?? null;
}

/** Lets a name like WebSocket break before its inner capital. @param {HTMLElement} head */
function addBreaks(head) {
  const parts = String(head.textContent).split(/(?<=[a-z])(?=[A-Z])/);
  head.replaceChildren(...parts.flatMap((part, i) => (i === 0 ? [part] : [create('wbr', {}), part])));
}

/** @param {readonly (Mark | undefined)[]} marks @returns {HTMLElement[]} none without marks */
function createLegend(marks) {
  const used = Object.entries(LEGEND).filter(([name]) => marks.some((mark) => mark?.verdict === name));
  const items = used.map(([name, text]) => {
    const item = create('li', {}, text);
    tint(item, { verdict: /** @type {VerdictName} */ (name), ratio: SHOWN_RATIO });
    return item;
  });
  return items.length > 0 ? [create('ul', { class: 'heat-legend' }, ...items)] : [];
}
