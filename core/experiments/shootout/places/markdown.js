/**
 * Places beside each other, to paste into an issue or a wiki.
 */
import { describeSameDistance } from '../decision/distance-model.js';
import { escape, lineOf } from '../../../base/markdown.js';
import { listFigures, listRates, rateTitlesOf } from './table.js';
import { formatBeside } from '../../../experiment/places/run-title.js';
import { describeWay } from '../../../experiment/places/run-way.js';

/** @import { PlaceComparison, Side } from './comparison.js' */

/**
 * @param {PlaceComparison} comparison
 * @param {string} link to the page that shows it
 * @returns {string}
 */
export function formatMarkdown(comparison, link) {
  const { sides, differences } = comparison;
  return [
    `### ${escape(formatBeside(sides.map(({ title }) => title)))}`,
    '',
    ...sides.flatMap((side) => [
      `**${headOf(side)}.** ${escape(side.report.verdict.headline)}. ${escape(side.report.verdict.detail)}`,
      '',
      lineOf(rateTitlesOf(side)),
      lineOf(['---', '---:', '---:']),
      ...listRates(side).map((cells) => lineOf(cells.map(escape))),
      '',
    ]),
    ...(differences.length > 0
      ? ['What differs besides the places, and what to mind:', '', ...listOf(differences), '']
      : []),
    lineOf(['', ...sides.map(headOf)]),
    lineOf(['---', ...sides.map(() => '---:')]),
    ...listFigures(comparison).map(({ title, cells }) => lineOf([title, ...cells].map(escape))),
    '',
    ...listOf(listSentences(comparison)),
    '',
    link,
    '',
  ].join('\n');
}

/**
 * What is said beside the tables: how each run fits the first one's prediction, and how far it went.
 *
 * @param {PlaceComparison} comparison
 * @returns {string[]}
 */
export function listSentences({ sides, model }) {
  return [
    ...(model ? [describeSameDistance(model)] : []),
    ...sides
      .filter(({ deviation, way }) => deviation || way)
      .map(({ number, title, deviation, way, report: { floorMs } }) => {
        const words = [deviation, way && describeWay(way, floorMs)].filter(Boolean);
        return `${number}. ${title}: ${words.join(' ')}`;
      }),
  ];
}

/** @param {Side} side */
function headOf({ number, title }) {
  return escape(`${number}. ${title}`);
}

/** @param {readonly string[]} sentences */
function listOf(sentences) {
  return sentences.map((sentence) => `- ${escape(sentence)}`);
}
