/**
 * The figures of a run over sizes: of a sweep geometric means over the blocks, compared with the baseline block by block, as
 * changes of the path affect both of a block; of the published plan the better of two passes.
 */
import { DASH, formatWithInterval } from '../../base/format.js';
import { mean, median, percentile, sort, ratioInterval, STEPS_PER_TRUSTED_TIME } from '../../base/statistics.js';
import { protocolsOf } from '../../experiment/trials.js';
import { BASELINES, MIN_BLOCKS, wordOf } from '../../experiment/compare.js';
import { movedBytesOf, newTransportsOf, PUBLISHED_PASSES } from './plan.js';

/**
 * @import { Interval } from '../../experiment/contract.js'
 * @import { PayloadTrial } from './index.js'
 * @import { PayloadPlan, PublishedPlan, Sweep } from './plan.js'
 * @typedef {Interval | { estimate: number, low?: undefined, high?: undefined }} Figure with an interval from 6 blocks
 *   on: of two to five, Student's t makes intervals that reach from almost 0 to billions
 * @typedef {ReturnType<typeof summarizePayload>[number]} PayloadRow
 * @typedef {ReturnType<typeof summarizePublished>[number]} PublishedRow
 */

/** The transport that others are compared with: AJAX, in Node.js fetch. @param {Pick<PayloadPlan, 'transports'>} plan */
export const payloadBaselineOf = ({ transports }) => BASELINES.find((name) => transports.includes(name));

/**
 * The confidence of each size's verdict: the sizes share the 5% error (Bonferroni), so that two equal transports differ at some
 * size in at most 5% of the runs. @param {number} sizeCount
 */
export const confidenceAt = (sizeCount) => 1 - 0.05 / sizeCount;

/**
 * By direction, then by size, then by transport.
 * @param {Sweep} plan @param {readonly PayloadTrial[]} trials @param {{ stepMs?: number }} [clock] its measured step
 */
export function summarizePayload(plan, trials, { stepMs = 0 } = {}) {
  const baseline = payloadBaselineOf(plan);
  const confidence = confidenceAt(plan.sizes.length);
  return placesOf(plan, trials).map(({ place, here, own }) => {
    const times = sort(timesOf(own));
    const base = here.filter(({ transport }) => transport === baseline);
    // Absent without a block, and if the clock measured 0.
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

/**
 * What is the same in both kinds of plans; `here` are the trials of all transports, `own` those of one.
 * @param {PayloadPlan} plan @param {readonly PayloadTrial[]} trials
 */
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
 * How many times as fast as the baseline; no ratio where the times are too short for the clock.
 * @param {readonly PayloadTrial[]} own @param {readonly PayloadTrial[]} base of the same size and direction
 * @param {{ stepMs: number, confidence: number }} options
 */
function compare(own, base, { stepMs, confidence }) {
  const pairs = own.flatMap(({ block, durationMs }) => {
    const baseMs = base.find((trial) => trial.block === block)?.durationMs;
    return baseMs === undefined || durationMs === undefined ? [] : [[baseMs, durationMs]];
  });
  const isTooCoarse = [0, 1].some((side) => {
    const times = pairs.map((pair) => pair[side]);
    // A clock of unknown step may measure 0, of which there is no ratio.
    return times.some((ms) => ms <= 0) || Number(median(times)) < STEPS_PER_TRUSTED_TIME * stepMs;
  });
  const ratios = isTooCoarse ? [] : pairs.map(([baseMs, ms]) => baseMs / ms);
  const judged = figureOf(ratios, confidence);
  return { speedRatio: figureOf(ratios), verdict: judged?.low === undefined ? undefined : wordOf(judged) };
}

/**
 * The geometric mean; absent without a value.
 * @param {readonly number[]} values above 0, one of each block @param {number} [confidence] @returns {Figure | undefined}
 */
function figureOf(values, confidence) {
  if (values.length >= MIN_BLOCKS) return ratioInterval(values, confidence);
  const middle = mean(values.map(Math.log));
  return middle === undefined ? undefined : { estimate: Math.exp(middle) };
}

/**
 * Like '1.9 (1.4 to 2.5)', or '1.93' without an interval; a dash where there is none.
 * @param {Figure | undefined} figure @param {number} [pivot] 1 for a ratio, as decimals have it
 */
export function formatFigure(figure, pivot) {
  return figure?.low === undefined ? formatSignificant(figure?.estimate) : formatWithInterval(figure, pivot);
}

/**
 * Never with an exponent: '0.000125', '1.93', '1250'.
 * @param {number | undefined} value not below 0 @param {number} [digits] at least so many
 */
export function formatSignificant(value, digits = 3) {
  if (value === undefined) return DASH;
  const tens = value > 0 ? Math.floor(Math.log10(value)) : 0;
  return value.toFixed(Math.min(20, Math.max(0, digits - 1 - tens)));
}
