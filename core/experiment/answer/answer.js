/**
 * The answer: what a run found about one question. Scores, cards, tables, the deciding sentence, JSON, `--fail-if` and digests
 * are made of answers; none of them looks into trials. To `Answer`, each word adds something to the
 * one before it; the others contain answers, or are another form of one:
 *
 * | word           | what it is                                                            | made in, below core                    |
 * | -------------- | --------------------------------------------------------------------- | -------------------------------------- |
 * | `Judged`       | what an interval says by a rule, such as 'little-faster'              | experiment/answer/verdict.js           |
 * | `Verdict`      | that for people: a mark, and a word such as 'A little faster'         | experiment/answer/verdict.js           |
 * | `OwnAnswer`    | a verdict with figure, interval and reason, as an experiment gives it | experiments/NAME/full-test.js          |
 * | `Answer`       | an own answer to a question, about two that are compared              | full-test/score.js                     |
 * | `Findings`     | all that a run found: answers, report, how far it reached             | experiment/report/findings.js          |
 * | `Score`        | the answers of a full test for one situation, and the decision        | full-test/score.js                     |
 * | `StoredAnswer` | an answer as lists and comparisons keep it                            | experiment/documents/stored-answers.js |
 */
import {
  formatBarTime,
  formatDelay,
  formatInSeconds,
  formatRange,
  formatRatio,
  formatTenths,
} from '../../base/format.js';
import { negate } from '../../base/statistics.js';
import { CONFIDENCE } from './compare.js';
import { DELAY_LABELS, say, sayRatio, saySooner } from './verdict.js';

/**
 * @typedef {object} Estimate
 * @property {number} [estimate] the figure @property {number} [low] @property {number} [high] its interval
 * @property {Unit} [unit] of the estimate
 * @property {number} [total] of which the estimate is a part
 * @property {number} [confidence] of the interval, such as 0.95
 * @property {boolean} [isPredicted] whether a model predicts the figure for users at another distance, or with
 *   slower devices
 * @property {number} [count] of the blocks that it rests on
 * @property {string} [basis] what it rests on, if not blocks, such as 'from 8 jobs'
 * @property {string} [condition] of the figure, such as 'for 2.8 MB at 8 Mbit/s'
 * @property {Amount | null} [amount] the figure for digests, if not the estimate, which may be of another place or size in
 *   another run of the plan; null: none
 *
 * @typedef {object} Compared
 * @property {string} subject what is compared, as links name it
 * @property {string} baseline what it is compared with
 *
 * @typedef {object} Reasons
 * @property {string} [at] the place in the plan, if there are several, such as 'download of 1 MB'
 * @property {string} [compares] what is compared, if it is not transports, such as 'Open WebSocket compared with fetch'
 * @property {string} [dependsOn] what the answer depends on besides what is compared, such as 'polling every 5 s'
 * @property {string} [reason] a sentence
 * @property {'sending' | 'news'} [topic] which the decision is about
 * @property {Interval} [savingMs] how much faster a message is answered
 * @property {string} [onlyHere] why nothing predicts it for users elsewhere, or with slower devices, such as 'with a payload'
 * @property {Overhead} [overhead] by which its speed follows at any round-trip time
 * @property {NewsMethods} [news] what else is known about being notified
 * @property {UsedFallback} [fallback] where a WebSocket did not work
 * @property {Bars} [bars] what it compares
 * @property {string} [barsTitle] what they are, where the question does not say it: each bar has its unit, unless this names it
 * @property {string} [aside] a sentence that stands beside the bars, where the reason would repeat them
 *
 * @typedef {Verdict & Estimate & Reasons & Partial<Compared>} OwnAnswer it compares what the situation names, if it names nothing
 *   else
 *
 * @typedef {object} NewsMethods what else is known about being notified
 * @property {NewsMethod} best what is recommended for news alone: the simplest, unless the considered one was shown to be sooner
 * @property {NewsMethod} [considered] the socket in question; absent if it did not notify of everything
 * @property {readonly string[]} failed the names of simpler methods that did not
 * @property {readonly NewsChoice[]} choices among which the page has the choice
 * @property {string} assumed of them, in sentences
 *
 * @typedef {{ name: string, isNow?: boolean, by: string | number, wouldDo: boolean, meanMs: number, p90Ms: number, measured?:
 *   { meanMs?: number, p90Ms?: number }, count: number, bytes?: number }} NewsChoice `by`: its delivery method, or the interval of
 *   polling; `wouldDo`: is it soon enough?; `meanMs`, `p90Ms`: how late users see news, as predicted, and `measured` where the run
 *   was made; `count`, `bytes`: of requests and messages, per hour
 *
 * @typedef {Interval & { delivery: string, name: string, isPush: boolean, isSimplest: boolean, saving?: { share: string, what:
 *   string }, laterMs?: Interval }} NewsMethod how many ms sooner than polling users see news; `saving`: if there is any, such as
 *   '87%' of 'bytes'; `laterMs`: than the considered one
 *
 * @typedef {object} Asked
 * @property {string} experiment its name
 * @property {string} question in a few words, such as 'Sending a message'
 * @property {boolean} [hasResult] whether there is a run, whole or not
 *
 * @typedef {Asked & OwnAnswer & Compared} Answer
 *
 * @typedef {keyof typeof OF_ONE_RUN} Unit
 * @typedef {{ value: number, unit: keyof typeof UNITS, total?: number, at?: string, low?: number, high?: number, confidence?:
 *   number }} Amount a figure to be summed up over several runs; `low`, `high`: its interval in one run
 * @typedef {{ transport: string, baselineMs: number, messageMs: number }} Overhead the time that a message takes besides the
 *   round trip, with what is used and with `transport`, which was considered
 * @typedef {{ protocol: string, cost?: string }} UsedFallback `cost`: what its figures include besides the path's time
 *
 * @typedef {{ figure?: string, interval?: string }} Figure
 * @typedef {(interval: Interval, name: string) => Figure} FormatInterval `name`: of the interval
 * @typedef {object} UnitRow
 * @property {string} head of a column
 * @property {string} [beneath] a figure or behind it, where its head would repeat the unit
 * @property {string} [name] for programs, if it is another
 * @property {(value: number, total?: number) => string} format
 * @property {string} [counts] what stands behind a ratio, such as 'as fast'
 * @property {FormatInterval} [formatInterval]
 * @property {(interval: Interval) => Verdict} [judge] by the rule of a run; absent where a word says more than its figure
 *
 * @import { Interval } from '../../base/statistics.js'
 * @import { Bars } from '../../picture/bars.js'
 * @import { Judged, Verdict, VerdictName } from './verdict.js'
 */

/** Answers where a verdict would be possible, but not of what was measured. @param {string} reason why, in a sentence @returns {OwnAnswer} */
export const withoutVerdict = (reason) => ({ ...say({}), reason });

/**
 * Answers what something costs. No verdict is possible, as there is nothing that it would be compared with.
 * @param {string} reason what was found, in sentences @param {Estimate} [cost] absent if it is not known @returns {OwnAnswer}
 */
export const answerCost = (reason, cost) => ({ ...withoutVerdict(reason), ...cost });

/**
 * Answers with a comparison of blocks: its word and mark are those of the verdict, where a little is as good as nothing (`same`, or
 * `unclear` if it may be more); its figure and interval those of the ratio; 'No verdict' if there is none.
 * @param {{ subject: string, baseline: string, at?: string, unit?: Unit, bars?: Bars, barsTitle?: string }} what
 * @param {{ verdict?: VerdictName, blockCount?: number, ratio?: { estimate: number, low?: number, high?: number }, confidence?:
 *   number }} judged the subject, compared with the baseline
 * @returns {OwnAnswer & Compared}
 */
export const answerJudged = (what, { verdict, ratio, blockCount = 0, confidence = CONFIDENCE }) => ({
  ...what,
  ...say(/** @type {Judged} */ ({ verdict, ratio }), what.unit === 'sooner-ms' ? DELAY_LABELS : undefined),
  ...ratio,
  confidence,
  count: blockCount,
});

/** @param {number} value */
const formatTimes = (value) => `${value.toFixed(value < 3 ? 2 : 1)}x`;

/** @param {number} value that may be between two counts, as a median is */
const formatCount = (value) => String(Number(value.toFixed(1)));

/**
 * Returns what the units of ratios have in common.
 * @param {string} counts what stands behind the figure
 */
const rowOfRatio = (counts) => ({
  counts,
  format: formatTimes,
  /** @type {FormatInterval} */
  formatInterval: (ratio, name) => ({
    figure: `${formatRatio(ratio)} ${counts}`,
    interval: `${name} ${formatRange(ratio)}`,
  }),
  judge: sayRatio,
});

/** @type {FormatInterval} */
function formatSooner(soonerMs, name) {
  const { mark } = saySooner(soonerMs);
  if (mark === 'unclear') return { interval: `${name} of this run ${formatInSeconds(soonerMs).range} s` };
  const { figure, range } = formatInSeconds(mark === 'better' ? soonerMs : negate(soonerMs));
  return { figure, interval: `${name} of this run ${range}` };
}

/**
 * The units by their names in stored runs.
 * @satisfies {Readonly<Record<string, UnitRow>>}
 */
export const UNITS = Object.freeze({
  'times-as-fast': {
    head: 'times as fast',
    ...rowOfRatio('as fast'),
  },
  'times-as-many': {
    head: 'times as many',
    name: 'times as many messages/s',
    ...rowOfRatio('as many messages/s'),
  },
  'sooner-ms': {
    head: 'sooner by',
    name: 'ms sooner',
    format: formatDelay,
    formatInterval: formatSooner,
    judge: saySooner,
  },
  'checks-passed': {
    head: 'checks passed',
    format: (/** @type {number} */ value, /** @type {number | undefined} */ total) =>
      total === undefined ? formatCount(value) : `${formatCount(value)} of ${total}`,
  },
  'lost-seconds': {
    head: 'seconds of messages lost, with ping',
    beneath: 'of messages lost, with ping',
    format: (/** @type {number} */ seconds) => formatTenths(1000 * seconds),
  },
  /** Of earlier releases: it followed from the plan. */
  'messages-lost': { head: 'messages lost at most', format: formatCount },
});

/** Those of the figures of one run alone, too: what one waited for has a size that is fitted to the path, what was late a plan’s length. */
const OF_ONE_RUN = Object.freeze({
  ...UNITS,
  'waited-ms': { head: 'waited', format: formatBarTime },
  'late-seconds': { head: 'late', format: UNITS['lost-seconds'].format },
});

/** Returns the row of a unit: its name, and how its figures are formatted and judged. @param {Unit} unit @returns {UnitRow} */
export const unitOf = (unit) => OF_ONE_RUN[unit];

/** Checks whether a stored figure has a unit: a newer release may have others. @param {{ unit: string }} amount */
export const isKnown = ({ unit }) => Object.hasOwn(UNITS, unit);

/** Names what a figure with its unit is of, as in '1.3 s of messages lost'. @param {Unit} unit @returns {string} */
export function nameBeneath(unit) {
  const { head, beneath = head } = unitOf(unit);
  return beneath;
}

/** Formats a figure with its unit. @param {Amount} amount @returns {string} */
export const formatAmount = ({ value, unit, total }) => unitOf(unit).format(value, total);

/**
 * Names the interval of an answer.
 * @param {{ confidence?: number, isPredicted?: boolean }} answer @returns {string} such as '95% CI'
 */
export const nameInterval = ({ confidence = CONFIDENCE, isPredicted }) =>
  `${Number((100 * confidence).toFixed(1))}% ${isPredicted ? 'prediction interval' : 'CI'}`;

/**
 * @param {Estimate} answer
 * @returns {Figure} its figure with its unit, and what stands beneath it: the interval, or what it is of
 */
export function figureOf(answer) {
  const { estimate, low, high, unit, total, condition } = answer;
  if (estimate === undefined || unit === undefined) return {};
  const { format, formatInterval } = unitOf(unit);
  return formatInterval && low !== undefined && high !== undefined
    ? formatInterval({ estimate, low, high }, nameInterval(answer))
    : { figure: format(estimate, total), interval: condition ?? nameBeneath(unit) };
}
