/**
 * The description of the API says what the server does: of hundreds of requests, made by the description and not quite, each
 * is answered as it says. Seeded, so they are the same each time.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { createRandom } from '../../core/base/random.js';
import { ERROR_STATUS } from '../../server/saved-runs/schemas.js';
import { readSavedDocument, SAVED_DOCUMENTS } from '../support/saved-documents.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/**
 * What a client may send that reads the API's description and keeps to it, or nearly: texts, and documents in which one
 * thing is another than it was, chosen by its schema. Whether it still fits is for a validator to say.
 */

/** @typedef {Record<string, any>} Schema JSON Schema */

/** Controls, a bidi override, an emoji of two halves, half of one, what becomes three in normal form. */
const CHARACTERS = [
  'x',
  'é',
  ' ',
  '.',
  '0',
  '-',
  '~',
  '%',
  '\n',
  '\u0000',
  '\u007f',
  '\u202e',
  '😀',
  '\ud800',
  '\ufb2c',
];
const LENGTHS = [1, 2, 80, 81, 100, 101, 500, 501, 1000, 1001, 2000, 2001];
/** Of a long list. */
const LOOKED_AT = 3;

/**
 * @param {() => number} random from 0 to 1
 * @param {(ref: string) => Schema} resolve
 */
function createSampler(random, resolve) {
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => list[Math.floor(random() * list.length)];

  /** @param {string} text @returns {string} nearly the same */
  const nearText = (text) => {
    const characters = [...text];
    const at = Math.floor(random() * (characters.length + 1));
    const removed = pick([0, 0, 1]);
    return characters.toSpliced(at, removed, ...(random() < 0.8 ? [pick(CHARACTERS)] : [])).join('');
  };

  /** @param {readonly string[]} examples @returns {string} */
  const text = (examples) => {
    const kind = random();
    if (kind < 0.3) return pick(examples);
    if (kind < 0.8) return nearText(pick(examples));
    return pick(CHARACTERS).repeat(pick(LENGTHS));
  };

  /** @param {Schema} schema @param {any} value @returns {unknown} what stands at a place with this schema */
  const near = (schema, value) => pick([...nearOf(schema, value, pick), null, 'x', 1, [], {}]);

  return {
    pick,
    text,
    /**
     * @param {any} value that fits
     * @param {Schema} schema
     * @returns {any} a copy in which one thing is another
     */
    spoil(value, schema) {
      const copy = structuredClone(value);
      const place = pick(placesOf(copy, schema, resolve));
      const { parent, key } = place;
      parent[key] = near(place.schema, parent[key]);
      return copy;
    },
  };
}

/**
 * @param {Schema} schema
 * @param {any} value
 * @param {<T>(list: readonly T[]) => T} pick
 * @returns {unknown[]} on the edges of what fits
 */
function nearOf({ type, enum: choices, minimum = 0, maximum = 1e9 }, value, pick) {
  if (choices) return [...choices, choices.join(), ''];
  if (Array.isArray(value)) {
    return [
      [],
      value.slice(1),
      value.toReversed(),
      [...value, ...value],
      value.concat(value.slice(0, 1)),
      [...value, null],
    ];
  }
  if (value && typeof value === 'object') {
    const left = pick(Object.keys(value));
    const others = Object.entries(value).filter(([name]) => name !== left);
    return [Object.fromEntries(others), { ...value, extra: 1 }];
  }
  if (type === 'boolean') return [!value, 0];
  if (type === 'string') return ['', `${value}x`, ...LENGTHS.map((length) => pick(CHARACTERS).repeat(length))];
  return [minimum, maximum, minimum - 1, maximum + 1, 0.5, value + 1, String(value)];
}

/**
 * @param {any} value
 * @param {Schema} given
 * @param {(ref: string) => Schema} resolve
 * @returns {{ parent: any, key: string | number, schema: Schema }[]} each place within, with what is said of it
 */
function placesOf(value, given, resolve) {
  const schema = branchOf(value, given, resolve);
  const keys = Array.isArray(value) ? [...value.keys()].slice(0, LOOKED_AT) : Object.keys(value);
  return keys.flatMap((key) => {
    const own = (Array.isArray(value) ? schema.items : schema.properties?.[key]) ?? {};
    const part = value[key];
    const within = part && typeof part === 'object' ? placesOf(part, own, resolve) : [];
    return [{ parent: value, key, schema: own }, ...within];
  });
}

/**
 * @param {any} value
 * @param {Schema} schema
 * @param {(ref: string) => Schema} resolve
 * @returns {Schema} of several that one whose constants the value has
 */
function branchOf(value, schema, resolve) {
  if (schema.$ref) return branchOf(value, resolve(schema.$ref), resolve);
  const branches = (schema.oneOf ?? schema.anyOf)?.map((/** @type {Schema} */ one) => branchOf(value, one, resolve));
  const isOne = ({ properties = {} }) =>
    Object.entries(properties).every(
      ([name, { const: constant }]) => constant === undefined || constant === value[name],
    );
  return branches?.find(isOne) ?? schema;
}

/** @import { TestServer } from '../support/server.js' */

/** As one is given to whoever shares by the form of 2019; nobody was given this one. */
const UUID = '01234567-89ab-4cde-8f01-23456789abcd';

const SEED = 20261122;
const QUERY_COUNT = 15;
const WORDS_COUNT = 50;
const SPOILT_COUNT = 6;
const LIST = '/api/results';
const ONE = '/api/results/{id}';

/** What fits a request's head, however it is written. */
const MOST_CHARACTERS = 1000;

/** Nearly right is nearly one of these. @type {Record<string, string[]>} */
const EXAMPLES = {
  experiment: ['', 'shootout', 'classic'],
  transport: ['', 'ajax', 'sockjs-xhr-polling'],
  place: ['', 'Köln', 'x'.repeat(500)],
  search: ['', 'fra', 'x'.repeat(500)],
  label: ['', 'San Francisco, cable', 'x'.repeat(500)],
  server: ['', 'fra-1'],
  browser: ['', 'Chrome', 'Node.js'],
  valid: ['', 'true', 'false'],
  limit: ['', '0', '1', '5', '05', '50', '51', '1e1', '100'],
  cursor: ['', '2026-11-21T07:00:00.000Z~0123456789abcde_'],
};
const KEY = 'abcdefghijklmnopqrstuvwxyz012345';

/** Lists that a plan has, by the document, and what would be no plan. @type {[string, string, unknown[]][]} */
const WRONG_LISTS = [
  ['shootout-whole', 'transports', ['ajax', 'sockjs', 'ajax']],
  ['shootout-whole', 'transports', ['ajax']],
  ['shootout-whole', 'transports', ['sockjs', 'websocket']],
  ['in-flight-whole', 'transports', ['ajax', 'ajax']],
  ['in-flight-whole', 'depths', [2, 4]],
  ['in-flight-whole', 'depths', [1, 4, 4]],
  ['in-flight-whole', 'depths', [1, 257]],
  ['fixed-rate-whole', 'transports', ['ajax', 'ajax']],
  ['jobs-whole', 'deliveries', ['poll', 'poll']],
  ['jobs-whole', 'intervals', []],
  ['jobs-whole', 'intervals', [50, 9]],
  ['jobs-whole', 'intervals', [60, 50, 40, 30, 20, 10]],
  ['payload-whole', 'transports', ['ajax', 'ajax']],
  ['payload-whole', 'directions', []],
  ['payload-whole', 'sizes', [100, 100]],
  ['payload-whole', 'sizes', [16 * 1024 * 1024 + 1]],
  ['payload-early', 'sizes', [123]],
];

/** What stands around a document, and whether it may. @type {[object, boolean][]} */
const WORDS = [
  [{ place: { latitude: 1 } }, false],
  [{ place: { altitude: 1 } }, false],
  [{ place: { name: '😀'.repeat(100) } }, true],
  [{ place: {} }, true],
  [{ place: [] }, false],
  [{ label: '😀'.repeat(80) }, true],
  [{ label: '\ufb2c'.repeat(80) }, true],
  [{ label: 'x'.repeat(81) }, false],
  [{ label: ' .. ' }, true],
  [{ label: '...' }, true],
  [{ label: '' }, true],
  [{ label: '\u202e' }, false],
  [{ note: 'a\n\tb' }, true],
  [{ note: 'a\rb' }, false],
  [{ note: null }, false],
];

describe('the description of the API', () => {
  /** @type {TestServer} */
  let server;
  /** @type {any} */
  let api;
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } });
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('date-time', (text) => v.is(v.pipe(v.string(), v.isoTimestamp()), text));

  before(async () => {
    server = await openServer({
      limits: { savesPerHour: 1e9, documentsPerMinute: 1e9, deletionsPerHour: 1e9 },
    });
    api = await (await fetch(`${server.origin}/api/openapi.json`)).json();
    ajv.addSchema(api, 'api');
  });
  after(() => server.close());

  const random = createRandom(SEED);
  /** @param {string} ref */
  const resolve = (ref) =>
    ref
      .slice(2)
      .split('/')
      .reduce((node, step) => node[step], api);
  const { pick, text, spoil } = createSampler(random, resolve);

  /** @param {unknown} submission */
  const fits = (submission) => Boolean(ajv.getSchema('api#/components/schemas/Submission')?.(submission));

  /**
   * An answer is one that is described, whatever was asked.
   *
   * @param {string} path
   * @param {string} method
   * @param {{ status: number, answer: unknown }} answered
   */
  const checkDescribed = (path, method, { status, answer }) => {
    const { responses } = api.paths[path][method];
    assert.ok(Object.hasOwn(responses, status), `${method} ${path}: ${status}`);
    const schema = responses[status].content?.['application/json']?.schema;
    if (schema) assert.ok(ajv.getSchema(`api${schema.$ref}`)?.(answer), JSON.stringify(answer));
  };

  /** @param {string} path @param {RequestInit} [options] */
  const ask = async (path, options) => {
    const response = await fetch(server.origin + path, options);
    return { status: response.status, answer: await response.json().catch(() => undefined) };
  };
  /** @param {unknown} submission */
  const post = async (submission) => {
    const answered = await postSubmission(server.origin, submission);
    checkDescribed(LIST, 'post', answered);
    return answered;
  };

  it('is of OpenAPI 3.1, names each operation and code, and fits what is taken and answered', async () => {
    assert.equal(api.openapi, '3.1.0');
    /** @param {string} name @param {unknown} value */
    const fitsSchema = (name, value) => {
      const validate = ajv.getSchema(`api#/components/schemas/${name}`);
      assert.ok(validate, name);
      return validate(value);
    };
    const read = async (/** @type {string} */ path) => (await fetch(server.origin + path)).json();
    for (const { name: experiment } of EXPERIMENTS) assert.equal(fitsSchema(experiment, {}), false);
    const document = JSON.parse(JSON.stringify(createShootout()));
    const submission = { document, label: 'x', place: { name: 'here' } };
    assert.equal(fits(submission), true);
    assert.equal(fits({ ...submission, verdict: 1 }), false);
    assert.equal(fits({ document: { ...document, verdict: 1 } }), false);
    const { answer: saved } = await postSubmission(server.origin, submission);
    assert.equal(fitsSchema('Saved', saved), true);
    assert.equal(fitsSchema('Whole', await read(`/api/results/${saved.id}`)), true);
    assert.equal(fitsSchema('List', await read('/api/results')), true);
    assert.equal(fitsSchema('Study', await read('/api/studies?label=x')), true);
    assert.equal(fitsSchema('Comparison', await read(`/api/compare?ids=${saved.id}`)), true);
    assert.equal(fitsSchema('Error', await read('/api/results/x')), true);
    assert.match(JSON.stringify(api.paths['/api/results/{id}'].delete.responses), /origin-refused/);
    const answers = JSON.stringify(api.paths) + api.info.description;
    for (const code of Object.keys(ERROR_STATUS)) assert.ok(answers.includes(code), code);
    const operations = Object.values(api.paths).flatMap((/** @type {any} */ { parameters: _, ...methods }) =>
      Object.values(methods),
    );
    assert.deepEqual(operations.map(({ operationId }) => operationId).sort(), [
      'changeStudyOfUsers',
      'createStudyOfUsers',
      'deleteResult',
      'deleteStudyOfUsers',
      'describeResult',
      'getComparison',
      'getResult',
      'getResultCsv',
      'getResultPicture',
      'getStudy',
      'listResults',
      'saveResult',
      'shareAs2019',
    ]);
  });

  it('says which lists may be asked for', async () => {
    const counts = { 200: 0, 400: 0 };
    for (const { name, schema } of api.paths[LIST].get.parameters) {
      assert.ok(EXAMPLES[name], `${name}: an example`);
      for (let i = 0; i < QUERY_COUNT; i++) {
        // Half characters cannot be sent.
        const [...characters] = String(new URLSearchParams([['x', text(EXAMPLES[name])]]).get('x'));
        const value = characters.slice(0, MOST_CHARACTERS).join('');
        const expected = ajv.validate(schema, value) ? 200 : 400;
        const answered = await ask(`${LIST}?${new URLSearchParams({ [name]: value })}`);
        checkDescribed(LIST, 'get', answered);
        assert.equal(answered.status, expected, `${name}=${JSON.stringify(value)}`);
        counts[expected]++;
      }
    }
    assert.ok(counts[200] > 50 && counts[400] > 50, JSON.stringify(counts));
  });

  it('says that a limit is from 1 to 50, or none', async () => {
    const { schema } = api.paths[LIST].get.parameters.find((/** @type {any} */ { name }) => name === 'limit');
    for (const [value, isRight] of /** @type {const} */ ([
      ['', true],
      ['0', false],
      ['1', true],
      ['50', true],
      ['51', false],
      ['01', false],
    ])) {
      assert.equal(ajv.validate(schema, value), isRight, value);
      assert.equal((await ask(`${LIST}?limit=${value}`)).status, isRight ? 200 : 400, value);
    }
  });

  it('says what may stand around a document', async () => {
    const document = createShootout();
    for (const [words, isRight] of WORDS) {
      const submission = JSON.parse(JSON.stringify({ document, ...words }));
      assert.equal(fits(submission), isRight, JSON.stringify(words));
      assert.equal((await post(submission)).status, isRight ? 201 : 400, JSON.stringify(words));
    }
    const counts = { 201: 0, 400: 0 };
    const whole = { label: 'a label', note: 'two\nlines', place: { name: 'here' } };
    const { label, note, place } = api.components.schemas.Submission.properties;
    for (let i = 0; i < WORDS_COUNT; i++) {
      const submission = { document, ...spoil(whole, { properties: { label, note, place } }) };
      const expected = fits(JSON.parse(JSON.stringify(submission))) ? 201 : 400;
      assert.equal((await post(submission)).status, expected, JSON.stringify({ ...submission, document: 0 }));
      counts[expected]++;
    }
    assert.ok(counts[201] > 10 && counts[400] > 20, JSON.stringify(counts));
  });

  it('says which lists a plan may have', async () => {
    for (const [name, field, list] of WRONG_LISTS) {
      const { document } = readSavedDocument(name);
      document.plan[field] = list;
      assert.equal(fits({ document }), false, `${name}: ${field} ${JSON.stringify(list)}`);
      assert.equal((await post({ document })).status, 400, `${name}: ${field}`);
    }
  });

  for (const name of SAVED_DOCUMENTS) {
    it(`fits a document that is taken, and what does not fit is refused: ${name}`, async () => {
      const { experiment, document } = readSavedDocument(name);
      assert.ok(fits({ document }), JSON.stringify(ajv.getSchema('api#/components/schemas/Submission')?.errors?.[0]));
      assert.equal((await post({ document })).status, 201);
      for (let i = 0; i < SPOILT_COUNT; i++) {
        const spoilt = JSON.parse(JSON.stringify(spoil(document, api.components.schemas[experiment.name])));
        const { status, answer } = await post({ document: spoilt });
        // What a schema cannot say is refused by name.
        if (status === 400) assert.equal(answer.error.code, 'bad-run');
        else assert.ok(fits({ document: spoilt }), JSON.stringify(answer));
      }
    });
  }

  it('fits the longest names, which are found again', async () => {
    const longest = '😀'.repeat(500);
    const statusBefore = {
      server: longest,
      location: longest,
      version: '1',
      worker: 0,
      workers: [],
      silentWorkerCount: 0,
    };
    const submission = { document: createShootout({ statusBefore }), label: '\ufb2c'.repeat(80) };
    assert.ok(fits(JSON.parse(JSON.stringify(submission))));
    const { status, answer } = await post(submission);
    assert.equal(status, 201);
    for (const query of [`server=${encodeURIComponent(longest)}`, `label=${encodeURIComponent(answer.label)}`]) {
      const { answer: list } = await ask(`${LIST}?${query}`);
      assert.equal(list.results[0].id, answer.id);
    }
  });

  it('says in words what its schemas cannot', () => {
    for (const { name: experiment } of EXPERIMENTS) assert.ok(api.components.schemas[experiment], experiment);
    const { samples } = api.components.schemas.shootout.properties.trials.items.properties;
    assert.ok(samples.description.length > 0);
  });

  it('says what the form of 2019 may hold', async () => {
    const { runs: runsField, submission: uuidField } = api.components.schemas.Form.properties;
    const { contentSchema } = runsField;
    const runs = [
      { test: 'xhr', iterations: 300, time: 610.5 },
      { test: 'ws', iterations: 300, time: 150.25 },
    ];
    const counts = { 201: 0, 400: 0 };
    for (let i = 0; i < WORDS_COUNT; i++) {
      const spoilt = JSON.stringify(spoil({ runs }, { properties: { runs: contentSchema } }).runs);
      const body = new FormData();
      if (spoilt !== undefined) body.append('runs', spoilt);
      const isRight = spoilt !== undefined && ajv.validate(contentSchema, JSON.parse(spoilt));
      const answered = await ask('/submission', { method: 'POST', body });
      checkDescribed('/submission', 'post', answered);
      assert.equal(answered.status, isRight ? 201 : 400, spoilt);
      counts[isRight ? 201 : 400]++;
    }
    assert.ok(counts[201] > 5 && counts[400] > 20, JSON.stringify(counts));
    for (const uuid of [
      '',
      UUID,
      UUID.toUpperCase(),
      UUID.slice(1),
      `${UUID}0`,
      UUID.replaceAll('-', ''),
      'x',
      'null',
    ]) {
      const body = new FormData();
      body.append('runs', JSON.stringify(runs));
      body.append('submission', uuid);
      const answered = await ask('/submission', { method: 'POST', body });
      checkDescribed('/submission', 'post', answered);
      const rightStatus = uuid === '' ? 201 : 404;
      assert.equal(answered.status, ajv.validate(uuidField, uuid) ? rightStatus : 400, uuid);
    }
  });

  it('says which keys a save may have', async () => {
    const [{ schema }] = api.paths[LIST].post.parameters;
    const document = createShootout();
    for (const key of [KEY, KEY.replace('a', '-'), KEY.slice(1), `${KEY}x`, KEY.replace('a', '+'), 'x']) {
      const answered = await postSubmission(server.origin, { document }, { headers: { 'Idempotency-Key': key } });
      checkDescribed(LIST, 'post', answered);
      assert.equal(answered.status, ajv.validate(schema, key) ? 201 : 400, key);
    }
  });

  it('has each answer about one run', async () => {
    const { answer: saved } = await post({ document: createShootout() });
    const { id, deleteToken } = saved;
    for (const one of [id, 'x', `${id}x`, 'AAAAAAAAAAAAAAAA', '%00', '%ff', '%e2%80%ae', pick(['.', '...'])]) {
      for (const [path, method] of [
        [ONE, 'get'],
        [`${ONE}.csv`, 'get'],
        [`${ONE}.png`, 'get'],
        [ONE, 'patch'],
        [ONE, 'delete'],
      ]) {
        if (one === '.') continue;
        checkDescribed(path, method, await ask(path.replace('{id}', one), { method: method.toUpperCase() }));
      }
    }
    for (const token of ['x', `${deleteToken}x`, deleteToken, deleteToken]) {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      for (const body of ['{"label":"x","place":{"name":""}}', '{"label":1}', '{}', '']) {
        checkDescribed(ONE, 'patch', await ask(ONE.replace('{id}', id), { method: 'PATCH', headers, body }));
      }
      checkDescribed(ONE, 'delete', await ask(ONE.replace('{id}', id), { method: 'DELETE', headers }));
    }
  });
});
