/** The result of the published plan: the better of two passes. */
import { labelOfTransfer } from '../../net/labels.js';
import { protocolsOf } from '../../experiment/trials.js';
import { mean } from '../../base/statistics/values.js';
import { formatSize } from './format-size.js';
import { movedBytesOf } from './budget.js';
import { PUBLISHED_PASSES } from './plan.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadFailure, PayloadTrial } from './measure.js'
 * @import { PublishedPlan } from './plan.js'
 */

/**
 * @typedef {object} PublishedRow
 * @property {Direction} direction
 * @property {number} size
 * @property {string} transport
 * @property {string[]} protocols
 * @property {(number | undefined)[]} passMs of each pass, the mean of its messages; absent if none was answered
 * @property {number} [betterMs] the smaller; absent, as the others, if a pass is missing
 * @property {number} [otherMs]
 * @property {number} [apartPercent] how much slower the other pass was
 * @property {number} [megabytesPerSecond] of the better; absent also for 0 bytes
 * @property {number} sampleCount
 * @property {PayloadFailure[]} failures
 */

/**
 * @param {PublishedPlan} plan
 * @param {readonly PayloadTrial[]} trials
 * @returns {PublishedRow[]} by direction, then by size, then by transport
 */
export function summarizePublished({ directions, sizes, transports }, trials) {
  return directions.flatMap((direction) =>
    sizes.flatMap((size) =>
      transports.map((transport) => {
        const own = trials.filter(
          (trial) => trial.direction === direction && trial.size === size && trial.transport === transport,
        );
        return { direction, size, transport, ...summarizePasses(direction, size, own) };
      }),
    ),
  );
}

/** @param {Direction} direction @param {number} size @param {readonly PayloadTrial[]} own */
function summarizePasses(direction, size, own) {
  const times = (/** @type {readonly PayloadTrial[]} */ list) =>
    list.map(({ durationMs }) => durationMs).filter((ms) => ms !== undefined);
  const passMs = Array.from({ length: PUBLISHED_PASSES }, (_, pass) =>
    mean(times(own.filter(({ block }) => block === pass))),
  );
  const made = passMs.filter((ms) => ms !== undefined);
  const isWhole = made.length === PUBLISHED_PASSES;
  const betterMs = isWhole ? Math.min(...made) : undefined;
  const otherMs = isWhole ? Math.max(...made) : undefined;
  const isSeen = betterMs !== undefined && otherMs !== undefined && betterMs > 0;
  return {
    protocols: protocolsOf(own),
    passMs,
    betterMs,
    otherMs,
    apartPercent: isSeen ? 100 * (otherMs / betterMs - 1) : undefined,
    megabytesPerSecond: isSeen && size > 0 ? movedBytesOf(direction, size) / betterMs / 1000 : undefined,
    sampleCount: times(own).length,
    failures: own.map(({ failure }) => failure).filter((failure) => failure !== undefined),
  };
}

/** @param {readonly PublishedRow[]} rows @returns {string[]} sentences */
export function describePublished(rows) {
  const farthest = rows.reduce(
    (/** @type {PublishedRow | undefined} */ most, row) =>
      (row.apartPercent ?? -1) > (most?.apartPercent ?? -1) ? row : most,
    undefined,
  );
  if (farthest?.apartPercent === undefined) return ['Too few measurements.'];
  const { direction, size, transport, apartPercent } = farthest;
  return [
    `Two passes give no interval, so no verdict. They differ by up to ${apartPercent.toFixed(0)}% (${labelOfTransfer(transport)}, ${formatSize(size)} ${direction}).`,
  ];
}

/** What is wrong with the better of two. */
export const BEST_OF_NOTE =
  'The better of two passes is biased towards fast times, most of all where a pass is a single message (1 MB, 10 MB). Two passes give no interval. The transports are not interleaved, so a change of the network affects only one of them.';
