/** Places beside each other, to paste into an issue or a wiki. */
import { describeSameDistance } from '../decision/distance-model.js';
import { escape } from '../../../base/foreign-text.js';
import { toMarkdown, turn } from '../../../experiment/table.js';
import { headOfSide, tabulateRates, tabulateSides } from './table.js';
import { formatBeside } from '../../../experiment/places/run-title.js';
import { describeWay } from '../../../experiment/places/run-way.js';

/** @import { PlaceComparison } from './comparison.js' */

/** @param {PlaceComparison} comparison @param {string} link to the page that shows it @returns {string} */
export function formatMarkdown(comparison, link) {
  const { sides, differences } = comparison;
  return [
    `### ${escape(formatBeside(sides.map(({ title }) => title)))}`,
    '',
    ...sides.flatMap((side) => [
      `**${escape(headOfSide(side))}.** ${escape(side.report.verdict.headline)}. ${escape(side.report.verdict.detail)}`,
      '',
      ...toMarkdown(tabulateRates(side)),
      '',
    ]),
    ...(differences.length > 0 ? ['Other differences and warnings:', '', ...listOf(differences), ''] : []),
    ...toMarkdown(turn(tabulateSides(comparison), headOfSide)),
    '',
    ...listOf(listSentences(comparison)),
    '',
    link,
    '',
  ].join('\n');
}

/**
 * The sentences beside the tables: how each run fits the prediction of the first one, and its distance.
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

/** @param {readonly string[]} sentences */
function listOf(sentences) {
  return sentences.map((sentence) => `- ${escape(sentence)}`);
}
