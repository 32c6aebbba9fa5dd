/**
 * The payload experiment: how long a message of a given size takes up, down, and both ways, by each transfer method.
 *
 * A trial is one message. Its making and the look at each of its bytes lie outside the timed part. Connections are kept over
 * the run; what opening them takes is told apart. In a sweep each transfer method first takes a message of each size that is not
 * counted: all transfer methods of the size one after the other, then all of them again, so that the first counted message comes
 * after the same as the later ones do.
 */
import { checkAnswer } from '../../net/transfer/check-answer.js';
import { createMessages, createOffsets } from '../../net/transfer/message.js';
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

/** A way that is slower than this, in bytes per second, is one that stands still: 0.4 Mbit/s. */
const LEAST_BYTES_PER_SECOND = 50_000;

/** After these a connection is worth nothing; others were answered, so the next answer is the next message's. */
const ENDS_CONNECTION = ['timeout', 'closed', 'aborted'];

/**
 * @typedef {{ outcome: FailureOutcome, message: string }} PayloadFailure
 *
 * @typedef {object} PayloadTrial one message
 * @property {number} block counted from 0
 * @property {number} size in bytes
 * @property {Direction} direction
 * @property {string} transport
 * @property {string} [protocol] what was really negotiated
 * @property {number} [setUpMs] of the connection that was opened for this trial, or for the warm-up before it
 * @property {number} startedAtMs when the message was sent, since the run's start; where it was not, when it should have been
 * @property {number} [durationMs] absent where it failed
 * @property {PayloadFailure} [failure] why it failed, or the warm-up or the connection before it
 *
 * @typedef {object} Opened a connection over which messages go in one direction
 * @property {TransferConnection} connection
 * @property {boolean} isSetUpTold
 */

/**
 * @typedef {object} Options
 * @property {PayloadPlan} plan
 * @property {Record<string, TransferMethod>} transfers by name
 * @property {Now} now
 * @property {(planned: PlannedTrial) => void} [onWarmUp] before each message that is not counted
 * @property {number} [timeoutMs] limit of one answer, beside what its bytes take on a slow way
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
 * @returns {Promise<PayloadTrial | undefined>} absent where the run itself ended it: the message neither came nor failed
 */
async function runTrial({ warmUps, ...planned }, { now, signal, shared: exchange, onWarmUp }) {
  const warmUpFailure = await warmUp(exchange, { ...planned, warmUps }, { signal, onWarmUp });
  if (signal?.aborted) return undefined;
  const outcome = warmUpFailure ? { startedAtMs: now(), failure: warmUpFailure } : await send(exchange, planned);
  if (outcome.failure?.outcome === 'aborted') return undefined;
  return { ...planned, ...describe(exchange, planned), ...outcome };
}

/** What a run's messages share: connections that are opened when they are needed, and kept. @param {Options} options */
function createExchange({ plan, transfers, now, timeoutMs = 10_000, signal }) {
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  /** @type {Map<string, Opened>} by transport and direction */
  const open = new Map();
  return {
    transfers,
    now,
    timeoutMs,
    deadline,
    open,
    createMessage: createMessages(plan.sizes[plan.sizes.length - 1]),
    nextOffset: createOffsets(createRandom(plan.preset ? 0 : plan.seed)),
    /** @type {Map<string, PayloadFailure>} of transfer methods that never got a connection: each try may take as long as a limit is */
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
  const given = unreachable.get(planned.transport);
  if (given) return { startedAtMs, failure: given };
  try {
    if (!open.has(keyOf(planned))) {
      await connect(exchange, planned);
      // One that was lost has been opened anew: its first message carries what that takes, and does not count either.
      if (!isWarmUp) await sendOnce(exchange, planned);
    }
    return await sendOnce(exchange, planned);
  } catch (error) {
    const failure = failureOf(error);
    if (ENDS_CONNECTION.includes(failure.outcome)) {
      open.get(keyOf(planned))?.connection.close();
      open.delete(keyOf(planned));
    }
    return { startedAtMs, failure };
  }
}

/** @param {Exchange} exchange @param {PlannedTrial} planned */
async function connect({ transfers, deadline, open, reached, unreachable }, planned) {
  const { transport, direction } = planned;
  try {
    const connection = await transfers[transport].connect(direction, { signal: deadline.start() });
    reached.add(transport);
    open.set(keyOf(planned), { connection, isSetUpTold: false });
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
  const limitMs = timeoutMs + (1000 * movedBytesOf(direction, bytes)) / LEAST_BYTES_PER_SECOND;
  const { startedAtMs, endedAtMs, answer } = await connection.send(message, { signal: deadline.start(limitMs) });
  const error = checkAnswer(message, answer);
  if (error) throw error;
  return { startedAtMs, durationMs: endedAtMs - startedAtMs };
}

/**
 * @param {Exchange} exchange @param {PlannedTrial} planned
 * @returns {{ protocol?: string, setUpMs?: number }} of its connection; a set-up is told once
 */
function describe({ open }, planned) {
  const opened = open.get(keyOf(planned));
  if (!opened) return {};
  const { protocol, setUpMs } = opened.connection;
  if (opened.isSetUpTold) return { protocol };
  opened.isSetUpTold = true;
  return { protocol, setUpMs };
}

/**
 * @param {Exchange} exchange @param {PlannedTrial} planned @param {Pick<Options, 'signal' | 'onWarmUp'>} options
 * @returns {Promise<PayloadFailure | undefined>} of its transport, where the counted message is the next one
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
 * @throws what is not an {@link ExchangeError}: a fault of the program
 */
function failureOf(error) {
  if (!(error instanceof ExchangeError)) throw error;
  return { outcome: error.outcome, message: error.message };
}
