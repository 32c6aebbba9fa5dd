/** Says in sentences what a cut cost, and what would have helped. */
import { listOf, MIN_BLOCKS } from '../../experiment/compare.js';
import { FEED_LABELS } from '../../net/feed/index.js';
import { cutSecondsOf } from './plan.js';

/**
 * @import { CutsPlan, Kind } from './plan.js'
 * @import { CutsRow, CutsSummary, Spread } from './summary.js'
 */

/** The kinds in the order in which the answer is about them, as subjects of its sentence. @type {readonly [Kind, string][]} */
const SUBJECTS = [
  ['dead', 'A dead connection'],
  ['stall', 'A silent connection'],
  ['reset', 'A reset'],
  ['close', 'A close as for a deploy'],
  ['watch', 'The time you watched'],
];
/** Of a silence, from which on it was not noticed before it was over. */
const UNNOTICED_SHARE = 0.95;

/** @param {CutsSummary} summary @returns {{ cut: Kind, subject: string } | undefined} what the answer is about */
export function answered({ rows }) {
  const found = SUBJECTS.find(([kind]) => rows.some(({ cut }) => cut === kind));
  if (!found) return undefined;
  const [cut, subject] = found;
  const isLinkCut = rows.some((row) => row.cut === cut && row.linkCutMs !== undefined);
  return { cut, subject: isLinkCut ? 'A cut of the link' : subject };
}

/** @param {CutsSummary} summary @returns {string} sentences */
export function answerOf(summary) {
  const { rows, plan } = summary;
  const about = answered(summary);
  if (!about) return 'No method got a message.';
  const own = rows.filter(({ cut }) => cut === about.cut);
  const worst = own.reduce((one, other) => (isWorse(other, one) ? other : one));
  const others = own.filter((row) => row !== worst);
  if (own.every(({ lost }) => lost?.max === 0)) return `${about.subject} cost no message${latestWords(own)}.`;
  const seconds = cutSecondsOf(worst, plan);
  const span = seconds === undefined ? '' : ` in ${seconds} s`;
  const cost = `${about.subject} cost ${labelOf(worst)} ${formatLost(worst)}${span}${describeUnnoticed(worst, plan)}.`;
  const kept = others.filter((row) => row.lost?.max === 0);
  return kept.length === 0 ? cost : `${cost} ${describeKept(kept)}`;
}

/** @param {CutsRow} one @param {CutsRow} other @returns {boolean} by its median, then by its maximum */
function isWorse({ lost: one }, { lost: other }) {
  const [median, otherMedian] = [one?.median ?? 0, other?.median ?? 0];
  return median === otherMedian ? Number(one?.max) > Number(other?.max) : median > otherMedian;
}

/** @param {Pick<CutsRow, 'delivery'>} row */
const labelOf = ({ delivery }) => FEED_LABELS[delivery];

/** @param {CutsRow} row @returns {string} such as '42 messages' */
function formatLost({ lost }) {
  const { median, min, max, count } = /** @type {Spread} */ (lost);
  if ((count < MIN_BLOCKS || median === 0) && min < max) return `${min} to ${max} messages`;
  return median === 1 ? '1 message' : `${Number(median.toFixed(1))} messages`;
}

/** @param {CutsRow} row @param {CutsPlan} plan @returns {string} a clause, or nothing */
function describeUnnoticed(row, plan) {
  const { cut, noticed, cutCount } = row;
  if (!noticed) return cutCount === 0 ? '' : ', unnoticed';
  const seconds = cutSecondsOf(row, plan);
  if (seconds === undefined || noticed.median < UNNOTICED_SHARE * seconds * 1000) return '';
  return cut === 'dead' ? ', unnoticed until it was reset' : ', unnoticed until it was over';
}

/** @param {readonly CutsRow[]} rows that lost nothing @returns {string} a sentence about the first to be back */
function describeKept(rows) {
  const best = rows.reduce((one, other) => (latestOf(other) < latestOf(one) ? other : one));
  return `${labelOf(best)} lost none.`;
}

/** @param {CutsRow} row @returns {number} ms */
const latestOf = ({ latest }) => latest?.median ?? 0;

/** @param {readonly CutsRow[]} rows @returns {string} a clause */
const latestWords = (rows) => `; the latest came ${formatS(Math.max(...rows.map(latestOf)))} late`;

/** @param {number} ms @returns {string} such as '8.4 s' */
export const formatS = (ms) => `${(ms / 1000).toFixed(1)} s`;

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

/** @param {CutsSummary} summary @returns {string[]} sentences */
export function hiddenNotes({ rows }) {
  const hidden = rows.filter((row) => row.repeated && row.repeated.max > 0);
  const names = [...new Set(hidden.map(labelOf))];
  return names.map((name) => `${name} did not notice every cut: the browser or a proxy sent the request again.`);
}
