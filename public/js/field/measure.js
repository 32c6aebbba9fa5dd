/**
 * Measures one browser: does a WebSocket open, do events of a stream come as they are sent, and how long does a message take by
 * request and by WebSocket?
 */
import { shuffle } from '../../../core/base/random.js';
import { mean } from '../../../core/base/statistics.js';
import { FIELD_BLOCKS } from '../../../core/field/record.js';
import { connect, createChannel } from '../../../core/net/channel/channel.js';
import { eventStream, openEventStream } from '../../../core/net/channel/event-stream.js';
import { createDeadline } from '../../../core/net/deadline.js';
import { createHttpTransport } from '../../../core/net/echo/http.js';
import { createPayload, measureRoundTrip } from '../../../core/net/echo/round-trip.js';
import { createSocketTransport } from '../../../core/net/echo/sockets.js';
import { ExchangeError } from '../../../core/net/exchange-error.js';

/**
 * @import { FieldBlock, FieldRecord } from '../../../core/field/record.js'
 * @import { Connection } from '../../../core/net/echo/index.js'
 * @typedef {object} Figures so far
 * @property {FieldRecord['socket']} [socket]
 * @property {FieldRecord['stream']} [stream]
 * @property {string} [protocol]
 * @property {FieldBlock[]} blocks
 * @typedef {{ site: string, now: () => number, signal: AbortSignal }} Means `site`: its URL without a slash; `signal`: ends it
 */

/** A path that takes longer is one that does not work. */
const WAIT_MS = 5000;
const EVENTS = Object.freeze({ count: 5, everyMs: 100 });
/** The messages of a block are as many as fit into its part of the time, and no more. */
const MAX_MESSAGES = 5;
const BLOCKS_MS = 6000;

/**
 * Fills in the figures one by one, so that those of a run that is cut short are there.
 * @param {Figures} figures @param {Means} means
 */
export async function measureBrowser(figures, means) {
  const deadline = createDeadline({ now: means.now, limitMs: WAIT_MS, signal: means.signal });
  /** @type {Connection[]} */
  const opened = [];
  try {
    const request = await requestsTo(means.site).connect({ signal: deadline.start() });
    opened.push(request);
    const warmMs = await timeMessage(request, means, deadline.start());
    figures.protocol = /** @type {Figures['protocol']} */ (request.protocol);
    figures.stream = await findOutcome(() => readStream(means, deadline.start()));
    figures.socket = await findOutcome(async () => {
      opened.push(await socketTo(means.site).connect({ signal: deadline.start() }));
      return 'opened';
    });
    await measureBlocks(figures, opened, { ...means, deadline, messageCount: countFor(warmMs) });
  } finally {
    deadline.close();
    for (const { close } of opened) close();
  }
}

/** @param {string} site */
const requestsTo = (site) => createHttpTransport(optionsOf('fetch', 'http', `${site}/ajaxecho`));

/** @param {string} site */
const socketTo = (site) => createSocketTransport(optionsOf('ws', 'websocket', `${site}/ws/echo`));

/** @param {string} name @param {string} kind @param {string} url */
const optionsOf = (name, kind, url) => ({ name, kind, url, libraryName: 'fetch', doesFallBack: false });

/** @param {number} roundTripMs @returns {number} of messages in a block */
const countFor = (roundTripMs) =>
  Math.max(1, Math.min(MAX_MESSAGES, Math.floor(BLOCKS_MS / (2 * FIELD_BLOCKS * roundTripMs))));

/**
 * @template {string} T @param {() => Promise<T>} act @returns {Promise<T | 'failed' | 'timeout'>} rejects where it was interrupted
 */
async function findOutcome(act) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ExchangeError) || error.outcome === 'aborted') throw error;
    return error.outcome === 'timeout' ? 'timeout' : 'failed';
  }
}

/**
 * Reads an event stream. Its events arrive together where something on the path collects them.
 * @param {Means} means @param {AbortSignal} signal @returns {Promise<'streamed' | 'batched'>}
 */
async function readStream({ site, now }, signal) {
  const url = `${site}/reach/events?count=${EVENTS.count}&interval=${EVENTS.everyMs}`;
  const channel = await connect(() => createChannel(openEventStream(undefined, url), eventStream), { now, signal });
  /** @type {number[]} */
  const arrivedAtMs = [];
  await new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    channel.on({
      message: () => arrivedAtMs.push(now()) === EVENTS.count && resolve(undefined),
      end: reject,
    });
  }).finally(channel.end);
  const spanMs = arrivedAtMs[EVENTS.count - 1] - arrivedAtMs[0];
  return spanMs < ((EVENTS.count - 1) * EVENTS.everyMs) / 2 ? 'batched' : 'streamed';
}

/**
 * @param {Figures} figures @param {readonly Connection[]} connections by request, and by WebSocket where it opened
 * @param {Means & { deadline: { start(): AbortSignal }, messageCount: number }} means
 */
async function measureBlocks(figures, connections, { deadline, messageCount, ...means }) {
  for (let block = 0; block < FIELD_BLOCKS; block++) {
    /** @type {number[]} by connection */
    const times = [];
    for (const connection of shuffle([...connections], Math.random)) {
      const own = [];
      for (let i = 0; i < messageCount; i++) own.push(await timeMessage(connection, means, deadline.start()));
      times[connections.indexOf(connection)] = Number(mean(own));
    }
    const [requestMs, socketMs] = times.map(round);
    figures.blocks.push({ requestMs, ...(socketMs !== undefined && { socketMs }) });
  }
}

/**
 * @param {Connection} connection @param {Means} means @param {AbortSignal} signal
 * @returns {Promise<number>} ms @throws {ExchangeError} where the message was not echoed
 */
async function timeMessage(connection, { now }, signal) {
  // A cache would answer an address that was asked before.
  const payload = createPayload(Math.floor(now() * 1000));
  const { outcome, sentAtMs, endedAtMs, message } = await measureRoundTrip(connection, payload, { now, signal });
  if (outcome !== 'ok') throw new ExchangeError(outcome, message ?? 'The message was not echoed.');
  return endedAtMs - sentAtMs;
}

/** @param {number} ms @returns {number} of 0.01 ms, and above 0, as coarse clocks see no time pass */
const round = (ms) => Math.max(0.01, Number(ms.toFixed(2)));
