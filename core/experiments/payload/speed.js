/**
 * A short test of the connection before a run over sizes, to estimate its duration. It is no measurement, and never shown as
 * one.
 */
import { checkAnswer } from '../../net/transfer/check-answer.js';
import { createMessages, createOffsets } from '../../net/transfer/content.js';
import { createDeadline } from '../../net/deadline.js';
import { createRandom } from '../../base/random.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { TransferMethod, Direction } from '../../net/transfer/index.js'
 */

/** Of each length; the minimum is used. */
const TRIES = 3;
/** Rising, so that a slow path is known to be slow before it has to transfer much. */
const TEST_SIZES = [10_000, 100_000, 1_000_000];
/** A message that takes so much longer than an empty one shows the speed well enough. */
const LONG_MS = 200;
/** Messages of one length that took so much together are not repeated: the visitor waits. */
const ENOUGH_MS = 3 * LONG_MS;
/** The minimum time of a transfer, where the clock measures none. */
const MIN_MS = 0.1;

/**
 * @typedef {object} Speed
 * @property {number} roundTripMs of a message of 1 B
 * @property {number} upBytesPerSecond
 * @property {number} downBytesPerSecond
 */

/**
 * @param {object} options
 * @param {TransferMethod} options.transfer to test with
 * @param {Now} options.now
 * @param {number} [options.maxBytes] of a message
 * @param {number} [options.timeoutMs] limit of each message, the largest of which is 1 MB
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Speed>}
 * @throws {ExchangeError} if a message fails
 */
export async function measureSpeed({ transfer, now, maxBytes = Infinity, timeoutMs = 30_000, signal }) {
  const sizes = TEST_SIZES.filter((size) => size <= maxBytes);
  const createMessage = createMessages(Math.max(1, ...sizes));
  const nextOffset = createOffsets(createRandom(0));
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });

  /** @param {Direction} direction @param {(timeOf: (bytes: number) => Promise<number>) => Promise<number>} test */
  const withConnection = async (direction, test) => {
    const connection = await transfer.connect(direction, { signal: deadline.start() });
    try {
      const timeOf = async (/** @type {number} */ bytes) => {
        const message = createMessage({ direction, bytes, offset: nextOffset(), form: transfer.form });
        const receipt = await connection.send(message, { signal: deadline.start() });
        const error = checkAnswer(message, receipt.answer);
        if (error) throw error;
        return receipt.endedAtMs - receipt.startedAtMs;
      };
      // Over HTTP the first message opens the connection.
      await timeOf(1);
      return await test(timeOf);
    } finally {
      connection.close();
    }
  };

  try {
    const roundTripMs = await withConnection('echo', (timeOf) => minOf(() => timeOf(1)));
    const rateOf = (/** @type {(bytes: number) => Promise<number>} */ timeOf) =>
      measureRate(timeOf, { roundTripMs, sizes });
    return {
      roundTripMs,
      upBytesPerSecond: await withConnection('up', rateOf),
      downBytesPerSecond: await withConnection('down', rateOf),
    };
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

/**
 * @param {(bytes: number) => Promise<number>} timeOf
 * @param {{ roundTripMs: number, sizes: readonly number[] }} options `sizes` rising
 * @returns {Promise<number>} bytes per second
 */
async function measureRate(timeOf, { roundTripMs, sizes }) {
  let bytesPerSecond = 0;
  for (const bytes of sizes) {
    const ms = Math.max((await minOf(() => timeOf(bytes))) - roundTripMs, MIN_MS);
    bytesPerSecond = (bytes / ms) * 1000;
    if (ms >= LONG_MS) break;
  }
  return bytesPerSecond;
}
