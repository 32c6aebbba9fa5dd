/** The part of the cuts in a full test: what a dead connection costs, as values. */
import { parseFields } from '../../experiment/plan/fields.js';
import { answerCost } from '../../experiment/answer/answer.js';
import { feedMethods } from '../../net/feed/index.js';
import { namesOf } from '../../net/rows.js';
import { FIELDS, secondsOf } from './plan.js';
import { aboutOf, conclusionOf } from './words.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/plan/situation.js'
 * @import { CutsPlan } from './plan.js'
 * @import { CutsSummary } from './summary.js'
 */

/** A ping notices within 10 s, a poll within 12: before the server's reset tells them. */
const QUICK = Object.freeze({ cuts: ['dead'], seconds: 15, blocks: 3 });

/** @type {FullTestPart} */
export const fullTest = {
  question: 'When the network breaks',
  about: 'For how long a dead connection costs messages, and who notices it.',
  isExtra: true,
  quickPlan,
  secondsOf,
  answer,
};

/** @param {Situation} situation @param {{ seed: number }} path @returns {CutsPlan} */
function quickPlan({ considers }, { seed }) {
  const isUsed = Object.values(feedMethods).some(({ transport }) => transport === considers);
  const transport = isUsed ? considers : 'ws';
  const deliveries = [...namesOf(feedMethods, (row) => row.name === 'poll' || row.transport === transport)];
  return { ...parseFields(new URLSearchParams(), FIELDS, { seed }), ...QUICK, deliveries };
}

/**
 * Answers how long the cut that the conclusion is about kept a method with pings away; without pings, it is as long as the plan's cut.
 * @param {CutsSummary} found @returns {OwnAnswer}
 */
function answer(found) {
  const cut = aboutOf(found)?.cut;
  const pinging = found.rows.find(
    (row) => row.cut === cut && feedMethods[row.delivery].hasPings && !feedMethods[row.delivery].replays,
  );
  const back = pinging?.isByReset ? undefined : pinging?.back;
  return answerCost(conclusionOf(found), back && { estimate: back.median / 1000, unit: 'lost-seconds' });
}
