/**
 * Messages in flight: the same echo with 1, 2, 4 ... messages in flight. A back-to-back loop waits a round trip for each
 * message; this shows the throughput when it does not.
 */
import { createDeadline, setUpLimitMs } from '../../net/deadline.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { createRandom, shuffle } from '../../base/random.js';
import { createPayload, measureRoundTrip } from '../../net/echo/round-trip.js';
import { createFaultWatch } from '../../experiment/faults.js';
import { messagesAt } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Measurement } from '../../experiment/run.js'
 * @import { Connection, Transport } from '../../net/echo/index.js'
 * @import { RoundTrip } from '../../net/echo/round-trip.js'
 * @import { Failure, Progress } from '../../net/echo/trial.js'
 * @import { Outcome } from '../../net/exchange-error.js'
 * @import { DepthPlan } from './plan.js'
 */

/**
 * @typedef {object} DepthTrial
 * @property {string} transport
 * @property {string} [protocol]
 * @property {number} depth messages in flight
 * @property {number} block counted from 0
 * @property {number[]} endedAtMs of each ok message in the order of the answers, since the first was sent
 * @property {number[]} roundTripMs in the same order
 * @property {number} iterations how many messages were asked for
 * @property {Failure[]} failures
 */

/**
 * @typedef {{ transport: string, depth: number, block: number }} PlannedTrial
 *
 * @typedef {object} Options
 * @property {DepthPlan} plan
 * @property {Record<string, Transport>} transports by name
 * @property {Now} now
 * @property {number} [timeoutMs] without any answer
 * @property {AbortSignal} [signal]
 */

/** @type {Measurement<Options, PlannedTrial, DepthTrial>} */
export const measurement = {
  schema: 'sockshootout/in-flight/1',
  trialsOf,
  async runTrial({ transport, depth, block }, { transports, now, timeoutMs, progress, signal }) {
    const trial = await runDepthTrial({ transport: transports[transport], depth, now, timeoutMs, progress, signal });
    return { ...trial, block };
  },
  watchFaults: ({ transports }) => createFaultWatch(transports),
};

/** @param {DepthPlan} plan @returns {PlannedTrial[]} */
function trialsOf({ transports, depths, blocks, seed }) {
  const random = createRandom(seed);
  const each = transports.flatMap((transport) => depths.map((depth) => ({ transport, depth })));
  return Array.from({ length: blocks }, (_, block) => shuffle(each, random).map((one) => ({ ...one, block }))).flat();
}

/**
 * As many loops side by side as messages are to be in flight, over one connection.
 *
 * @param {object} options
 * @param {Transport} options.transport
 * @param {number} options.depth
 * @param {Now} options.now
 * @param {number} [options.timeoutMs]
 * @param {Progress} options.progress its count is kept up to date
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Omit<DepthTrial, 'block'>>}
 */
async function runDepthTrial({ transport, depth, now, timeoutMs = 10_000, progress, signal }) {
  const iterations = messagesAt(depth);
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  /** @type {number[]} */
  const endedAtMs = [];
  /** @type {number[]} */
  const roundTripMs = [];
  /** @type {Failure[]} */
  const failures = [];
  let sentCount = 0;
  let isOver = false;
  /** @type {Connection | undefined} */
  let connection;

  /** @param {{ outcome: Outcome, message?: string }} end of an exchange without an answer */
  const endWith = ({ outcome, message = '' }) => {
    isOver = true;
    if (isFailure(outcome)) failures.push({ outcome, message });
  };

  /**
   * @param {Connection} open
   * @param {number} end no message is sent beyond it
   * @param {(trip: RoundTrip) => void} onAnswer
   */
  const loop = async (open, end, onAnswer) => {
    while (sentCount < end && !isOver) {
      const iteration = sentCount++;
      // Distinct counts, so that no two open requests share an address.
      const trip = await measureRoundTrip(open, createPayload(iteration), { now, signal: deadline.start() });
      if (trip.outcome === 'ok') onAnswer(trip);
      else endWith(trip);
    }
  };
  try {
    const open = (connection = await transport.connect({ signal: deadline.start(setUpLimitMs(transport, timeoutMs)) }));
    const together = (/** @type {number} */ end, /** @type {Parameters<typeof loop>[2]} */ onAnswer) =>
      Promise.all(Array.from({ length: depth }, () => loop(open, end, onAnswer)));
    await together(depth, () => {});
    const startedAtMs = now();
    await together(depth + iterations, ({ sentAtMs, endedAtMs: at }) => {
      endedAtMs.push(at - startedAtMs);
      roundTripMs.push(at - sentAtMs);
      progress.completedCount++;
    });
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    endWith(error);
  } finally {
    deadline.close();
    connection?.close();
  }
  const { protocol } = connection ?? {};
  return { transport: transport.name, protocol, depth, endedAtMs, roundTripMs, iterations, failures };
}
