/** The part of the loads in a full test: what a large message on the same socket costs small ones. */
import { parseFields } from '../../experiment/plan/fields.js';
import { answerCost } from '../../experiment/answer/answer.js';
import { FIELDS, PROBES, SAME, secondsOf } from './plan.js';
import { rowOf } from './summary.js';
import { conclusionOf, formatAhead } from './words.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/plan/situation.js'
 * @import { UnderLoadPlan } from './plan.js'
 * @import { UnderLoadSummary } from './summary.js'
 */

/** Without chunks, and with shorter transfers. */
const QUICK = Object.freeze({ loads: ['unloaded', 'http-down', 'ws-down'], seconds: 2 });

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Under load',
  about: 'How long small messages wait while a large one downloads.',
  isExtra: true,
  quickPlan,
  secondsOf,
  answer,
};

/** @param {Situation} situation @param {{ seed: number }} path @returns {UnderLoadPlan} */
function quickPlan({ uses, considers }, { seed }) {
  const probes = Object.keys(PROBES).filter((name) => [uses, considers, 'ws', SAME].includes(name));
  return { ...parseFields(new URLSearchParams(), FIELDS, { seed }), ...QUICK, transports: probes };
}

/** Answers how much longer a message takes on the socket of the load, at most. @param {UnderLoadSummary} found @returns {OwnAnswer} */
function answer(found) {
  const { about } = found;
  const said = conclusionOf(found);
  const same = about && rowOf(about, SAME)?.addedMax;
  if (!same) return answerCost(said);
  // A size is fitted to its path, so the figure compares no places.
  const ms = Math.max(0, same.median);
  return answerCost(said, {
    estimate: ms,
    unit: 'waited-ms',
    condition: `for ${formatAhead(about, ms)}`,
    amount: null,
  });
}
