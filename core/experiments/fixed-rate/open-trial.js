/**
 * Makes an open-loop trial: one transport, its connection, a warm-up that is not counted, then messages by a plan:
 * message i is due i intervals after the first. It is sent then, or as soon after as the sender wakes; a sender that
 * wakes late sends all that are due. Messages that are never sent are counted as missed.
 */
import { createDeadline, setUpLimitMs } from '../../net/deadline.js';
import { createPayload, measureRoundTrip } from '../../net/echo/round-trip.js';
import { createTally } from '../../net/echo/trial.js';
import { ExchangeError } from '../../net/exchange-error.js';

/**
 * @import { Progress, Tally } from '../../net/echo/trial.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Connection, Transport } from '../../net/echo/index.js'
 * @import { RoundTrip } from '../../net/echo/round-trip.js'
 * @import { OpenLoopTrial } from './schema.js'
 * @typedef {(atMs: number) => Promise<void>} SleepUntil resolves when the clock shows that, or as soon after it as can
 *   be
 */

/**
 * The maximum number of unanswered messages, at which no other is sent: a browser cancels requests if too many wait.
 */
export const MAX_UNANSWERED_COUNT = 1000;
/**
 * The number of concurrent warm-up messages: as many as a browser has connections to a server over HTTP/1.1, so that
 * all of them are open before the plan begins.
 */
const WARM_UP_COUNT = 6;

/**
 * Makes a trial; a failed trial is a result, too.
 * @param {{ transport: Transport, ratePerSecond: number, messages: number, now: Now, sleepUntil: SleepUntil,
 *   timeoutMs?: number, progress?: Progress, signal?: AbortSignal }} options `timeoutMs`: without any answer; it ends
 *   the trial, as a socket's close does @returns {Promise<Omit<OpenLoopTrial, 'loop' | 'block'>>}
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
   * Sends a message with its own count, so that no two requests have the same URL.
   * @param {Connection} open @param {number} iteration
   */
  const send = async (open, iteration) => {
    // The limit applies only while an answer is waited for.
    if (unansweredCount++ === 0) waiting = deadline.start();
    const trip = await measureRoundTrip(open, createPayload(WARM_UP_COUNT + iteration), { now, signal: waiting });
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
    upgradeMs: connection?.upgradeMs,
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
 * @param {Tally} tally
 * @param {{ messages: number, missedCount: number, startedAtMs: number, dueAtMs: (iteration: number) => number }} run
 */
function resultOf(tally, { messages, missedCount, startedAtMs, dueAtMs }) {
  const iteration = tally.answered();
  const plannedAtMs = (/** @type {number} */ i) => dueAtMs(i) - startedAtMs;
  const sentAtMs = (/** @type {number} */ i) => tally.sentAtMs[i] - startedAtMs;
  const failures = tally.failures.map((failure) => {
    const { iteration: i } = failure;
    return i === undefined ? failure : { ...failure, plannedAtMs: plannedAtMs(i), sentAtMs: sentAtMs(i) };
  });
  const failedCount = failures.filter((failure) => failure.iteration !== undefined).length;
  return {
    samples: {
      iteration,
      plannedAtMs: iteration.map(plannedAtMs),
      sentAtMs: iteration.map(sentAtMs),
      endedAtMs: iteration.map((i) => tally.endedAtMs[i] - startedAtMs),
    },
    failures,
    missed: { unansweredCount: missedCount, endedCount: messages - iteration.length - failedCount - missedCount },
  };
}
