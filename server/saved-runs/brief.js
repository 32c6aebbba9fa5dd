/** Says in a line what a run found, for lists: the whole sentence is on the page of the run. */
import { asClause, cut, formatRange } from '../../core/base/format.js';
import { figureOf, formatAmount, isKnown, unitOf, withoutVerdict } from '../../core/experiment/answer/answer.js';
import { WHERE } from '../../core/experiment/report/headline.js';
import { scopeOfDigest } from '../../core/experiment/run/scope.js';
import { firstSentenceOf } from '../../core/matrix/sentence.js';
import { describeListed, drawFigures, experimentOf, testOf } from './list.js';

/**
 * @import { SavedRun } from '../store/index.js'
 * @import { Amount } from '../../core/experiment/answer/answer.js'
 * @import { StoredAnswer } from '../../core/experiment/documents/stored-answers.js'
 * @typedef {{ experiment: string, digest: any, isValid?: boolean }} Run
 * @typedef {object} Brief
 * @property {{ mark: StoredAnswer['mark'], word: string, isPredicted?: boolean }} [verdict]
 * @property {string} name of the test
 * @property {string} [about] what was compared, such as 'SockJS, polls 1 s'
 * @property {string} [found] what no column of figures shows: a figure, with its interval and where it holds, or a sentence
 * @property {boolean} [isMeasured] `found` is a figure, and no prediction as the columns may be
 */

/** Describes runs for a table of them, whose scales are the same in all its lines. @param {readonly SavedRun[]} runs */
export function describeRows(runs) {
  const { heads, cells } = drawFigures(runs);
  return { heads, rows: runs.map((run, i) => ({ ...describeListed(run), brief: briefOf(run), cells: cells[i] })) };
}

/** The questions that have a column of figures: news stand before sending, as in headlines. */
const TOPICS = Object.freeze(['news', 'sending']);

/** @param {Run} run @returns {Brief} */
export function briefOf(run) {
  const { digest, isValid } = run;
  /** @type {readonly StoredAnswer[]} */
  const stored = digest.answers ?? [];
  const answers = isValid === false ? [] : stored.filter(({ isDoubtful }) => !isDoubtful);
  const isElsewhere = scopeOfDigest(digest) !== 'path';
  const drawn = TOPICS.flatMap((topic) => answers.filter((one) => one.topic === topic)).map((answer) =>
    briefOfDrawn(run, answer, isElsewhere),
  );
  return drawn.find(({ verdict }) => verdict.mark !== 'unclear') ?? drawn[0] ?? briefOfOther(run, answers[0]);
}

/** @param {Run} run @param {StoredAnswer} answer @param {boolean} isPredicted for users elsewhere @returns {Brief & Required<Pick<Brief, 'verdict'>>} */
function briefOfDrawn(run, answer, isPredicted) {
  const { mark, word } = (isPredicted ? answer.elsewhere : answer) ?? withoutVerdict('');
  return { verdict: { mark, word, isPredicted }, name: testOf(run), about: shorten(answer.subject) };
}

/** @param {Run} run @param {StoredAnswer} [answer] @returns {Brief} */
function briefOfOther(run, answer) {
  const { digest } = run;
  if (!answer) return { name: testOf(run), found: sentenceOf(digest.headline) };
  const { mark, word, verdict } = answer;
  const scope = scopeOfDigest(digest);
  const { about, figure } = sayFound(answer);
  return {
    ...((verdict || mark !== 'unclear') && { verdict: { mark, word } }),
    name: experimentOf(answer.experiment),
    ...(about && { about }),
    ...(figure && { isMeasured: true }),
    found: figure ? `${figure}${scope === 'path' ? '' : `, on ${WHERE[scope]}`}` : sentenceOf(digest.headline),
  };
}

/**
 * @param {StoredAnswer} answer @returns {{ about?: string, figure?: string }} without a figure where only its headline says what it found; a
 *   ratio is of what is compared
 */
function sayFound({ subject, mark, verdict, amount }) {
  if (!amount || !isKnown(amount) || !Number.isFinite(amount.value))
    return mark === 'unclear' && verdict ? { figure: shorten(subject) } : {};
  const { counts } = unitOf(amount.unit);
  if (counts) return { about: shorten(subject), figure: `${formatAmount(amount)} ${counts}${sayRange(amount)}` };
  const { figure, interval } = figureOf({ ...amount, estimate: amount.value });
  return { figure: amount.low === undefined ? `${figure} ${interval}` : `${figure} (${interval})` };
}

/** Its level is on the page of the run: it differs where several figures share one chance of an error. @param {Pick<Amount, 'value' | 'low' | 'high'>} amount */
const sayRange = ({ value, low, high }) =>
  low === undefined || high === undefined ? '' : ` (${formatRange({ estimate: value, low, high })})`;

/** What is compared with is nearly always AJAX. @param {string} subject @returns {string} such as 'SockJS, polls 1 s' */
const shorten = (subject) =>
  subject.replace(/ compared with (jQuery )?(AJAX|fetch)/, '').replace('polling every ', 'polls ');

/** What fits into two lines, in characters. */
const MAX_FOUND = 120;

/** @param {string} headline @returns {string} its first sentence, without its full stop */
const sentenceOf = (headline) => cut(asClause(firstSentenceOf(headline)), MAX_FOUND);
