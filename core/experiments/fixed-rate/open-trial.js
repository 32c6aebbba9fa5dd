/**
 * An open-loop trial: one transport, its connection, a warm-up that is not counted, then messages by a plan. Message i is
 * due i intervals after the first, whatever came back.
 *
 * A message leaves at its time, or as soon after it as the sender wakes; one that wakes late sends all that are due. What
 * is never sent is counted as missed.
 */
import { createDeadline, setUpLimitMs } from '../../net/deadline.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { createPayload } from '../../net/echo/payload.js';
import { measureRoundTrip } from '../../net/echo/round-trip.js';

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
  const intervalMs = 1000 / ratePerSecond;
  const record = createRecord(messages, intervalMs);
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  const startedAtMs = now();
  let plannedFromMs = startedAtMs;
  let isOver = false;
  let unansweredCount = 0;
  let waiting = deadline.start(setUpLimitMs(transport, timeoutMs));
  /** @type {Connection | undefined} */
  let connection;

  /**
   * Distinct counts, so that no two open requests share an address.
   *
   * @param {Connection} open
   * @param {number} iteration below 0 for a warm-up
   */
  const send = async (open, iteration) => {
    // Time without an answer counts only while one is waited for.
    if (unansweredCount++ === 0) waiting = deadline.start();
    const payload = createPayload(WARM_UP_COUNT + iteration);
    const trip = await measureRoundTrip(open, payload, { now, signal: waiting });
    unansweredCount--;
    waiting = deadline.start();
    record.count(iteration, trip);
    if (iteration >= 0) progress.completedCount++;
    if (endsTrial(trip, transport)) isOver = true;
  };

  /** @param {Connection} open */
  const sendByPlan = async (open) => {
    /** @type {Promise<void>[]} */
    const sent = [];
    let next = 0;
    while (next < messages && !isOver) {
      await sleepUntil(plannedFromMs + next * intervalMs);
      const wokeAtMs = now();
      for (; next < messages && plannedFromMs + next * intervalMs <= wokeAtMs && !isOver; next++) {
        if (unansweredCount < MAX_UNANSWERED_COUNT) sent.push(send(open, next));
        else record.countMissed();
      }
    }
    await Promise.all(sent);
  };

  try {
    const open = (connection = await transport.connect({ signal: waiting }));
    await Promise.all(Array.from({ length: WARM_UP_COUNT }, (_, i) => send(open, i - WARM_UP_COUNT)));
    plannedFromMs = now();
    if (record.isWithoutFailure()) await sendByPlan(open);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    record.countOtherFailure(error);
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
    ...record.result(startedAtMs, plannedFromMs),
  };
}

/**
 * @param {RoundTrip} trip
 * @param {Transport} transport
 */
function endsTrial({ outcome }, { capabilities }) {
  return outcome === 'aborted' || outcome === 'timeout' || (capabilities.socket && outcome === 'closed');
}

/**
 * Where a trial's messages are kept: room for all is made beforehand, so that sending makes none.
 *
 * @param {number} messages
 * @param {number} intervalMs
 */
function createRecord(messages, intervalMs) {
  const sentAt = new Float64Array(messages);
  const endedAt = new Float64Array(messages);
  const isOk = new Uint8Array(messages);
  let sentCount = 0;
  let unansweredCount = 0;
  /** @type {{ failure: Failure, sent?: { iteration: number, atMs: number } }[]} */
  const failed = [];

  return {
    /**
     * @param {number} iteration below 0 for a warm-up
     * @param {RoundTrip} trip
     */
    count(iteration, { outcome, sentAtMs, endedAtMs, message = '' }) {
      if (outcome === 'aborted') return;
      if (iteration < 0) {
        if (outcome !== 'ok') failed.push({ failure: { outcome, message } });
        return;
      }
      sentCount++;
      if (outcome === 'ok') {
        sentAt[iteration] = sentAtMs;
        endedAt[iteration] = endedAtMs;
        isOk[iteration] = 1;
      } else {
        failed.push({ failure: { outcome, message, iteration }, sent: { iteration, atMs: sentAtMs } });
      }
    },

    /** One that is not sent, as too many are unanswered. */
    countMissed() {
      unansweredCount++;
    },

    /** @param {ExchangeError} error of the connection */
    countOtherFailure({ outcome, message }) {
      if (isFailure(outcome)) failed.push({ failure: { outcome, message } });
    },

    isWithoutFailure: () => failed.length === 0,

    /**
     * @param {number} startedAtMs
     * @param {number} plannedFromMs when the first message was due
     * @returns {Pick<OpenTrial, 'samples' | 'failures' | 'missed'>}
     */
    result(startedAtMs, plannedFromMs) {
      const plannedAtMs = (/** @type {number} */ iteration) => plannedFromMs + iteration * intervalMs - startedAtMs;
      /** @type {OpenSamples} */
      const samples = { iteration: [], plannedAtMs: [], sentAtMs: [], endedAtMs: [] };
      for (let iteration = 0; iteration < messages; iteration++) {
        if (isOk[iteration] === 0) continue;
        samples.iteration.push(iteration);
        samples.plannedAtMs.push(plannedAtMs(iteration));
        samples.sentAtMs.push(sentAt[iteration] - startedAtMs);
        samples.endedAtMs.push(endedAt[iteration] - startedAtMs);
      }
      return {
        samples,
        failures: failed.map(({ failure, sent }) =>
          sent ? { ...failure, plannedAtMs: plannedAtMs(sent.iteration), sentAtMs: sent.atMs - startedAtMs } : failure,
        ),
        missed: { unansweredCount, endedCount: messages - sentCount - unansweredCount },
      };
    },
  };
}
