/** Makes the trials: each is one message, up, down or echoed; creating it and checking its bytes are not timed. */
import { createRandom } from '../../base/random.js';
import { createDeadline } from '../../net/deadline.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { checkAnswer, createMessages, createOffsets } from '../../net/transfer/content.js';
import { newNameOf, newTransfers } from '../../net/transfer/index.js';
import { labelOfTransfer } from '../../experiment/answer/labels.js';
import { DIRECTION_LABELS, formatSize, movedBytesOf } from './plan.js';
import { trialsOf } from './trials.js';

/**
 * @import { FaultWatch, Measurement } from '../../experiment/contract.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Deadline } from '../../net/deadline.js'
 * @import { Message } from '../../net/transfer/content.js'
 * @import { TransferConnection, TransferMethod } from '../../net/transfer/index.js'
 * @import { PayloadFailure, PayloadTrial } from './schema.js'
 * @import { PayloadPlan } from './plan.js'
 * @import { PlannedTrial } from './trials.js'
 * @typedef {{ plan: PayloadPlan, transfers: Record<string, TransferMethod>, now: Now, onWarmUp?: (planned:
 *   PlannedTrial) => void, timeoutMs?: number, reach?: () => Promise<void>, signal?: AbortSignal }} Options
 *   `onWarmUp`: before each uncounted message; `timeoutMs` of an answer, besides the time of its bytes on a slow path;
 *   `reach` asks the server for any answer
 * @typedef {object} Exchange the connections that the messages of a run share, opened on demand
 * @property {Options['transfers']} transfers
 * @property {number} timeoutMs
 * @property {Deadline} deadline
 * @property {Map<string, { connection: TransferConnection, isSetUpReported: boolean }>} open by transport and direction
 * @property {PayloadFailure} [lost] of every message since the server was lost: each would take as long as the limit
 * @property {(wanted: Omit<Message, 'binary' | 'text'>) => Message} createMessage
 * @property {Now} now
 * @property {() => number} nextOffset
 * @property {Map<string, PayloadFailure | undefined>} tried why methods never connected: each try may take as long as the limit
 * @property {Map<string, PayloadFailure | undefined>} warmUpFailures by transport, until its next message
 * @property {Options['reach']} [reach]
 * @property {() => void} close
 */

/** The minimum speed, in bytes per second; a slower path counts as stalled: 0.4 Mbit/s. */
const MIN_BYTES_PER_SECOND = 50_000;

/**
 * The outcomes after which a connection is closed. Other failures were answered, so the next answer belongs to the next
 * message.
 */
const ENDS_CONNECTION = ['timeout', 'closed', 'aborted'];

/** The server may be lost: one that rejects a message is still there. */
const LOST = ['closed', 'timeout'];

/** The number of times that each transport must have lost its connection, or timed out, since the last answer. */
const LOST_TIMES = 3;

/** @type {Measurement<Options, PlannedTrial, PayloadTrial>} */
export const measurement = {
  schema: 'sockshootout/payload/1',
  trialsOf,
  open: createExchange,
  runTrial,
  watchFaults,
};

/**
 * Detects a lost connection: no transport gets an answer any more.
 * @param {{ transports: readonly string[] }} plan @returns {FaultWatch<PayloadTrial>}
 */
function watchFaults({ transports }) {
  /** @type {string[]} by which transports messages were lost since the last answer */
  let lost = [];
  return {
    look({ transport, block, size, direction, failure }) {
      lost = failure && LOST.includes(failure.outcome) ? [...lost, transport] : [];
      const isLost = transports.every((name) => lost.filter((one) => one === name).length >= LOST_TIMES);
      if (!failure || !isLost) return undefined;
      const what = `${formatSize(size)} ${DIRECTION_LABELS[direction].toLowerCase()} by ${labelOfTransfer(transport)}`;
      const reason = `The server was lost: no transport got an answer. Last message: block ${block + 1}, ${what}: ${failure.message}`;
      return { kind: 'invalid', reason };
    },
  };
}

/**
 * Makes a trial; returns nothing if the run's end interrupted it.
 * @param {PlannedTrial} planned @param {Options & { shared: Exchange }} options
 */
async function runTrial({ warmUps = [], ...planned }, { now, signal, shared: exchange, onWarmUp }) {
  const { open, warmUpFailures } = exchange;
  for (const transport of warmUps) {
    if (signal?.aborted) return undefined;
    const warmUp = { ...planned, transport };
    onWarmUp?.(warmUp);
    warmUpFailures.set(transport, (await send(exchange, warmUp, { isWarmUp: true })).failure);
  }
  if (signal?.aborted) return undefined;
  const failure = warmUpFailures.get(planned.transport);
  warmUpFailures.delete(planned.transport);
  const outcome = failure ? { startedAtMs: now(), failure } : await send(exchange, planned);
  if (outcome.failure?.outcome === 'aborted') return undefined;
  const opened = open.get(keyOf(planned));
  const setUpMs = opened?.isSetUpReported ? undefined : opened?.connection.setUpMs;
  if (opened) opened.isSetUpReported = true;
  return { ...planned, protocol: opened?.connection.protocol, setUpMs, ...outcome };
}

/** @param {Options} options @returns {Exchange} */
function createExchange({ plan, timeoutMs = 10_000, ...options }) {
  const deadline = createDeadline({ ...options, limitMs: timeoutMs });
  /** @type {Exchange['open']} */
  const open = new Map();
  return {
    ...options,
    transfers: withNewConnections(options.transfers),
    timeoutMs,
    deadline,
    open,
    lost: undefined,
    createMessage: createMessages(plan.sizes[plan.sizes.length - 1]),
    nextOffset: createOffsets(createRandom(plan.preset ? 0 : plan.seed)),
    tried: new Map(),
    warmUpFailures: new Map(),

    close() {
      deadline.close();
      for (const { connection } of open.values()) connection.close();
    },
  };
}

/**
 * @param {Record<string, TransferMethod>} transfers
 * @returns {typeof transfers} and those over new connections, by their names
 */
function withNewConnections(transfers) {
  const anew = Object.entries(transfers).map(([name, { connect, connectAnew = connect, ...others }]) => [
    newNameOf(name),
    { ...others, connect: connectAnew },
  ]);
  return { ...transfers, ...Object.fromEntries(anew) };
}

/** @param {{ transport: string, direction: string }} place */
const keyOf = ({ transport, direction }) => `${transport} ${direction}`;

/**
 * @param {Exchange} exchange @param {PlannedTrial} planned @param {{ isWarmUp?: boolean }} [options]
 * @returns {Promise<{ startedAtMs: number, durationMs?: number, failure?: PayloadFailure }>}
 */
async function send(exchange, planned, { isWarmUp = false } = {}) {
  const { transfers, deadline, open, tried } = exchange;
  const { transport, direction } = planned;
  const key = keyOf(planned);
  const startedAtMs = exchange.now();
  const given = exchange.lost ?? tried.get(transport);
  if (given) return { startedAtMs, failure: given };
  try {
    const known = open.get(key)?.connection;
    const connection = known ?? (await transfers[transport].connect(direction, { signal: deadline.start() }));
    if (!known) {
      tried.set(transport, undefined);
      open.set(key, { connection, isSetUpReported: false });
      // The first message of a reopened connection is slower, and does not count either.
      if (!isWarmUp && !(transport in newTransfers)) await sendOnce(exchange, planned, connection);
    }
    return await sendOnce(exchange, planned, connection);
  } catch (error) {
    const failure = failureOf(error);
    if (!tried.has(transport) && isFailure(failure.outcome)) tried.set(transport, failure);
    if (ENDS_CONNECTION.includes(failure.outcome)) {
      open.get(key)?.connection.close();
      open.delete(key);
    }
    if (failure.outcome === 'timeout') await exchange.reach?.().catch((lost) => (exchange.lost = failureOf(lost)));
    return { startedAtMs, failure };
  }
}

/** @param {Exchange} exchange @param {PlannedTrial} planned @param {TransferConnection} connection */
async function sendOnce({ transfers, createMessage, deadline, nextOffset, timeoutMs }, planned, connection) {
  const { size: bytes, direction, transport } = planned;
  const message = createMessage({ direction, bytes, offset: nextOffset(), form: transfers[transport].form });
  const limitMs = timeoutMs + (1000 * movedBytesOf(direction, bytes)) / MIN_BYTES_PER_SECOND;
  const { startedAtMs, endedAtMs, answer } = await connection.send(message, { signal: deadline.start(limitMs) });
  const error = checkAnswer(message, answer);
  if (error) throw error;
  return { startedAtMs, durationMs: endedAtMs - startedAtMs };
}

/** @param {unknown} error @returns {PayloadFailure} @throws an error that is not an {@link ExchangeError}: a bug */
function failureOf(error) {
  if (!(error instanceof ExchangeError)) throw error;
  return { outcome: error.outcome, message: error.message };
}
