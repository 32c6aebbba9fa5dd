/** Reports a full test: the sentence that decides, and an answer to each question. */
import { DASH, formatRtt, formatSpan } from '../base/format.js';
import { figureOf } from '../experiment/answer.js';
import { tabulateChoices } from '../experiment/choices-table.js';
import { newsIn, sendingIn } from '../experiment/decide.js';
import { words } from '../experiment/table.js';
import { warningsIn } from '../experiment/trust.js';
import { asksForNews, describeDevice, hasTimer } from '../experiment/situation.js';
import { labelOf } from '../experiment/labels.js';
import { tabulateDistances } from './distances.js';

/**
 * @import { Column, Fact, OwnReport, Table } from '../experiment/contract.js'
 * @import { Answer } from '../experiment/answer.js'
 * @import { MeasuredPart, Score } from './score.js'
 */

/** @param {readonly MeasuredPart[]} measured @param {Score} score @returns {OwnReport} */
export function report(measured, score) {
  const { decision } = score;
  return {
    heading: 'Full test',
    counted: 'sample',
    answer: decision,
    bars: barsOf(score),
    // What a full test decides holds for the users, wherever it was measured.
    elsewhere: { headline: decision },
    sentences: [`${describeUsers(score)}: ${describeCompared(score)}.`],
    tables: [tabulateAnswers(score), ...tabulateDistances(measured, score), ...tabulateNews(score)],
    charts: [],
  };
}

/** What users notice most comes first. @param {Score} score */
const barsOf = ({ answers }) => (newsIn(answers) ?? sendingIn(answers))?.bars;

/** For whom it decides. @param {Pick<Score, 'situation' | 'isPredicted' | 'medianMs'>} score @returns {string} without a full stop */
export function describeUsers({ situation, isPredicted, medianMs }) {
  const { rttMs, intervalMs } = situation;
  const polls = hasTimer(situation)
    ? `polls every ${formatSpan(intervalMs)} by a timer`
    : `polls ${formatSpan(intervalMs)} after each answer`;
  const kind = isPredicted ? 'Predicted for' : 'For';
  const asks = asksForNews(situation) ? `, whose page ${polls},` : '';
  const middle =
    medianMs === undefined ? '' : ` (fastest round trip; a request typically takes ${formatRtt(medianMs)} ms)`;
  return `${kind} users ${formatRtt(rttMs)} ms away${middle}${asks} on devices ${describeDevice(situation)}`;
}

/** @param {{ situation: { uses: string, considers: string } }} score @returns {string} without a full stop */
const describeCompared = ({ situation: { uses, considers } }) => `${labelOf(considers)} compared with ${labelOf(uses)}`;

/** @param {Score} score @returns {OwnReport['tables']} what lies between polling as now and push, if news was measured */
export function tabulateNews({ answers, situation: { newsMs }, isPredicted }) {
  const choices = newsIn(answers)?.news.choices;
  return choices ? [tabulateChoices(choices, { newsMs, isHere: !isPredicted })] : [];
}

/** @type {readonly Column<Answer>[]} */
const COLUMNS = [
  { ...words('Question', ({ question }) => question), isKey: true, idOf: ({ experiment }) => experiment },
  words('Verdict', ({ word }) => word),
  words('Figure', (answer) => figureOf(answer).figure ?? DASH),
  words('Interval', (answer) => figureOf(answer).interval ?? DASH),
  words('Reason', ({ reason }) => reason || DASH),
];

/** @param {Score} score @returns {Table<Answer>} */
export const tabulateAnswers = ({ answers }) => ({ columns: COLUMNS, rows: answers });

/** @param {readonly MeasuredPart[]} measured @returns {Fact[]} the warnings of each */
export const trustFactsOfParts = (measured) =>
  measured.flatMap(({ member: { fullTest }, found }) => {
    const warnings = warningsIn(found?.report.trust ?? []);
    return warnings.map((fact) => ({ ...fact, name: `${fullTest.question}: ${fact.name}` }));
  });
