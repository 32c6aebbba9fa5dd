/** Says in sentences what a cut cost, and what would have helped. */
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { formatSpan, formatTenths, isUnderTenth, listOf, uncapitalize } from '../../base/format.js';
import { FEED_LABELS, feedMethods } from '../../net/feed/index.js';
import { cutSecondsOf, isWholeCut } from './summary.js';

/**
 * @import { CutsPlan, Kind } from './plan.js'
 * @import { CutsRow, CutsSummary } from './summary.js'
 */

/**
 * The kinds in the order in which the conclusion is about them: when its sentence holds, and what ends a kind that lasts.
 * @type {readonly [Kind, string, string?][]}
 */
const OCCASIONS = [
  ['dead', 'When the connection died', 'the server reset it'],
  ['stall', 'When the connection fell silent', 'the silence ended'],
  ['reset', 'After a reset'],
  ['close', 'When the server closed the connection'],
  ['watch', 'While you watched'],
];
/** So many costs stand each with its method; of more, the range. */
const MAX_COSTS = 3;

/** @typedef {{ cut: Kind, when: string, end: string }} About */

/** @param {CutsSummary} summary @returns {About | undefined} what the conclusion is about */
export function aboutOf({ rows }) {
  const found = OCCASIONS.find(([kind]) => rows.some(({ cut }) => cut === kind));
  if (!found) return undefined;
  const [cut, when, end = 'the link worked again'] = found;
  const linkCut = rows.find((row) => row.cut === cut)?.linkCut;
  const ofLink = linkCut?.lastsMs === undefined ? 'When the network forgot the connection' : 'When the link was cut';
  return { cut, when: linkCut ? ofLink : when, end };
}

/** @param {CutsSummary} summary @returns {boolean} did the visitor only watch, without a cut and a loss? Then nothing was tested. */
export function isUntested(summary) {
  const own = summary.rows.filter(({ cut }) => cut === aboutOf(summary)?.cut);
  return own.every(({ cut, linkCut, lost }) => cut === 'watch' && !linkCut && !lost?.max) && summary.seen.length === 0;
}

/** Answers which messages were late or lost, and by which method. @param {CutsSummary} summary @returns {string} sentences */
export function conclusionOf(summary) {
  const { rows, plan } = summary;
  const about = aboutOf(summary);
  if (!about) return 'No method got a message.';
  const own = rows.filter(({ cut }) => cut === about.cut);
  const losers = own.filter(({ lost }) => Number(lost?.max) > 0);
  if (isUntested(summary)) return 'No verdict: no cut was seen. Switch the network off while it measures.';
  if (losers.length === 0) return `${about.when}, no message was lost${describeLatest(own, about, plan)}.`;
  const [first, ...others] = lossesOf(losers, about, plan);
  return [`${about.when}, ${first}.`, ...others.map((loss) => `${loss}.`)].join(' ');
}

/**
 * Says what was lost until the methods were back, and what brought them back: nothing, the end of the cut, or they themselves. Only
 * the last is a time that the plan does not decide.
 * @param {readonly CutsRow[]} losers @param {About} about @param {CutsPlan} plan @returns {string[]} clauses
 */
function lossesOf(losers, { end }, plan) {
  const ends = ['uncut', 'gone', 'late', 'own', 'some'];
  const [uncut, gone, late, own, some] = ends.map((one) => losers.filter((row) => endOf(row, plan) === one));
  const [unnoticed, noticed] = [false, true].map((is) => late.filter((row) => hasNoticed(row) === is));
  return [
    ...(gone.length > 0 ? [`${listNames(gone)} ${describeGone(gone)}`] : []),
    ...(unnoticed.length > 0 ? [`${listNames(unnoticed)} lost every message until ${end}, without noticing`] : []),
    ...(noticed.length > 0 ? [`${listNames(noticed)} lost every message until ${end}`] : []),
    ...(own.length > 0
      ? [
          `${describeTimes(own, ({ back }) => Number(back?.median))} until ${own.length > 1 ? 'they were' : 'it was'} back`,
        ]
      : []),
    ...(some.length > 0 ? [describeTimes(some, (row) => lostMsOf(row, plan))] : []),
    ...uncut.map((row) => `${labelOf(row)} lost ${row.lost?.max} of ${row.sent?.max} messages`),
  ];
}

/**
 * Says how the loss of a method ended.
 * @param {CutsRow} row @param {CutsPlan} plan
 * @returns {'uncut' | 'gone' | 'late' | 'own' | 'some'} there was no cut; it was never back, as long as was watched; all were lost until
 *   the end of the cut, or until it was back by itself; or some came
 */
export function endOf(row, plan) {
  if (row.cutCount === 0) return 'uncut';
  if (!row.back) return 'gone';
  // The first message of those is due up to an interval after the cut, and the one that is back arrives some time after it is due.
  if (lostMsOf(row, plan) + 1500 / plan.rate < row.back.median) return 'some';
  const newOnesWork = row.cut === 'dead';
  return isWholeCut(row.back.median, row, plan) && !(newOnesWork && hasNoticed(row)) ? 'late' : 'own';
}

/**
 * Returns the time whose messages a method lost, as the conclusion says it.
 * @param {CutsRow} row @param {CutsPlan} plan @returns {number} ms
 */
export function lossMsOf(row, plan) {
  if (!row.lost?.max) return 0;
  const end = endOf(row, plan);
  if (end === 'gone') return Number(row.watched?.min);
  return end === 'uncut' || end === 'some' ? lostMsOf(row, plan) : Number(row.back?.median);
}

/** @param {CutsRow} row @param {CutsPlan} plan @returns {number} in which the lost messages were due */
const lostMsOf = ({ lost }, { rate }) => (Number(lost?.median) * 1000) / rate;

/** @param {CutsRow} row @returns {boolean} by itself */
const hasNoticed = ({ noticed, isByReset }) => noticed !== undefined && !isByReset;

/** @param {{ delivery: string }} row */
const labelOf = ({ delivery }) => FEED_LABELS[delivery];

/** @param {readonly CutsRow[]} rows */
const listNames = (rows) => listOf(rows.map(labelOf));

/** @param {readonly CutsRow[]} gone to which nothing came any more @returns {string} for how long that is known */
const describeGone = (gone) =>
  `${gone.some(({ noticed }) => noticed) ? '' : 'did not notice, and '}lost every message in the next ${watchedSecondsOf(gone)} s`;

/** @param {readonly CutsRow[]} rows of a kind @returns {number} for which each was watched after the cut, at least */
const watchedSecondsOf = (rows) => Math.floor(Math.min(...rows.map(({ watched }) => Number(watched?.min))) / 1000);

/**
 * @param {readonly CutsRow[]} rows @param {(row: CutsRow) => number} msOf
 * @returns {string} the time whose messages each lost, whatever their rate
 */
function describeTimes(rows, msOf) {
  const times = rows.map(msOf);
  const [low, high] = [Math.min(...times), Math.max(...times)].map(formatTenths);
  if (low === high) return `${listNames(rows)} lost ${low} of messages`;
  if (rows.length > MAX_COSTS) return `${listNames(rows)} lost ${low.replace(' s', '')} to ${high} of messages`;
  const [first, ...others] = rows.map((row, i) => ({ name: labelOf(row), time: formatTenths(times[i]) }));
  return listOf([`${first.name} lost ${first.time} of messages`, ...others.map(({ name, time }) => `${name} ${time}`)]);
}

/**
 * @param {readonly CutsRow[]} rows of the kind that the conclusion is about
 * @returns {string[]} sentences about what lost nothing, if others did
 */
function describeKept(rows) {
  const kept = rows.filter(({ lost }) => lost?.max === 0);
  if (kept.length === rows.length) return [];
  const [asking, others] = [true, false].map((asks) => kept.filter((row) => Boolean(methodOf(row).replays) === asks));
  const isOne = asking.length === 1;
  return [
    ...(asking.length > 0
      ? [
          `${listOf(nameAsking(asking, rows))} lost none: ${isOne ? 'it asks' : 'they ask'} for all since ${isOne ? 'its' : 'their'} last message.`,
        ]
      : []),
    ...(others.length > 0 ? [`${listNames(others)} lost none.`] : []),
  ];
}

/** @param {{ delivery: string }} row */
const methodOf = ({ delivery }) => feedMethods[delivery];

/**
 * @param {readonly CutsRow[]} asking @param {readonly CutsRow[]} rows of the same kind
 * @returns {string[]} one name for all sockets
 */
function nameAsking(asking, rows) {
  const isReplay = (/** @type {CutsRow} */ row) => methodOf(row).client === 'socket' && methodOf(row).replays;
  const count = asking.filter(isReplay).length;
  const isWhole = count > 1 && count === rows.filter(isReplay).length;
  return isWhole ? [...asking.filter((row) => !isReplay(row)).map(labelOf), 'replay'] : asking.map(labelOf);
}

/**
 * Says how late each method was, the latest first.
 * @param {readonly CutsRow[]} rows @param {About} about @param {CutsPlan} plan @returns {string} a clause with its separator
 */
function describeLatest(rows, { end }, plan) {
  const mostOf = (/** @type {CutsRow} */ row) => row.latest?.max ?? 0;
  const [latest, ...others] = rows.toSorted((one, other) => mostOf(other) - mostOf(one));
  const ms = mostOf(latest);
  if (isWholeCut(ms, latest, plan)) return `; the latest came after ${end}`;
  const nameOf = (/** @type {CutsRow} */ row) => uncapitalize(nameWithInterval(row, plan));
  const sayLate = (/** @type {CutsRow} */ row) =>
    `${isUnderTenth(mostOf(row)) ? '' : 'up to '}${formatTenths(mostOf(row))}`;
  const first = `: ${nameOf(latest)} was ${sayLate(latest)} late`;
  if (others.length >= MAX_COSTS) return `${first}, the others ${sayLate(others[0])}`;
  return [first, ...others.map((row) => `${nameOf(row)} ${sayLate(row)}`)].join(', ');
}

/** @param {{ delivery: string }} row @param {CutsPlan} plan @returns {string} such as 'Polling every 2 s' */
export const nameWithInterval = (row, { intervalMs }) =>
  methodOf(row).client === 'poll' ? `${labelOf(row)} every ${formatSpan(intervalMs)}` : labelOf(row);

/** @param {CutsRow} row @param {CutsPlan} plan @returns {string} how long it lasted, such as ' (20 s)', or was watched, or nothing */
export function formatLength(row, plan) {
  const seconds = cutSecondsOf(row, plan);
  if (seconds !== undefined) return ` (${seconds} s)`;
  return row.linkCut ? ` (watched for ${watchedSecondsOf([row])} s)` : '';
}

/**
 * Says what is known of a cut that the visitor made, or did not.
 * @param {CutsSummary} summary @param {readonly CutsRow[]} rows of the kind that the conclusion is about @returns {string[]} a sentence
 */
function describeSeen(summary, rows) {
  const { seen } = summary;
  if (rows.every(({ cut, linkCut }) => cut !== 'watch' || linkCut)) return [];
  if (seen.length === 0) return isUntested(summary) ? [] : ['No cut was seen.'];
  const longestMs = Math.max(...seen.map(({ fromMs, toMs }) => toMs - fromMs));
  return [
    `While the connection was cut, nothing came for ${seen.length > 1 ? 'up to ' : ''}${formatTenths(longestMs)}.`,
  ];
}

/** Returns how late the latest message came, median of the blocks. @param {CutsRow} row @returns {number} ms */
export const latestOf = ({ latest }) => latest?.median ?? 0;

/** @param {CutsSummary} summary @returns {string[]} sentences that belong to the conclusion */
export function evidenceOf(summary) {
  const own = summary.rows.filter(({ cut }) => cut === aboutOf(summary)?.cut);
  return [
    ...describeSeen(summary, own),
    ...describeKept(own),
    ...(own.some(({ isByReset }) => isByReset)
      ? [
          'The reset was the server’s. A network that forgets a connection sends none. To measure that, run sudo npx sockshootout lab run cuts --cut forget.',
        ]
      : []),
  ];
}

/**
 * Advises on pings and replay, as far as this run measured them in six blocks or more.
 * @param {CutsSummary} summary @returns {string[]} sentences
 */
export function adviceOf(summary) {
  return [...pingAdvice(summary), ...replayAdvice(summary)];
}

/** @param {CutsSummary} summary @returns {string[]} */
function pingAdvice({ rows }) {
  return ['sockjs', 'ws'].flatMap((plain) => {
    const [dead, stall] = ['dead', 'stall'].map((cut) => compareLost(rows, { cut, plain, other: `${plain}-ping` }));
    const name = FEED_LABELS[plain];
    if (stall === 'more') {
      return [
        `Ping without replay cost ${name} messages when a silence ended by itself: it gave up a connection that would have delivered them.`,
      ];
    }
    return dead === 'fewer' && stall === 'fewer'
      ? [`With ping, ${name} lost fewer messages in both kinds of silence.`]
      : [];
  });
}

/** @param {CutsSummary} summary @returns {string[]} */
function replayAdvice({ rows }) {
  const saved = ['sockjs', 'ws'].filter((plain) =>
    rows.some(({ cut }) => compareLost(rows, { cut, plain, other: `${plain}-replay` }) === 'fewer'),
  );
  return saved.length === 0
    ? []
    : [`With ping and replay, ${listOf(saved.map((name) => FEED_LABELS[name]))} lost fewer messages.`];
}

/**
 * Compares what two methods lost, block by block: in six blocks or more, always in the same direction.
 * @param {readonly CutsRow[]} rows @param {{ cut: string, plain: string, other: string }} pair
 * @returns {'fewer' | 'more' | undefined} of the other
 */
function compareLost(rows, { cut, plain, other }) {
  const [one, two] = [plain, other].map((delivery) => rows.find((row) => row.cut === cut && row.delivery === delivery));
  if (!one || !two || one.blockCount !== two.blockCount || one.blockCount < MIN_BLOCKS) return undefined;
  const differences = one.figures.map(({ lostCount }, i) => two.figures[i].lostCount - lostCount);
  if (differences.every((difference) => difference < 0)) return 'fewer';
  return differences.every((difference) => difference > 0) ? 'more' : undefined;
}

/**
 * Notes the methods whose client did not notice a cut, as its request was sent again.
 * @param {CutsSummary} summary @returns {string[]} sentences
 */
export function hiddenNotes({ rows }) {
  const hidden = rows.filter((row) => row.repeated && row.repeated.max > 0);
  const names = [...new Set(hidden.map(labelOf))];
  return names.map((name) => `${name} did not notice every cut: the browser or a proxy sent the request again.`);
}
