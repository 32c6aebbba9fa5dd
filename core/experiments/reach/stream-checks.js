/** The checks of answers that take their time: do events come as they are sent, and does a long poll live? */
import { parseJson } from '../../base/foreign-text.js';
import { failureOf, fetchAnswer } from '../../net/http.js';
import { attempt, within } from './link.js';

/** @import { Context, Observed } from './measure.js' */

export const EVENTS = Object.freeze({ count: 10, everyMs: 200 });
/** The maximum delay of an answer after its planned time. */
const LATE_LIMIT_MS = 10_000;

/**
 * Makes the check of a stream: each event arrives when it was sent, or together with others.
 * @param {string} path @returns {(context: Context) => Promise<Observed>}
 */
export const checkStream = (path) => (context) => {
  const { now } = context;
  const startedAtMs = now();
  const address = `${path}?count=${EVENTS.count}&interval=${EVENTS.everyMs}`;
  return withAnswer(context, address, EVENTS.count * EVENTS.everyMs, async (response, found) => {
    /** @type {number[][]} */
    const [sentMs, arrivedMs] = [(found.sentMs = []), (found.arrivedMs = [])];
    for await (const lines of linesOf(/** @type {ReadableStream<Uint8Array>} */ (response.body))) {
      const arrivedAtMs = now() - startedAtMs;
      for (const line of lines) {
        const event = parseJson(line.replace(/^data: /, ''));
        if (!Number.isInteger(event?.event) || !(event.sentMs >= 0)) continue;
        sentMs.push(Number(event.sentMs));
        arrivedMs.push(arrivedAtMs);
      }
    }
    if (sentMs.length < EVENTS.count) throw failureOf(0);
  });
};

/** Checks a request that waits for its answer. @param {Context} context @returns {Promise<Observed>} */
export function checkPoll(context) {
  const { heartbeatMs } = context.plan;
  return withAnswer(context, `/reach/poll?ms=${heartbeatMs}`, heartbeatMs, (response) => response.json());
}

/**
 * @param {Context} context @param {string} path @param {number} waitMs that the server takes
 * @param {(response: Response, found: Observed) => Promise<void>} read @returns {Promise<Observed>}
 */
async function withAnswer(context, path, waitMs, read) {
  const { now, fetch, baseUrl } = context;
  const startedAtMs = now();
  const found = await attempt((found) =>
    within(waitMs + LATE_LIMIT_MS, context, (signal) =>
      fetchAnswer(fetch, baseUrl + path, { cache: 'no-store', signal }, (response) => read(response, found)),
    ),
  );
  // A failed request is not a sample.
  if (found.failure) found.roundTripMs = [];
  found.durationMs = now() - startedAtMs;
  return found;
}

/**
 * @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<string[]>} the whole lines of each piece that comes
 */
async function* linesOf(body) {
  // By its types, TextDecoderStream writes less than it reads.
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
