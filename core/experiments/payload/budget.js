/**
 * Estimates the duration of a run over sizes, by a short test of the connection, and selects the sizes that fit a time
 * budget.
 */
import { createRandom } from '../../base/random.js';
import { sumOf } from '../../base/statistics.js';
import { integer } from '../../experiment/fields.js';
import { createDeadline } from '../../net/deadline.js';
import { slowStartOf } from '../../net/rate.js';
import { checkAnswer, createMessages, createOffsets } from '../../net/transfer/content.js';
import { bytesOf, DEFAULT_SIZES, FIELDS, messageCountsOf, splitSizes } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Direction, TransferMethod } from '../../net/transfer/index.js'
 * @import { PayloadPlan } from './plan.js'
 * @typedef {{ plan: PayloadPlan, byteCount: number, durationMs: number, tooSlow: { size: number, durationMs: number
 *   }[] }} Fit `plan`: what remains; `tooSlow`: the sizes left out for their time, with the duration of a run up to
 *   each
 * @typedef {{ roundTripMs: number, upBytesPerSecond: number, downBytesPerSecond: number }} Speed `roundTripMs`: of 1 B
 */

/** The limit on a sweep's time. It is the visitor's own, so no link contains it. */
export const TIME_BUDGET = integer({
  parameter: 'seconds',
  label: 'Time budget',
  unit: 's',
  min: 1,
  max: 3600,
  default: 60,
});

/** The time is estimated from a short test, and may be wrong by this factor: a size is left out only above it. */
export const TIME_DOUBT = 2;
/** The defaults if bytes may be expensive, as on a phone: all messages of these sizes are 16 MB. */
export const SPARING_FIELDS = Object.freeze({
  sizes: { ...FIELDS.sizes, default: DEFAULT_SIZES.filter((size) => size <= 100_000) },
  budget: { ...FIELDS.budget, default: 20 },
});
/** The round trips of opening a connection, and of closing the one before it. */
const SET_UP_ROUND_TRIPS = 4;
/** Where nothing is known of a path, it is a fast one: 100 Mbit/s. */
const FAST_BYTES_PER_SECOND = 12_500_000;

/**
 * Estimates the time of a plan that nothing was left out of, before its connection is tested.
 * @param {PayloadPlan} plan @param {number} roundTripMs @param {{ bytesPerSecond?: number }} [path] @returns {number}
 */
export function expectedMs(plan, roundTripMs, { bytesPerSecond = FAST_BYTES_PER_SECOND } = {}) {
  const speed = { roundTripMs, upBytesPerSecond: bytesPerSecond, downBytesPerSecond: bytesPerSecond };
  const messagesMs = sumOf(costsOf(plan, speed), ({ durationMs }) => durationMs);
  // Each transport keeps a connection for each direction, whose window grows once.
  const openCount = plan.transports.length * plan.directions.length;
  const openMs = (SET_UP_ROUND_TRIPS + slowStartOf(Math.max(...plan.sizes))) * roundTripMs;
  return messagesMs + openCount * openMs;
}

/**
 * @param {PayloadPlan} plan @param {Speed} speed
 * @returns {{ size: number, durationMs: number }[]} for each size, with the warm-up
 */
export const costsOf = (plan, speed) =>
  plan.sizes.map((size) => {
    const { kept, anew } = messageCountsOf(plan, size);
    const eachMs = sumOf(plan.directions, (direction) => messageMs(direction, size, speed));
    const setUpMs = anew * plan.directions.length * SET_UP_ROUND_TRIPS * speed.roundTripMs;
    return { size, durationMs: (kept + anew) * eachMs + setUpMs };
  });

/** @param {Direction} direction @param {number} size @param {Speed} speed */
function messageMs(direction, size, { roundTripMs, upBytesPerSecond, downBytesPerSecond }) {
  const upSeconds = direction === 'down' ? 0 : size / upBytesPerSecond;
  const downSeconds = direction === 'up' ? 0 : size / downBytesPerSecond;
  return roundTripMs + 1000 * (upSeconds + downSeconds);
}

/** @param {PayloadPlan} plan @param {{ speed: Speed, budgetMs?: number }} options default: any time @returns {Fit} */
export function fitTime(plan, { speed, budgetMs = Infinity }) {
  let sumMs = 0;
  const upTo = costsOf(plan, speed).map(({ size, durationMs }) => ({ size, durationMs: (sumMs += durationMs) }));
  const { sizes } = splitSizes(plan);
  const isTooSlow = (/** @type {{ durationMs: number }} */ { durationMs }) => durationMs > TIME_DOUBT * budgetMs;
  const kept = upTo.slice(0, sizes.length).filter((one) => !isTooSlow(one));
  // The link keeps the sizes that only the byte budget leaves out.
  const isCut = kept.length < sizes.length;
  return {
    plan: isCut ? { ...plan, sizes: kept.map(({ size }) => size) } : plan,
    byteCount: sumOf(kept, ({ size }) => bytesOf(plan, size)),
    durationMs: kept.at(-1)?.durationMs ?? 0,
    tooSlow: isCut ? upTo.filter(isTooSlow) : [],
  };
}

/** The number of messages of each length in the speed test; the minimum is used. */
const TRIES = 3;
/** The sizes rise, so that a slow path is detected before it has to transfer much. */
const TEST_SIZES = [10_000, 100_000, 1_000_000];
/** The additional time of a message, compared with an empty one, that shows the speed well enough. */
const LONG_MS = 200;
/** The total time of a length's messages after which they are not repeated, as the visitor waits. */
const ENOUGH_MS = 3 * LONG_MS;
const MIN_MS = 0.1;

/**
 * Measures the speed, which is never shown as a measurement.
 * @param {{ transfer: TransferMethod, now: Now, maxBytes?: number, timeoutMs?: number, signal?: AbortSignal }} options
 *   `maxBytes`, `timeoutMs` of a message @returns {Promise<Speed>} @throws {ExchangeError} if a message fails
 */
export async function measureSpeed({ transfer, now, maxBytes = Infinity, timeoutMs = 30_000, signal }) {
  const sizes = TEST_SIZES.filter((size) => size <= maxBytes);
  const createMessage = createMessages(Math.max(1, ...sizes));
  const nextOffset = createOffsets(createRandom(0));
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });

  /** @param {Direction} direction @param {(timeOf: (bytes: number) => Promise<number>) => Promise<number>} test */
  const withConnection = async (direction, test) => {
    const connection = await transfer.connect(direction, { signal: deadline.start() });
    const timeOf = async (/** @type {number} */ bytes) => {
      const message = createMessage({ direction, bytes, offset: nextOffset(), form: transfer.form });
      const receipt = await connection.send(message, { signal: deadline.start() });
      const error = checkAnswer(message, receipt.answer);
      if (error) throw error;
      return receipt.endedAtMs - receipt.startedAtMs;
    };
    try {
      // The first message over HTTP opens the connection.
      await timeOf(1);
      return await test(async (bytes) => minOf(() => timeOf(bytes)));
    } finally {
      connection.close();
    }
  };

  try {
    const roundTripMs = await withConnection('echo', (minTimeOf) => minTimeOf(1));
    /** @param {Direction} direction @returns {Promise<number>} bytes per second */
    const measureRate = (direction) =>
      withConnection(direction, async (minTimeOf) => {
        let bytesPerSecond = 0;
        for (const bytes of sizes) {
          const ms = Math.max((await minTimeOf(bytes)) - roundTripMs, MIN_MS);
          bytesPerSecond = (bytes / ms) * 1000;
          if (ms >= LONG_MS) break;
        }
        return bytesPerSecond;
      });
    const upBytesPerSecond = await measureRate('up');
    return { roundTripMs, upBytesPerSecond, downBytesPerSecond: await measureRate('down') };
  } finally {
    deadline.close();
  }
}

/** @param {() => Promise<number>} measure milliseconds */
async function minOf(measure) {
  let [minMs, sumMs] = [Infinity, 0];
  for (let i = 0; i < TRIES && sumMs < ENOUGH_MS; i++) {
    const ms = await measure();
    minMs = Math.min(minMs, ms);
    sumMs += ms;
  }
  return minMs;
}
