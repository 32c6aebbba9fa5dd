/**
 * The payload experiment: how long a message of a given size takes up, down, and both ways, by each carrier.
 *
 * A trial is one message. Its making and the look at each of its bytes lie outside the timed part. Connections are kept over
 * the run; what opening them takes is told apart. In a sweep each carrier first takes a message of each size that is not
 * counted: all carriers of the size one after the other, then all of them again, so that the first counted message comes
 * after the same as the later ones do.
 */
import { checkAnswer } from '../carriers/check-answer.js';
import { createMessages, createOffsets } from '../carriers/message.js';
import { createDeadline } from '../deadline.js';
import { ExchangeError, isFailure } from '../exchange-error.js';
import { createRandom } from '../random.js';
import { movedBytesOf } from './payload-budget.js';
import { createPayloadFaultWatch } from './payload-faults.js';
import { groupsOf } from './payload-plan.js';

export const SCHEMA = 'sockshootout/payload/1';

/** A way that is slower than this, in bytes per second, is one that stands still: 0.4 Mbit/s. */
const LEAST_BYTES_PER_SECOND = 50_000;

/** After these a connection is worth nothing; others were answered, so the next answer is the next message's. */
const ENDS_CONNECTION = ['timeout', 'closed', 'aborted'];

/**
 * @typedef {import('./payload-plan.js').PlannedTrial} PlannedTrial
 *
 * @typedef {{ outcome: import('../exchange-error.js').FailureOutcome, message: string }} PayloadFailure
 *
 * @typedef {object} PayloadTrial one message
 * @property {number} block counted from 0
 * @property {number} size in bytes
 * @property {import('../carriers/index.js').Direction} direction
 * @property {string} transport
 * @property {string} [protocol] what was really negotiated
 * @property {number} [setUpMs] of the connection that was opened for this trial, or for the warm-up before it
 * @property {number} startedAtMs when the message was sent, since the run's start; where it was not, when it should have been
 * @property {number} [durationMs] absent where it failed
 * @property {PayloadFailure} [failure] why it failed, or the warm-up or the connection before it
 *
 * @typedef {object} PayloadRun
 * @property {PayloadTrial[]} trials in the order in which they were made
 * @property {import('../run.js').Ending} [ending] absent where the plan was carried out
 *
 * @typedef {object} Opened a connection over which messages go in one direction
 * @property {import('../carriers/index.js').CarrierConnection} connection
 * @property {boolean} isSetUpTold
 */

/**
 * @param {object} options
 * @param {import('./payload-plan.js').PayloadPlan} options.plan
 * @param {Record<string, import('../carriers/index.js').Carrier>} options.carriers by name
 * @param {import('../clock.js').Now} options.now
 * @param {(trial: PlannedTrial, progress: { isWarmUp: boolean }) => void} [options.onTrialStart] also before each warm-up
 * @param {(run: PayloadRun) => Promise<void> | void} [options.onTrialEnd] waited for, outside every timed part
 * @param {number} [options.timeoutMs] limit of one answer, beside what its bytes take on a slow way
 * @param {AbortSignal} [options.signal] ends the run, with an Ending as its reason
 * @returns {Promise<PayloadRun>} whatever happens, what was measured until then
 */
export async function measurePayload({ plan, carriers, now, onTrialStart, onTrialEnd, timeoutMs = 10_000, signal }) {
  const faults = createPayloadFaultWatch(plan.transports);
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  const exchange = createExchange({ plan, carriers, deadline, now, timeoutMs });
  /** @type {PayloadRun} */
  const run = { trials: [] };
  const startedAtMs = now();

  /** @param {PlannedTrial} planned @param {PayloadFailure} [warmUpFailure] */
  const runTrial = async (planned, warmUpFailure) => {
    onTrialStart?.(planned, { isWarmUp: false });
    const outcome = warmUpFailure ? { startedAtMs: now(), failure: warmUpFailure } : await exchange.send(planned);
    const trial = { ...planned, ...exchange.describe(planned), ...outcome };
    // What the run itself ended was no message: it neither came nor failed.
    if (trial.failure?.outcome !== 'aborted')
      run.trials.push({ ...trial, startedAtMs: trial.startedAtMs - startedAtMs });
    run.ending = signal?.aborted ? signal.reason : faults.look(trial);
    await onTrialEnd?.(run);
  };

  /** @param {import('./payload-plan.js').Group} group */
  const warmUp = async ({ transports, isWarmUp, ...place }) => {
    /** @type {Map<string, PayloadFailure | undefined>} */
    const failures = new Map();
    if (!isWarmUp) return failures;
    for (const transport of new Set(transports)) {
      if (signal?.aborted) break;
      const { block, size, direction } = place;
      const planned = { block, size, direction, transport };
      onTrialStart?.(planned, { isWarmUp: true });
      failures.set(transport, (await exchange.send(planned, { isWarmUp: true })).failure);
    }
    return failures;
  };

  try {
    for (const group of groupsOf(plan)) {
      const { block, size, direction } = group;
      if (signal?.aborted) return { ...run, ending: signal.reason };
      const warmUpFailures = await warmUp(group);
      for (const transport of group.transports) {
        if (signal?.aborted) return { ...run, ending: signal.reason };
        await runTrial({ block, size, direction, transport }, warmUpFailures.get(transport));
        // It is the next message's no more.
        warmUpFailures.delete(transport);
        if (run.ending) return run;
      }
    }
    return run;
  } finally {
    deadline.close();
    exchange.close();
  }
}

/**
 * Sends messages over connections that it opens when they are needed, and keeps.
 *
 * @param {object} options
 * @param {import('./payload-plan.js').PayloadPlan} options.plan
 * @param {Record<string, import('../carriers/index.js').Carrier>} options.carriers
 * @param {ReturnType<typeof createDeadline>} options.deadline
 * @param {import('../clock.js').Now} options.now
 * @param {number} options.timeoutMs
 */
function createExchange({ plan, carriers, deadline, now, timeoutMs }) {
  const createMessage = createMessages(plan.sizes[plan.sizes.length - 1]);
  const nextOffset = createOffsets(createRandom(plan.preset ? 0 : plan.seed));
  /** @type {Map<string, Opened>} by transport and direction */
  const open = new Map();
  /** @type {Map<string, PayloadFailure>} of carriers that never got a connection: each try may take as long as a limit is */
  const unreachable = new Map();
  /** @type {Set<string>} */
  const reached = new Set();

  /** @param {{ transport: string, direction: string }} place */
  const keyOf = ({ transport, direction }) => `${transport} ${direction}`;

  /** @param {PlannedTrial} planned */
  const connect = async (planned) => {
    const { transport, direction } = planned;
    try {
      const connection = await carriers[transport].connect(direction, { signal: deadline.start() });
      reached.add(transport);
      open.set(keyOf(planned), { connection, isSetUpTold: false });
    } catch (error) {
      const failure = failureOf(error);
      if (!reached.has(transport) && isFailure(failure.outcome)) unreachable.set(transport, failure);
      throw error;
    }
  };

  /** @param {PlannedTrial} planned */
  const sendOnce = async (planned) => {
    const { connection } = /** @type {Opened} */ (open.get(keyOf(planned)));
    const { size: bytes, direction, transport } = planned;
    const message = createMessage({ direction, bytes, offset: nextOffset(), form: carriers[transport].form });
    const limitMs = timeoutMs + (1000 * movedBytesOf(direction, bytes)) / LEAST_BYTES_PER_SECOND;
    const receipt = await connection.send(message, { signal: deadline.start(limitMs) });
    const error = checkAnswer(message, receipt.answer);
    if (error) throw error;
    const { startedAtMs, endedAtMs } = receipt;
    return { startedAtMs, durationMs: endedAtMs - startedAtMs };
  };

  /** @param {PlannedTrial} planned */
  const drop = (planned) => {
    open.get(keyOf(planned))?.connection.close();
    open.delete(keyOf(planned));
  };

  return {
    /**
     * @param {PlannedTrial} planned
     * @param {{ isWarmUp?: boolean }} [options]
     * @returns {Promise<{ startedAtMs: number, durationMs?: number, failure?: PayloadFailure }>}
     */
    async send(planned, { isWarmUp = false } = {}) {
      const startedAtMs = now();
      const given = unreachable.get(planned.transport);
      if (given) return { startedAtMs, failure: given };
      try {
        if (!open.has(keyOf(planned))) {
          await connect(planned);
          // One that was lost has been opened anew: its first message carries what that takes, and does not count either.
          if (!isWarmUp) await sendOnce(planned);
        }
        return await sendOnce(planned);
      } catch (error) {
        const failure = failureOf(error);
        if (ENDS_CONNECTION.includes(failure.outcome)) drop(planned);
        return { startedAtMs, failure };
      }
    },

    /**
     * @param {PlannedTrial} planned
     * @returns {{ protocol?: string, setUpMs?: number }} of its connection; a set-up is told once
     */
    describe(planned) {
      const opened = open.get(keyOf(planned));
      if (!opened) return {};
      const { protocol, setUpMs } = opened.connection;
      if (opened.isSetUpTold) return { protocol };
      opened.isSetUpTold = true;
      return { protocol, setUpMs };
    },

    close() {
      for (const { connection } of open.values()) connection.close();
    },
  };
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
