/** The part of the reachability test in a full test: whether WebSockets work from here. */
import { parseFields } from '../../experiment/fields.js';
import { withoutVerdict } from '../../experiment/answer.js';
import { describeFallback, describeIdle, lostOf } from './conclusion.js';
import { expectedMs, FIELDS } from './plan.js';
import { reasonOf } from './words.js';

/**
 * @import { OwnAnswer, Unit } from '../../experiment/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/situation.js'
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
  answer,
};

/** @param {Situation} _ @param {{ seed: number }} path @returns {ReachPlan} */
function quickPlan(_, { seed }) {
  return { ...parseFields(new URLSearchParams(), FIELDS, { seed }), silences: SILENCES_MS };
}

/** Answers whether WebSockets work, with the number of checks that passed. @param {ReachSummary} found @returns {OwnAnswer} */
export function answer(found) {
  const { works, checks } = found;
  if (works === undefined) return withoutVerdict('The checks ended before that was known.');
  const made = checks.filter(({ result }) => result !== 'untested');
  const passed = made.filter(({ result }) => result === 'pass');
  /** @type {{ estimate: number, total: number, unit: Unit }} */
  const counts = { estimate: passed.length, total: made.length, unit: 'checks-passed' };
  if (!works) {
    return {
      mark: 'worse',
      word: 'Does not work',
      ...counts,
      reason: `${describeFault(found)} ${describeFallback(found)}`,
    };
  }
  const lost = lostOf(found);
  return {
    ...(lost.length > 0
      ? { mark: 'worse', word: `Loses ${lost.join(' and ')} messages` }
      : { mark: 'better', word: 'Works' }),
    ...counts,
    reason: describeIdle(found).join(' ') || 'Silent connections were not checked.',
  };
}

/** @param {ReachSummary} found @returns {string} a sentence */
const describeFault = (found) => `WebSocket: ${reasonOf(found)}.`;
