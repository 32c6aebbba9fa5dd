/**
 * What a run over sizes will cost in bytes and time, by a short test of the connection, and which of its sizes fit a budget.
 * It counts the messages themselves: headers, frames and packets add some hundred bytes per message.
 */
import { createRandom } from '../../base/random.js';
import { sumOf } from '../../base/statistics/values.js';
import { integer } from '../../experiment/fields.js';
import { createDeadline } from '../../net/deadline.js';
import { checkAnswer } from '../../net/transfer/check-answer.js';
import { createMessages, createOffsets } from '../../net/transfer/content.js';
import { trialsOf } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Direction, TransferMethod } from '../../net/transfer/index.js'
 * @import { PayloadPlan } from './plan.js'
 */

/** The limits of a run. They are the visitor's own, so no link contains them. */
export const BUDGETS = Object.freeze({
  seconds: integer({ parameter: 'seconds', label: 'Time budget', unit: 's', min: 1, max: 3600, default: 60 }),
  megabytes: integer({ parameter: 'megabytes', label: 'Byte budget', unit: 'MB', min: 1, max: 100_000, default: 200 }),
});

/** The time is estimated from a short test, and may be wrong by this factor: a size is left out only above it. */
export const TIME_DOUBT = 2;

/** The default where bytes may be expensive, as on a phone. */
export const SPARING_MEGABYTES = 20;

/** The bytes that cross the network, in both directions together. @param {Direction} direction @param {number} size */
export const movedBytesOf = (direction, size) => (direction === 'echo' ? 2 : 1) * size;

/** @typedef {{ size: number, byteCount: number, durationMs: number }} Cost of a size: all its messages, with the warm-up */

/** @param {PayloadPlan} plan @param {Speed} speed @returns {Cost[]} for each size */
export function costsOf(plan, speed) {
  const trials = trialsOf(plan);
  return plan.sizes.map((size) => {
    const own = trials.filter((trial) => trial.size === size);
    /** @param {(direction: Direction) => number} costOf */
    const total = (costOf) => sumOf(own, ({ direction, warmUps = [] }) => (1 + warmUps.length) * costOf(direction));
    return {
      size,
      byteCount: total((direction) => movedBytesOf(direction, size)),
      durationMs: total((direction) => messageMs(direction, size, speed)),
    };
  });
}

/** @param {Direction} direction @param {number} size @param {Speed} speed */
function messageMs(direction, size, { roundTripMs, upBytesPerSecond, downBytesPerSecond }) {
  const upSeconds = direction === 'down' ? 0 : size / upBytesPerSecond;
  const downSeconds = direction === 'up' ? 0 : size / downBytesPerSecond;
  return roundTripMs + 1000 * (upSeconds + downSeconds);
}

/**
 * @typedef {Omit<Cost, 'size'> & { sizes: number[], struckOut: Excess[] }} Fit `sizes` that fit, rising; none if not even the
 *   smallest fits
 * @typedef {Cost & { why: ('time' | 'bytes')[] }} Excess a size that does not fit: the budgets exceeded, and the total cost of
 *   a run up to this size
 */

/**
 * Keeps the smallest sizes that fit both budgets together, without gaps: all above the first that does not fit are left out.
 * @param {PayloadPlan} plan @param {{ speed: Speed, budgetBytes: number, budgetMs: number }} options @returns {Fit}
 */
export function fitBudget(plan, { speed, budgetBytes, budgetMs }) {
  /** @type {Fit} */
  const fit = { sizes: [], struckOut: [], byteCount: 0, durationMs: 0 };
  const total = { byteCount: 0, durationMs: 0 };
  for (const { size, byteCount, durationMs } of costsOf(plan, speed)) {
    // With those left out, so that no larger one fits.
    total.byteCount += byteCount;
    total.durationMs += durationMs;
    /** @type {Excess['why']} */
    const why = [];
    if (total.durationMs > TIME_DOUBT * budgetMs) why.push('time');
    if (total.byteCount > budgetBytes) why.push('bytes');
    if (why.length > 0) fit.struckOut.push({ size, why, ...total });
    else Object.assign(fit, total).sizes.push(size);
  }
  return fit;
}

/** Of each length of the speed test; the minimum is used. */
const TRIES = 3;
/** Rising, so that a slow path is known to be slow before it has to transfer much. */
const TEST_SIZES = [10_000, 100_000, 1_000_000];
/** A message that takes so much longer than an empty one shows the speed well enough. */
const LONG_MS = 200;
/** Messages of one length that took so much together are not repeated: the visitor waits. */
const ENOUGH_MS = 3 * LONG_MS;
/** The minimum time of a transfer, where the clock measures none. */
const MIN_MS = 0.1;

/** @typedef {{ roundTripMs: number, upBytesPerSecond: number, downBytesPerSecond: number }} Speed `roundTripMs`: of 1 B */

/**
 * A short test of the connection; it is never shown as a measurement.
 * @param {{ transfer: TransferMethod, now: Now, maxBytes?: number, timeoutMs?: number, signal?: AbortSignal }} options
 *   `maxBytes` of a message; `timeoutMs` of each message, the largest of which is 1 MB
 * @returns {Promise<Speed>} @throws {ExchangeError} if a message fails
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
      // Over HTTP the first message opens the connection.
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
