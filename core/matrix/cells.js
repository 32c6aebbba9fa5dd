/** The cells of a matrix: what a row's runs answer of a question, summed up without a model. */
import { byFrequency } from '../base/format.js';
import { median, medianInterval } from '../base/statistics.js';
import { formatAmount, isKnown, nameInterval, unitOf } from '../experiment/answer/answer.js';
import { asUnnoticed } from '../experiment/answer/verdict.js';

/**
 * @import { Amount, Overhead } from '../experiment/answer/answer.js'
 * @import { Verdict } from '../experiment/answer/verdict.js'
 * @import { StoredAnswer } from '../experiment/documents/stored-answers.js'
 * @import { Scope } from '../experiment/run/scope.js'
 * @import { SharedRun } from './places.js'
 * @typedef {{ experiment: string, question: string, subject: string, unit?: Amount['unit'], at?: string, topic?: StoredAnswer['topic'] }}
 *   MatrixColumn `subject`: what most runs compare
 * @typedef {Verdict & { amount?: StoredAnswer['amount'] }} OneSaid by a run
 * @typedef {Verdict & Figures} Summed what runs say and measured, or predict: word, figure and ends are by the same rule of the same
 *   figures; `verdict`: absent where the word says another thing
 * @typedef {object} Figures
 * @property {number} [value] the median of the runs' figures
 * @property {number} [low] @property {number} [high] what the verdict is about
 * @property {string} [spread] what `low` and `high` are: 'range' of the runs with their intervals, or such as '95% CI'
 * @property {string} [figure] the value with its unit
 * @property {string} [ends] `low` and `high` with their unit; absent if they look the same
 * @property {string} [range] of the runs, where one is beyond `ends`
 * @typedef {Summed & { rttMs: number }} Elsewhere for users at this round-trip time
 * @typedef {Summed & CellFacts} MatrixCell
 * @typedef {object} CellFacts
 * @property {'verdict' | 'local' | 'doubtful' | 'other' | 'not measured'} kind `local`: of one machine or network; `doubtful`,
 *   `other`: all its runs were left out, because of warnings or as they compare something else
 * @property {readonly string[]} [subjects] what they compare, of kind `other`
 * @property {Elsewhere} [elsewhere] what its runs on one machine or network predict
 * @property {Overhead} [overhead] the median of the runs', by which its speed follows at other round-trip times
 * @property {number} count of the runs that it sums up
 * @property {number} doubtfulCount of the runs that are left out because of a serious warning
 * @property {number} otherCount of the runs that are left out as they compare something else
 * @property {readonly string[]} ids of all these runs
 */

/** A unit at the end of a figure: of two ends it stands once. */
const SUFFIX = /(x| s)$/;

/** Without a verdict, a run tells nothing of what it would have recommended. @param {OneSaid} answer */
const isSilent = ({ amount, mark }) => !amount && mark === 'unclear';

/** @param {SharedRun} run @param {string} experiment */
const answerIn = ({ digest: { answers = [] } }, experiment) => answers.find((one) => one.experiment === experiment);

/**
 * @param {readonly SharedRun[]} runs @param {{ name: string, question: string }} asked
 * @returns {MatrixColumn | undefined} absent if nobody measured it
 */
export function columnOf(runs, { name, question }) {
  const answers = runs.flatMap((run) => answerIn(run, name) ?? []);
  if (answers.length === 0) return undefined;
  const speaking = answers.filter((one) => !isSilent(one));
  const [[subject]] = byFrequency((speaking.length > 0 ? speaking : answers).map((one) => one.subject));
  const own = answers.filter((one) => one.subject === subject);
  const amount = own.find((one) => one.amount && isKnown(one.amount))?.amount;
  const topic = own.find((one) => one.topic)?.topic;
  return { experiment: name, question, subject, unit: amount?.unit, at: amount?.at, topic };
}

/**
 * Sums up what the runs of a row answer of a question.
 * @param {{ runs: readonly SharedRun[], scope: Scope }} row @param {MatrixColumn} column @returns {MatrixCell}
 */
export function cellOf({ runs, scope }, { experiment, subject, unit }) {
  const answered = runs.flatMap((run) => {
    const answer = answerIn(run, experiment);
    return answer ? [{ id: run.id, answer }] : [];
  });
  const same = answered.filter(({ answer }) => answer.subject === subject || isSilent(answer));
  const counted = same.flatMap(({ answer }) => (answer.isDoubtful ? [] : [answer]));
  const counts = {
    count: counted.length,
    doubtfulCount: same.length - counted.length,
    otherCount: answered.length - same.length,
    ids: answered.map(({ id }) => id),
  };
  if (counted.length === 0) {
    const subjects = [...new Set(answered.map(({ answer }) => answer.subject))];
    return { mark: 'none', ...describeEmpty(counts, subjects), ...counts };
  }
  const near = counted.flatMap(({ elsewhere }) => elsewhere ?? []);
  return {
    kind: scope === 'path' ? 'verdict' : 'local',
    ...sumUp(counted, unit),
    ...(near.length > 0 && { elsewhere: predict(near, unit) }),
    ...overheadOf(counted),
    ...counts,
  };
}

/**
 * The word beside the figure of a cell: a figure that no rule judges needs none.
 * @param {Summed} said @param {{ unit?: MatrixColumn['unit'] }} column @returns {string}
 */
export function wordIn({ figure, mark, word, verdict }, { unit }) {
  const isPlain = figure !== undefined && unit && !unitOf(unit).judge && mark === 'unclear' && !verdict;
  return isPlain ? '' : word;
}

/**
 * Lists what the runs of a column compare that are left out, as most compare its subject; the most frequent first.
 * @param {readonly SharedRun[]} runs @param {MatrixColumn} column @returns {string[]}
 */
export const otherSubjectsOf = (runs, { experiment, subject }) =>
  byFrequency(
    runs.flatMap((run) => {
      const answer = answerIn(run, experiment);
      return answer && answer.subject !== subject && !isSilent(answer) ? [answer.subject] : [];
    }),
  ).map(([other]) => other);

/** @param {readonly NonNullable<StoredAnswer['elsewhere']>[]} near @param {MatrixColumn['unit']} unit @returns {Elsewhere} */
function predict(near, unit) {
  // Intervals of predictions have several names.
  // What runs of one machine predict differs from what others measure by more than from each other.
  return { rttMs: near[0].rttMs, ...sumUp(near, unit, { isAlike: true }), spread: undefined };
}

/**
 * @param {{ doubtfulCount: number, otherCount: number }} counts @param {readonly string[]} subjects of its runs
 * @returns {{ kind: MatrixCell['kind'], word: string, subjects?: readonly string[] }} of a cell without a figure
 */
function describeEmpty({ doubtfulCount, otherCount }, subjects) {
  if (doubtfulCount > 0) return { kind: 'doubtful', word: 'Not counted' };
  if (otherCount > 0) return { kind: 'other', word: 'Compares something else', subjects };
  return { kind: 'not measured', word: 'Not measured' };
}

/**
 * @param {readonly OneSaid[]} said at least one @param {MatrixColumn['unit']} unit of the figures that are summed up
 * @param {{ isAlike?: boolean }} [options] `isAlike`: whether they share an error, which no number of them makes smaller @returns {Summed}
 */
function sumUp(said, unit, { isAlike = false } = {}) {
  const amounts = said.flatMap(({ amount }) =>
    amount?.unit === unit && amount && Number.isFinite(amount.value) ? [amount] : [],
  );
  const figures = sumUpAmounts(amounts, isAlike);
  return { ...sayOf(said, { unit, ...figures }), ...figures };
}

/**
 * What a cell says: by the rule of a run on its figures; where no rule knows all of the runs, what they say themselves.
 * @param {readonly OneSaid[]} answers at least one
 * @param {{ value?: number, low?: number, high?: number, unit: MatrixColumn['unit'] }} figures @returns {Verdict}
 */
function sayOf(answers, { unit, value: estimate, low, high }) {
  // Without a figure, one that found no difference says nothing; one that failed does.
  const isFigured = answers.every((one) => one.amount || isSilent(one));
  if (isFigured && unit && estimate !== undefined && low !== undefined && high !== undefined) {
    const said = unitOf(unit).judge?.({ estimate, low, high });
    if (said) return qualify(said, answers);
  }
  const [{ mark, word, verdict }] = answers;
  if (answers.every((one) => one.word === word)) return { mark, word, verdict };
  const [[most, count]] = byFrequency(answers.map((one) => one.word));
  return { mark: 'unclear', word: `${most} in ${count} of ${answers.length} runs` };
}

/**
 * What is too little to be noticed in all runs, or not needed, is so in their cell as on their cards. It depends on what each visitor
 * calls noticed: where they do not agree, the rule's word stands alone.
 * @param {Verdict} said by the rule @param {readonly OneSaid[]} answers @returns {Verdict} with the verdict of the rule
 */
function qualify(said, answers) {
  if (said.mark !== 'better' && said.mark !== 'worse') return said;
  const verdict = said.mark === 'better' ? 'faster' : 'slower';
  if (answers.every((one) => one.mark === 'same' && one.verdict === verdict)) return asUnnoticed({ verdict, ...said });
  // News has no verdict: only its word tells whether it is unnoticed, or not needed.
  const [{ mark, word }] = answers;
  const isQualified = word.startsWith(`${said.word}, `) && answers.every((one) => one.word === word);
  return isQualified ? { verdict, ...said, mark, word } : said;
}

/**
 * Sums up figures by their median, with what tells how sure it is. From six figures on, that is an interval that assumes nothing
 * of their distribution. Below, it is the range of all with their own intervals: no verdict is surer than those of the runs.
 * @param {readonly Amount[]} amounts of one unit @param {boolean} isAlike whether they share an error
 * @returns {Figures}
 */
function sumUpAmounts(amounts, isAlike) {
  if (amounts.length === 0) return {};
  const values = amounts.map(({ value }) => value);
  const [{ unit, low: ownLow, confidence }] = amounts;
  const totals = amounts.flatMap(({ total }) => total ?? []);
  const value = Number(median(values));
  const figure = formatAmount({ value, unit, total: totals.length > 0 ? Math.max(...totals) : undefined });
  const isAlone = amounts.length === 1;
  if (isAlone && ownLow === undefined) return { value, figure };
  const interval = isAlike ? undefined : medianInterval(values);
  const { low, high } = interval ?? {
    low: Math.min(...amounts.map((one) => one.low ?? one.value)),
    high: Math.max(...amounts.map((one) => one.high ?? one.value)),
  };
  const ends = formatEnds(low, high, unit);
  const range = interval && formatEnds(Math.min(...values), Math.max(...values), unit);
  return {
    value,
    figure,
    low,
    high,
    spread: isAlone ? nameInterval({ confidence }) : interval ? '95% CI' : 'range',
    ...(ends && { ends }),
    ...(range && range !== ends && { range }),
  };
}

/**
 * @param {number} low @param {number} high @param {Amount['unit']} unit
 * @returns {string | undefined} absent if both look the same
 */
function formatEnds(low, high, unit) {
  const [from, to] = [low, high].map((value) => formatAmount({ value, unit }));
  return from === to ? undefined : `${from.replace(SUFFIX, '')} to ${to}`;
}

/** @param {readonly StoredAnswer[]} answers @returns {{ overhead?: Overhead }} */
function overheadOf(answers) {
  const overheads = answers.flatMap(({ overhead }) => overhead ?? []);
  if (overheads.length === 0) return {};
  const [baselineMs, messageMs] = /** @type {const} */ (['baselineMs', 'messageMs']).map((side) =>
    Number(median(overheads.map((one) => one[side]))),
  );
  return { overhead: { transport: overheads[0].transport, baselineMs, messageMs } };
}
