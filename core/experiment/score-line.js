/** Defines what an experiment declares for a full test: its question, its short plan, and the line that answers. */
import { capitalize, formatRange, formatRatio } from '../base/format.js';
import { isClear, isLittle, isSmall, nameVerdict } from './compare.js';

/**
 * @typedef {object} FullTestPart
 * @property {string} question of its line, in a few words, such as 'Sending a message'; also the experiment's `label`
 * @property {string} about what is measured, in a sentence
 * @property {(situation: Situation) => boolean} [isNeeded] whether the situation is about it; absent if it is selected in
 *   any
 * @property {boolean} [isExtra] whether the visitor has to select it
 * @property {boolean} [predicts] whether its line holds for users at any distance, by a model; absent if it says nothing
 *   but what was measured
 * @property {(situation: Situation, path: { roundTripMs: number, seed: number }) => any} quickPlan `roundTripMs`: over
 *   HTTP
 * @property {(plan: any, roundTripMs: number) => number} secondsOf the plan, about
 * @property {(situation: Situation) => string} [conditionOf] what its figure depends on besides the transports, in a few words
 * @property {(found: any, situation: Placed) => ScoreLine} lineOf `found`: the summary of a run that ended as planned
 *
 * @typedef {object} ScoreLine what a run answers of its question
 * @property {'better' | 'same' | 'worse' | 'unclear' | 'none'} mark for what the visitor considers; `unclear` also
 *   without a verdict; `none`: not measured
 * @property {string} word the verdict, such as 'Sooner'
 * @property {string} [figure] with its unit
 * @property {string} [interval] of the figure
 * @property {Amount} [amount] the figure as a number
 * @property {string} reason a sentence
 * @property {string} [at] where, if a line is about one of several, such as 'download of 1 MB': the same in all runs of a plan
 * @property {Finding} [finding] for the sentence that decides
 *
 * @typedef {SendingFinding | NewsFinding} Finding
 * @typedef {{ protocol: string, cost?: string }} UsedFallback `cost`: what its figures include besides the path's time
 * @typedef {object} SendingFinding
 * @property {'sending'} topic
 * @property {VerdictName} verdict
 * @property {string} name of what was considered
 * @property {string} baseline the label of what is used
 * @property {Interval} speedRatio of the verdict
 * @property {Interval} savingMs how much faster a message is answered
 * @property {Overhead} [overhead] by which its speed follows at any round-trip time
 * @property {UsedFallback} [fallback]
 * @typedef {{ transport: string, baselineMs: number, messageMs: number }} Overhead the time that a message takes besides the
 *   round trip, with what is used and with `transport`, which was considered
 * @typedef {object} NewsFinding
 * @property {'news'} topic
 * @property {Interval} gainMs how much sooner than by polling
 * @property {number} pollDelayMs mean delay by polling
 * @property {number} maxPollDelayMs the longest
 * @property {number} pollCountPerHour requests by polling
 * @property {number} pushCountPerHour requests and frames by push, for visits of 10 minutes
 * @property {string} saving of requests, such as '87% fewer requests'
 * @property {string} name of what was considered
 * @property {string} [simpler] the name of a simpler method that was measured to be as soon
 * @property {UsedFallback} [fallback]
 *
 * @import { Interval } from '../base/statistics.js'
 * @import { Amount, Unit } from './amount.js'
 * @import { Judged, VerdictName } from './compare.js'
 * @import { Placed, Situation } from './situation.js'
 */

/** @type {Readonly<Record<VerdictName, ScoreLine['mark']>>} */
const MARKS = Object.freeze({
  faster: 'better',
  same: 'same',
  'little-faster': 'same',
  'little-slower': 'same',
  slower: 'worse',
  unclear: 'unclear',
});

/**
 * What a verdict is to a visitor who considers what was compared: a little is no reason to move, if it is one.
 * @param {Judged} judged with a verdict @returns {ScoreLine['mark']}
 */
export const markOf = ({ verdict, ratio }) =>
  isLittle({ verdict }) && ratio && !isSmall(ratio.estimate) ? 'unclear' : MARKS[/** @type {VerdictName} */ (verdict)];

/**
 * Formats a comparison for a line.
 * @param {Judged} judged the considered, compared with what is used
 * @param {{ where?: string, what?: string, interval?: string, unit?: Unit }} [words] `where`: in a few words, such as 'at
 *   1 MB'; `interval`: its name; `unit`: of its amount
 * @returns {Omit<ScoreLine, 'reason'> | undefined} absent without a verdict
 */
export function formatJudgedLine(judged, { where = '', what = 'as fast', interval = '95% CI', unit } = {}) {
  const { verdict, ratio } = judged;
  if (!verdict || !ratio) return undefined;
  return {
    mark: markOf(judged),
    word: [capitalize(nameVerdict(judged)), ...(isClear(judged) && where ? [where] : [])].join(' '),
    figure: `${formatRatio(ratio)} ${what}`,
    interval: `${interval} ${formatRange(ratio)}`,
    amount: { value: ratio.estimate, unit: unit ?? 'times-as-fast' },
  };
}

/** @param {string} reason in a sentence @returns {ScoreLine} where too little was measured for a verdict */
export const withoutVerdict = (reason) => ({ mark: 'unclear', word: 'No verdict', reason });
