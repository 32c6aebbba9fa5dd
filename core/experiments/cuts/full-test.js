/** The part of the cuts in a full test: what a dead connection costs, as values. */
import { parseFields } from '../../experiment/fields.js';
import { withoutVerdict } from '../../experiment/score-line.js';
import { feedMethods } from '../../net/feed/index.js';
import { namesOf } from '../../net/rows.js';
import { FIELDS, secondsOf } from './plan.js';
import { answerOf } from './words.js';

/**
 * @import { FullTestPart, ScoreLine } from '../../experiment/score-line.js'
 * @import { Situation } from '../../experiment/situation.js'
 * @import { CutsPlan } from './plan.js'
 * @import { CutsSummary } from './summary.js'
 */

const QUICK = Object.freeze({ cuts: ['dead'], seconds: 10, blocks: 3 });

/** @type {FullTestPart} */
export const fullTest = {
  question: 'When the network breaks',
  about: 'How many messages a dead connection costs, and who notices it.',
  isExtra: true,
  quickPlan,
  secondsOf,
  lineOf,
};

/** @param {Situation} situation @param {{ seed: number }} path @returns {CutsPlan} */
function quickPlan({ considers }, { seed }) {
  const isUsed = Object.values(feedMethods).some(({ transport }) => transport === considers);
  const transport = isUsed ? considers : 'ws';
  const deliveries = [...namesOf(feedMethods, (row) => row.name === 'poll' || row.transport === transport)];
  return { ...parseFields(new URLSearchParams(), FIELDS, { seed }), ...QUICK, deliveries };
}

/** @param {CutsSummary} found @returns {ScoreLine} */
function lineOf(found) {
  const lost = Math.max(0, ...found.rows.map((row) => row.lost?.max ?? 0));
  return {
    ...withoutVerdict(answerOf(found)),
    figure: `${lost}`,
    interval: 'messages lost at most',
    amount: { value: lost, unit: 'messages-lost' },
  };
}
