/** The checks of answers that take their time: do events come as they are sent, and does a long poll live? */
import { parseJson } from '../../base/foreign-text.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { failureOf } from '../../net/http.js';
import { within } from './link.js';

/** @import { Context, Found } from './measure.js' */

export const EVENTS = Object.freeze({ count: 10, everyMs: 200 });
/** How much later than planned an answer may arrive. */
const LATE_LIMIT_MS = 10_000;

/** @param {string} path @returns {(context: Context) => Promise<Found>} */
export const checkStream = (path) => (context) =>
  withAnswer(context, `${path}?count=${EVENTS.count}&interval=${EVENTS.everyMs}`, {
    limitMs: EVENTS.count * EVENTS.everyMs + LATE_LIMIT_MS,
    async read(response, found) {
      const { now } = context;
      const [sentMs, arrivedMs] = /** @type {[number[], number[]]} */ ([(found.sentMs = []), (found.arrivedMs = [])]);
      for await (const lines of linesOf(/** @type {ReadableStream<Uint8Array>} */ (response.body))) {
        const arrivedAtMs = now() - found.startedAtMs;
        for (const line of lines) {
          const event = parseJson(line.replace(/^data: /, ''));
          if (!Number.isInteger(event?.event) || !(event.sentMs >= 0)) continue;
          sentMs.push(Number(event.sentMs));
          arrivedMs.push(arrivedAtMs);
        }
      }
      if (sentMs.length < EVENTS.count) throw failureOf(0);
    },
  });

/** @param {Context} context @returns {Promise<Found>} */
export const checkPoll = (context) =>
  withAnswer(context, `/reach/poll?ms=${context.plan.heartbeatMs}`, {
    limitMs: context.plan.heartbeatMs + LATE_LIMIT_MS,
    read: async (response) => void (await response.json()),
  });

/**
 * @param {Context} context @param {string} path
 * @param {{ limitMs: number, read: (response: Response, found: Found) => Promise<void> }} options @returns {Promise<Found>}
 */
async function withAnswer({ now, timers, signal, fetch, origin }, path, { limitMs, read }) {
  /** @type {Found} */
  const found = { startedAtMs: now() };
  const controller = new AbortController();
  const ask = async () => {
    try {
      const response = await fetch(origin + path, { cache: 'no-store', signal: controller.signal });
      if (response.status >= 400) throw failureOf(response.status);
      await read(response, found);
    } catch (error) {
      throw error instanceof ExchangeError ? error : failureOf(0);
    }
  };
  try {
    await within(limitMs, { timers, signal }, (resolve, reject) => {
      ask().then(() => resolve(undefined), reject);
      return () => controller.abort();
    });
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    found.failure = { outcome: error.outcome, message: error.message };
    // A failed request counts as no sample.
    found.roundTripMs = [];
  }
  found.durationMs = now() - found.startedAtMs;
  return found;
}

/** @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<string[]>} the whole lines of each piece that comes */
async function* linesOf(body) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
}
