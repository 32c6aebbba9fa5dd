/** Shared shootouts side by side. */
import { PUBLISHED } from '../../../../core/experiments/classic/published.js';
import { describeSameDistance } from '../../../../core/experiments/shootout/distance-model.js';
import { titleOf } from '../../../../core/experiment/names.js';
import { formatNumber } from '../../../../core/base/format.js';
import { turn } from '../../../../core/experiment/table.js';
import {
  createPlaceComparison,
  formatBlocks,
  formatCsv,
  formatMarkdown,
  listSentences,
  headOfSide,
  tabulateRates,
  tabulateSides,
} from '../../../../core/experiments/shootout/comparison.js';
import { createPlaceTable, showDifferences } from '../../compare-page.js';
import { createCurveView } from '../../charts/svg.js';
import { create, createItems, element } from '../page.js';
import { fillTable } from '../table.js';

/** @import { PlaceComparison, Side, WholeRun } from '../../../../core/experiments/shootout/comparison.js' */
/** @import { Shown } from '../../compare-page.js' */

/** Characters that a chart has room for beside a dot. */
const LONGEST_NAME = 20;

/** @param {WholeRun[]} runs the first is what the others are set against @returns {Promise<Shown>} */
export async function showComparison(runs) {
  const comparison = createPlaceComparison(runs);
  const { sides } = comparison;
  showDifferences(comparison);
  element('#place-tables').replaceChildren(...sides.map(createRates));
  element('#published').textContent = describePublished();
  showSideBySide(comparison);
  showDistances(comparison);
  return { markdown: (link) => formatMarkdown(comparison, link), csv: () => formatCsv(comparison) };
}

/** @param {Side} side */
function createRates(side) {
  const { run, report } = side;
  const floor = report.floorMs === undefined ? '' : `Fastest round trip ${formatNumber(report.floorMs, 2)} ms; `;
  return createPlaceTable({
    kind: 'rates',
    caption: headOfSide(side),
    table: tabulateRates(side),
    note: `${floor}${formatBlocks(run.document.plan)}.`,
  });
}

/** @returns {string} what was published, for 1000 messages */
function describePublished() {
  const places = Object.values(PUBLISHED).map(({ name, rates: { 1000: rates } }) => {
    const ratio = (rates.sockjs / rates.ajax).toFixed(3);
    return `${name}, AJAX ${rates.ajax} and SockJS ${rates.sockjs} messages/s, ratio ${ratio}`;
  });
  return `2012, 1000 messages: ${places.join('; ')}. Our ratio compares medians block by block, so one stall has little effect.`;
}

/** @param {PlaceComparison} comparison */
function showSideBySide(comparison) {
  const table = tabulateSides(comparison);
  const target = fillTable(element('#beside', HTMLTableElement), turn(table, headOfSide, 'Figure'));
  for (const [index, { cells }] of [...target.tBodies[0].rows].entries()) {
    const { isText, explanation } = table.columns[index];
    if (isText) for (const cell of cells) cell.classList.add('text');
    if (explanation) cells[0].append(create('small', {}, explanation));
  }
}

/** @param {string} path */
const shorten = (path) => (path.length > LONGEST_NAME ? `${path.slice(0, LONGEST_NAME - 1)}…` : path);

/** @param {PlaceComparison} comparison */
function showDistances(comparison) {
  const { model, sides } = comparison;
  element('#deviations').replaceChildren(...createItems(listSentences(comparison)));
  element('#curves').hidden = !model;
  if (!model) return;
  const dots = sides.flatMap(({ number, run, comparison: own, report: { floorMs } }) =>
    own?.speedRatio && floorMs !== undefined
      ? [{ name: `${number}. ${shorten(titleOf(run))}`, floorMs, speedRatio: own.speedRatio }]
      : [],
  );
  createCurveView({ models: [model], dots }, `Chart. ${describeSameDistance(model)}`);
}
