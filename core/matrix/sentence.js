/**
 * The sentence that sums up a matrix: of each topic, the first rule that holds says it. No rule says more than the cells. Where
 * nothing was measured beyond one machine or network, it says what that predicts, and calls it a prediction.
 */
import {
  asClause,
  byFrequency,
  cut,
  capitalize,
  formatDelay,
  formatRtt,
  listOf,
  uncapitalize,
} from '../base/format.js';
import { formatAmount, nameBeneath } from '../experiment/answer/answer.js';
import { isBeyondMargin, isLittle, SAME_PERCENT, VERDICT_LABELS } from '../experiment/answer/verdict.js';
import { MEASURE_ELSEWHERE, WHERE } from '../experiment/report/headline.js';
import { MAX_BESIDE } from '../experiment/run/names.js';

/**
 * @import { Answer } from '../experiment/answer/answer.js'
 * @import { VerdictName } from '../experiment/answer/verdict.js'
 * @import { MatrixCell, MatrixColumn, Summed } from './cells.js'
 * @import { Answered, Matrix } from './index.js'
 * @typedef {{ of: Matrix['of'], rows: readonly Answered[], columns: readonly MatrixColumn[] }} Cells
 * @typedef {{ name: string, rttMs?: number, mark: Answer['mark'], word: string, verdict?: VerdictName, value?: number }} At what a
 *   row says of a topic; `name`: of a run, its number; `value`: its figure
 * @typedef {{ of: Matrix['of'], rows: readonly At[], rowCount?: number, subject: string, unit?: MatrixColumn['unit'],
 *   isPredicted?: boolean, hasNear?: boolean }}
 *   Said places in the order of round-trip times; `rowCount`: with those that did not answer; `subject`: a noun; `isPredicted`: all for
 *   the same users; `hasNear`: other places of the matrix share the server's machine or network, and are not among these
 * @typedef {(said: Said) => string | undefined} Rule absent if it does not hold
 */

/** More names than that are hard to read. */
const MAX_NAMES = 3;
/** More headlines are counted. */
const MAX_QUOTED = 4;
/** Longer quotes, in characters, are hard to read. */
const MAX_QUOTED_LENGTH = 180;
/** Before 'place', where others share the server's machine or network. */
const REMOTE = 'remote ';

/** Where a row has no verdict. @type {Readonly<Record<Answer['mark'], VerdictName>>} */
const VERDICT_OF = { better: 'faster', worse: 'slower', same: 'same', unclear: 'unclear', none: 'unclear' };

/** @param {At} row @returns {VerdictName} */
const verdictIn = ({ verdict, mark }) => verdict ?? VERDICT_OF[mark];
/** @param {readonly At[]} rows @param {VerdictName} verdict */
const having = (rows, verdict) => rows.filter((one) => verdictIn(one) === verdict);
/** @param {readonly At[]} rows @param {VerdictName} verdict */
const areAll = (rows, verdict) => rows.length > 0 && having(rows, verdict).length === rows.length;

/** @param {readonly At[]} rows with one verdict @param {VerdictName} verdict @returns {string} the word for all of them */
function wordFor(rows, verdict) {
  // What is a little faster, and may be much faster, is marked as unclear.
  const isAtLeast = isLittle({ verdict }) && rows.some(({ mark }) => mark === 'unclear');
  return `${isAtLeast ? 'at least ' : ''}${VERDICT_LABELS[verdict].replace(/^same/, 'the same')}`;
}

/**
 * Visitors name their places: “in” or “at” would suit only some names.
 * @param {readonly At[]} own @param {Said} said of these and others @param {string} [before] what stands before names of places
 * @returns {string} behind a claim, such as ' at every place' or ': Frankfurt and London'
 */
function where(
  own,
  { of, rows, rowCount = rows.length, isPredicted, hasNear },
  before = isPredicted ? ' from ' : ': ',
) {
  const { length: count } = own;
  if (isPredicted && count === rowCount) return '';
  const [preposition, noun] = of === 'run' ? ['in', 'run'] : ['at', 'place'];
  const remote = hasNear ? REMOTE : '';
  if (count === rowCount && count > 1) return ` ${preposition} every ${remote}${noun}`;
  if (count > MAX_NAMES && count === rows.length && !isPredicted)
    return ` ${preposition} all ${count} ${remote}${noun}s that measured it`;
  if (count > MAX_NAMES) return ` ${preposition} ${count} of ${rowCount} ${noun}s`;
  if (of === 'run') return ` in ${nameRuns(own.map(withRtt))}`;
  return `${before}${rows.length === 1 ? withRtt(own[0]) : listOf(own.map(({ name }) => name))}`;
}

/** @param {readonly string[]} names @returns {string} like 'runs 1 and 3' */
export const nameRuns = (names) => `${names.length === 1 ? 'run' : 'runs'} ${listOf(names)}`;

/**
 * @param {{ of: Matrix['of'], own: readonly { number?: number, name: string }[], count: number }} rows some of `count`
 * @returns {string} such as 'from London and Sydney', 'at 4 of 9 places' or 'in run 2'
 */
export function whereIn({ of, own, count }) {
  if (of === 'run') return `in ${nameRuns(own.map((row) => nameOf(of, row)))}`;
  return own.length > MAX_NAMES
    ? `at ${own.length} of ${count} places`
    : `from ${listOf(own.map((row) => nameOf(of, row)))}`;
}

/** Says what holds for all rows that answered. @param {Said} said @param {string} clause */
function sayOfAll(said, clause) {
  const { of, rows, rowCount = rows.length, isPredicted } = said;
  const { length: count } = rows;
  if (of === 'place' || isPredicted) return `${capitalize(clause)}${where(rows, said)}.`;
  if (count === rowCount && count > 1) return `${agree(count)}: ${clause}.`;
  return `${capitalize(where(rows, said).trim())}, ${clause}.`;
}

/** @param {number} count of runs */
const countAll = (count) => ({ 2: 'Both', 3: 'All three' })[count] ?? `All ${count}`;

/** @param {number} count of runs */
const agree = (count) => `${countAll(count)} agree`;

/** @param {Said} said @returns {string} such as 'remote place that measured it' */
const nameAnswered = ({ of, rows, rowCount = rows.length, hasNear }) =>
  `${hasNear ? REMOTE : ''}${of}${rows.length < rowCount ? ' that measured it' : ''}`;

/** @param {At} row */
const withRtt = ({ name, rttMs }) => (rttMs === undefined ? name : `${name} (${formatRtt(rttMs)} ms)`);

/** @param {At} row */
const rttOf = ({ name, rttMs }) => (rttMs === undefined ? name : `${formatRtt(rttMs)} ms RTT (${name})`);

/** @param {readonly At[]} rows @returns {string} such as '0.51 to 0.64 s ', before a word; empty where no row has a figure */
function spanOfNews(rows) {
  if (rows.every(({ value }) => value === undefined)) return '';
  return `${spanOf(rows, formatDelay, Math.abs)} `;
}

/** @param {readonly At[]} rows @param {(value: number) => string} format @param {(value: number) => number} [sizeOf] */
function spanOf(rows, format, sizeOf = Number) {
  const values = rows.flatMap(({ value }) => (value === undefined ? [] : [sizeOf(value)]));
  const [from, to] = [Math.min(...values), Math.max(...values)].map(format);
  return from === to ? from : `${from.replace(/( s|x|%)$/, '')} to ${to}`;
}

/** @param {Said} said of runs, which differ in their figures alone @returns {string} such as ', 1.5 to 2.0x as fast' */
function ratiosOf({ of, rows, unit = 'times-as-fast' }) {
  const isKnown = of === 'run' && rows.every(({ value }) => value !== undefined);
  return isKnown ? `, ${spanOf(rows, (value) => formatAmount({ value, unit }))} as fast` : '';
}

/** From this ratio on, a gain is easier to read as a multiple. */
const MULTIPLE_RATIO = 2;

/** @param {Said} said of places, whose gains differ with their distance @returns {string} such as '12 to 44% faster', or 'faster' */
function fasterBy({ of, rows, unit = 'times-as-fast', isPredicted }) {
  const own = having(rows, 'faster');
  if (of !== 'place' || isPredicted || own.some(({ value }) => value === undefined)) return 'faster';
  const isMultiple = own.some(({ value }) => Number(value) >= MULTIPLE_RATIO);
  if (isMultiple) return `${spanOf(own, (value) => formatAmount({ value, unit }))} as fast`;
  return `${spanOf(own, (value) => `${Math.round((value - 1) * 100)}%`)} faster`;
}

/** How many of the nearest places have a verdict that no other has. @param {Said} said @param {VerdictName} verdict */
function prefixOf({ of, rows, isPredicted }, verdict) {
  const { length } = having(rows, verdict);
  const isPrefix =
    of === 'place' && !isPredicted && length > 0 && length < rows.length && areAll(rows.slice(0, length), verdict);
  return isPrefix && areAll(rows.slice(length), 'same') ? length : 0;
}

/**
 * @param {Said} said @param {readonly (readonly [verdict: VerdictName, words: string])[]} words
 * @returns {string} such as 'faster: London. Slower: New York.'
 */
const listByVerdict = (said, words) =>
  words
    .flatMap(([verdict, text]) => {
      const own = having(said.rows, verdict);
      return own.length > 0 ? [`${text}${where(own, said)}.`] : [];
    })
    .map((text, i) => (i === 0 ? text : capitalize(text)))
    .join(' ');

/** @param {At} row @returns {string} what it says, without the limit of a single row */
const sayBriefly = (row) =>
  row.verdict && !isUnnoticed(row) ? wordFor([row], row.verdict).replace(/^the /, '') : row.word.toLowerCase();

/** @param {At} row @returns {boolean} faster or slower, but no reason to move or to stay: its word says so */
const isUnnoticed = (row) => row.mark === 'same' && isBeyondMargin(row);

/**
 * The rules of the sentence, by topic: the first that holds writes it.
 * @type {Readonly<Record<'news' | 'sending' | 'other', Readonly<Record<string, Rule>>>>}
 */
export const RULES = Object.freeze({
  news: {
    'sooner from all': (said) =>
      areAll(said.rows, 'faster') ? sayOfAll(said, `news arrives ${spanOfNews(said.rows)}sooner`) : undefined,
    'later from all': (said) =>
      areAll(said.rows, 'slower') ? sayOfAll(said, `news arrives ${spanOfNews(said.rows)}later`) : undefined,
    'clear from none': (said) =>
      having(said.rows, 'faster').length + having(said.rows, 'slower').length === 0
        ? `No ${nameAnswered(said)} shows a clear difference in when news arrives.`
        : undefined,
    'by row': (said) => {
      const sooner = having(said.rows, 'faster');
      return listByVerdict(said, [
        ['faster', `News arrives ${spanOfNews(sooner)}sooner`],
        ['slower', sooner.length > 0 ? 'later' : 'News arrives later'],
        ['same', 'as soon'],
        ['unclear', 'no clear difference'],
      ]);
    },
  },
  sending: {
    'faster from all': (said) =>
      areAll(said.rows, 'faster') ? sayOfAll(said, `sending is ${fasterBy(said)}${ratiosOf(said)}`) : undefined,
    'the same from all': (said) =>
      areAll(said.rows, 'same') ? sayOfAll(said, `sending is the same within ${SAME_PERCENT}%`) : undefined,
    'slower from all': (said) =>
      areAll(said.rows, 'slower') ? sayOfAll(said, `sending is slower${ratiosOf(said)}`) : undefined,
    'clear from none': (said) =>
      areAll(said.rows, 'unclear')
        ? `Sending shows no clear difference ${said.of === 'run' ? 'in' : 'at'} any ${nameAnswered(said)}.`
        : undefined,
    'faster up to a distance': (said) => {
      const length = prefixOf(said, 'faster');
      return length > 0
        ? `Sending is ${fasterBy(said)} up to ${rttOf(said.rows[length - 1])}, and the same within ${SAME_PERCENT}% at the farther places.`
        : undefined;
    },
    'faster from a distance on': (said) => {
      const { rows } = said;
      const length = prefixOf({ ...said, rows: rows.toReversed() }, 'faster');
      return length > 0
        ? `Sending is ${fasterBy(said)} from ${rttOf(rows[rows.length - length])} on, and the same within ${SAME_PERCENT}% at the nearer places.`
        : undefined;
    },
    'by row': (said) => {
      const verdicts = /** @type {const} */ (['faster', 'little-faster', 'same', 'little-slower', 'slower', 'unclear']);
      const words = verdicts.map(
        (one) => /** @type {const} */ ([one, one === 'faster' ? fasterBy(said) : wordFor(having(said.rows, one), one)]),
      );
      return `Sending is ${listByVerdict(said, words)}`.replace('is no clear', 'shows no clear');
    },
  },
  other: {
    'by figure': ({ rows, subject, unit }) =>
      unit && rows.every(({ mark, verdict, value }) => mark === 'unclear' && !verdict && value !== undefined)
        ? `${subject}: ${spanOf(rows, (value) => formatAmount({ value, unit }))} ${nameBeneath(unit)}.`
        : undefined,
    'by word': (said) => {
      const groups = byFrequency(said.rows.map(sayBriefly)).map(([word]) => {
        const own = said.rows.filter((one) => sayBriefly(one) === word);
        return `${word}${where(own, said, ' from ')}`;
      });
      return `${said.subject}: ${groups.join('; ')}.`.replace(/: no ([^;]*) every /, ': no $1 any ');
    },
  },
});

/** @param {keyof typeof RULES} topic @param {Said} said of at least one row @returns {string} a sentence */
export function sayOf(topic, said) {
  for (const rule of Object.values(RULES[topic])) {
    const sentence = rule(said);
    if (sentence) return sentence;
  }
  throw new RangeError(`sentence: expected a rule of ${topic} that holds, got none`);
}

/** Sums a matrix up. @param {Cells} matrix @returns {string} sentences; empty for a single run */
export const summarize = (matrix) => (matrix.of === 'run' ? summarizeRuns(matrix) : summarizePlaces(matrix));

/** @param {readonly Answered[]} rows those with a verdict: `whole`; those over a path between places: `far` */
function partsOf(rows) {
  const whole = rows.filter(({ isValid }) => isValid !== false);
  return { whole, far: whole.filter(({ scope }) => scope === 'path') };
}

/** @param {Cells} matrix */
function summarizePlaces(matrix) {
  if (matrix.rows.length === 0) return 'Nobody has measured for this study yet.';
  const { whole, far } = partsOf(matrix.rows);
  if (far.length > 0) return sayOfFar({ ...matrix, rows: far }, far.length < whole.length);
  const predicted = predict({ ...matrix, rows: whole });
  return predicted ? `${predicted} ${LOCAL_ONLY}` : `${LOCAL_ONLY} ${MEASURE_ELSEWHERE}`;
}

/** @param {Cells} matrix */
function summarizeRuns(matrix) {
  const { rows, columns } = matrix;
  if (rows.length < 2) return '';
  // What answers no question has no verdict that another machine would change.
  if (columns.length === 0) return quote(rows);
  const { whole, far } = partsOf(rows);
  const said = far.length > 0 ? sayOfFar({ ...matrix, rows: far }, false) : predict({ ...matrix, rows: whole });
  const found = said ? [said, ...sayOfNear(whole)] : sayOfHere({ ...matrix, rows: whole });
  return [...found, ...sayOfEnded(rows)].join(' ');
}

const LOCAL_ONLY = 'So far, client and server were on one machine or network.';

/**
 * @param {Cells} matrix whose rows are over a path between places @param {boolean} hasNear
 * @returns {string} what was measured
 */
const sayOfFar = (matrix, hasNear) =>
  sayOfCells(matrix, (cell) => (cell.kind === 'verdict' ? cell : undefined), { hasNear }) || sayWhyNone(matrix);

/** @param {Cells} matrix without such rows @returns {string} what they predict; empty for nothing */
function predict(matrix) {
  const [first] = matrix.rows.flatMap(({ cells }) => cells.flatMap(({ elsewhere }) => elsewhere ?? []));
  const said = first && sayOfCells(matrix, ({ elsewhere }) => elsewhere, { isPredicted: true });
  return said ? `${said} Predicted for users ${formatRtt(first.rttMs)} ms away.` : '';
}

/**
 * What runs on one machine or network found, and what that is worth. Their figures say it where no distance decides, as it does when
 * news and answers arrive.
 * @param {Cells} matrix @returns {string[]} sentences
 */
function sayOfHere(matrix) {
  const { rows } = matrix;
  if (rows.length === 0) return [];
  const found = sayOfCells(matrix, (cell, { topic }) => (cell.kind === 'local' && !topic ? cell : undefined), {});
  // Headlines say where they hold.
  return found ? [found, ...sayOfNear(rows)] : [quote(rows), MEASURE_ELSEWHERE];
}

/**
 * The question, or where a figure is of one thing that was measured, what is compared; with what it is compared stands beside it.
 * @param {MatrixColumn} column @returns {string} such as 'SockJS, echo of 100 kB'
 */
const subjectOf = ({ question, at, subject }) => (at ? subject.replace(/ compared with [^,]+/, '') : question);

/**
 * @param {Cells} matrix @param {(cell: MatrixCell, column: MatrixColumn) => Summed | undefined} read
 * @param {{ isPredicted?: boolean, hasNear?: boolean }} about as of {@link Said}
 * @returns {string} empty if no cell says anything
 */
function sayOfCells({ of, rows, columns }, read, about) {
  const known = columns.flatMap((column, i) => {
    const own = rows.flatMap(({ cells, rttMs, ...row }) => {
      const found = read(cells[i], column);
      return found ? [{ ...found, name: nameOf(of, row), rttMs: about.isPredicted ? undefined : rttMs }] : [];
    });
    return own.length > 0 && !(of === 'run' && own.every(isSilent)) ? [{ column, rows: own }] : [];
  });
  const say = (/** @type {keyof typeof RULES} */ topic, /** @type {typeof known[number]} */ { column, rows: own }) =>
    sayOf(topic, { of, rows: own, rowCount: rows.length, subject: subjectOf(column), unit: column.unit, ...about });
  const sentences = /** @type {const} */ (['news', 'sending']).flatMap((topic) => {
    const found = known.find(({ column }) => column.topic === topic);
    return found ? [say(topic, found)] : [];
  });
  if (sentences.length > 0) return sentences.join(' ');
  return known.length > 0 ? say('other', known[0]) : '';
}

/** @param {Matrix['of']} of @param {{ name: string, number?: number }} row */
const nameOf = (of, { name, number }) => (of === 'run' ? String(number) : cut(name, MAX_BESIDE));

/** Has it neither a verdict nor a figure? @param {At} row */
const isSilent = ({ mark, verdict, value }) => mark === 'unclear' && !verdict && value === undefined;

/** @param {Cells} matrix */
function sayWhyNone({ of, rows }) {
  if (rows.some(({ cells }) => cells.some(({ kind }) => kind === 'doubtful')))
    return `${of === 'run' ? 'These runs' : 'The runs from other places'} have serious warnings. Check them, then measure again.`;
  return of === 'run' ? quote(rows) : 'The runs from other places compare something else than most runs here.';
}

/** @param {readonly Answered[]} rows each of one run @returns {string[]} sentences: which were measured where no distance is */
const sayOfNear = (rows) =>
  /** @type {const} */ (['machine', 'network']).flatMap((scope) => {
    const own = rows.filter((row) => row.scope === scope);
    return own.length > 0
      ? [`${capitalNames(own)} ${own.length === 1 ? 'was' : 'were'} measured on ${WHERE[scope]}.`]
      : [];
  });

/** @param {readonly Answered[]} rows each of one run @returns {string[]} a sentence, if some ended early */
function sayOfEnded(rows) {
  const ended = rows.filter(({ isValid }) => isValid === false);
  return ended.length > 0 ? [`${capitalNames(ended)} gave no verdict.`] : [];
}

/** @param {readonly Answered[]} rows */
const capitalNames = (rows) => nameRuns(rows.map(({ number }) => String(number))).replace('r', 'R');

/**
 * Quotes the headlines of runs without a verdict, as long as they are short: each stands in its row, too. Of longer ones it
 * quotes the first sentences.
 * @param {readonly Answered[]} rows
 */
function quote(rows) {
  const headlines = rows.map(({ runs: [{ digest }] }) => digest.headline);
  const isShort = (/** @type {string} */ quoted) => quoted.length <= MAX_QUOTED_LENGTH;
  const quotes = [headlines, headlines.map(firstSentenceOf)].map((all) => all.map(asClause));
  if (rows.length > 1 && new Set(headlines).size === 1) {
    const quoted = quotes.map(([first]) => first).find(isShort);
    if (!quoted) return `${countAll(rows.length)} found the same, without a verdict.`;
    // No sentence has two colons.
    return quoted.includes(': ')
      ? `${agree(rows.length)}. ${quoted}.`
      : `${agree(rows.length)}: ${uncapitalize(quoted)}.`;
  }
  const quoted = quotes.map(listQuotes).find(isShort);
  return quoted ? `${quoted}.` : 'The findings differ.';
}

/** @param {readonly string[]} quotes */
function listQuotes(quotes) {
  const left = quotes.length - MAX_QUOTED;
  return [...quotes.slice(0, MAX_QUOTED), ...(left > 0 ? [`${left} more`] : [])].join('; ');
}

/** Returns the first sentence, with its full stop. @param {string} text of sentences, whose figures may have points */
export const firstSentenceOf = (text) => text.match(/^.+?[.?!](?=\s|$)/)?.[0] ?? text;
