/** Reports a full test: the sentence that decides, and an answer to each question. */
import { DASH, formatRtt, formatSpan } from '../base/format.js';
import { figureOf } from '../experiment/answer/answer.js';
import { tabulateChoices } from './choices-table.js';
import { newsIn, sendingIn } from './decide.js';
import { words } from '../experiment/report/table.js';
import { warningsIn } from '../experiment/run/trust.js';
import {
  asksForNews,
  describeDevice,
  describeNews,
  sendsMessages,
  SITUATION_FIELDS,
  slownessIn,
} from '../experiment/plan/situation.js';
import { labelOf } from '../experiment/answer/labels.js';
import { hasTimer } from '../net/delivery/model.js';
import { tabulateDistances } from './distances.js';

/**
 * @import { Fact } from '../experiment/contract.js'
 * @import { Column, Table } from '../experiment/report/table.js'
 * @import { OwnReport } from '../experiment/report/findings.js'
 * @import { Answer } from '../experiment/answer/answer.js'
 * @import { Placed } from '../experiment/plan/situation.js'
 * @import { MeasuredPart, Score } from './score.js'
 */

/**
 * @param {readonly MeasuredPart[]} measured @param {Score} score
 * @param {readonly number[]} [distancesMs] round-trip times of other users @returns {OwnReport}
 */
export function report(measured, score, distancesMs) {
  const { decision } = score;
  const deciding = decidingOf(score);
  return {
    heading: 'Full test',
    counted: 'sample',
    conclusion: decision,
    bars: deciding?.bars,
    about: describeBriefly(score, deciding?.topic === 'news'),
    // What a full test decides holds for the users, wherever it was measured.
    elsewhere: { headline: decision },
    sentences: [`${describeUsers(score, { isBrief: false })}: ${describeCompared(score)}.`],
    tables: [tabulateAnswers(score), ...tabulateDistances(measured, score, distancesMs), ...tabulateNews(score)],
    charts: [],
  };
}

/** What users notice most comes first. @param {Score} score @returns {Answer | undefined} whose figures decide */
function decidingOf({ answers, situation, isOpen }) {
  if (isOpen) return undefined;
  return (asksForNews(situation) && newsIn(answers)) || (sendsMessages(situation) && sendingIn(answers)) || undefined;
}

/**
 * For whom it decides.
 * @param {Score} score
 * @param {{ isBrief?: boolean }} [options] `isBrief`: says of devices only what is not as measured @returns {string} without a full stop
 */
export function describeUsers({ situation, isPredicted, isBound, medianMs, answers }, { isBrief = true } = {}) {
  const { intervalMs } = situation;
  const polls = hasTimer(situation)
    ? `polls every ${formatSpan(intervalMs)} by a timer`
    : `polls ${formatSpan(intervalMs)} after each answer`;
  // A run that was stopped predicts nothing.
  const size = asksForNews(situation) && situation.newsBytes !== undefined ? `, with ${describeNews(situation)}` : '';
  const kind = isPredicted && answers.some(({ estimate }) => estimate !== undefined) ? 'Predicted for' : 'For';
  const asks = asksForNews(situation) ? `, whose page ${polls}` : '';
  const fastest = isBound ? '' : 'fastest round trip; ';
  const middle = medianMs === undefined ? '' : ` (${fastest}a request typically takes ${formatRtt(medianMs)} ms)`;
  const isKnown = isBrief && slownessIn(situation) === 1;
  const soonEnough = asks && situation.lateMs > 0 ? `, and news may be ${formatSpan(situation.lateMs)} late` : '';
  const devices = isKnown ? '' : `${asks && ','} on devices ${describeDevice(situation)}`;
  return `${kind} ${nameUsers({ situation, isBound })}${middle}${asks}${size}${soonEnough}${devices}`;
}

/**
 * @param {{ situation: Placed, isPredicted: boolean, isBound?: boolean }} score
 * @param {boolean} isOfNews for which the page's own interval is calculated, as tests poll more often @returns {string} a few words
 */
function describeBriefly({ situation, isPredicted, isBound }, isOfNews) {
  const devices =
    slownessIn(situation) > 1 ? `, with ${SITUATION_FIELDS.device.choices[situation.device]} devices` : '';
  const kind = isPredicted ? 'predicted ' : isOfNews ? 'calculated ' : '';
  return `${kind}for ${nameUsers({ situation, isBound })}${devices}`;
}

/** @param {{ situation: Placed, isBound?: boolean }} score @returns {string} by how far they are away, if that is known */
const nameUsers = ({ situation: { rttMs }, isBound }) =>
  isBound ? 'users as far away as in this run' : `users ${formatRtt(rttMs)} ms away`;

/** @param {{ situation: { uses: string, considers: string } }} score @returns {string} without a full stop */
const describeCompared = ({ situation: { uses, considers } }) => `${labelOf(considers)} compared with ${labelOf(uses)}`;

/** @param {Score} score @returns {ReturnType<typeof tabulateChoices>[]} what lies between polling as now and push, if news was measured */
export function tabulateNews({ answers, newsBy, situation, isPredicted }) {
  const news = newsIn(answers)?.news;
  return news ? [tabulateChoices(news, { wanted: situation, newsBy, isHere: !isPredicted })] : [];
}

/** @type {readonly Column<Answer>[]} */
const COLUMNS = [
  { ...words('Question', ({ question }) => question), isKey: true, idOf: ({ experiment }) => experiment },
  words('Verdict', ({ word }) => word),
  words('Figure', (answer) => figureOf(answer).figure ?? DASH),
  words('Interval', (answer) => figureOf(answer).interval ?? DASH),
  words('Reason', ({ reason }) => reason || DASH),
];

/** Tabulates the answer of each part. @param {Score} score @returns {Table<Answer>} */
export const tabulateAnswers = ({ answers }) => ({ columns: COLUMNS, rows: answers });

/** @param {readonly MeasuredPart[]} measured @returns {Fact[]} the warnings of each */
export const trustFactsOfParts = (measured) =>
  measured.flatMap(({ member: { fullTest }, findings }) => {
    const warnings = warningsIn(findings?.report.trust ?? []);
    return warnings.map((fact) => ({ ...fact, name: `${fullTest.question}: ${fact.name}` }));
  });
