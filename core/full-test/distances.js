/** The same answers for users at several distances. */
import { DASH, formatInSeconds, formatRtt, formatWithInterval } from '../base/format.js';
import { newsIn, sendingIn } from './decide.js';
import { integers } from '../experiment/plan/fields.js';
import { words } from '../experiment/report/table.js';
import { scoreOf } from './score.js';

/**
 * @import { Column } from '../experiment/report/table.js'
 * @import { OwnReport } from '../experiment/report/findings.js'
 * @import { Answer } from '../experiment/answer/answer.js'
 * @import { News, Sending } from './decide.js'
 * @import { Placed } from '../experiment/plan/situation.js'
 * @import { MeasuredPart } from './score.js'
 * @typedef {{ rttMs: number, isOwn: boolean, isMeasured: boolean, news?: News, sending?: Sending }} Distance `isOwn`: of the users
 *   that the run decides about; `isMeasured`: its sending; news are predicted, as the run polls at another interval
 */

/** How far users with these round-trip times are, ms. @type {Readonly<Record<number, string>>} */
const NAMES = Object.freeze({ 20: 'same country', 100: 'over an ocean', 230: 'other side of the world' });

/** The distances of an answer, if nobody asks for others. */
export const USUAL_DISTANCES_MS = Object.freeze(Object.keys(NAMES).map(Number));

/** The visitor's own list. */
export const DISTANCES = integers({
  parameter: 'distances',
  label: 'Other distances',
  unit: 'ms',
  ...{ min: 1, max: 10_000, maxCount: 5 },
  default: USUAL_DISTANCES_MS,
  help: 'the round-trip times of other users, for whom the same is answered',
});

/** @param {number} rttMs @returns {string | undefined} how far that is, in a few words */
export const nameDistance = (rttMs) => NAMES[rttMs];

/** What the figures of the table are; one that was measured says so. */
export const DISTANCES_NOTE = 'Predicted; 95% intervals.';

/** @type {Column<Distance>} */
const DISTANCE = { ...words('Round trip', ({ rttMs }) => `${formatRtt(rttMs)} ms`), isKey: true };

/** @type {readonly Column<Distance>[]} */
const NEWS = [
  words('Being notified', ({ news }) => news?.word ?? DASH),
  words('Sooner by', ({ news }) => (news ? describeSeconds(news) : DASH)),
];

/** @type {readonly Column<Distance>[]} */
const SENDING = [
  words('Sending a message', ({ sending }) => sending?.word ?? DASH),
  words(
    'Faster by, ms',
    ({ sending, isMeasured }) => `${formatWithInterval(sending?.savingMs)}${isMeasured ? ', measured' : ''}`,
  ),
];

/** @param {News} news */
function describeSeconds(news) {
  const { figure, range } = formatInSeconds(news);
  return `${figure} (${range})`;
}

/**
 * Answers for users at each distance, the nearest first, and at that of the run.
 * @param {readonly MeasuredPart[]} measured
 * @param {{ situation: Placed, isPredicted: boolean, answers: readonly Answer[] }} score of the users that are decided about
 * @param {readonly number[]} [distancesMs] round-trip times @returns {Distance[]} none if nothing was measured that can be predicted
 */
export function listDistances(measured, { situation, isPredicted, answers }, distancesMs = USUAL_DISTANCES_MS) {
  if (!newsIn(answers) && isOnlyHere(sendingIn(answers))) return [];
  const { rttMs: ownMs } = situation;
  return listAt(distancesMs, ownMs, (rttMs) => {
    const isMeasured = !isPredicted && rttMs === ownMs;
    const own = scoreOf(measured, situation, { rttMs }).answers;
    return { isMeasured, news: newsIn(own), sending: sendingIn(own) };
  });
}

/** @param {Sending} [sending] */
const isOnlyHere = (sending) => !sending || sending.onlyHere;

/**
 * @param {readonly number[]} distancesMs round-trip times @param {number} ownMs that of the run, which is in the list once
 * @param {(rttMs: number) => { isMeasured: boolean, news?: News, sending?: Sending }} answerAt
 * @returns {Distance[]} the nearest first
 */
export const listAt = (distancesMs, ownMs, answerAt) =>
  [ownMs, ...distancesMs.filter((ms) => formatRtt(ms) !== formatRtt(ownMs))]
    .sort((a, b) => a - b)
    .map((rttMs) => ({ rttMs, isOwn: rttMs === ownMs, ...answerAt(rttMs) }));

/**
 * @param {readonly MeasuredPart[]} measured
 * @param {{ situation: Placed, isPredicted: boolean, answers: readonly Answer[] }} score of the users that are decided about
 * @param {readonly number[]} [distancesMs] round-trip times
 * @returns {OwnReport['tables']} none if nothing was measured that can be predicted
 */
export function tabulateDistances(measured, score, distancesMs) {
  const { answers } = score;
  const columns = [...(newsIn(answers) ? NEWS : []), ...(sendingIn(answers) ? SENDING : [])];
  const rows = listDistances(measured, score, distancesMs);
  if (rows.length === 0) return [];
  return [{ heading: 'At other distances', note: DISTANCES_NOTE, columns: [DISTANCE, ...columns], rows }];
}
