/**
 * A trial: a connection, a warm-up that does not count, then messages back-to-back. The loop touches no page, no log.
 */
import { createDeadline, setUpLimitMs } from '../deadline.js';
import { ExchangeError, isFailure } from '../exchange-error.js';
import { createBody, createPayload, measureRoundTrip } from './round-trip.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { FailureOutcome, Outcome } from '../exchange-error.js'
 * @import { Connection, RequestCounts, Transport } from './index.js'
 * @import { RoundTrip } from './round-trip.js'
 * @typedef {{ outcome: FailureOutcome, message: string, iteration?: number }} Failure `iteration` counted from 0;
 *   absent where the connection itself failed, or a warm-up
 * @typedef {{ iteration: number[], sentAtMs: number[], roundTripMs: number[] }} Samples an entry in each list per ok iteration, in
 *   their order: its number from 0, when it was sent, since the trial's start, and what it took
 * @typedef {object} Trial
 * @property {string} transport what was chosen
 * @property {string} [protocol] what was really negotiated; absent where nothing was
 * @property {number} [setUpMs] absent where no connection was opened (an HTTP connection may be reused)
 * @property {number} [upgradeMs] until its messages went over a WebSocket, where it was set up before that
 * @property {RequestCounts} [requests] absent for sockets
 * @property {Server} [server] who answered; absent where it could not be asked
 * @property {number} startedAtMs the clock's reading that all others count from
 * @property {number} iterations how many were planned
 * @property {number} warmUpCount
 * @property {number} payloadBytes
 * @property {Samples} samples
 * @property {Failure[]} failures
 * @typedef {Omit<Trial, 'iterations' | 'warmUpCount' | 'payloadBytes'> & { block: number }} RunTrial one of a run,
 *   whose plan says the rest; `block` counts from 0, and `startedAtMs` from the run's start
 * @typedef {{ server: string, location: string, version: string, worker: number, startedAt: string }} Server
 * @typedef {{ outcome: Outcome, message?: string }} End of a message
 * @typedef {{ completedCount: number }} Progress kept up to date by the trial
 */

/**
 * Whether the warm-up asks for the server's name: one of a single message, which is enough far away, as a message for that alone
 * would take as long.
 * @param {{ warmUpCount: number, payloadBytes: number }} plan
 */
const asksInWarmUp = ({ warmUpCount, payloadBytes }) => warmUpCount === 1 && payloadBytes === 0;

/** @param {{ warmUpCount: number, payloadBytes: number }} plan @returns {number} the messages of a trial that do not count */
export const uncountedOf = (plan) => plan.warmUpCount + (asksInWarmUp(plan) ? 0 : 1);

/**
 * Runs a trial. A failed trial is a result, too: what was measured until then, and the failures.
 * @param {{ transport: Transport, now: Now, iterations: number, warmUpCount?: number, payloadBytes?: number, step?: 1 |
 *   -1, timeoutMs?: number, maxFailuresInARow?: number, progress?: Progress, signal?: AbortSignal }} options `step`:
 *   what the server does to each count; `timeoutMs`: limit of one answer; `maxFailuresInARow` end the trial, as a
 *   socket's timeout or close always does; `progress` is kept up to date @returns {Promise<Trial>}
 */
export async function runTrial({
  transport,
  now,
  iterations,
  warmUpCount = 0,
  payloadBytes = 0,
  step = 1,
  timeoutMs = 10_000,
  maxFailuresInARow = 3,
  progress = { completedCount: 0 },
  signal,
}) {
  const body = createBody(payloadBytes);
  const asksFirst = asksInWarmUp({ warmUpCount, payloadBytes });
  // Each message sends the count of the answer before it; a count-down ends at 0.
  const firstCount = step === 1 ? 0 : warmUpCount + iterations;
  const tally = createTally(iterations);
  const deadline = createDeadline({ now, limitMs: timeoutMs, signal });
  const startedAtMs = now();
  let connection = /** @type {Connection | undefined} */ (undefined);
  let server = /** @type {Server | undefined} */ (undefined);
  /** @param {Connection} open @param {number} made below 0 in the warm-up */
  const measure = (open, made) => {
    const payload = createPayload(firstCount + step * (made + warmUpCount), body);
    return measureRoundTrip(open, payload, { now, signal: deadline.start(), step });
  };
  /** @param {Connection} open @returns {Promise<End>} */
  const ask = async (open) => {
    const { server: answered, ...end } = await askServer(open, deadline.start());
    server = answered;
    return end;
  };
  /** @param {Connection} open @param {number} made @returns {Promise<End>} */
  const warmUp = async (open, made) => {
    const end = await (asksFirst ? ask(open) : measure(open, made));
    tally.countOtherFailure(end);
    return end;
  };
  /** @param {Connection} open @param {number} made @returns {Promise<End>} */
  const iterate = async (open, made) => {
    const roundTrip = await measure(open, made);
    tally.count(made, roundTrip);
    progress.completedCount = made + 1;
    return roundTrip;
  };

  try {
    connection = await transport.connect({ signal: deadline.start(setUpLimitMs(transport, timeoutMs)) });
    let failuresInARow = 0;
    for (let made = -warmUpCount; made < iterations; made++) {
      const end = await (made < 0 ? warmUp : iterate)(connection, made);
      failuresInARow = end.outcome === 'ok' ? 0 : failuresInARow + 1;
      if (failuresInARow === maxFailuresInARow || endsTrial(end, transport)) break;
    }
    // The samples are complete, and valid without the server's name.
    if (failuresInARow === 0 && !asksFirst) await ask(connection);
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
    server,
    startedAtMs,
    iterations,
    warmUpCount,
    payloadBytes,
    samples: samplesOf(tally, startedAtMs),
    failures: tally.failures,
  };
}

/** Makes the trial of a run: what its plan says is left out. @param {Trial} trial @param {number} block @returns {RunTrial} */
export function toRunTrial({ iterations: _, warmUpCount: __, payloadBytes: ___, ...trial }, block) {
  return { block, ...trial };
}

/**
 * @typedef {object} Tally the outcomes of a trial
 * @property {Float64Array} sentAtMs by iteration
 * @property {Float64Array} endedAtMs by iteration
 * @property {Failure[]} failures in the order of their ends; what the run itself ended is none
 * @property {(iteration: number, roundTrip: RoundTrip) => void} count
 * @property {(end: { outcome: Outcome, message?: string }) => void} countOtherFailure of the connection, or of a warm-up
 * @property {() => number[]} answered the iterations that brought an answer, rising
 */

/** Records the outcomes in arrays that are allocated before the loop. @param {number} iterations @returns {Tally} */
export function createTally(iterations) {
  const sentAtMs = new Float64Array(iterations);
  const endedAtMs = new Float64Array(iterations);
  const isOk = new Uint8Array(iterations);
  /** @type {Failure[]} */
  const failures = [];

  return {
    sentAtMs,
    endedAtMs,
    failures,
    count(iteration, { outcome, sentAtMs: sentMs, endedAtMs: endedMs, message = '' }) {
      sentAtMs[iteration] = sentMs;
      endedAtMs[iteration] = endedMs;
      if (outcome === 'ok') isOk[iteration] = 1;
      else if (isFailure(outcome)) failures.push({ outcome, message, iteration });
    },
    countOtherFailure({ outcome, message = '' }) {
      if (isFailure(outcome)) failures.push({ outcome, message });
    },
    answered: () => [...isOk.keys()].filter((iteration) => isOk[iteration] === 1),
  };
}

/** @param {Tally} tally @param {number} startedAtMs @returns {Samples} */
function samplesOf({ sentAtMs, endedAtMs, answered }, startedAtMs) {
  const iteration = answered();
  return {
    iteration,
    sentAtMs: iteration.map((i) => sentAtMs[i] - startedAtMs),
    roundTripMs: iteration.map((i) => endedAtMs[i] - sentAtMs[i]),
  };
}

/**
 * Checks whether the trial ends, as a late answer on a socket could be mistaken for the next one.
 * @param {End} end @param {Transport} transport
 */
function endsTrial({ outcome }, { capabilities }) {
  return outcome === 'aborted' || (capabilities.socket && (outcome === 'timeout' || outcome === 'closed'));
}

/**
 * @param {Connection} connection @param {AbortSignal} signal
 * @returns {Promise<End & { server?: Server }>}
 */
async function askServer(connection, signal) {
  try {
    return { outcome: 'ok', server: parseServer(await connection.exchange({ whoami: true }, { signal })) };
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return { outcome: error.outcome, message: error.message };
  }
}

/**
 * Picks the known fields, as a newer server may say more, and a proxy anything.
 * @param {any} answer @returns {Server | undefined}
 */
function parseServer(answer) {
  const { server, location, version, worker, startedAt } = answer ?? {};
  const isServer = [server, location, version, startedAt].every((text) => typeof text === 'string');
  return isServer && Number.isInteger(worker) ? { server, location, version, worker, startedAt } : undefined;
}
