/** Defines the common parts of documents as schemas of the validation library. */
import { FAILURE_OUTCOMES } from '../../net/exchange-error.js';
import { LABELS } from '../answer/labels.js';
import { MAX_MS, schemaOfLink } from '../run/emulated-link.js';

const MAX_TEXT = 1000;
/** The maximum length of names that lists are filtered by, and of addresses. */
export const MAX_NAME = 500;
/** The maximum of a reading of the clock: a page may be open for weeks before a run begins. */
const MAX_READING_MS = 1e12;
const ROUNDING_MS = 1e-3;
/** The maximum number of a server's workers; pm2 starts one for each processor. */
const MAX_WORKERS = 1024;
/** Matches a character that every store accepts: PostgreSQL has no NUL, and UTF-8 no half of a surrogate pair. */
const STORABLE = '[^\\0\\p{Cs}]';
/** Matches a character of a line: no control character, and none that changes the direction of the text around it. */
export const OF_LINE = '[^\\p{Cc}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069]';
/** The minimum number of samples for a 90th percentile. */
const MIN_TIMERS = 10;
const NOT_COUNTED = 'expected no more samples and failures than iterations, each iteration once and in order';
const EXPECTED_TIME = 'expected a time like 2026-11-21T07:00:00.000Z';
const EXPECTED_URL = 'expected an address that begins with http: or https:';

/**
 * @import { Valibot } from '../../base/valibot.js'
 * @typedef {{ samples: { iteration: readonly number[] }, failures: readonly unknown[] }} Counted trial
 */

/** @typedef {ReturnType<typeof createFields>} DocumentFields */

/** @param {Valibot} v the validation library */
export function createFields(v) {
  const basics = createBasics(v);
  return { ...basics, ...createTrialParts(v, basics), ...createRunParts(v, basics) };
}

/** @typedef {ReturnType<typeof createBasics>} Basics */

/** @param {Valibot} v */
function createBasics(v) {
  const storable = (/** @type {number} */ max) => {
    const wanted = `expected at most ${max} characters, without NUL or unpaired surrogates`;
    return v.pipe(v.string(), v.regex(atMost(max, STORABLE), wanted));
  };
  const text = storable(MAX_TEXT);
  const line = v.pipe(v.string(), v.regex(atMost(MAX_TEXT, OF_LINE), 'expected text of one line'));
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  return {
    text,
    count,
    transport: v.picklist(Object.keys(LABELS)),
    name: storable(MAX_NAME),
    time: v.pipe(
      text,
      v.isoTimestamp(EXPECTED_TIME),
      // JavaScript does not parse some forms of ISO 8601, and some dates do not exist.
      v.check((given) => !Number.isNaN(Date.parse(given)), EXPECTED_TIME),
    ),
    ms: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(MAX_MS)),
    reading: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(MAX_READING_MS)),
    url: v.pipe(v.string(), v.url(EXPECTED_URL), v.regex(atMost(MAX_NAME, STORABLE, 'https?:'), EXPECTED_URL)),
    /** @param {{ min: number, max: number }} range */
    within: ({ min, max }) => v.pipe(count, v.minValue(min), v.maxValue(max)),
    ending: v.strictObject({ kind: v.picklist(['cancelled', 'invalid']), reason: line }),
  };
}

/** Creates the counts of a trial's requests. @param {Valibot} v @param {Basics['count']} count */
const createRequests = (v, count) =>
  v.strictObject({ seenCount: count, openedCount: count, cacheHitCount: count, compressedCount: v.optional(count) });

/** Creates what the server recorded, see core/net/delivery/traffic.js. @param {Valibot} v @param {{ ms: Basics['ms'], count: Basics['count'] }} basics */
function createRecorded(v, { ms, count }) {
  const difference = v.pipe(v.number(), v.safeInteger());
  return {
    /** The fields of a trial; both are absent if the run ended. */
    recorded: {
      traffic: v.optional(
        v.strictObject({
          elapsedMs: ms,
          readingCount: count,
          requestCount: count,
          messageCount: count,
          receivedBytes: count,
          sentBytes: count,
          otherCount: difference,
          cpuMs: ms,
        }),
      ),
      trafficFault: v.optional(v.picklist(['unread', 'silent', 'restarted', 'open'])),
    },
    /** The server's idle use. `cpuMs` has one reading in it, which is `readingCpuMs`. */
    idle: v.optional(v.strictObject({ elapsedMs: ms, cpuMs: ms, readingCpuMs: ms, otherCount: difference })),
  };
}

/** Creates the parts of trials. @param {Valibot} v @param {Basics} basics */
function createTrialParts(v, { transport, name, text, count, ms, reading, time, within }) {
  const failure = { outcome: v.picklist(FAILURE_OUTCOMES), message: text, iteration: v.optional(count) };
  const failures = v.array(v.strictObject(failure));
  const server = v.strictObject({ server: name, location: name, version: name, worker: count, startedAt: time });
  const samples = v.pipe(
    v.strictObject({ iteration: v.array(count), sentAtMs: v.array(ms), roundTripMs: v.array(ms) }),
    v.check(
      ({ iteration, sentAtMs, roundTripMs }) =>
        iteration.length === sentAtMs.length && iteration.length === roundTripMs.length,
      'expected iteration, sentAtMs and roundTripMs of the same length',
    ),
    v.check(
      ({ sentAtMs, roundTripMs }) =>
        sentAtMs.every((sent, i) => i === 0 || sent >= sentAtMs[i - 1] + roundTripMs[i - 1] - ROUNDING_MS),
      'expected each message to be sent after the previous answer',
    ),
  );
  const echo = {
    transport,
    protocol: v.optional(text),
    setUpMs: v.optional(ms),
    upgradeMs: v.optional(ms),
    requests: v.optional(createRequests(v, count)),
    server: v.optional(server),
    samples,
    failures,
  };
  return {
    ...createRecorded(v, { ms, count }),
    failure,
    failures,
    samples,
    /** The parts of trials by core/net/echo/trial.js, within a run or alone. */
    echo,
    /** A trial alone. */
    trial: v.pipe(
      v.strictObject({
        ...echo,
        startedAtMs: reading,
        iterations: within({ min: 1, max: 100_000 }),
        warmUpCount: within({ min: 0, max: 1000 }),
        payloadBytes: within({ min: 0, max: 1_000_000 }),
      }),
      v.check((trial) => areCounted(trial, trial), NOT_COUNTED),
    ),
  };
}

/** Creates the parts of runs: the server's status, and where it was measured. @param {Valibot} v @param {Basics} basics */
function createRunParts(v, { name, text, count, ms, reading, time, url }) {
  const eventLoop = v.strictObject({ lagCount: count, lagTotalMs: reading });
  const worker = v.strictObject({ worker: count, startedAt: time, openSessions: count, echoCount: count, eventLoop });
  const timerCount = v.pipe(count, v.minValue(MIN_TIMERS));
  return {
    status: v.strictObject({
      server: name,
      location: name,
      version: name,
      worker: count,
      ipFamily: v.optional(v.picklist([4, 6])),
      pollCostMs: v.optional(count),
      contentEncoding: v.optional(name),
      workers: v.pipe(v.array(worker), v.maxLength(MAX_WORKERS)),
      silentWorkerCount: count,
    }),
    environment: v.strictObject({
      /** The address of the measured page, or of the site if there was none. */
      url,
      /** The origin of the measuring page, if it came from another server. */
      pageOrigin: v.optional(url),
      /** The browser's, or `Node.js` with its version. */
      userAgent: text,
      /** The step of the clock; absent if it could not be measured. */
      stepMs: v.optional(ms),
      isCrossOriginIsolated: v.boolean(),
      /** What a fixed piece of work took before the run; absent for a coarse clock, and in earlier releases. */
      device: v.optional(v.strictObject({ workMs: ms })),
      /** How late the program's own timers were during the run; absent if the run was too short. */
      lag: v.optional(v.strictObject({ count: timerCount, meanMs: ms, p90Ms: ms, betweenTrialsMs: v.optional(ms) })),
      /** Whether another tab of the browser measured at the same time; absent if none was found. */
      hasOtherTab: v.optional(v.literal(true)),
      /** The link over which it was measured, if it was emulated. */
      link: v.optional(schemaOfLink(v)),
    }),
  };
}

/**
 * Returns a pattern that counts characters instead of UTF-16 code units.
 * @param {number} max @param {string} character @param {string} [beginning] that does not count
 */
export function atMost(max, character, beginning = '') {
  return new RegExp(`^${beginning}${character}{0,${max}}$`, 'u');
}

/**
 * Checks that each number is there once, in order, below the end.
 * @param {readonly number[]} iterations @param {number} end
 */
export function isRising(iterations, end) {
  return iterations.every((iteration, i) => iteration < end && (i === 0 || iteration > iterations[i - 1]));
}

/**
 * Checks that there are at most as many samples and failures as messages, each once and in order.
 * @param {Counted} trial @param {{ iterations: number, warmUpCount: number }} plan
 */
export function areCounted({ samples: { iteration }, failures }, { iterations, warmUpCount }) {
  return isRising(iteration, iterations) && iteration.length + failures.length <= iterations + warmUpCount + 1;
}

/**
 * Checks that every message is a sample or a failure. A trial that ended early has a failure, or its run an ending
 * (`isCut`).
 * @param {Counted} trial @param {number} iterations @param {boolean} isCut
 */
export function isAccountedFor({ samples: { iteration }, failures }, iterations, isCut) {
  return isCut || failures.length > 0 || iteration.length === iterations;
}
