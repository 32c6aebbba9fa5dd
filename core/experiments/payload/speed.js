/** A short test of the connection, from which the duration of a run is estimated. Its speed is never shown as a measurement. */
import { createRandom } from '../../base/random.js';
import { createDeadline } from '../../net/deadline.js';
import { checkAnswer, createMessages, createOffsets } from '../../net/transfer/content.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Direction, TransferMethod } from '../../net/transfer/index.js'
 * @typedef {{ roundTripMs: number, upBytesPerSecond: number, downBytesPerSecond: number }} Speed `roundTripMs`: of 1 B
 * @typedef {(bytes: number) => Promise<number>} TimeOf sends a message, and returns its time in ms
 */

/** The number of messages of each length; the minimum is used. */
const TRIES = 3;
/** The sizes rise, so that a slow path is detected before it has to transfer much. */
const SIZES = [10_000, 100_000, 1_000_000];
/** The additional time of a message, compared with an empty one, that shows the speed well enough. */
const LONG_MS = 200;
/** The total time of a length's messages after which they are not repeated, as the visitor waits. */
const ENOUGH_MS = 3 * LONG_MS;
const MIN_MS = 0.1;

/**
 * @param {{ transfer: TransferMethod, now: Now, maxBytes?: number, timeoutMs?: number, signal?: AbortSignal }} options
 *   `maxBytes`, `timeoutMs` of a message @returns {Promise<Speed>} @throws {ExchangeError} if a message fails
 */
export async function measureSpeed({ transfer, now, maxBytes = Infinity, timeoutMs = 30_000, signal }) {
  const sizes = SIZES.filter((size) => size <= maxBytes);
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  const createMessage = createMessages(Math.max(1, ...sizes));
  const nextOffset = createOffsets(createRandom(0));

  /**
   * @param {Direction} direction @param {(timeOf: TimeOf) => Promise<number>} measure by an open connection
   * @returns what it measured
   */
  async function connect(direction, measure) {
    const connection = await transfer.connect(direction, { signal: deadline.start() });
    /** @type {TimeOf} */
    const timeOf = async (bytes) => {
      const message = createMessage({ direction, bytes, offset: nextOffset(), form: transfer.form });
      const { answer, startedAtMs, endedAtMs } = await connection.send(message, { signal: deadline.start() });
      const error = checkAnswer(message, answer);
      if (error) throw error;
      return endedAtMs - startedAtMs;
    };
    try {
      // The first message over HTTP opens the connection.
      await timeOf(1);
      return await measure(timeOf);
    } finally {
      connection.close();
    }
  }

  try {
    const roundTripMs = await connect('echo', (timeOf) => shortestOf(() => timeOf(1)));
    const upBytesPerSecond = await connect('up', (timeOf) => measureRate(timeOf, { sizes, roundTripMs }));
    const downBytesPerSecond = await connect('down', (timeOf) => measureRate(timeOf, { sizes, roundTripMs }));
    return { roundTripMs, upBytesPerSecond, downBytesPerSecond };
  } finally {
    deadline.close();
  }
}

/**
 * @param {TimeOf} timeOf @param {{ sizes: readonly number[], roundTripMs: number }} test
 * @returns {Promise<number>} bytes per second, of the first size that takes long enough, or the last
 */
async function measureRate(timeOf, { sizes, roundTripMs }) {
  let bytesPerSecond = 0;
  for (const bytes of sizes) {
    const ms = Math.max((await shortestOf(() => timeOf(bytes))) - roundTripMs, MIN_MS);
    bytesPerSecond = (bytes / ms) * 1000;
    if (ms >= LONG_MS) break;
  }
  return bytesPerSecond;
}

/** @param {() => Promise<number>} measure milliseconds @returns {Promise<number>} the shortest of a few tries */
async function shortestOf(measure) {
  let [minMs, sumMs] = [Infinity, 0];
  for (let i = 0; i < TRIES && sumMs < ENOUGH_MS; i++) {
    const ms = await measure();
    minMs = Math.min(minMs, ms);
    sumMs += ms;
  }
  return minMs;
}
