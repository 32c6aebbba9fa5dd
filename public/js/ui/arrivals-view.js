/** Shows when the pieces of an answer came: a row for each method, with its name, its track, its figures and its verdict. */
import {
  describeArrivals,
  dotRadiusOf,
  drawArrivalsAxis,
  drawDisc,
  drawTrack,
  LUMP_COUNT,
} from '../../../core/picture/arrivals.js';
import { line, node } from '../../../core/picture/svg.js';
import { createSvg } from '../charts/svg.js';
import { create, keepTogether } from '../base/page.js';
import { createPill } from './answers.js';

/**
 * @import { Arrivals, ArrivalsRow } from '../../../core/picture/arrivals.js'
 * @import { SvgNode } from '../../../core/picture/svg.js'
 * @typedef {{ range: Arrivals['range'], columns: Arrivals['columns'], dotPx: number, width: number }} Shared what all rows have
 * @typedef {{ count?: number, hasGap: boolean }} Keys what the legend explains
 */

const TRACK_PX = 40;
const AXIS_PX = 28;
const KEY = Object.freeze({ colour: 'currentcolor', paper: 'var(--pico-card-background-color)' });

/**
 * @param {HTMLElement} place is emptied first
 * @returns {{ show(arrivals: Arrivals): void, destroy(): void }} `show` draws only the rows that have changed
 */
export function createArrivals(place) {
  const head = create('div', { class: 'arrivals-head' });
  const rows = create('div');
  const axisPlace = create('div', { class: 'arrivals-axis' });
  const axis = create('div');
  axisPlace.append(axis);
  const caption = create('small');
  const picture = create('div', { class: 'arrivals', role: 'img' }, head, rows, axisPlace);
  place.replaceChildren(picture, caption);
  /** @type {Arrivals | undefined} */
  let shown;
  let drawn = { width: 0, head: '', axis: '' };
  /** @type {string[]} what is drawn of each row */
  let states = [];

  const draw = () => {
    // That of the tracks.
    const width = axis.clientWidth;
    if (!shown || width === 0) return;
    const { range, columns } = shown;
    const shared = { range, columns, width, dotPx: dotRadiusOf(shown, width) };
    picture.setAttribute('aria-label', describeArrivals(shown));
    caption.textContent = [`${shown.caption}.`, `${shown.heading}.`, shown.note ?? ''].join(' ').trim();
    const keys = keysOf(shown);
    if (drawn.head !== JSON.stringify([columns, keys])) head.replaceChildren(...createHead(columns, keys));
    const scale = JSON.stringify([range, width]);
    if (drawn.axis !== scale) axis.replaceChildren(createSvg(drawArrivalsAxis(shown, { width, height: AXIS_PX })));
    drawn = { width, head: JSON.stringify([columns, keys]), axis: scale };
    const next = shown.rows.map((row) => JSON.stringify([stateOf(row), shared]));
    for (const [i, row] of shown.rows.entries()) {
      if (next[i] === states[i]) continue;
      const made = createRow(row, shared);
      if (rows.children[i]) rows.children[i].replaceWith(made);
      else rows.append(made);
    }
    while (rows.children.length > shown.rows.length) rows.lastElementChild?.remove();
    states = next;
  };
  const observer = new ResizeObserver(() => axis.clientWidth !== drawn.width && draw());
  observer.observe(axis);
  return {
    show(arrivals) {
      shown = arrivals;
      draw();
    },
    destroy() {
      observer.disconnect();
      place.replaceChildren();
    },
  };
}

/** A row's lumps only grow, but for those of its next trial. @param {ArrivalsRow} row */
const stateOf = ({ lumps, ...row }) => [row, lumps.length, lumps[0], lumps.at(-1)];

/** @param {Arrivals} arrivals @returns {Keys} */
const keysOf = ({ rows }) => ({
  count: rows.flatMap(({ lumps }) => lumps).find(({ count }) => count >= LUMP_COUNT)?.count,
  hasGap: rows.some(({ gap }) => gap),
});

/** @param {readonly string[]} columns @param {Keys} keys @returns {HTMLElement[]} */
function createHead(columns, { count, hasGap }) {
  const [dot, disc, gap] = [
    createKey(10, node('circle', { cx: 5, cy: 12, r: 4, fill: 'currentcolor' })),
    count === undefined ? [] : [createKey(24, ...drawDisc({ x: 12, count, r: 12 }, 12, KEY))],
    hasGap ? [createKey(28, line('gap', { x: 2, y: 12 }, { x: 26, y: 12 }))] : [],
  ];
  const keys = create(
    'span',
    { class: 'arrivals-keys' },
    create('span', {}, dot, 'a piece'),
    ...disc.map((key) => create('span', {}, key, 'pieces at once')),
    ...gap.map((key) => create('span', { class: 'of-gap' }, key, 'longest gap')),
  );
  return [keys, ...columns.map((words) => create('strong', { class: 'column' }, words))];
}

/** @param {number} width @param {...SvgNode} drawn */
const createKey = (width, ...drawn) =>
  createSvg(node('svg', { viewBox: `0 0 ${width} 24`, width, height: 24 }, ...drawn));

/** @param {ArrivalsRow} row @param {Shared} shared @returns {HTMLElement} */
function createRow(row, { width, ...picture }) {
  const { label, colour, figures, word, mark = 'none', gap } = row;
  const made = create(
    'div',
    { class: 'arrivals-row' },
    create('strong', { class: 'name' }, ...keepTogether(label)),
    create('div', { class: 'arrivals-track' }, createSvg(drawTrack(row, picture, { width, height: TRACK_PX }))),
    ...figures.map((figure, i) =>
      create(
        'span',
        { class: `figure${gap && i === figures.length - 1 ? ' of-gap' : ''}` },
        create('small', {}, `${picture.columns[i].toLowerCase()} `),
        create('strong', {}, ...keepTogether(figure)),
      ),
    ),
    ...(word ? [create('span', { class: 'flow' }, createPill({ mark, word }))] : []),
  );
  made.style.setProperty('--row', `var(--${colour})`);
  return made;
}
