/**
 * The payload experiment: how long a message of a given size takes up, down and echoed, by each transfer method.
 *
 * A trial is one message. Creating it and checking each of its bytes lie outside the timed part. Connections are kept during
 * the run, and their setup is timed apart. In a sweep each transfer method first sends an uncounted message of each size: all
 * methods one after the other, then all of them again, so that the first counted message has the same predecessors as the
 * later ones.
 */
import { checkAnswer } from '../../net/transfer/check-answer.js';
import { createMessages, createOffsets } from '../../net/transfer/content.js';
import { createDeadline } from '../../net/deadline.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { createRandom } from '../../base/random.js';
import { movedBytesOf } from './budget.js';
import { createPayloadFaultWatch } from './faults.js';
import { trialsOf } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Measurement } from '../../experiment/run.js'
 * @import { FailureOutcome } from '../../net/exchange-error.js'
 * @import { TransferMethod, TransferConnection, Direction } from '../../net/transfer/index.js'
 * @import { PayloadPlan, PlannedTrial } from './plan.js'
 */

/** A path that is slower than this, in bytes per second, counts as stalled: 0.4 Mbit/s. */
const MIN_BYTES_PER_SECOND = 50_000;

/** After these a connection is closed. Other failures were answered, so the next answer belongs to the next message. */
const ENDS_CONNECTION = ['timeout', 'closed', 'aborted'];

/**
 * @typedef {{ outcome: FailureOutcome, message: string }} PayloadFailure
 *
 * @typedef {object} PayloadTrial one message
 * @property {number} block counted from 0
 * @property {number} size in bytes
 * @property {Direction} direction
 * @property {string} transport
 * @property {string} [protocol] as negotiated
 * @property {number} [setUpMs] of the connection that was opened for this trial, or for the warm-up before it
 * @property {number} startedAtMs when the message was sent, or should have been, since the run's start
 * @property {number} [durationMs] absent where it failed
 * @property {PayloadFailure} [failure] why it failed, or the warm-up or the connection before it
 *
 * @typedef {object} Opened a connection over which messages go in one direction
 * @property {TransferConnection} connection
 * @property {boolean} isSetUpReported
 */

/**
 * @typedef {object} Options
 * @property {PayloadPlan} plan
 * @property {Record<string, TransferMethod>} transfers by name
 * @property {Now} now
 * @property {(planned: PlannedTrial) => void} [onWarmUp] is called before each uncounted message
 * @property {number} [timeoutMs] limit of one answer, besides the time of its bytes on a slow path
 * @property {() => Promise<void>} [reach] asks the server for any answer, after a message got none; rejects with an
 *   ExchangeError
 * @property {AbortSignal} [signal]
 */

/** @type {Measurement<Options, PlannedTrial, PayloadTrial>} */
export const measurement = {
  schema: 'sockshootout/payload/1',
  trialsOf,
  open: createExchange,
  runTrial,
  watchFaults: ({ transports }) => createPayloadFaultWatch(transports),
};

/**
 * @param {PlannedTrial} planned
 * @param {Options & { shared: Exchange }} options
 * @returns {Promise<PayloadTrial | undefined>} absent if the run's end interrupted it
 */
async function runTrial({ warmUps, ...planned }, { now, signal, shared: exchange, onWarmUp }) {
  const warmUpFailure = await warmUp(exchange, { ...planned, warmUps }, { signal, onWarmUp });
  if (signal?.aborted) return undefined;
  const outcome = warmUpFailure ? { startedAtMs: now(), failure: warmUpFailure } : await send(exchange, planned);
  if (outcome.failure?.outcome === 'aborted') return undefined;
  return { ...planned, ...describe(exchange, planned), ...outcome };
}

/** What the messages of a run share: connections, opened when needed. @param {Options} options */
function createExchange({ plan, transfers, now, timeoutMs = 10_000, reach, signal }) {
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  /** @type {Map<string, Opened>} by transport and direction */
  const open = new Map();
  return {
    transfers,
    now,
    timeoutMs,
    deadline,
    reach,
    /** @type {PayloadFailure | undefined} of every message since the server was lost: each would take as long as the limit */
    lost: undefined,
    open,
    createMessage: createMessages(plan.sizes[plan.sizes.length - 1]),
    nextOffset: createOffsets(createRandom(plan.preset ? 0 : plan.seed)),
    /** @type {Map<string, PayloadFailure>} of methods that never connected: each try may take as long as the limit */
    unreachable: new Map(),
    /** @type {Set<string>} */
    reached: new Set(),
    /** @type {Map<string, PayloadFailure | undefined>} by transport, until its next message */
    warmUpFailures: new Map(),

    close() {
      deadline.close();
      for (const { connection } of open.values()) connection.close();
    },
  };
}

/** @typedef {ReturnType<typeof createExchange>} Exchange */

/** @param {{ transport: string, direction: string }} place */
const keyOf = ({ transport, direction }) => `${transport} ${direction}`;

/**
 * @param {Exchange} exchange @param {PlannedTrial} planned @param {{ isWarmUp?: boolean }} [options]
 * @returns {Promise<{ startedAtMs: number, durationMs?: number, failure?: PayloadFailure }>}
 */
async function send(exchange, planned, { isWarmUp = false } = {}) {
  const { open, unreachable } = exchange;
  const startedAtMs = exchange.now();
  const given = exchange.lost ?? unreachable.get(planned.transport);
  if (given) return { startedAtMs, failure: given };
  try {
    if (!open.has(keyOf(planned))) {
      await connect(exchange, planned);
      // A reopened connection: its first message is slower, and does not count either.
      if (!isWarmUp) await sendOnce(exchange, planned);
    }
    return await sendOnce(exchange, planned);
  } catch (error) {
    const failure = failureOf(error);
    if (ENDS_CONNECTION.includes(failure.outcome)) {
      open.get(keyOf(planned))?.connection.close();
      open.delete(keyOf(planned));
    }
    if (failure.outcome === 'timeout') await exchange.reach?.().catch((lost) => (exchange.lost = failureOf(lost)));
    return { startedAtMs, failure };
  }
}

/** @param {Exchange} exchange @param {PlannedTrial} planned */
async function connect({ transfers, deadline, open, reached, unreachable }, planned) {
  const { transport, direction } = planned;
  try {
    const connection = await transfers[transport].connect(direction, { signal: deadline.start() });
    reached.add(transport);
    open.set(keyOf(planned), { connection, isSetUpReported: false });
  } catch (error) {
    const failure = failureOf(error);
    if (!reached.has(transport) && isFailure(failure.outcome)) unreachable.set(transport, failure);
    throw error;
  }
}

/** @param {Exchange} exchange @param {PlannedTrial} planned */
async function sendOnce({ transfers, createMessage, deadline, nextOffset, open, timeoutMs }, planned) {
  const { connection } = /** @type {Opened} */ (open.get(keyOf(planned)));
  const { size: bytes, direction, transport } = planned;
  const message = createMessage({ direction, bytes, offset: nextOffset(), form: transfers[transport].form });
  const limitMs = timeoutMs + (1000 * movedBytesOf(direction, bytes)) / MIN_BYTES_PER_SECOND;
  const { startedAtMs, endedAtMs, answer } = await connection.send(message, { signal: deadline.start(limitMs) });
  const error = checkAnswer(message, answer);
  if (error) throw error;
  return { startedAtMs, durationMs: endedAtMs - startedAtMs };
}

/**
 * @param {Exchange} exchange @param {PlannedTrial} planned
 * @returns {{ protocol?: string, setUpMs?: number }} of its connection; its setup is reported once
 */
function describe({ open }, planned) {
  const opened = open.get(keyOf(planned));
  if (!opened) return {};
  const { protocol, setUpMs } = opened.connection;
  if (opened.isSetUpReported) return { protocol };
  opened.isSetUpReported = true;
  return { protocol, setUpMs };
}

/**
 * @param {Exchange} exchange @param {PlannedTrial} planned @param {Pick<Options, 'signal' | 'onWarmUp'>} options
 * @returns {Promise<PayloadFailure | undefined>} of its transport, if its counted message is next
 */
async function warmUp(exchange, { warmUps = [], ...planned }, { signal, onWarmUp }) {
  const { warmUpFailures } = exchange;
  for (const transport of warmUps) {
    if (signal?.aborted) return undefined;
    const one = { ...planned, transport };
    onWarmUp?.(one);
    warmUpFailures.set(transport, (await send(exchange, one, { isWarmUp: true })).failure);
  }
  const failure = warmUpFailures.get(planned.transport);
  warmUpFailures.delete(planned.transport);
  return failure;
}

/**
 * @param {unknown} error
 * @returns {PayloadFailure}
 * @throws an error that is not an {@link ExchangeError}: a bug
 */
function failureOf(error) {
  if (!(error instanceof ExchangeError)) throw error;
  return { outcome: error.outcome, message: error.message };
}
