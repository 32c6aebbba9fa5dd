/** The part of the reachability test in a full test: whether WebSockets work from here. */
import { listOf } from '../../base/format.js';
import { parseFields } from '../../experiment/plan/fields.js';
import { nameBeneath, withoutVerdict } from '../../experiment/answer/answer.js';
import { describeFault, describeIdle } from './conclusion.js';
import { expectedMs, FIELDS } from './plan.js';
import { countResults } from './summary.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/plan/situation.js'
 * @import { Verdict } from '../../experiment/answer/verdict.js'
 * @import { ReachPlan } from './plan.js'
 * @import { ReachSummary } from './summary.js'
 */

/** The longest is as long as the interval of SockJS’s heartbeats: after more, its connections are never silent. */
const SILENCES_MS = [500, 5000, 25_000];

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Reachability',
  about: 'Whether WebSockets open, and survive silence, on the path to this server.',
  quickPlan,
  secondsOf: (plan, roundTripMs) => Math.ceil(expectedMs(plan, roundTripMs) / 1000),
  answer: answerReach,
};

/** @param {Situation} _ @param {{ seed: number }} path @returns {ReachPlan} */
function quickPlan(_, { seed }) {
  return { ...parseFields(new URLSearchParams(), FIELDS, { seed }), silences: SILENCES_MS };
}

/** Answers whether WebSockets work, with the number of checks that passed. @param {ReachSummary} found @returns {OwnAnswer} */
export function answerReach(found) {
  const { works, lost } = found;
  if (works === undefined) return withoutVerdict('The checks ended before that was known.');
  const { pass, fail, untested } = countResults(found);
  return {
    ...sayWhether(works, lost),
    estimate: pass,
    total: pass + fail,
    unit: 'checks-passed',
    // With the others, they are all checks.
    ...(untested > 0 && { condition: `${nameBeneath('checks-passed')}, ${untested} not tested` }),
    reason: works
      ? describeIdle(found).join(' ') || 'Silent connections were not checked.'
      : `WebSocket: ${describeFault(found)}`,
  };
}

/** @param {boolean} works @param {readonly string[]} lost kinds of messages @returns {Verdict} */
function sayWhether(works, lost) {
  if (!works) return { mark: 'worse', word: 'Does not work' };
  return lost.length > 0
    ? { mark: 'worse', word: `Loses ${listOf(lost)} messages` }
    : { mark: 'better', word: 'Works' };
}
