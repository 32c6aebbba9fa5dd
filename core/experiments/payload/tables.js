/** The figures of a run over sizes: of a sweep geometric means over the blocks, else the better of two passes. */
import { DASH, formatWithInterval, formatFailures } from '../../base/format.js';
import { mean, median, percentile, sort, ratioInterval, STEPS_PER_TRUSTED_TIME } from '../../base/statistics.js';
import { findBaseline, isClear, MIN_BLOCKS, wordOf, SAME_RATIO, VERDICT_LABELS } from '../../experiment/compare.js';
import { fixed } from '../../experiment/table.js';
import { protocolsOf } from '../../experiment/trials.js';
import { labelOfTransfer } from '../../net/labels.js';
import { movedBytesOf, newTransportsOf, PUBLISHED_PASSES, DIRECTION_LABELS, formatSize } from './plan.js';

/**
 * @import { Column, Report } from '../../experiment/contract.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { PayloadTrial } from './index.js'
 * @import { PayloadPlan, PublishedPlan, Sweep } from './plan.js'
 * @typedef {Interval | { estimate: number, low?: undefined, high?: undefined }} Figure with an interval from 6 blocks on
 * @typedef {ReturnType<typeof summarizePayload>[number]} PayloadRow
 * @typedef {ReturnType<typeof summarizePublished>[number]} PublishedRow
 * @typedef {Report['tables'][number]} Table
 * @typedef {{ size: number, rows: readonly any[] }} MapRow `rows`: of all transports
 */

/** Of each size's verdict: the sizes share the 5% error (Bonferroni). @param {number} sizeCount */
export const confidenceAt = (sizeCount) => 1 - 0.05 / sizeCount;

/** Of ratios and their verdicts, like '98.3% CI'. @param {Pick<Sweep, 'sizes'>} plan */
export const nameOfInterval = ({ sizes }) => `${Number((100 * confidenceAt(sizes.length)).toFixed(1))}% CI`;

/** @param {Sweep} plan @param {readonly PayloadTrial[]} trials @param {{ stepMs?: number }} [clock] */
export function summarizePayload(plan, trials, { stepMs = 0 } = {}) {
  const baseline = findBaseline(plan.transports);
  const confidence = confidenceAt(plan.sizes.length);
  return placesOf(plan, trials).map(({ place, here, own }) => {
    const times = sort(timesOf(own));
    const base = here.filter(({ transport }) => transport === baseline);
    const timeMs = times[0] > 0 ? figureOf(times) : undefined;
    return {
      ...place,
      timeMs,
      p50Ms: percentile(times, 50),
      megabytesPerSecond: timeMs && rateOf(movedBytesOf(place.direction, place.size), timeMs),
      comparison:
        baseline === undefined || place.transport === baseline ? undefined : compare(own, base, { stepMs, confidence }),
    };
  });
}

/** By direction, then by size, then by transport. @param {PublishedPlan} plan @param {readonly PayloadTrial[]} trials */
export function summarizePublished(plan, trials) {
  return placesOf(plan, trials).map(({ place, own }) => {
    const passMs = Array.from({ length: PUBLISHED_PASSES }, (__, pass) =>
      mean(timesOf(own.filter(({ block }) => block === pass))),
    );
    const made = passMs.filter((ms) => ms !== undefined);
    const [betterMs, otherMs] = made.length === PUBLISHED_PASSES ? sort(made) : [];
    const isSeen = betterMs > 0;
    const movedBytes = movedBytesOf(place.direction, place.size);
    return {
      ...place,
      passMs,
      betterMs,
      otherMs,
      apartPercent: isSeen ? 100 * (otherMs / betterMs - 1) : undefined,
      megabytesPerSecond: isSeen && movedBytes > 0 ? movedBytes / betterMs / 1000 : undefined,
    };
  });
}

/** `here` are all trials, `own` those of one. @param {PayloadPlan} plan @param {readonly PayloadTrial[]} trials */
function placesOf(plan, trials) {
  const { directions, sizes } = plan;
  const transports = [...plan.transports, ...newTransportsOf(plan)];
  return directions.flatMap((direction) =>
    sizes.flatMap((size) => {
      const here = trials.filter((trial) => trial.direction === direction && trial.size === size);
      return transports.map((transport) => {
        const own = here.filter((trial) => trial.transport === transport);
        const failures = own.flatMap(({ failure }) => failure ?? []);
        const sampleCount = timesOf(own).length;
        const place = { direction, size, transport, protocols: protocolsOf(own), sampleCount, failures };
        return { place, here, own };
      });
    }),
  );
}

/** @param {readonly PayloadTrial[]} trials */
const timesOf = (trials) => trials.flatMap(({ durationMs }) => durationMs ?? []);

/** @param {number} movedBytes @param {Figure} timeMs @returns {Figure | undefined} MB/s; absent for 0 bytes */
function rateOf(movedBytes, timeMs) {
  if (movedBytes === 0) return undefined;
  const rate = (/** @type {number} */ ms) => movedBytes / ms / 1000;
  const estimate = rate(timeMs.estimate);
  return timeMs.low === undefined ? { estimate } : { estimate, low: rate(timeMs.high), high: rate(timeMs.low) };
}

/**
 * The time relative to the baseline's; no ratio where the times are too short for the clock.
 * @param {readonly PayloadTrial[]} own @param {readonly PayloadTrial[]} base
 * @param {{ stepMs: number, confidence: number }} options
 */
function compare(own, base, { stepMs, confidence }) {
  const pairs = own.flatMap(({ block, durationMs }) => {
    const baseMs = base.find((trial) => trial.block === block)?.durationMs;
    return baseMs === undefined || durationMs === undefined ? [] : [[baseMs, durationMs]];
  });
  const isFineEnough = [0, 1].every((side) => {
    const times = pairs.map((pair) => pair[side]);
    // A clock of unknown step may measure 0, of which there is no ratio.
    return times.every((ms) => ms > 0) && Number(median(times)) >= STEPS_PER_TRUSTED_TIME * stepMs;
  });
  const ratios = isFineEnough ? pairs.map(([baseMs, ms]) => baseMs / ms) : [];
  const judged = ratios.length >= MIN_BLOCKS ? ratioInterval(ratios, confidence) : undefined;
  const times = ratios.map((ratio) => 1 / ratio);
  return { timeRatio: figureOf(times, confidence), verdict: judged && wordOf(judged) };
}

/** Geometric mean. @param {readonly number[]} values @param {number} [confidence] @returns {Figure | undefined} */
function figureOf(values, confidence) {
  if (values.length >= MIN_BLOCKS) return ratioInterval(values, confidence);
  const middle = mean(values.map(Math.log));
  return middle === undefined ? undefined : { estimate: Math.exp(middle) };
}

/** Like '1.9 (1.4 to 2.5)', or '1.93' without one. @param {Figure | undefined} figure @param {number} [pivot] */
function formatFigure(figure, pivot) {
  return figure?.low === undefined ? formatSignificant(figure?.estimate) : formatWithInterval(figure, pivot);
}

/** Without exponent: '0.000125', '1.93'. @param {number | undefined} value not below 0 @param {number} [digits] */
function formatSignificant(value, digits = 3) {
  if (value === undefined) return DASH;
  const tens = value > 0 ? Math.floor(Math.log10(value)) : 0;
  return value.toFixed(Math.min(20, Math.max(0, digits - 1 - tens)));
}

/** @type {readonly Column<PayloadRow | PublishedRow>[]} */
const PLACE = [
  { title: 'Direction', isText: true, isKey: true, value: ({ direction }) => DIRECTION_LABELS[direction] },
  { title: 'Size', isText: true, isKey: true, value: ({ size }) => formatSize(size) },
  { title: 'Transport', isText: true, isKey: true, value: ({ transport }) => labelOfTransfer(transport) },
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
];

/** @type {readonly Column<PayloadRow | PublishedRow>[]} */
const COUNTS = [
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Failures', name: 'failures', value: ({ failures }) => formatFailures(failures) },
];

const RATE = 'megabytes_per_second';
const MS_EACH = 'ms per message';

/** @type {readonly Column<PublishedRow>[]} */
const PUBLISHED_COLUMNS = [
  ...PLACE,
  { title: 'Better pass', name: 'better_ms', unit: MS_EACH, value: ({ betterMs }) => betterMs, format: fixed(2) },
  { title: 'Other pass', name: 'other_ms', unit: MS_EACH, value: ({ otherMs }) => otherMs, format: fixed(2) },
  { title: 'MB/s of the better', name: RATE, value: (row) => formatSignificant(row.megabytesPerSecond) },
  ...COUNTS,
];

/** @param {Sweep} plan @param {string} [baseline] of the comparison @returns {Column<PayloadRow>[]} of a run in blocks */
const sweepColumnsOf = (plan, baseline) => [
  ...PLACE,
  { title: 'Time, ms (95% CI)', name: 'time_ms', value: ({ timeMs }) => formatFigure(timeMs) },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(2) },
  { title: 'MB/s (95% CI)', name: RATE, value: (row) => formatFigure(row.megabytesPerSecond) },
  ...(baseline === undefined ? [] : [ratioColumnOf(plan, baseline), VERDICT]),
  ...COUNTS,
];

/** @param {Sweep} plan @param {string} baseline @returns {Column<PayloadRow>} */
const ratioColumnOf = (plan, baseline) => ({
  title: `Time relative to ${labelOfTransfer(baseline)} (${nameOfInterval(plan)})`,
  name: 'time_ratio',
  value: ({ comparison }) => formatFigure(comparison?.timeRatio, 1),
});

/** @type {Column<PayloadRow>} */
const VERDICT = {
  title: 'Verdict',
  name: 'verdict',
  isText: true,
  value: ({ comparison }) => comparison?.verdict && VERDICT_LABELS[comparison.verdict],
};

/** @param {PayloadPlan} plan @param {readonly any[]} rows @param {string} [baseline] of the comparison @returns {Table} */
export function figuresOf(plan, rows, baseline) {
  const columns = plan.preset ? PUBLISHED_COLUMNS : sweepColumnsOf(plan, baseline);
  return { heading: 'All figures', isDetail: true, columns, rows };
}

/**
 * The time relative to the baseline's, or the time itself where there is none.
 * @param {PayloadPlan} plan @param {readonly (PayloadRow | PublishedRow)[]} rows @param {string} [baseline]
 * @returns {Table[]}
 */
export function heatMapsOf({ directions, sizes, transports }, rows, baseline) {
  const about = baseline === undefined ? MS_EACH : `time relative to ${labelOfTransfer(baseline)}`;
  /** @param {string} transport @returns {Column<MapRow>} */
  const columnOf = (transport) => {
    const find = (/** @type {MapRow} */ row) => row.rows.find((one) => one.transport === transport);
    const timeOf = (/** @type {MapRow} */ row) => find(row).betterMs ?? find(row).timeMs?.estimate;
    const title = labelOfTransfer(transport);
    if (baseline === undefined) return { title, value: (row) => formatSignificant(timeOf(row)) };
    return { title, value: (row) => formatVerdict(find(row)), mark: (row) => markOf(find(row)) };
  };
  return directions.map((direction) => ({
    heading: `${DIRECTION_LABELS[direction]}: ${about}`,
    isHeatMap: true,
    columns: [
      { title: 'Size', isText: true, isKey: true, value: (/** @type {MapRow} */ { size }) => formatSize(size) },
      ...transports.filter((transport) => transport !== baseline).map(columnOf),
    ],
    rows: sizes.map((size) => ({
      size,
      rows: rows.filter((row) => row.direction === direction && row.size === size),
    })),
  }));
}

/** A factor is a result only if the transport is faster or slower. @param {PayloadRow} row */
function formatVerdict({ comparison }) {
  const { verdict, timeRatio } = comparison ?? {};
  if (!verdict || !timeRatio) return DASH;
  if (!isClear({ word: verdict })) return VERDICT_LABELS[verdict];
  const { estimate } = timeRatio;
  return `${formatSignificant(estimate, estimate < SAME_RATIO && estimate > 1 / SAME_RATIO ? 3 : 2)}x`;
}

/** @param {PayloadRow} row */
function markOf({ comparison }) {
  const { verdict, timeRatio } = comparison ?? {};
  return verdict && timeRatio && { verdict, ratio: timeRatio.estimate };
}

/** Of smallest and largest message. @param {Sweep} plan @param {readonly PayloadRow[]} rows @returns {Table[]} */
export function endsOf({ directions, sizes, transports }, rows) {
  const ends = /** @type {const} */ ([
    { size: sizes[0], what: 'ms: lower is better', figure: 'timeMs' },
    { size: sizes[sizes.length - 1], what: 'MB/s: higher is better', figure: 'megabytesPerSecond' },
  ]);
  return ends.slice(0, sizes.length).map(({ size, what, figure }) => ({
    heading: `${formatSize(size)}, ${what}`,
    columns: [
      PLACE[0],
      ...transports.map((transport, i) => ({
        title: labelOfTransfer(transport),
        value: (/** @type {{ own: PayloadRow[] }} */ { own }) => formatSignificant(own[i][figure]?.estimate),
      })),
    ],
    rows: directions.map((direction) => ({
      direction,
      own: rows.filter((row) => row.direction === direction && row.size === size),
    })),
  }));
}
