/**
 * An open-loop trial: one transport, its connection, a warm-up that is not counted, then messages by a plan. Message i is
 * due i intervals after the first, whatever came back.
 *
 * A message leaves at its time, or as soon after it as the sender wakes; one that wakes late sends all that are due. What
 * is never sent is counted as missed.
 */
import { createDeadline, setUpLimitMs } from '../../net/deadline.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { createPayload, measureRoundTrip } from '../../net/echo/round-trip.js';
import { createTally } from '../../net/echo/trial.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Connection, RequestCounts, Transport } from '../../net/echo/index.js'
 * @import { RoundTrip } from '../../net/echo/round-trip.js'
 * @import { Failure, Progress } from '../../net/echo/trial.js'
 */

/** With so many messages unanswered no other is sent: a browser gives requests up where too many wait. */
export const MAX_UNANSWERED_COUNT = 1000;

/** As many at once as a browser has connections to a server over HTTP/1.1, so that the plan finds all of them open. */
const WARM_UP_COUNT = 6;

/**
 * @typedef {(atMs: number) => Promise<void>} SleepUntil resolves when the clock shows that, or as soon after it as can be
 *
 * @typedef {Failure & { plannedAtMs?: number, sentAtMs?: number }} OpenFailure with no times where the connection
 *   itself failed, or a warm-up
 *
 * @typedef {object} OpenSamples one entry in each list per ok message, in the order of the plan
 * @property {number[]} iteration counted from 0
 * @property {number[]} plannedAtMs clock readings, as the next two, since the trial's start
 * @property {number[]} sentAtMs
 * @property {number[]} endedAtMs at the answer
 *
 * @typedef {object} Missed how many messages were never sent
 * @property {number} unansweredCount as {@link MAX_UNANSWERED_COUNT} were without an answer at their time
 * @property {number} endedCount as the trial had ended, which the failures or the run's ending explain; or sent, but then the
 *   run itself ended the trial before the answer
 *
 * @typedef {object} OpenTrial
 * @property {string} transport
 * @property {string} [protocol]
 * @property {number} [setUpMs]
 * @property {RequestCounts} [requests] absent for sockets
 * @property {number} startedAtMs the clock's reading that all others count from
 * @property {OpenSamples} samples
 * @property {OpenFailure[]} failures
 * @property {Missed} missed
 */

/**
 * @param {object} options
 * @param {Transport} options.transport
 * @param {number} options.ratePerSecond
 * @param {number} options.messages
 * @param {Now} options.now
 * @param {SleepUntil} options.sleepUntil
 * @param {number} [options.timeoutMs] without any answer; it ends the trial, as a socket's close does
 * @param {Progress} [options.progress] its count is kept up to date
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<OpenTrial>} a failed trial is a result, too
 */
export async function runOpenTrial({
  transport,
  ratePerSecond,
  messages,
  now,
  sleepUntil,
  timeoutMs = 10_000,
  progress = { completedCount: 0 },
  signal,
}) {
  const tally = createTally(messages);
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  const startedAtMs = now();
  let plannedFromMs = startedAtMs;
  const dueAtMs = (/** @type {number} */ iteration) => plannedFromMs + (iteration * 1000) / ratePerSecond;
  let isOver = false;
  let unansweredCount = 0;
  let missedCount = 0;
  let waiting = deadline.start(setUpLimitMs(transport, timeoutMs));
  /** @type {Connection | undefined} */
  let connection;

  /**
   * Distinct counts, so that no two open requests share an address.
   * @param {Connection} open @param {number} iteration below 0 for a warm-up
   */
  const send = async (open, iteration) => {
    // Time without an answer counts only while one is waited for.
    if (unansweredCount++ === 0) waiting = deadline.start();
    const payload = createPayload(WARM_UP_COUNT + iteration);
    const trip = await measureRoundTrip(open, payload, { now, signal: waiting });
    unansweredCount--;
    waiting = deadline.start();
    if (iteration >= 0) {
      tally.count(iteration, trip);
      progress.completedCount++;
    } else {
      tally.countOtherFailure(trip);
    }
    if (endsTrial(trip, transport)) isOver = true;
  };

  /** @param {Connection} open */
  const sendByPlan = async (open) => {
    /** @type {Promise<void>[]} */
    const sent = [];
    let next = 0;
    while (next < messages && !isOver) {
      await sleepUntil(dueAtMs(next));
      const wokeAtMs = now();
      for (; next < messages && dueAtMs(next) <= wokeAtMs && !isOver; next++) {
        if (unansweredCount < MAX_UNANSWERED_COUNT) sent.push(send(open, next));
        else missedCount++;
      }
    }
    await Promise.all(sent);
  };

  try {
    const open = (connection = await transport.connect({ signal: waiting }));
    await Promise.all(Array.from({ length: WARM_UP_COUNT }, (_, i) => send(open, i - WARM_UP_COUNT)));
    plannedFromMs = now();
    if (tally.failures.length === 0) await sendByPlan(open);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    tally.countOtherFailure(error);
  } finally {
    deadline.close();
    connection?.close();
  }

  return {
    transport: transport.name,
    protocol: connection?.protocol,
    setUpMs: connection?.setUpMs,
    requests: connection?.requests,
    startedAtMs,
    ...resultOf(tally, { messages, missedCount, startedAtMs, dueAtMs }),
  };
}

/** @param {RoundTrip} trip @param {Transport} transport */
function endsTrial({ outcome }, { capabilities }) {
  return outcome === 'aborted' || outcome === 'timeout' || (capabilities.socket && outcome === 'closed');
}

/**
 * @param {ReturnType<typeof createTally>} tally
 * @param {object} run
 * @param {number} run.messages
 * @param {number} run.missedCount not sent, as too many were unanswered
 * @param {number} run.startedAtMs
 * @param {(iteration: number) => number} run.dueAtMs
 * @returns {Pick<OpenTrial, 'samples' | 'failures' | 'missed'>}
 */
function resultOf(tally, { messages, missedCount, startedAtMs, dueAtMs }) {
  const iteration = tally.answered();
  const plannedAtMs = (/** @type {number} */ i) => dueAtMs(i) - startedAtMs;
  const sentAtMs = (/** @type {number} */ i) => tally.sentAtMs[i] - startedAtMs;
  const failures = tally.failures.map((failure) =>
    failure.iteration === undefined
      ? failure
      : { ...failure, plannedAtMs: plannedAtMs(failure.iteration), sentAtMs: sentAtMs(failure.iteration) },
  );
  const failedCount = failures.filter((failure) => failure.iteration !== undefined).length;
  return {
    samples: {
      iteration,
      plannedAtMs: iteration.map(plannedAtMs),
      sentAtMs: iteration.map(sentAtMs),
      endedAtMs: iteration.map((i) => tally.endedAtMs[i] - startedAtMs),
    },
    failures,
    missed: {
      unansweredCount: missedCount,
      endedCount: messages - iteration.length - failedCount - missedCount,
    },
  };
}
