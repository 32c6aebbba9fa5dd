/** The same answers for users at several distances. */
import { DASH, formatInSeconds, formatRtt, formatWithInterval } from '../base/format.js';
import { newsIn, sendingIn } from '../experiment/decide.js';
import { words } from '../experiment/table.js';
import { scoreOf } from './score.js';

/**
 * @import { Column, OwnReport } from '../experiment/contract.js'
 * @import { News, Sending } from '../experiment/decide.js'
 * @import { MeasuredPart, Score } from './score.js'
 * @typedef {{ rttMs: number, isMeasured: boolean, news?: News, sending?: Sending }} Distance `isMeasured`: its sending; news are
 *   predicted, as the run polls at another interval
 */

/** The round-trip times within a country, over an ocean, and to the other side of the earth, ms. */
const DISTANCES_MS = Object.freeze([20, 100, 230]);

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
 * @param {readonly MeasuredPart[]} measured @param {Score} score of the users that are decided about
 * @returns {OwnReport['tables']} none if nothing was measured that can be predicted
 */
export function tabulateDistances(measured, { situation, isPredicted, answers }) {
  const columns = [...(newsIn(answers) ? NEWS : []), ...(sendingIn(answers) ? SENDING : [])];
  if (columns.length === 0) return [];
  const { rttMs: ownMs } = situation;
  const others = DISTANCES_MS.filter((ms) => formatRtt(ms) !== formatRtt(ownMs));
  const rows = [ownMs, ...others]
    .sort((a, b) => a - b)
    .map((rttMs) => {
      const own = scoreOf(measured, situation, { rttMs }).answers;
      return { rttMs, isMeasured: !isPredicted && rttMs === ownMs, news: newsIn(own), sending: sendingIn(own) };
    });
  const note = 'Predicted from this run, unless marked as measured. Intervals are of 95%.';
  return [{ heading: 'At other distances', note, columns: [DISTANCE, ...columns], rows }];
}
