/** Reads the submissions of the app of 2019: times without samples. */
import { formatCsvLine } from '../../base/foreign-text.js';
import { OF_LINE } from '../../experiment/documents/document-fields.js';
import { MAX_RECORDS } from '../../experiment/documents/lone-trials.js';
import { openRecords } from '../../experiment/run/open-run.js';
import { ITERATIONS } from './plan.js';

/**
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @typedef {OutputOf<typeof submissionSchemaOf>} Submission `runs` as that client sent them; `time`: ms
 */

export const SUBMISSION_SCHEMA = 'sockshootout/submission-2019/1';

/** Checks whether the app of 2019 shared a document. @param {{ schema: string }} given @returns {given is Submission} */
export const isSubmission = (given) => given.schema === SUBMISSION_SCHEMA;

const NAME = new RegExp(`^${OF_LINE}{1,100}$`, 'u');
/** Lists have one entry for each, and the app of 2019 knew two. */
export const MAX_NAMES = 10;

/** Defines the schema of what the app of 2019 shares. @param {Valibot} v @param {DocumentFields} fields */
export function submissionSchemaOf(v, { ms, within }) {
  const run = v.strictObject({
    test: v.pipe(v.string(), v.regex(NAME, 'expected a name of 1 to 100 characters in one line')),
    iterations: within({ min: 1, max: 100_000 }),
    time: v.pipe(ms, v.minValue(0.001, 'expected at least 0.001 ms')),
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
 * Opens a submission: its trials have no samples, and its plan makes tests like the first one.
 * @param {Submission} submission
 */
export function openSubmission({ runs }) {
  const samples = { iteration: [], sentAtMs: [], roundTripMs: [] };
  const records = runs.map(({ test, iterations, time }) => ({
    // The app of 2019 had two names for it.
    trial: { transport: test === 'websocket' ? 'ws' : test, iterations, samples, failures: [] },
    elapsedMs: time,
  }));
  const plan = { iterations: Math.min(runs[0].iterations, ITERATIONS.max), kind: 'both' };
  return { plan, environment: undefined, ...openRecords('runs', records) };
}

/** @param {Submission} submission @returns {string} CSV, a line for each test */
export function formatSubmissionCsv({ runs }) {
  const rows = runs.map(({ test, iterations, time }, index) => [index + 1, test, iterations, time]);
  return [['number', 'test', 'iterations', 'time_ms'], ...rows].map(formatCsvLine).join('');
}
