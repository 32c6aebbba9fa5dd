/** Tables whose cells are coloured by their verdicts, side by side, with what the colours mean. */
import { SAME_PERCENT } from '../../../../core/experiment/compare.js';
import { create, createItems } from '../element.js';
import { fillTable } from '../table.js';

/** @import { Report } from '../../../../core/experiment/contract.js' */

/** A ratio of 8, or of 1/8, has the strongest colour. */
const STRONGEST_LOG2 = 3;

const LEGEND = /** @type {const} */ ([
  ['faster', '2.0x: faster'],
  ['slower', '0.50x: slower'],
  ['same', `same: within ${SAME_PERCENT}%`],
  ['unclear', 'unclear: no clear difference'],
]);

/** @param {Report['tables']} maps @returns {HTMLElement} */
export function createHeatMaps(maps) {
  const isMarked = maps.some(({ columns }) => columns.some(({ mark }) => mark));
  return create('div', { class: 'heat-maps' }, ...maps.map(createHeatMap), ...(isMarked ? [createLegend()] : []));
}

/** @param {Report['tables'][number]} map */
function createHeatMap({ heading = '', ...table }) {
  const target = fillTable(create('table', { class: 'heat' }), table);
  for (const head of target.tHead?.rows[0].cells ?? []) addBreaks(head);
  table.rows.forEach((row, i) => {
    table.columns.forEach(({ mark }, j) => colour(target.tBodies[0].rows[i].cells[j], mark?.(row)));
  });
  const region = create('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': heading }, target);
  return create('section', {}, create('h3', {}, heading), region);
}

/** @param {HTMLElement} cell @param {ReturnType<NonNullable<Report['tables'][number]['columns'][number]['mark']>>} mark */
function colour(cell, mark) {
  if (!mark) return;
  cell.dataset.verdict = mark.verdict;
  const share = Math.min(1, Math.abs(Math.log2(mark.ratio)) / STRONGEST_LOG2);
  cell.style.setProperty('--strength', `${Math.round(15 + 40 * share)}%`);
}

/** Lets a name like WebSocket break before its inner capital. @param {HTMLElement} head */
function addBreaks(head) {
  const parts = String(head.textContent).split(/(?<=[a-z])(?=[A-Z])/);
  head.replaceChildren(...parts.flatMap((part, i) => (i === 0 ? [part] : [create('wbr', {}), part])));
}

function createLegend() {
  const items = createItems(LEGEND.map(([, text]) => text));
  items.forEach((item, i) => (item.dataset.verdict = LEGEND[i][0]));
  return create('ul', { class: 'heat-legend' }, ...items);
}
