/** What the app of 2019 shares: the time of each test, as reported by that client, and no samples. */
import { formatCsvLine } from '../../base/foreign-text.js';
import { OF_LINE } from '../../experiment/documents/fields.js';
import { MAX_RECORDS } from '../../experiment/lone-trials.js';
import { ITERATIONS } from './measure.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { CountdownResult } from './index.js'
 * @typedef {InferOutput<ReturnType<typeof submissionSchemaOf>>} Submission `runs` as that client sent them; `time`: ms
 */

export const SUBMISSION_SCHEMA = 'sockshootout/submission-2019/1';

/** @param {{ schema: string }} given @returns {given is Submission} */
export const isSubmission = (given) => given.schema === SUBMISSION_SCHEMA;

const NAME = new RegExp(`^${OF_LINE}{1,100}$`, 'u');
/** Lists have one entry for each, and the app of 2019 knew two. */
const MAX_NAMES = 10;

/** @param {Valibot} v @param {Fields} fields */
export function submissionSchemaOf(v, { ms, within }) {
  const run = v.strictObject({
    test: v.pipe(v.string(), v.regex(NAME, 'expected a name of 1 to 100 characters in one line')),
    iterations: within({ min: 1, max: 100_000 }),
    time: v.pipe(ms, v.gtValue(0, 'expected more than 0 ms')),
  });
  return v.strictObject({
    schema: v.literal(SUBMISSION_SCHEMA),
    runs: v.pipe(
      v.array(run),
      v.minLength(1),
      v.maxLength(MAX_RECORDS),
      v.check(
        (runs) => new Set(runs.map(({ test }) => test)).size <= MAX_NAMES,
        `expected at most ${MAX_NAMES} different names of tests`,
      ),
    ),
  });
}

/**
 * @param {Submission} submission
 * @returns {CountdownResult} whose trials have no samples; `choice`: tests like the first one
 */
export function fromSubmission({ runs }) {
  const tests = runs.map(({ test, iterations, time }) => ({
    trial: { transport: test === 'ws' ? 'websocket' : test, iterations, samples: { iteration: [] }, failures: [] },
    elapsedMs: time,
  }));
  const choice = { iterations: Math.min(runs[0].iterations, ITERATIONS.max), kind: 'both' };
  return { choice, tests: /** @type {any[]} */ (tests) };
}

/** @param {Submission} submission @returns {string} CSV, a line for each test */
export function formatSubmissionCsv({ runs }) {
  const rows = runs.map(({ test, iterations, time }, index) => [index + 1, test, iterations, time]);
  return [['number', 'test', 'iterations', 'time_ms'], ...rows].map(formatCsvLine).join('');
}
