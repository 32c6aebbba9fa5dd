/**
 * Makes the checks of SockJS: which of its transports work, which one it falls back to, and the time of a message by
 * it.
 */
import { sleep } from '../../base/async.js';
import { createPayload, measureRoundTrip } from '../../net/echo/round-trip.js';
import { runTrial as runEchoTrial } from '../../net/echo/trial.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { attempt, within } from './link.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Context, Observed } from './measure.js'
 */

/** The time limit of a transport, slightly above that of SockJS's client. */
const TRANSPORT_LIMIT_MS = 6000;
/**
 * The time limit of a fallback: long enough for six transports that a proxy blocks or buffers, before the first that
 * works.
 */
const FALL_BACK_LIMIT_MS = 40_000;
const IN_USE = Object.freeze({ count: 10, everyMs: 100 });
const COMPARED = Object.freeze({ iterations: 10, warmUpCount: 2, timeoutMs: 5000, maxFailuresInARow: 1 });

/**
 * Checks one of SockJS’s transports.
 * @param {Context} context @param {string} name of one of SockJS's own @returns {Promise<Observed>}
 */
export async function checkTransport(context, name) {
  const options = { iterations: 2, timeoutMs: TRANSPORT_LIMIT_MS, maxFailuresInARow: 1 };
  // SockJS can have negotiated only this protocol.
  return { ...(await echoBy(context, context.createSockjs({ only: name }), options)), protocol: undefined };
}

/**
 * Messages of a block by one of those compared.
 * @param {Context} context @param {string} name 'fetch', or one of SockJS's own @returns {Promise<Observed>}
 */
export function measureLatency(context, name) {
  const { transports, createSockjs } = context;
  return echoBy(context, name === 'fetch' ? transports.fetch : createSockjs({ only: name }), COMPARED);
}

/**
 * @param {{ now: Now, signal?: AbortSignal }} context @param {Transport} transport
 * @param {Omit<Parameters<typeof runEchoTrial>[0], 'transport' | 'now'>} options @returns {Promise<Observed>}
 */
export async function echoBy({ now, signal }, transport, options) {
  const { protocol, setUpMs, samples, failures } = await runEchoTrial({ transport, now, signal, ...options });
  const [failure] = failures.map(({ outcome, message }) => ({ outcome, message }));
  return { protocol, setUpMs, roundTripMs: samples.roundTripMs, ...(failure && { failure }) };
}

/**
 * Measures how long SockJS takes to connect by any transport, and whether the connection lasts.
 * @param {Context} context @param {number} timeoutMs the minimum that its client gives each transport; 0: its own
 *   default
 * @returns {Promise<Observed>}
 */
export async function checkFallback(context, timeoutMs) {
  const { now, timers, signal, createSockjs } = context;
  const startedAtMs = now();
  const transport = createSockjs({ timeoutMs });
  const found = await attempt(async (found) => {
    found.roundTripMs = [];
    const connection = await within(FALL_BACK_LIMIT_MS, context, (signal) => transport.connect({ signal }));
    try {
      Object.assign(found, { protocol: connection.protocol, setUpMs: connection.setUpMs });
      for (let i = 0; i < IN_USE.count; i++) {
        const answer = await within(TRANSPORT_LIMIT_MS, context, (signal) =>
          measureRoundTrip(connection, createPayload(i), { now, signal }),
        );
        if (isFailure(answer.outcome)) throw new ExchangeError(answer.outcome, answer.message ?? '');
        found.roundTripMs.push(answer.endedAtMs - answer.sentAtMs);
        await sleep(IN_USE.everyMs, { timers, signal });
        signal.throwIfAborted();
      }
    } finally {
      connection.close();
    }
  });
  if (found.failure) found.livedMs = now() - startedAtMs - (found.setUpMs ?? 0);
  return found;
}
