/** Reports a run of cuts: the conclusion, a timeline, a table for each kind, and what would have helped. */
import { sumOf, wilsonInterval } from '../../base/statistics.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { aboutOf, adviceOf, conclusionOf, evidenceOf, formatLength, hiddenNotes, isUntested } from './words.js';
import { timelinesOf } from './timeline.js';
import { DASH, formatCount, formatSpread, formatTenths } from '../../base/format.js';
import { FEED_LABELS, feedMethods } from '../../net/feed/index.js';
import { nameCut } from './plan.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Column } from '../../experiment/report/table.js'
 * @import { CutsDocument } from './schema.js'
 * @import { BlockSpread, CutsRow, CutsSummary } from './summary.js'
 * @import { CutsPlan, Kind } from './plan.js'
 */

/** Reports a run of cuts. @param {CutsSummary} summary @param {CutsDocument} document @returns {OwnReport} */
export function report(summary, { ending, trials }) {
  const { rows, plan } = summary;
  const about = aboutOf(summary);
  const conclusion = conclusionOf(summary);
  return {
    heading: 'What a cut costs',
    lostCount: sumOf(
      rows.flatMap(({ figures }) => figures),
      ({ lostCount }) => lostCount,
    ),
    ...(!ending && { conclusion, elsewhere: { headline: conclusion, evidence: ELSEWHERE } }),
    ...(isUntested(summary) && { nextStep: /** @type {const} */ ('again') }),
    sentences: ending ? [] : [...evidenceOf(summary), ...adviceOf(summary), ...describeBlocks(plan)],
    tables: tablesOf(rows, plan, about?.cut),
    charts: [],
    timelines: about ? timelinesOf(about.cut, summary, trials) : [],
    notes: ending ? [] : hiddenNotes(summary),
    method: METHOD,
  };
}

const ELSEWHERE = 'Elsewhere these figures change by a few round trips.';

const METHOD =
  'All methods follow one feed side by side. Times count from the cut. A message is lost if it did not arrive before the feed ended. A figure is the median over the blocks; six or more give an interval from order statistics, and fewer give the range.';

/** @param {CutsPlan} plan @returns {string[]} */
const describeBlocks = ({ blocks, cuts }) =>
  blocks < MIN_BLOCKS
    ? [
        // Whoever watches may not have cut anything.
        `Only ${cuts.includes('watch') ? formatCount(blocks, 'block') : `${formatCount(blocks, 'cut')} of each kind`}: figures are rough${blocks > 1 ? ', and intervals are ranges' : ''}.`,
      ]
    : [];

/**
 * Formats the median with its range where the blocks are too few for an interval; alone where the ends say no more.
 * @param {BlockSpread | undefined} spread @param {(value: number) => string} format @returns {string} such as '7.6 (5.9–9.3)'
 */
function formatOverBlocks(spread, format) {
  if (!spread) return DASH;
  const { median, min, max, interval = { estimate: median, low: min, high: max } } = spread;
  const [low, high] = [interval.low, interval.high].map(format);
  const isPoint = low === high || high.startsWith('under ');
  return formatSpread({ median, interval: isPoint ? undefined : interval }, format);
}

/**
 * Formats times to tenths: the two clocks agree to half a request.
 * @param {BlockSpread | undefined} spread ms @returns {string} s, such as '7.6 (5.9–9.3)', or 'under 0.1' for what is not 0, as in bars
 */
const formatTimes = (spread) => formatOverBlocks(spread, (ms) => formatTenths(ms).replace(/ s$/, ''));

const whole = (/** @type {number} */ count) => String(Number(count.toFixed(1)));

/** Does such a cut hit such a method? A poll that is open when a server goes away is answered. @param {CutsRow} row */
const isHit = ({ cut, delivery }) => cut !== 'close' || feedMethods[delivery].client !== 'poll';

/** @param {CutsRow} row @returns {string} */
function formatNoticed(row) {
  const { noticed, cutCount, isByReset } = row;
  if (!isHit(row) || cutCount === 0) return DASH;
  if (!noticed) return 'not noticed';
  if (isByReset) return 'when it was reset';
  const times = formatTimes(noticed);
  return noticed.count === cutCount ? times : `${times}, in ${noticed.count} of ${cutCount}`;
}

/** @param {CutsRow} row @returns {string} of the blocks in which every message came */
function formatLatest({ latest, blockCount }) {
  const times = formatTimes(latest);
  return !latest || latest.count === blockCount ? times : `${times}, in ${latest.count} of ${blockCount}`;
}

/** @type {Column<CutsRow>} */
const METHOD_COLUMN = {
  title: 'Delivery method',
  isText: true,
  isKey: true,
  idOf: ({ delivery }) => delivery,
  value: ({ delivery }) => FEED_LABELS[delivery],
};

/** @type {readonly Column<CutsRow>[]} */
const SHORT = [
  METHOD_COLUMN,
  { title: 'Noticed after, s', name: 'noticed_s', value: formatNoticed },
  { title: 'Back after, s', name: 'back_s', value: ({ back }) => formatTimes(back) },
  { title: 'Lost', name: 'lost', value: ({ lost }) => formatOverBlocks(lost, whole) },
  { title: 'Doubled', name: 'doubled', value: ({ doubled }) => formatOverBlocks(doubled, whole) },
  { title: 'Longest delay, s', name: 'latest_s', value: formatLatest },
];

/** @param {CutsRow} row @returns {string} such as '6 of 6 (61–100%)' */
function formatNoticedShare(row) {
  const { noticed, cutCount } = row;
  if (!isHit(row)) return DASH;
  const count = noticed?.count ?? 0;
  const interval = wilsonInterval(count, cutCount);
  if (!interval) return DASH;
  const [low, high] = [interval.low, interval.high].map((share) => Math.round(100 * share));
  return `${count} of ${cutCount} (${low}–${high}%)`;
}

/** @type {readonly Column<CutsRow>[]} */
const DETAILS = [
  { title: 'Cut', isText: true, isKey: true, value: nameCut },
  METHOD_COLUMN,
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
  { title: 'Noticed (95% CI)', name: 'noticed_share', value: formatNoticedShare },
  { title: 'Messages', name: 'sent', value: ({ sent }) => formatOverBlocks(sent, whole) },
  { title: 'Out of order', name: 'out_of_order', value: ({ outOfOrder }) => formatOverBlocks(outOfOrder, whole) },
  { title: 'Resent by browser or proxy', name: 'repeated', value: ({ repeated }) => formatOverBlocks(repeated, whole) },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];

/**
 * @param {readonly CutsRow[]} rows @param {CutsPlan} plan
 * @param {Kind} [about] the kind that the conclusion is about: its table comes first, those of others are folded
 * @returns {OwnReport['tables']}
 */
function tablesOf(rows, plan, about) {
  const firsts = rows.filter(({ cut }, i) => rows.findIndex((row) => row.cut === cut) === i);
  const isOther = (/** @type {CutsRow} */ { cut }) => cut !== about;
  const tabulate = (/** @type {readonly Column<CutsRow>[]} */ columns, /** @type {readonly CutsRow[]} */ own) => ({
    columns: columns.filter(({ isKey, value }) => isKey || own.some((row, i) => value(row, i) !== DASH)),
    rows: own,
  });
  return [
    ...firsts
      .toSorted((one, other) => Number(isOther(one)) - Number(isOther(other)))
      .map((first) => ({
        heading: `${nameCut(first)}${formatLength(first, plan)}`,
        ...tabulate(
          SHORT,
          rows.filter((row) => row.cut === first.cut),
        ),
        ...(isOther(first) && { isFolded: true }),
      })),
    { heading: 'More figures', isDetail: true, ...tabulate(DETAILS, rows) },
  ];
}
