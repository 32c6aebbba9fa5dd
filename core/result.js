/**
 * A run to take along: all that was measured, and nothing that can be computed from it.
 *
 * docs/results-format.md describes it; the schema's name changes with every change that an old reader would misread.
 */
import { isComparable, MAX_SAMPLES, NUMBERS, ordersOf, sampleCountOf } from './plan.js';
import { LABELS } from './transports/labels.js';

export const SCHEMA = 'sockshootout/run/1';

const MAX_TEXT = 1000;
const OUTCOMES = /** @type {const} */ (['timeout', 'mismatch', 'rejected', 'closed', 'aborted']);

/**
 * @typedef {object} Environment where and with what it was measured
 * @property {string} url of the page, or of the site where there was none
 * @property {string} userAgent the browser's, or `Node.js` with its version
 * @property {number} [stepMs] of the clock; absent where it could not be measured
 * @property {boolean} isCrossOriginIsolated
 *
 * @typedef {object} WorkerStatus figures that only grow, but for openSessions: two readings tell what was in between
 * @property {number} worker
 * @property {string} startedAt ISO 8601
 * @property {number} openSessions now
 * @property {number} echoCount
 * @property {{ lagCount: number, lagTotalMs: number }} eventLoop
 *
 * @typedef {object} Status what `/status` answers
 * @property {string} server
 * @property {string} location
 * @property {string} version
 * @property {number} worker that answered
 * @property {number} [ipFamily] 4 or 6: by what the visitor came; absent where a proxy hides it
 * @property {WorkerStatus[]} workers
 * @property {number} silentWorkerCount that did not answer
 *
 * @typedef {object} Result
 * @property {string} schema {@link SCHEMA}
 * @property {string} startedAt ISO 8601, by the visitor's clock
 * @property {import('./plan.js').Plan} plan
 * @property {Environment} environment
 * @property {Status} [statusBefore] absent where the server could not be asked
 * @property {Status} [statusAfter]
 * @property {import('./run.js').RunTrial[]} trials in the order in which they were made
 * @property {Record<string, number>} coldSetUpMs by transport
 * @property {import('./run.js').Ending} [ending] absent where the plan was carried out
 */

/**
 * @param {Result} result
 * @returns {string} JSON
 */
export function formatResult(result) {
  return `${JSON.stringify(result)}\n`;
}

/**
 * Reads a result that somebody brings: nothing in it is taken on trust but the samples themselves.
 *
 * @param {string} text
 * @param {typeof import('valibot')} v the validation library
 * @returns {Result}
 * @throws {RangeError} what was expected where
 */
export function parseResult(text, v) {
  const { output, issues } = v.safeParse(schemaOf(v), parseJson(text));
  if (issues) {
    const [{ message }] = issues;
    const path = v.getDotPath(issues[0]);
    throw new RangeError(`This is no run of SockShootout: ${path ? `${path}: ` : ''}${message}`);
  }
  const result = /** @type {Result} */ (output);
  if (!fitsItsPlan(result)) {
    throw new RangeError(
      'This is no run of SockShootout: trials: expected those of its plan, in its order, with no more samples than planned',
    );
  }
  return result;
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError('This is no run of SockShootout: expected JSON, got something else');
  }
}

/** @param {typeof import('valibot')} v */
function schemaOf(v) {
  const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
  const time = v.pipe(text, v.isoTimestamp());
  const ms = v.pipe(v.number(), v.finite(), v.minValue(0));
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  const transport = v.picklist(Object.keys(LABELS));

  /** @param {{ least: number, most: number }} range */
  const within = ({ least, most }) => v.pipe(count, v.minValue(least), v.maxValue(most));
  const plan = v.strictObject({
    transports: v.pipe(
      v.array(transport),
      v.check((names) => isComparable(names), 'expected a baseline and at least one other, each once'),
    ),
    blocks: within(NUMBERS.blocks),
    iterations: within(NUMBERS.iterations),
    warmUpCount: within(NUMBERS.warmUpCount),
    payloadBytes: within(NUMBERS.payloadBytes),
    seed: within(NUMBERS.seed),
  });
  const server = v.strictObject({ server: text, location: text, version: text, worker: count, startedAt: time });
  const status = v.strictObject({
    server: text,
    location: text,
    version: text,
    worker: count,
    ipFamily: v.optional(v.picklist([4, 6])),
    workers: v.array(
      v.strictObject({
        worker: count,
        startedAt: time,
        openSessions: count,
        echoCount: count,
        eventLoop: v.strictObject({ lagCount: count, lagTotalMs: ms }),
      }),
    ),
    silentWorkerCount: count,
  });
  const samples = v.pipe(
    v.strictObject({ iteration: v.array(count), sentAtMs: v.array(ms), roundTripMs: v.array(ms) }),
    v.check(
      ({ iteration, sentAtMs, roundTripMs }) =>
        iteration.length === sentAtMs.length && iteration.length === roundTripMs.length,
      'expected as many iterations as times sent and round trips',
    ),
  );
  const trial = v.strictObject({
    block: count,
    transport,
    protocol: v.optional(text),
    setUpMs: v.optional(ms),
    server: v.optional(server),
    startedAtMs: ms,
    samples,
    failures: v.array(v.strictObject({ outcome: v.picklist(OUTCOMES), message: text, iteration: v.optional(count) })),
    requests: v.optional(v.strictObject({ seenCount: count, openedCount: count, cacheHitCount: count })),
  });

  return v.strictObject({
    schema: v.literal(SCHEMA),
    startedAt: time,
    plan,
    environment: v.strictObject({
      url: v.pipe(text, v.url(), v.regex(/^https?:/)),
      userAgent: text,
      stepMs: v.optional(ms),
      isCrossOriginIsolated: v.boolean(),
    }),
    statusBefore: v.optional(status),
    statusAfter: v.optional(status),
    trials: v.array(trial),
    coldSetUpMs: v.record(transport, ms),
    ending: v.optional(v.strictObject({ kind: v.picklist(['cancelled', 'invalid']), reason: text })),
  });
}

/**
 * The trials must be those of the plan, in its order, and all of them unless the run says that it ended early: a result
 * without the blocks that did not suit somebody would be another one.
 *
 * @param {Result} result
 */
function fitsItsPlan({ plan, trials, ending }) {
  const planned = ordersOf(plan).flatMap((order, block) => order.map((transport) => ({ block, transport })));
  return (
    sampleCountOf(plan) <= MAX_SAMPLES &&
    trials.length <= planned.length &&
    (ending !== undefined || trials.length === planned.length) &&
    trials.every(
      ({ block, transport, samples, failures }, index) =>
        block === planned[index].block &&
        transport === planned[index].transport &&
        samples.iteration.length + failures.length <= plan.iterations + plan.warmUpCount + 1 &&
        isRising(samples.iteration) &&
        (samples.iteration.at(-1) ?? 0) < plan.iterations,
    )
  );
}

/** @param {readonly number[]} values */
function isRising(values) {
  return values.every((value, index) => index === 0 || value > values[index - 1]);
}
