/**
 * How many blocks a plan has by default, and when a run may end before its last: when its answer is clear. Its plan says after how
 * many blocks it looks, and it ends only where an interval of {@link LOOK_CONFIDENCE} already answers, by the rule of J. L. Haybittle,
 * "Repeated assessment of results in clinical trials of cancer treatment", British Journal of Radiology 44 (1971) 793: a look that is
 * strict costs the last interval almost nothing. What it does cost is simulated, as blocks are few: `test/soak/looks.test.js` says how
 * often the intervals of such runs cover the truth.
 */
import { CONFIDENCE, MIN_BLOCKS } from '../answer/compare.js';
import { integer, integers } from './fields.js';
import { InvalidInputError } from '../../base/foreign-text.js';

/**
 * @import { Rule } from '../answer/compare.js'
 * @import { IntegerField } from './fields.js'
 * @typedef {{ blocks?: number, looks?: readonly number[] }} Looking the part of a plan that says when it looks
 */

/** A run may end when intervals of this confidence answer. */
const LOOK_CONFIDENCE = 0.999;
/** The intervals of a run that looks are of this confidence, and cover the truth in 94% to 96% of runs. */
const FINAL_CONFIDENCE = 0.957;
const MIN_LOOK = 4;
/** With the last block, four looks. */
const MAX_LOOK_COUNT = 3;

/** The blocks of a plan that says nothing else: as many as a verdict needs. */
export const DEFAULT_BLOCKS = MIN_BLOCKS;
/** The blocks of the plans that are made for a visitor, and after which of them these look. */
export const USUAL_LOOKS = Object.freeze({ blocks: 12, looks: Object.freeze([4, 6, 9]) });

/**
 * Declares the number of blocks of a plan.
 * @param {{ min: number, max: number, help: string, parameter?: string, label?: string, isLater?: boolean, before?: number }} options
 * @returns {Readonly<IntegerField>}
 */
export const blocksField = (options) =>
  integer({ parameter: 'blocks', label: 'Blocks', default: DEFAULT_BLOCKS, ...options });

/** The looks, a field of a plan; it has none if it makes all of its blocks. */
export const LOOKS = integers({
  parameter: 'looks',
  label: '',
  help: 'numbers of blocks after which the run ends if its answer is clear',
  min: MIN_LOOK,
  max: 200,
  maxCount: MAX_LOOK_COUNT,
  isLater: true,
});

/** @param {Looking} plan @throws {InvalidInputError} if it looks when it is over */
export function checkLooks({ blocks = 1, looks = [] }) {
  if (looks.every((count) => count < blocks)) return;
  throw new InvalidInputError(`expected numbers below the ${blocks} blocks, got ${looks.join(',')}`, {
    fields: ['looks'],
  });
}

/** @param {Looking} plan @returns {Rule} of its intervals and verdicts */
export const ruleOf = ({ looks }) =>
  looks ? { confidence: FINAL_CONFIDENCE, minBlocks: MIN_LOOK } : { confidence: CONFIDENCE, minBlocks: MIN_BLOCKS };

/** @type {Rule} of the verdicts by which a run may end */
export const LOOK_RULE = Object.freeze({ confidence: LOOK_CONFIDENCE, minBlocks: MIN_LOOK });

/** @param {Looking} plan @param {number} blockCount that were made */
export const looksAfter = ({ looks = [] }, blockCount) => looks.includes(blockCount);

/** @param {Looking} plan @returns {number} of blocks that it has if its answer is soon clear */
export const fewestBlocks = ({ blocks = 1, looks: [first] = [] }) => first ?? blocks;

/** @param {Looking} plan @returns {string} such as 'at most 12 blocks' */
export const describePlanned = ({ blocks = 1, looks }) => `${looks ? 'at most ' : ''}${blocks} blocks`;

/** The plan of a run that is never clear before its end. @template {object} P @param {P} plan @returns {P} */
export const longest = (plan) => ({ ...plan, looks: undefined });

/**
 * Counts the blocks, by the trials that were made.
 * @param {readonly { block?: number }[]} trials @returns {number} of blocks
 */
export const countBlocks = (trials) => 1 + Math.max(-1, ...trials.map(({ block = 0 }) => block));

/**
 * @param {{ plan: Looking, trials: readonly { block?: number }[] }} run @param {number} [count] of its blocks
 * @returns {string} such as '12 blocks', or '6 of at most 12 blocks' of a plan that looks
 */
export function describeBlocks({ plan: { blocks = 1, looks }, trials }, count = countBlocks(trials)) {
  if (count === blocks) return `${blocks} blocks`;
  return `${count} of ${looks ? 'at most ' : ''}${blocks} blocks`;
}

/**
 * @param {{ plan: Looking, trials: readonly { block?: number }[], ending?: unknown }} run
 * @returns {string} a sentence if it ended at a look, else empty
 */
export function describeEarlyEnd({ plan: { blocks = 1, looks }, trials, ending }) {
  return looks && !ending && countBlocks(trials) < blocks ? 'The run ended early, as what it measured was clear.' : '';
}
