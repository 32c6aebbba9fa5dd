/** Describes the API, from the schemas that check its requests and answers. */
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { createFields } from '../../core/experiment/documents/document-fields.js';
import { MAX_DOCUMENT_BYTES } from '../../core/experiment/documents/check.js';
import { MAX_SAMPLES } from '../../core/experiment/plan/fields.js';
import { schemaOf } from '../../core/experiment/documents/schemas.js';
import { DESCRIBED } from '../../core/full-test/all.js';
import { submissionSchemaOf } from '../../core/experiments/countdown/submission.js';
import { fieldChangesSchema, fieldStudySchema } from './study-of-users.js';
import { listQuerySchema } from './list.js';
import {
  comparisonSchema,
  describedSchema,
  ERROR_STATUS,
  errorSchema,
  listSchema,
  savedSchema,
  sharedSchema,
  wholeSchema,
  MATRIX_FORMATS,
  studySchema,
  studyOfUsersSchema,
  describedStudySchema,
  madeStudySchema,
} from './schemas.js';
import { submissionSchema, wordsSchema } from './submission.js';

/** @import { JsonSchema } from '@valibot/to-json-schema' */

/** The error codes of all operations that write. */
const STORE_CODES = /** @type {const} */ (['store-full', 'store-read-only', 'store-unavailable']);
const SAVING_CODES = /** @type {const} */ ([
  'bad-request', 'bad-run', 'origin-refused', 'too-slow', 'too-large', 'wrong-type', 'too-many', 'busy', ...STORE_CODES,
]); // prettier-ignore
const DELETING_CODES = /** @type {const} */ ([
  'bad-request', 'no-token', 'wrong-token', 'origin-refused', 'not-found', 'conflict', 'too-many', ...STORE_CODES,
]); // prettier-ignore
const DESCRIBING_CODES = [...new Set([...SAVING_CODES, ...DELETING_CODES])];
const READING_CODES = /** @type {const} */ (['bad-request', 'not-found', 'too-many', 'busy', 'store-unavailable']);

/** Describes the fields of a query. @type {Record<keyof typeof listQuerySchema.entries, string>} */
const QUERY_WORDS = {
  experiment: 'The experiment; only then parts of full tests are listed, too',
  transport: 'Runs with this transport',
  place: 'The name of the place, in any case and composition',
  label: 'The label, in any case and composition',
  server: 'The name of the measured server, exactly',
  browser: 'The browser, without its version; Node.js for the command line',
  search: 'A part of the place or label, in any case and composition, or of the server or browser',
  valid: 'Whether the run is valid',
  limit: 'The maximum number of runs',
  cursor: 'The `next` of the previous page',
};

const ID = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];

const IS_KEY =
  'The delete token, made by the client: 24 random bytes in base64url. A repeated request with it saves the run once.';
const KEY = {
  ...{ name: 'Idempotency-Key', in: 'header', required: false, description: IS_KEY },
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{32}$' },
};

const RUNS = {
  get: {
    operationId: 'listResults',
    summary: 'Lists shared runs, newest first, without their documents',
    parameters: Object.entries(QUERY_WORDS).map(([name, description]) => {
      const schema = jsonSchemaOf(listQuerySchema.entries[/** @type {keyof typeof QUERY_WORDS} */ (name)]);
      // Forms send empty fields, which filter nothing.
      return { name, in: 'query', required: false, description, schema: { anyOf: [{ const: '' }, schema] } };
    }),
    responses: { 200: jsonAnswer('A page of runs', 'List'), ...errors('bad-query', 'too-many', 'store-unavailable') },
  },
  post: {
    operationId: 'saveResult',
    summary: 'Shares a run',
    parameters: [KEY],
    requestBody: { required: true, content: contentOf('Submission') },
    responses: {
      200: jsonAnswer('Already saved with this Idempotency-Key', 'Saved'),
      201: jsonAnswer('Saved', 'Saved'),
      ...errors('conflict', ...SAVING_CODES),
    },
  },
};

const SHARE_2019 = {
  post: {
    operationId: 'shareAs2019',
    summary: 'Shares what the app of 2019 reports: times without samples',
    requestBody: { required: true, content: contentOf('Form', 'multipart/form-data') },
    responses: {
      200: jsonAnswer('Replaced', 'Shared'),
      201: jsonAnswer('Saved', 'Shared'),
      ...errors('not-found', ...SAVING_CODES),
    },
  },
};

const RUN = {
  parameters: ID,
  get: {
    operationId: 'getResult',
    summary: 'Reads a shared run with its document',
    responses: { 200: jsonAnswer('The run', 'Whole'), ...errors(...READING_CODES) },
  },
  patch: {
    operationId: 'describeResult',
    summary: 'Changes the label, note and place of a run, and of its parts, with its delete token',
    description: 'Empty text removes one; one that is absent stays.',
    security: [{ deleteToken: [] }],
    requestBody: { required: true, content: contentOf('Words') },
    responses: { 200: jsonAnswer('Changed', 'Described'), ...errors(...DESCRIBING_CODES) },
  },
  delete: {
    operationId: 'deleteResult',
    summary: 'Deletes a run, and its parts, with its delete token',
    security: [{ deleteToken: [] }],
    responses: {
      204: { description: 'Deleted' },
      ...errors(...DELETING_CODES),
    },
  },
};

const CSV = {
  parameters: ID,
  get: {
    operationId: 'getResultCsv',
    summary: 'Reads the samples and failures, one per line',
    responses: {
      200: { description: 'CSV with a header', content: { 'text/csv': { schema: { type: 'string' } } } },
      ...errors(...READING_CODES),
    },
  },
};

const PICTURE = {
  parameters: ID,
  get: {
    operationId: 'getResultPicture',
    summary: 'Reads the answer as a picture of 1200 x 630 pixels',
    responses: { 200: { description: 'PNG', content: { 'image/png': {} } }, ...errors(...READING_CODES) },
  },
};

const MATRIX_TYPES = {
  ...Object.fromEntries(
    ['text/csv', 'text/markdown', 'image/svg+xml'].map((type) => [type, { schema: { type: 'string' } }]),
  ),
  'image/png': {},
};

const MATRIX_FORMAT = { name: 'format', in: 'query', required: false, schema: { enum: MATRIX_FORMATS } };

const LABEL = { name: 'label', in: 'query', required: true, schema: { type: 'string' } };
const PART = {
  ...{ name: 'part', in: 'query', required: false, schema: { enum: ['users'] } },
  description:
    'What the users of the organiser’s pages measured, in place of the places; as JSON, CSV, Markdown or PNG',
};

const STUDY = {
  get: {
    operationId: 'getStudy',
    summary: 'Sums up the newest 2,000 runs with a label: places by questions',
    description: 'The label is found in any case and composition. Earlier releases had it in the path.',
    parameters: [LABEL, PART, MATRIX_FORMAT],
    responses: {
      200: { description: 'The study', content: { ...eitherOf('Study', 'StudyOfUsers'), ...MATRIX_TYPES } },
      ...errors('bad-query', 'not-found', 'too-many', 'store-unavailable'),
    },
  },
  post: {
    operationId: 'createStudyOfUsers',
    summary: 'Makes a study of the users of some pages, and the line of HTML for these',
    description: 'The answer has the key with which the study is changed and deleted. It is sent only once.',
    requestBody: { required: true, content: contentOf('NewStudy') },
    responses: { 201: jsonAnswer('Made', 'MadeStudy'), ...errors('conflict', ...SAVING_CODES) },
  },
  patch: {
    operationId: 'changeStudyOfUsers',
    summary: 'Changes the origins or the sample of a study of users, stops it, or starts it again, with its key',
    parameters: [LABEL],
    security: [{ studyKey: [] }],
    requestBody: { required: true, content: contentOf('StudyChanges') },
    responses: { 200: jsonAnswer('Changed', 'DescribedStudy'), ...errors('bad-query', ...DESCRIBING_CODES) },
  },
  delete: {
    operationId: 'deleteStudyOfUsers',
    summary: 'Deletes a study of users with all that was counted, with its key',
    parameters: [LABEL],
    security: [{ studyKey: [] }],
    responses: { 204: { description: 'Deleted' }, ...errors('bad-query', ...DELETING_CODES) },
  },
};

const COMPARISON = {
  get: {
    operationId: 'getComparison',
    summary: 'Sets up to 10 runs side by side: runs by questions',
    description: 'Runs of another experiment than the first are left out.',
    parameters: [
      { name: 'ids', in: 'query', required: true, description: 'With commas', schema: { type: 'string' } },
      MATRIX_FORMAT,
    ],
    responses: {
      200: {
        description: 'The comparison',
        content: { ...contentOf('Comparison'), ...MATRIX_TYPES },
      },
      ...errors('bad-query', 'not-found', 'too-many', 'store-unavailable'),
    },
  },
};

const BEARER = { type: 'http', scheme: 'bearer' };

/**
 * @param {string} version of this server @param {string} basePath of the site; empty at the root
 * @returns {string} OpenAPI 3.1, as JSON
 */
export function formatOpenApi(version, basePath) {
  const description = `A document has at most ${MAX_DOCUMENT_BYTES} bytes and ${MAX_SAMPLES} samples. The server computes the digest from the samples. Some rules that a schema cannot express are in its description. The server refuses a document that contradicts itself (bad-run, see docs/results.md), an unknown or repeated query field (bad-query), and a method that a path does not have (405 wrong-method, with Allow).`;
  const fields = createFields(v);
  const documents = DESCRIBED.map((one) => [one.name, jsonSchemaOf(schemaOf(one, v, fields))]);
  const schemas = {
    Submission: createSubmission(),
    Words: jsonSchemaOf(wordsSchema),
    Described: jsonSchemaOf(describedSchema),
    Form: createForm(jsonSchemaOf(submissionSchemaOf(v, fields))),
    Shared: jsonSchemaOf(sharedSchema),
    Saved: jsonSchemaOf(savedSchema),
    List: jsonSchemaOf(listSchema),
    Study: jsonSchemaOf(studySchema),
    StudyOfUsers: jsonSchemaOf(studyOfUsersSchema),
    NewStudy: jsonSchemaOf(fieldStudySchema),
    StudyChanges: jsonSchemaOf(fieldChangesSchema),
    DescribedStudy: jsonSchemaOf(describedStudySchema),
    MadeStudy: jsonSchemaOf(madeStudySchema),
    Comparison: jsonSchemaOf(comparisonSchema),
    Whole: jsonSchemaOf(wholeSchema),
    Error: jsonSchemaOf(errorSchema),
    ...Object.fromEntries(documents),
  };
  const api = {
    openapi: '3.1.0',
    info: { title: 'SockShootout: shared runs', version, description },
    servers: [{ url: basePath || '/' }],
    paths: {
      '/submission': SHARE_2019,
      '/api/results': RUNS,
      '/api/results/{id}': RUN,
      '/api/results/{id}.csv': CSV,
      '/api/results/{id}.png': PICTURE,
      '/api/studies': STUDY,
      '/api/compare': COMPARISON,
    },
    components: { securitySchemes: { deleteToken: BEARER, studyKey: BEARER }, schemas },
  };
  return `${JSON.stringify(api, null, 1)}\n`;
}

/** Describes a submission, whose document may be of any experiment. */
function createSubmission() {
  const { properties, ...schema } = jsonSchemaOf(submissionSchema);
  const oneOf = DESCRIBED.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  return { ...schema, properties: { ...properties, document: { oneOf } } };
}

/** Describes the form of 2019. @param {JsonSchema} submission */
function createForm({ properties }) {
  const runs = { type: 'string', contentMediaType: 'application/json', contentSchema: properties?.runs };
  const submission = {
    type: 'string',
    pattern: '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$',
    description: 'The uuid of the submission that this one replaces',
  };
  return { type: 'object', required: ['runs'], properties: { runs, submission } };
}

/**
 * Describes the error answers, including the internal error that any operation may have.
 * @param {...keyof typeof ERROR_STATUS} own
 */
function errors(...own) {
  /** @type {Record<number, JsonAnswer>} */
  const answers = {};
  for (const code of /** @type {typeof own} */ ([...own, 'internal'])) {
    const known = answers[ERROR_STATUS[code]];
    answers[ERROR_STATUS[code]] = jsonAnswer(known ? `${known.description}, ${code}` : code, 'Error');
  }
  return answers;
}

/**
 * @typedef {Record<string, { schema: { $ref: string } }>} Content by its type
 * @typedef {{ description: string, content: Content }} JsonAnswer
 */

/** @param {string} description @param {string} schema its name @returns {JsonAnswer} */
function jsonAnswer(description, schema) {
  return { description, content: contentOf(schema) };
}

/** @param {string} schema its name @param {string} [type] @returns {Content} */
function contentOf(schema, type = 'application/json') {
  return { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}

/** Converts the input of a schema, not its output. @param {v.GenericSchema} schema */
function jsonSchemaOf(schema) {
  const options = /** @type {const} */ ({ target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' });
  const converted = toJsonSchema(schema, { ...options, overrideAction: describeAction });
  delete converted.$schema;
  return converted;
}

/**
 * Describes a check that is code by its message; what JSON Schema can express is in the metadata beside it.
 * @param {{ valibotAction: any, jsonSchema: JsonSchema }} context absent: the library converts it by itself
 */
function describeAction({ valibotAction: { type, message }, jsonSchema }) {
  if (type !== 'check' || typeof message !== 'string') return undefined;
  return { ...jsonSchema, description: [jsonSchema.description, message].filter(Boolean).join('; ') };
}

/** @param {...string} schemas names of which an answer is one */
function eitherOf(...schemas) {
  return {
    'application/json': { schema: { oneOf: schemas.map((name) => ({ $ref: `#/components/schemas/${name}` })) } },
  };
}
