/** The figures of a run over sizes: of a sweep geometric means over the blocks, else the better of two passes. */
import { mean, median, percentile, sort, ratioInterval, STEPS_PER_TRUSTED_TIME } from '../../base/statistics.js';
import { answerJudged } from '../../experiment/answer/answer.js';
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { bothTimesOf, findBaseline, MIN_BLOCKS, savingOf } from '../../experiment/answer/compare.js';
import { sayNoticed, verdictOf } from '../../experiment/answer/verdict.js';
import { labelOfTransfer } from '../../experiment/answer/labels.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { movedBytesOf, nameMessage, newTransportsOf, PUBLISHED_PASSES, withinBudget } from './plan.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Compared, OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { Part } from '../../experiment/run/open-run.js'
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadPlan, PublishedPlan, Sweep } from './plan.js'
 * @import { PayloadDocument, PayloadFailure, PayloadTrial } from './schema.js'
 * @typedef {Interval | { estimate: number, low?: undefined, high?: undefined }} Figure with an interval from 6 blocks
 *   on
 * @typedef {object} Place of messages
 * @property {Direction} direction
 * @property {number} size
 * @property {string} transport
 * @property {string[]} protocols
 * @property {number} sampleCount
 * @property {PayloadFailure[]} failures
 * @typedef {object} SweepFigures
 * @property {Figure} [timeMs]
 * @property {number} [p50Ms]
 * @property {Figure} [megabytesPerSecond] absent for 0 bytes
 * @property {Judged & { confidence: number, blockCount: number, speedRatio?: Figure, savingMs?: Interval }} [comparison] absent of the
 *   baseline; `speedRatio`: above 1 if it is faster, absent if the times are too short for the clock; `savingMs`: per message, as its ratio
 * @typedef {Place & SweepFigures} PayloadRow
 * @typedef {object} PublishedFigures
 * @property {(number | undefined)[]} passMs of each pass
 * @property {number} betterMs
 * @property {number} otherMs
 * @property {number} [apartPercent]
 * @property {number} [megabytesPerSecond]
 * @typedef {Place & PublishedFigures} PublishedRow
 */

/** Summarizes the trials of either kind of plan. @param {PayloadDocument} document @returns {(PayloadRow | PublishedRow)[]} */
export function summarize({ plan: asked, trials, environment }) {
  const plan = withinBudget(asked);
  return plan.preset ? summarizePublished(plan, trials) : summarizeSweep(plan, trials, environment);
}

/**
 * @param {readonly any[]} rows @param {PayloadDocument & Pick<Part, 'situation'>} document
 * @returns {(OwnAnswer & Compared)[]} none of two passes
 */
export function answersOf(rows, { plan, situation }) {
  const baseline = String(findBaseline(plan.transports));
  return /** @type {PayloadRow[]} */ (rows).flatMap(({ transport, direction, size, timeMs, comparison }) => {
    if (!comparison) return [];
    const base = /** @type {PayloadRow[]} */ (rows).find(
      (row) => row.transport === baseline && row.direction === direction && row.size === size,
    );
    const bars = barsBetween(
      { name: baseline, value: base?.timeMs?.estimate },
      { name: transport, value: timeMs?.estimate },
      { nameOf: labelOfTransfer },
    );
    const { speedRatio: ratio, savingMs, ...judged } = comparison;
    const at = nameMessage({ direction, size });
    const measured = answerJudged(
      { subject: transport, baseline, at, unit: 'times-as-fast', bars, barsTitle: 'Time per message' },
      { ...judged, ratio },
    );
    const compared = savingMs ? sayNoticed(measured, savingMs, mattersIn(situation ?? {}).messageMs) : measured;
    return [{ ...compared, ...(plan.sizes.length > 1 && { aside: explainInterval(plan.sizes.length) }) }];
  });
}

/** @param {number} sizeCount @returns {string} why an interval is no 95% one */
const explainInterval = (sizeCount) => `The CI has a Bonferroni correction for ${sizeCount} sizes.`;

/**
 * Returns the confidence of each size's verdict: the sizes share the 5% error (Bonferroni).
 * @param {number} sizeCount
 */
export const confidenceAt = (sizeCount) => 1 - 0.05 / sizeCount;

/**
 * Summarizes the messages by direction, size and transport, and compares them block by block.
 * @param {Sweep} plan @param {readonly PayloadTrial[]} trials @param {{ stepMs?: number }} [clock]
 * @returns {PayloadRow[]}
 */
export function summarizeSweep(plan, trials, { stepMs = 0 } = {}) {
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

/**
 * Summarizes by direction, then by size, then by transport.
 * @param {PublishedPlan} plan @param {readonly PayloadTrial[]} trials @returns {PublishedRow[]}
 */
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
 * `here` are all trials, `own` those of one.
 * @param {PayloadPlan} plan @param {readonly PayloadTrial[]} trials
 * @returns {{ place: Place, here: PayloadTrial[], own: PayloadTrial[] }[]}
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
 * Compares the speed with the baseline's, above 1 if it is faster; no ratio if the times are too short for the clock.
 * @param {readonly PayloadTrial[]} own @param {readonly PayloadTrial[]} base
 * @param {{ stepMs: number, confidence: number }} options
 */
function compare(own, base, { stepMs, confidence }) {
  const pairs = own.flatMap(({ block, durationMs }) => {
    const baseMs = base.find((trial) => trial.block === block)?.durationMs;
    return baseMs === undefined || durationMs === undefined ? [] : [/** @type {const} */ ([baseMs, durationMs])];
  });
  const isFineEnough = [0, 1].every((side) => {
    const times = pairs.map((pair) => pair[side]);
    // A clock of unknown step may measure 0, which has no ratio.
    return times.every((ms) => ms > 0) && Number(median(times)) >= STEPS_PER_TRUSTED_TIME * stepMs;
  });
  const fine = isFineEnough ? pairs : [];
  const ratios = fine.map(([baseMs, ms]) => baseMs / ms);
  const speedRatio = figureOf(ratios, confidence);
  /** @type {Judged} */
  const judged = speedRatio?.low === undefined ? {} : { ratio: speedRatio, verdict: verdictOf(speedRatio) };
  return {
    speedRatio,
    ...judged,
    savingMs: judged.ratio && savingOf(judged.ratio, bothTimesOf(fine, confidence)),
    confidence,
    blockCount: ratios.length,
  };
}

/**
 * Computes the geometric mean.
 * @param {readonly number[]} values @param {number} [confidence] @returns {Figure | undefined}
 */
function figureOf(values, confidence) {
  if (values.length >= MIN_BLOCKS) return ratioInterval(values, confidence);
  const middle = mean(values.map(Math.log));
  return middle === undefined ? undefined : { estimate: Math.exp(middle) };
}
