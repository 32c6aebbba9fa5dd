/** Sends the messages of a load: HTTP by autocannon, sockets by the clients of the transports themselves. */
import autocannon from 'autocannon';
import { createDeadline, setUpLimitMs } from '../../core/net/deadline.js';
import { createPayload, measureRoundTrip } from '../../core/net/echo/round-trip.js';
import { transports } from '../../core/net/echo/index.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { createTransports } from '../net/transports.js';

/**
 * @import { EventEmitter } from 'node:events'
 * @import { Transport } from '../../core/net/echo/index.js'
 * @import { LoadPlan } from './index.js'
 * @typedef {object} Tally of a load, kept up to date
 * @property {number[]} latenciesMs of the messages with the right answer
 * @property {Map<string, number>} errors by type
 * @property {number} completedCount messages that were answered or failed
 * @property {number} elapsedMs from the first message to the last answer
 * @typedef {{ baseUrl: string, plan: LoadPlan, tally: Tally, signal: AbortSignal }} Load `signal` ends it
 */

const TIMEOUT_S = 10;
/** The interval at which autocannon checks whether it is done. */
const LOOK_MS = 100;
const COUNT = 1;
const ECHO = JSON.stringify({ count: COUNT + 1 });

const now = () => performance.now();

/** @returns {Tally} */
export const createTally = () => ({ latenciesMs: [], errors: new Map(), completedCount: 0, elapsedMs: 0 });

/** @param {Load} load @returns {Promise<void>} fulfilled when all are answered or failed, or the signal has ended it */
export const sendAll = (load) =>
  transports[load.plan.transport].isSocket ? sendOverSockets(load) : sendOverHttp(load);

/** @param {Tally} tally @param {string} type @param {number} [count] of messages; by default of one */
function countFailed(tally, type, count = 1) {
  if (count > 0) countError(tally, type, count);
  tally.completedCount += count;
}

/** @param {Tally} tally @param {string} type @param {number} [count] */
function countError({ errors }, type, count = 1) {
  errors.set(type, (errors.get(type) ?? 0) + count);
}

/** @param {Tally} tally @param {number} latencyMs */
function countAnswer(tally, latencyMs) {
  tally.latenciesMs.push(latencyMs);
  tally.completedCount++;
}

/** The first message of each connection waits for that connection. @param {Load} load */
async function sendOverHttp({ baseUrl, plan: { transport, requests, concurrency }, tally, signal }) {
  if (signal.aborted) return;
  const startedAtMs = now();
  const last = { status: 0, latencyMs: 0 };
  const options = {
    url: `${baseUrl}${transports[transport].endpoint}?count=${COUNT}`,
    amount: requests,
    connections: concurrency,
    timeout: TIMEOUT_S,
    sampleInt: LOOK_MS,
    /** Measures latencies itself: autocannon's are wrong after a connection was closed. @param {EventEmitter} client */
    setupClient(client) {
      let sentAtMs = 0;
      client.on('request', () => (sentAtMs = now()));
      client.on('response', (status) => Object.assign(last, { status, latencyMs: now() - sentAtMs }));
    },
    /** Counts an answer; autocannon calls it just after the event. @param {unknown} body */
    verifyBody(body) {
      if (last.status !== 200) countFailed(tally, `status ${last.status}`);
      else if (body !== ECHO) countFailed(tally, 'mismatch');
      else countAnswer(tally, last.latencyMs);
      tally.elapsedMs = now() - startedAtMs;
      return true;
    },
  };
  await new Promise((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    run.on('reqError', (error) => countFailed(tally, errorTypeOf(error)));
    signal.addEventListener('abort', () => run.stop());
  });
  // Autocannon does not report requests whose connection the server closed without an answer.
  if (!signal.aborted) countFailed(tally, 'closed', requests - tally.completedCount);
}

/** @param {Error & { code?: string }} error of a connection @returns {string} like ECONNRESET */
const errorTypeOf = ({ message, code }) => (message === 'request timed out' ? 'timeout' : (code ?? 'closed'));

/** Sends messages over WebSockets, which are all open before the first message. @param {Load} load */
async function sendOverSockets({ baseUrl, plan: { transport: name, requests, concurrency }, tally, signal }) {
  const { [name]: transport } = await createTransports(baseUrl, [name]);
  const opened = await Promise.all(Array.from({ length: concurrency }, () => open(transport, tally, signal)));
  const connections = opened.filter((one) => one !== undefined);
  const startedAtMs = now();
  let sentCount = 0;
  const loop = async (/** @type {NonNullable<typeof opened[0]>} */ { connection, deadline }) => {
    while (sentCount < requests && !signal.aborted) {
      const payload = createPayload(sentCount++);
      const roundTrip = await measureRoundTrip(connection, payload, { now, signal: deadline.start() });
      const { outcome, sentAtMs, endedAtMs } = roundTrip;
      if (outcome === 'aborted') return;
      if (outcome === 'ok') countAnswer(tally, endedAtMs - sentAtMs);
      else countFailed(tally, outcome);
      tally.elapsedMs = endedAtMs - startedAtMs;
      // The connection ends here, as a late answer could be taken for the next message's.
      if (outcome === 'timeout' || outcome === 'closed') return;
    }
  };
  try {
    await Promise.all(connections.map(loop));
  } finally {
    for (const { connection, deadline } of connections) {
      deadline.close();
      connection.close();
    }
  }
}

/**
 * @param {Transport} transport @param {Tally} tally @param {AbortSignal} signal @returns absent if it cannot be opened
 */
async function open(transport, tally, signal) {
  const limitMs = TIMEOUT_S * 1000;
  const deadline = createDeadline({ now, limitMs, signal });
  try {
    const limit = deadline.start(setUpLimitMs(transport, limitMs));
    return { deadline, connection: await transport.connect({ signal: limit }) };
  } catch (error) {
    deadline.close();
    if (!(error instanceof ExchangeError)) throw error;
    if (error.outcome !== 'aborted') countError(tally, `not connected (${error.outcome})`);
    return undefined;
  }
}
