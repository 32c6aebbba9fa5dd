/** The checks of SockJS: which of its transports work, what it falls back to, and what a message then takes. */
import { sleep } from '../../base/async.js';
import { createPayload, measureRoundTrip } from '../../net/echo/round-trip.js';
import { runTrial as runEchoTrial } from '../../net/echo/trial.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { within } from './link.js';

/**
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Context, Found } from './measure.js'
 */

/** A little more than SockJS's client gives a transport. */
const TRANSPORT_LIMIT_MS = 6000;
/** Long enough for six transports that a proxy blocks or buffers, before the first that works. */
const FALL_BACK_LIMIT_MS = 40_000;
const IN_USE = Object.freeze({ count: 10, everyMs: 100 });
const COMPARED = Object.freeze({ iterations: 10, warmUpCount: 2, timeoutMs: 5000, maxFailuresInARow: 1 });

/** @param {Context} context @param {string} name of one of SockJS's own @returns {Promise<Found>} */
export async function checkTransport(context, name) {
  const options = { iterations: 2, timeoutMs: TRANSPORT_LIMIT_MS, maxFailuresInARow: 1 };
  // It can have got no other protocol.
  return { ...(await echoBy(context, context.createSockjs({ only: name }), options)), protocol: undefined };
}

/**
 * Messages of a block by one of those compared.
 * @param {Context} context @param {string} name 'fetch', or one of SockJS's own @returns {Promise<Found>}
 */
export function measureLatency(context, name) {
  if (name === 'fetch') return echoBy(context, context.transports.fetch, COMPARED);
  return echoBy(context, context.createSockjs({ only: name }), COMPARED);
}

/**
 * @param {Pick<Context, 'now' | 'signal'>} context @param {Transport} transport
 * @param {Omit<Parameters<typeof runEchoTrial>[0], 'transport' | 'now'>} options @returns {Promise<Found>}
 */
export async function echoBy({ now, signal }, transport, options) {
  const { startedAtMs, protocol, setUpMs, samples, failures } = await runEchoTrial({
    transport,
    now,
    signal,
    ...options,
  });
  const [failure] = failures;
  return {
    startedAtMs,
    protocol,
    setUpMs,
    roundTripMs: samples.roundTripMs,
    ...(failure && { failure: { outcome: failure.outcome, message: failure.message } }),
  };
}

/**
 * How long it takes until SockJS is connected by whatever works, and does that last?
 * @param {Context} context @param {number} timeoutMs the minimum that its client gives each transport; 0: its own default
 * @returns {Promise<Found>}
 */
export async function checkFallback(context, timeoutMs) {
  const { now, timers, signal, createSockjs } = context;
  const startedAtMs = now();
  /** @type {Found} */
  const found = { startedAtMs, roundTripMs: [] };
  const limit = new AbortController();
  const transport = createSockjs({ timeoutMs });
  let connection;
  try {
    connection = await within(FALL_BACK_LIMIT_MS, { timers, signal }, (resolve, reject) => {
      transport.connect({ signal: limit.signal }).then(resolve, reject);
      return () => limit.abort(new ExchangeError('aborted', 'Given up.'));
    });
    Object.assign(found, { protocol: connection.protocol, setUpMs: connection.setUpMs });
    for (let i = 0; i < IN_USE.count; i++) {
      const answer = await exchange(context, connection, i);
      if (isFailure(answer.outcome)) throw new ExchangeError(answer.outcome, answer.message ?? '');
      found.roundTripMs?.push(answer.endedAtMs - answer.sentAtMs);
      await sleep(IN_USE.everyMs, { timers, signal });
      if (signal.aborted) throw signal.reason;
    }
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    found.failure = { outcome: error.outcome, message: error.message };
    found.livedMs = now() - startedAtMs - (found.setUpMs ?? 0);
  } finally {
    connection?.close();
  }
  return found;
}

/** @param {Context} context @param {any} connection @param {number} count */
function exchange({ now, timers, signal }, connection, count) {
  const controller = new AbortController();
  return within(TRANSPORT_LIMIT_MS, { timers, signal }, (resolve, reject) => {
    measureRoundTrip(connection, createPayload(count), { now, signal: controller.signal }).then(resolve, reject);
    return () => controller.abort(new ExchangeError('aborted', 'Given up.'));
  });
}
