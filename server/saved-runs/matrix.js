/** What pages show of a matrix: of a study, whose rows are places, and of a comparison, whose rows are runs. */
import { toMarkup } from '../../core/base/svg.js';
import { MARKS } from '../../core/experiment/answer.js';
import { iconOf } from '../../core/full-test/icons.js';
import { describeFigures, describeLeftOut, formatCount } from '../../core/matrix/export.js';

/** @import { MatrixCell, MatrixColumn } from '../../core/matrix/cells.js' */

/** The icon of each mark, once in a page, where all cells refer to it. */
export const ICONS = MARKS.map((mark) => ({
  mark,
  symbol: toMarkup(iconOf(mark)).replace(/^<svg[^>]*>|<\/svg>$/g, ''),
}));

/** @param {MatrixColumn} column */
export const describeColumn = (column) => ({ question: column.question, figures: describeFigures(column) });

/** @param {MatrixCell} cell @param {{ isOfRun?: boolean }} [row] `isOfRun`: its row is one run, which needs no count */
export const describeCell = (cell, { isOfRun = false } = {}) => ({
  ...cell,
  shown: cell.figure ?? (cell.kind === 'verdict' ? '' : '–'),
  about: describeCount(cell, isOfRun),
});

/** @param {MatrixCell} cell @param {boolean} isOfRun @returns {string} such as '6 runs, 95% CI 1.4x to 1.5x, 1 with warnings' */
function describeCount(cell, isOfRun) {
  if (cell.ids.length === 0) return '';
  const spread = cell.ends && `${cell.spread} ${cell.ends}`;
  return [isOfRun ? '' : formatCount(cell.count), spread, cell.range && `range ${cell.range}`, describeLeftOut(cell)]
    .filter(Boolean)
    .join(', ');
}
