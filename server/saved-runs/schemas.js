/**
 * The schemas of the API's answers: its description is made from them, and its tests check the answers against them.
 */
import * as v from 'valibot';
import { UNITS } from '../../core/experiment/answer/answer.js';
import { VERDICTS, MARKS } from '../../core/experiment/answer/verdict.js';
import { GOT } from '../../core/field/find.js';
import { SCOPES } from '../../core/experiment/run/scope.js';
import { createDigest, DIGEST_LIMITS } from '../../core/experiment/documents/digest.js';
import { DESCRIBED } from '../../core/full-test/all.js';

/** The status of each error, by its code. */
export const ERROR_STATUS = Object.freeze({
  'bad-request': 400,
  'bad-run': 400,
  'bad-query': 400,
  'no-token': 401,
  'wrong-token': 403,
  'origin-refused': 403,
  'not-found': 404,
  'wrong-method': 405,
  'too-slow': 408,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'too-many': 429,
  internal: 500,
  busy: 503,
  'store-read-only': 503,
  'store-unavailable': 503,
  'store-full': 507,
});

/** @template {v.GenericSchema} S @param {string} text @param {S} schema */
const saying = (text, schema) => v.pipe(schema, v.description(text));
const string = v.string();
const time = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const errorSchema = v.strictObject({
  error: v.strictObject({
    code: v.picklist(Object.keys(ERROR_STATUS)),
    message: saying('What was expected, and what the server got', string),
    path: v.optional(saying('The wrong field, as a path with dots', string)),
  }),
});

const digestSchema = createDigest(v, DESCRIBED);
const BY_SERVER = `Computed by the server from the samples that the visitor sent; at most ${DIGEST_LIMITS.bytes} bytes`;

const described = {
  id: v.string(),
  url: saying('The path of its page', string),
  savedAt: time,
  experiment: v.picklist(DESCRIBED.map(({ name }) => name)),
  label: v.optional(v.string()),
  note: v.optional(v.string()),
  place: v.optional(v.strictObject({ name: v.string() })),
  partOf: v.optional(saying('The ID of the run that it is a part of', string)),
  digest: saying(BY_SERVER, digestSchema),
};
const ONLY_HERE = 'It is sent only here; the server stores a hash of it';

export const describedSchema = v.strictObject(described);
export const savedSchema = v.strictObject({
  ...described,
  deleteToken: saying(`Deletes the run, or changes its label, note and place. ${ONLY_HERE}`, string),
});
/** The answer that the app of 2019 reads. */
export const sharedSchema = v.strictObject({
  submission: v.strictObject({
    uuid: saying(`Replaces the submission, and is its delete token. ${ONLY_HERE}`, string),
    runs: v.strictObject({ count, total_iterations: count }),
  }),
});
export const listSchema = v.strictObject({
  results: v.array(
    v.strictObject({
      ...described,
      digest: saying(`${BY_SERVER}, without its detail`, v.omit(digestSchema, ['detail'])),
    }),
  ),
  next: v.optional(saying('The cursor of the next page; absent on the last', string)),
});
export const wholeSchema = v.strictObject({
  ...described,
  parts: v.optional(saying('The IDs of the runs that it is made of, by experiment', v.record(string, string))),
  document: v.looseObject({ schema: v.string() }),
});

const days = saying('ISO 8601', v.strictObject({ from: v.string(), to: v.string() }));
const maybe = v.optional(v.number());
const unit = v.picklist(/** @type {(keyof typeof UNITS)[]} */ (Object.keys(UNITS)));

/** The formats of a matrix’s export. */
export const MATRIX_FORMATS = Object.freeze(/** @type {const} */ (['json', 'csv', 'markdown', 'svg', 'png']));

const summed = {
  mark: v.picklist(MARKS),
  word: v.string(),
  verdict: v.optional(v.picklist(VERDICTS)),
  value: v.optional(saying('The median of the runs’ figures', v.number())),
  low: maybe,
  high: maybe,
  range: v.optional(saying('Of the runs, where one is beyond `ends`', v.string())),
  figure: v.optional(v.string()),
  ends: v.optional(v.string()),
};

const matrix = {
  of: saying('What its rows are', v.picklist(['place', 'run'])),
  sentence: v.string(),
  runCount: count,
  days: v.optional(days),
  columns: v.array(
    v.strictObject({
      experiment: v.string(),
      question: v.string(),
      subject: saying('What most of its runs compare', v.string()),
      unit: v.optional(unit),
      at: v.optional(v.string()),
      topic: v.optional(v.string()),
    }),
  ),
  rows: v.array(
    v.strictObject({
      name: saying('Of the place, or of the run', v.string()),
      number: v.optional(saying('Of the run', count)),
      isValid: v.optional(saying('Of the run', v.boolean())),
      scope: v.picklist(SCOPES),
      fallback: v.optional(saying('The protocol, where a WebSocket did not work', v.string())),
      rttMs: maybe,
      days,
      runCount: count,
      warnedCount: saying('Of its runs, those with warnings', count),
      cells: v.array(
        v.strictObject({
          kind: v.picklist(['verdict', 'local', 'doubtful', 'other', 'not measured']),
          ...summed,
          spread: v.optional(saying('What `low` and `high` are, such as range or 95% CI', v.string())),
          subjects: v.optional(saying('What its runs compare, of kind other', v.array(v.string()))),
          elsewhere: v.optional(
            saying('What runs on one machine or network predict', v.strictObject({ rttMs: v.number(), ...summed })),
          ),
          overhead: v.optional(
            v.strictObject({ transport: v.string(), baselineMs: v.number(), messageMs: v.number() }),
          ),
          count,
          doubtfulCount: count,
          otherCount: count,
        }),
      ),
    }),
  ),
  leftOut: v.strictObject({
    ...{ nameless: count, silent: count, doubtful: count, other: count, older: count },
    otherSubjects: saying('What the runs that are counted as `other` compare', v.array(v.string())),
  }),
};

/** Places by questions. */
export const studySchema = v.strictObject({ label: v.string(), ...matrix });
/** Runs by questions. */
export const comparisonSchema = v.strictObject({ ids: v.array(v.string()), ...matrix });

const share = v.strictObject({
  count,
  of: count,
  share: v.optional(v.strictObject({ estimate: v.number(), low: v.number(), high: v.number() })),
});
const usersEntries = {
  count,
  got: saying('The best that each browser got', v.record(v.picklist(GOT), share)),
  verdicts: saying('Of a message over a WebSocket, compared with a request', v.record(v.picklist(VERDICTS), share)),
  rttMs: v.strictObject({ p50: v.optional(v.number()), p75: v.optional(v.number()), p95: v.optional(v.number()) }),
};
const namedCount = v.strictObject({ name: v.string(), count });
const namedUsers = v.strictObject({ name: v.string(), ...usersEntries });
const studySettings = {
  origins: v.array(v.string()),
  sample: saying('The share of browsers that are measured', v.number()),
  isOn: v.boolean(),
};
/** What the users of the organiser's pages measured. */
export const studyOfUsersSchema = v.strictObject({
  label: v.string(),
  users: v.strictObject({
    ...studySettings,
    createdAt: time,
    sentence: string,
    all: v.strictObject(usersEntries),
    browsers: v.array(namedUsers),
    zones: v.array(namedUsers),
    others: v.optional(v.strictObject({ zoneCount: count, count, users: v.optional(v.strictObject(usersEntries)) })),
    bands: v.array(
      v.strictObject({ fromMs: v.number(), count, verdicts: usersEntries.verdicts, speedUp: v.optional(v.number()) }),
    ),
    days: v.array(namedCount),
    versions: v.array(namedCount),
    connections: v.array(namedCount),
    protocols: v.array(namedCount),
    apart: v.strictObject({ automated: count, contradictory: count, cut: count }),
  }),
});
const describedStudy = { label: v.string(), createdAt: time, users: v.strictObject(studySettings) };
export const describedStudySchema = v.strictObject(describedStudy);
export const madeStudySchema = v.strictObject({
  ...describedStudy,
  key: saying('With it the study is changed and deleted', string),
  line: saying('HTML for the pages', string),
});
