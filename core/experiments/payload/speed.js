/**
 * A short look at the way before a run over sizes, so that its budget can be reckoned: not a measurement, and never shown as
 * one.
 */
import { checkAnswer } from '../../net/transfer/check-answer.js';
import { createMessages, createOffsets } from '../../net/transfer/message.js';
import { createDeadline } from '../../net/deadline.js';
import { createRandom } from '../../base/random.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { TransferMethod, Direction } from '../../net/transfer/index.js'
 */

/** Of each length; the least tells what the way takes, and not what else went on. */
const LOOKS = 3;
/** Growing, so that a slow way is not asked to carry much before it is known to be slow. */
const LOOK_SIZES = [10_000, 100_000, 1_000_000];
/** A message that takes so much longer than an empty one tells the speed well enough. */
const LONG_MS = 200;
/** Looks of one length that took so much together are not repeated: somebody waits for them. */
const ENOUGH_MS = 3 * LONG_MS;
/** Where a transfer takes no time that the clock sees, this much is reckoned for it. */
const LEAST_MS = 0.1;

/**
 * @typedef {object} Speed
 * @property {number} roundTripMs of a message of 1 B
 * @property {number} upBytesPerSecond
 * @property {number} downBytesPerSecond
 */

/**
 * @param {object} options
 * @param {TransferMethod} options.transfer by which it looks
 * @param {Now} options.now
 * @param {number} [options.mostBytes] of a message: less where nobody has asked for the look
 * @param {number} [options.timeoutMs] limit of each message; of the largest that is 1 MB
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Speed>}
 * @throws {ExchangeError} where a message fails
 */
export async function measureSpeed({ transfer, now, mostBytes = Infinity, timeoutMs = 30_000, signal }) {
  const sizes = LOOK_SIZES.filter((size) => size <= mostBytes);
  const createMessage = createMessages(Math.max(1, ...sizes));
  const nextOffset = createOffsets(createRandom(0));
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });

  /** @param {Direction} direction @param {(timeOf: (bytes: number) => Promise<number>) => Promise<number>} look */
  const withConnection = async (direction, look) => {
    const connection = await transfer.connect(direction, { signal: deadline.start() });
    try {
      const timeOf = async (/** @type {number} */ bytes) => {
        const message = createMessage({ direction, bytes, offset: nextOffset(), form: transfer.form });
        const receipt = await connection.send(message, { signal: deadline.start() });
        const error = checkAnswer(message, receipt.answer);
        if (error) throw error;
        return receipt.endedAtMs - receipt.startedAtMs;
      };
      // Over HTTP the first one opens the connection.
      await timeOf(1);
      return await look(timeOf);
    } finally {
      connection.close();
    }
  };

  try {
    const roundTripMs = await withConnection('echo', (timeOf) => leastOf(() => timeOf(1)));
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

/** @param {() => Promise<number>} look milliseconds */
async function leastOf(look) {
  let [leastMs, sumMs] = [Infinity, 0];
  for (let i = 0; i < LOOKS && sumMs < ENOUGH_MS; i++) {
    const ms = await look();
    leastMs = Math.min(leastMs, ms);
    sumMs += ms;
  }
  return leastMs;
}

/**
 * @param {(bytes: number) => Promise<number>} timeOf
 * @param {{ roundTripMs: number, sizes: readonly number[] }} options `sizes` rising
 * @returns {Promise<number>} bytes per second
 */
async function measureRate(timeOf, { roundTripMs, sizes }) {
  let bytesPerSecond = 0;
  for (const bytes of sizes) {
    const ms = Math.max((await leastOf(() => timeOf(bytes))) - roundTripMs, LEAST_MS);
    bytesPerSecond = (bytes / ms) * 1000;
    if (ms >= LONG_MS) break;
  }
  return bytesPerSecond;
}
