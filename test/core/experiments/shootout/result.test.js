import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { summarize } from '../../../../core/experiments/shootout/summary.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { DocumentError, parseDocument } from '../../../../core/experiment/documents/check.js';
import { useGolden } from '../../../support/golden.js';
import { createResult, createTrial } from '../../../support/results.js';

const matchGolden = useGolden(import.meta.url);

const server = { server: 's', location: '', version: '1', worker: 0, startedAt: '2026-11-21T06:00:00.000Z' };
const failures = [
  { outcome: /** @type {const} */ ('timeout'), message: 'No answer, "really"', iteration: 3 },
  { outcome: /** @type {const} */ ('closed'), message: '=HYPERLINK("x")' },
];
const RESULT = createResult({
  // A seed by which AJAX comes first.
  plan: { transports: ['ajax', 'sockjs'], blocks: 6, iterations: 20, warmUpCount: 3, payloadBytes: 0, seed: 1 },
  trials: [
    createTrial('ajax', 0, [2.5, 2.25, 2], {
      server,
      failures,
      requests: { seenCount: 7, openedCount: 1, cacheHitCount: 0 },
    }),
    createTrial('sockjs', 0, [0.5, 0.25], {
      setUpMs: 3,
      server,
      failures: [{ outcome: 'aborted', message: 'Cancelled.' }],
    }),
  ],
  coldSetUpMs: { ajax: 1.5 },
  ending: { kind: 'cancelled', reason: 'Enough.' },
});

describe('a result as JSON', () => {
  it('is read back as it was, and gives the same report', () => {
    const read = parseDocument(JSON.stringify(RESULT), valibot, shootout);
    assert.deepEqual(read, RESULT);
    assert.deepEqual(summarize(read), summarize(RESULT));
  });

  it('does not take a fault of the program for one of the file', () => {
    const fault = new RangeError('Invalid array length');
    const broken = { ...shootout, problemOf: () => assert.fail(fault) };
    assert.throws(
      () => parseDocument(JSON.stringify(RESULT), valibot, broken),
      (error) => error === fault,
    );
  });

  /**
   * @param {string} text
   * @returns {{ path: string, message: string }} where it is wrong, and all that is said
   */
  function problemIn(text) {
    try {
      parseDocument(text, valibot, shootout);
    } catch (error) {
      const { name, message, cause } = /** @type {Error} */ (error);
      assert.equal(name, 'InvalidInputError');
      assert.ok(cause instanceof DocumentError, message);
      return { path: cause.path, message };
    }
    return assert.fail('Expected a problem, got none');
  }

  /** @type {[string, (result: any) => void, string][]} */
  const wrongs = [
    ['another schema', (result) => (result.schema = 'sockshootout/run/99'), 'schema'],
    ['an unknown field', (result) => (result.verdict = 'faster'), 'verdict'],
    [
      'a round trip that is text',
      (result) => (result.trials[0].samples.roundTripMs[1] = '1'),
      'trials.0.samples.roundTripMs.1',
    ],
    [
      'a round trip below 0',
      (result) => (result.trials[0].samples.roundTripMs[1] = -1),
      'trials.0.samples.roundTripMs.1',
    ],
    ['a list that is too short', (result) => result.trials[0].samples.sentAtMs.pop(), 'trials.0.samples'],
    ['a trial too many', (result) => result.trials.push(result.trials[0]), 'trials'],
    ['a trial left out', (result) => result.trials.shift(), 'trials'],
    ['trials missing at the end', (result) => delete result.ending, 'trials'],
    ['an iteration twice', (result) => (result.trials[0].samples.iteration = [1, 1, 2]), 'trials.0'],
    ['an address that is a script', (result) => (result.environment.url = 'javascript:alert(1)'), 'environment.url'],
    ['no address', (result) => (result.environment.url = '<img src=x>'), 'environment.url'],
    ['a plan without end', (result) => Object.assign(result.plan, { blocks: 200, iterations: 1000 }), 'plan'],
    ['a block that is not next', (result) => (result.trials[0].block = 1), 'trials'],
    ['more samples than planned', (result) => (result.plan.iterations = 2), 'trials.0'],
    ['a transport that there is not', (result) => (result.trials[0].transport = 'pigeon'), 'trials.0.transport'],
    ['a plan without a baseline', (result) => (result.plan.transports = ['sockjs', 'xhr']), 'plan.transports'],
    ['a plan with nothing to compare', (result) => (result.plan.transports = ['ajax']), 'plan.transports'],
    ['too few blocks', (result) => (result.plan.blocks = 5), 'plan.blocks'],
    ['no time', (result) => (result.startedAt = 'yesterday'), 'startedAt'],
    ['a text without end', (result) => (result.environment.userAgent = 'x'.repeat(1001)), 'environment.userAgent'],
  ];
  /** @param {(result: any) => void} spoil */
  function problemAfter(spoil) {
    const result = structuredClone(RESULT);
    spoil(result);
    return problemIn(JSON.stringify(result));
  }
  for (const [what, spoil, path] of wrongs) {
    it(`is refused with ${what}, by name`, () => assert.equal(problemAfter(spoil).path, path));
  }

  const files = [
    ['', ''],
    ['x', ''],
    ['[]', 'schema'],
    ['null', 'schema'],
    ['{}', 'schema'],
  ];
  for (const [text, path] of files) {
    it(`is refused where the file is '${text}'`, () => assert.equal(problemIn(text).path, path));
  }

  it('is refused with what was expected there', (t) =>
    matchGolden(t, 'shootout', [
      ...wrongs.map(([what, spoil]) => `${what}\n${problemAfter(spoil).message}`),
      ...files.map(([text]) => `'${text}'\n${problemIn(text).message}`),
    ]));
});

describe('a result as CSV', () => {
  it('has a line for every sample and every failure, and no formula', () => {
    const lines = shootout.formatCsv(RESULT).split('\r\n');
    assert.deepEqual(lines, [
      'block,trial,transport,protocol,iteration,outcome,sent_at_ms,round_trip_ms,message',
      '1,1,ajax,http/1.1,1,ok,0.000,2.500,',
      '1,1,ajax,http/1.1,2,ok,2.500,2.250,',
      '1,1,ajax,http/1.1,3,ok,4.750,2.000,',
      '1,1,ajax,http/1.1,4,timeout,,,"No answer, ""really"""',
      '1,1,ajax,http/1.1,,closed,,,"\'=HYPERLINK(""x"")"',
      '1,2,sockjs,websocket,1,ok,0.000,0.500,',
      '1,2,sockjs,websocket,2,ok,0.500,0.250,',
      '1,2,sockjs,websocket,,aborted,,,Cancelled.',
      '',
    ]);
  });
});

describe('a report as Markdown', () => {
  it('has the verdict, a row for each transport, what casts doubt, and the plan’s link', () => {
    const text = formatMarkdown(shootout, RESULT);
    assert.match(text, /^\*\*Stopped: no verdict\*\*$/m);
    assert.match(text, /^\| AJAX \| http\/1\.1 \|/m);
    assert.match(text, /^\| SockJS \| websocket \|/m);
    assert.match(text, /^\| Complete \| no, stopped \|$/m);
    assert.match(text, /^Plan: http:\/\/localhost:8000\/\?transports=ajax,sockjs&blocks=6&/m);
  });

  it('takes what a server or a browser calls itself for text', () => {
    const environment = { ...RESULT.environment, userAgent: '<img src=x> | [a](b)' };
    assert.ok(formatMarkdown(shootout, { ...RESULT, environment }).includes('\\<img src=x\\> \\| \\[a\\](b)'));
  });
});
