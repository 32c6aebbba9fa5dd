/** The cells of a matrix: what a row's runs answer of a question, summed up without a model. */
import { byFrequency } from '../base/format.js';
import { median, medianInterval } from '../base/statistics.js';
import { formatAmount, unitOf, UNITS } from '../experiment/answer.js';

/**
 * @import { Amount, Answer, Overhead } from '../experiment/answer.js'
 * @import { StoredAnswer } from '../experiment/stored-answers.js'
 * @import { StudyPlace, StudyRun } from './places.js'
 * @typedef {{ experiment: string, question: string, subject: string, unit?: Amount['unit'], at?: string, topic?: StoredAnswer['topic'] }} StudyColumn
 *   `subject`: what most runs compare
 * @typedef {object} StudyCell
 * @property {'verdict' | 'local' | 'doubtful' | 'not measured'} kind `local`: of one machine or network, whose figures say
 *   nothing of users elsewhere; `doubtful`: all its runs were left out
 * @property {Answer['mark']} mark
 * @property {string} word
 * @property {number} [value] the median of the runs' figures
 * @property {number} [low] @property {number} [high]
 * @property {'range' | '95% CI'} [spread] what `low` and `high` are
 * @property {string} [figure] the value with its unit
 * @property {string} [ends] `low` and `high` with their unit; absent if they look the same
 * @property {Overhead} [overhead] the median of the runs', by which its speed follows at other round-trip times
 * @property {number} count of the runs that it sums up
 * @property {number} doubtfulCount of the runs that are left out because of a weighty warning
 * @property {number} otherCount of the runs that are left out as they compare something else
 * @property {readonly string[]} ids of all these runs
 */

/** A unit at the end of a figure: of two ends it stands once. */
const SUFFIX = /(x| s)$/;

/** @param {StudyRun} run @param {string} experiment */
const answerIn = ({ digest: { answers = [] } }, experiment) => answers.find((one) => one.experiment === experiment);

/**
 * @param {readonly StudyRun[]} runs @param {{ name: string, question: string }} asked
 * @returns {StudyColumn | undefined} absent if nobody measured it
 */
export function columnOf(runs, { name, question }) {
  const answers = runs.flatMap((run) => answerIn(run, name) ?? []);
  if (answers.length === 0) return undefined;
  const [[subject]] = byFrequency(answers.map((one) => one.subject));
  const own = answers.filter((one) => one.subject === subject);
  const amount = own.find((one) => one.amount && isKnown(one.amount))?.amount;
  const topic = own.find((one) => one.topic)?.topic;
  return { experiment: name, question, subject, unit: amount?.unit, at: amount?.at, topic };
}

/** A newer release may have stored others. @param {Amount} amount */
const isKnown = ({ unit }) => Object.hasOwn(UNITS, unit);

/** @param {Pick<StudyPlace, 'runs' | 'scope'>} row @param {StudyColumn} column @returns {StudyCell} */
export function cellOf({ runs, scope }, { experiment, subject, unit }) {
  const answered = runs.flatMap((run) => {
    const answer = answerIn(run, experiment);
    return answer ? [{ id: run.id, answer }] : [];
  });
  const same = answered.filter(({ answer }) => answer.subject === subject);
  const counted = same.flatMap(({ answer }) => (answer.isDoubtful ? [] : [answer]));
  const counts = {
    count: counted.length,
    doubtfulCount: same.length - counted.length,
    otherCount: answered.length - same.length,
    ids: answered.map(({ id }) => id),
  };
  if (counted.length === 0) {
    return counts.doubtfulCount > 0
      ? { kind: 'doubtful', mark: 'none', word: 'Only with warnings', ...counts }
      : { kind: 'not measured', mark: 'none', word: 'Not measured', ...counts };
  }
  const amounts = counted.flatMap(({ amount }) =>
    amount?.unit === unit && amount && Number.isFinite(amount.value) ? [amount] : [],
  );
  const figures = { ...sumUp(amounts), ...overheadOf(counted) };
  return scope === 'path'
    ? { kind: 'verdict', ...(judge(unit, figures) ?? majorityOf(counted)), ...figures, ...counts }
    : { kind: 'local', mark: 'none', word: '', ...figures, ...counts };
}

/**
 * The verdict on the figures of a cell, by one rule for one run and for several.
 * @param {StudyColumn['unit']} unit @param {Pick<StudyCell, 'value' | 'low' | 'high'>} figures
 * @returns {Pick<StudyCell, 'mark' | 'word'> | undefined} absent where there is no interval, or the unit has no verdict
 */
function judge(unit, { value: estimate, low, high }) {
  if (unit === undefined || estimate === undefined || low === undefined || high === undefined) return undefined;
  return unitOf(unit).judge?.({ estimate, low, high });
}

/**
 * The verdict of more than half of the runs, and the word that most of them have for it.
 * @param {readonly StoredAnswer[]} answers at least one @returns {Pick<StudyCell, 'mark' | 'word'>}
 */
function majorityOf(answers) {
  const [[mark, count]] = byFrequency(answers.map((one) => one.mark));
  if (2 * count <= answers.length) return { mark: 'unclear', word: 'Unclear' };
  const [[word]] = byFrequency(answers.filter((one) => one.mark === mark).map((one) => one.word));
  return { mark: /** @type {StoredAnswer['mark']} */ (mark), word };
}

/**
 * Sums up figures by their median and range, from six on with an interval that assumes nothing of how they are distributed.
 * A single one has the interval of its run.
 * @param {readonly Amount[]} amounts of one unit
 * @returns {Pick<StudyCell, 'value' | 'low' | 'high' | 'spread' | 'figure' | 'ends'>}
 */
function sumUp(amounts) {
  if (amounts.length === 0) return {};
  const values = amounts.map(({ value }) => value);
  const [{ unit }] = amounts;
  const total = amounts.reduce((/** @type {number | undefined} */ most, { total: own }) => {
    return own === undefined ? most : Math.max(own, most ?? 0);
  }, undefined);
  const value = Number(median(values));
  const figure = formatAmount({ value, unit, total });
  const interval = values.length === 1 ? intervalOf(amounts[0]) : medianInterval(values);
  if (values.length === 1 && !interval) return { value, figure };
  const { low, high } = interval ?? { low: Math.min(...values), high: Math.max(...values) };
  const ends = [low, high].map((end) => formatAmount({ value: end, unit }));
  const differ = ends[0] !== ends[1];
  return {
    value,
    figure,
    low,
    high,
    spread: interval ? '95% CI' : 'range',
    ...(differ && { ends: `${ends[0].replace(SUFFIX, '')} to ${ends[1]}` }),
  };
}

/** @param {Amount} amount @returns {{ low: number, high: number } | undefined} absent where an earlier release stored none */
const intervalOf = ({ low, high }) => (low === undefined || high === undefined ? undefined : { low, high });

/** @param {readonly StoredAnswer[]} answers @returns {Pick<StudyCell, 'overhead'>} */
function overheadOf(answers) {
  const overheads = answers.flatMap(({ overhead }) => overhead ?? []);
  if (overheads.length === 0) return {};
  const [baselineMs, messageMs] = /** @type {const} */ (['baselineMs', 'messageMs']).map((side) =>
    Number(median(overheads.map((one) => one[side]))),
  );
  return { overhead: { transport: overheads[0].transport, baselineMs, messageMs } };
}
