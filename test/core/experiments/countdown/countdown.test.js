import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { openPart, planPath } from '../../../../core/experiment/run/open-run.js';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { countdown } from '../../../../core/experiments/countdown/index.js';
import { formatLink, KINDS, parseIterations, parseKind } from '../../../../core/experiments/countdown/plan.js';
import {
  COLUMNS,
  formatNotes,
  formatSetUp,
  describeMeans,
  formatMeans,
  formatEnd,
} from '../../../../core/experiments/countdown/report.js';
import { toDocument } from '../../../../core/experiments/countdown/schema.js';
import { SUBMISSION_SCHEMA } from '../../../../core/experiments/countdown/submission.js';
import { summarize, meansOf, msPerIteration } from '../../../../core/experiments/countdown/summary.js';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import { createFairPlan, formatPlan } from '../../../../core/experiments/shootout/plan.js';
import { createTransport } from '../../../../core/net/echo/index.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { createScriptedTransport } from '../../../support/scripted-transport.js';
import { openServer } from '../../../support/server.js';

/**
 * @import { Now } from '../../../../core/base/clock.js'
 * @import { Submission } from '../../../../core/experiments/countdown/submission.js'
 * @import { Transport } from '../../../../core/net/echo/index.js'
 * @import { TestServer } from '../../../support/server.js'
 */

const matchGolden = useGolden(import.meta.url);

/**
 * A scripted transport whose server counts down, and the counts that it was sent.
 *
 * @param {Parameters<typeof createScriptedTransport>[0]} options
 */
function createCountingDown(options) {
  const scripted = createScriptedTransport(options);
  /** @type {number[]} */
  const counts = [];
  /** @type {Transport} */
  const transport = {
    ...scripted.transport,
    async connect(connecting) {
      const connection = await scripted.transport.connect(connecting);
      return {
        ...connection,
        async exchange(payload, exchanging) {
          const answer = await connection.exchange(payload, exchanging);
          if (!('count' in payload)) return answer;
          counts.push(Number(payload.count));
          return answer.count === payload.count ? answer : { ...answer, count: answer.count - 2 };
        },
      };
    },
  };
  return { ...scripted, transport, counts };
}

/**
 * @param {Transport} transport
 * @param {Now} now
 * @param {number} iterations
 */
async function countDown(transport, now, iterations) {
  const plan = { iterations, kind: 'websocket' };
  const { trials } = await runExperiment(countdown, { plan, transports: { ws: transport }, now });
  return trials[0];
}

/**
 * @param {object} options
 * @param {number} options.iterations
 * @param {string} [options.name]
 * @param {number} [options.roundTripMs]
 * @param {Parameters<typeof createScriptedTransport>[0]['script']} [options.script]
 */
function run({ iterations, name = 'ws', roundTripMs, script = [] }) {
  const { transport, now } = createCountingDown({ script, name, roundTripMs });
  return countDown(transport, now, iterations);
}

describe('a test of the count-down', () => {
  it('sends N, then what came back, until 0 comes back', async () => {
    const { transport, now, counts } = createCountingDown({ script: [] });
    const { trial } = await countDown(transport, now, 5);
    assert.deepEqual(counts, [5, 4, 3, 2, 1]);
    assert.deepEqual(trial.samples.iteration, [0, 1, 2, 3, 4]);
    assert.deepEqual(trial.failures, []);
  });

  it('takes the time of the messages, from the first one’s leaving to the last answer', async () => {
    const test = await run({ iterations: 10, roundTripMs: 12.25 });
    assert.equal(test.elapsedMs, 122.5);
    assert.equal(msPerIteration(test), 12.25);
  });

  it('takes an echo that counts up for none of its answers', async () => {
    const { transport, now } = createScriptedTransport({ script: [] });
    const { trial, elapsedMs } = await countDown(transport, now, 5);
    assert.equal(elapsedMs, undefined);
    const [{ outcome, message }] = trial.failures;
    assert.equal(outcome, 'mismatch');
    assert.deepEqual(message.match(/\d+/g), ['4', '6'], message);
  });

  it('ends at the first failure, and then has no time', async (t) => {
    const test = await run({ iterations: 10, script: ['ok', 'rejected'] });
    assert.equal(test.trial.samples.iteration.length, 1);
    assert.equal(test.elapsedMs, undefined);
    assert.equal(msPerIteration(test), undefined);
    matchGolden(t, 'countdown', formatEnd(test));
  });

  it('says how far a test came that was cancelled', async (t) => {
    const end = formatEnd({
      ...(await run({ iterations: 10, script: ['ok', 'ok', 'aborted'] })),
      ending: { kind: 'cancelled', reason: 'Enough.' },
    });
    matchGolden(t, 'countdown', end);
  });
});

describe('a test of the count-down on the server’s /ws', () => {
  const library = /** @type {any} */ (WebSocket);
  const now = () => performance.now();
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  it('comes to 0, and its time is no longer than all that happened during it', async () => {
    const transport = createTransport('ws', { library, url: `${server.origin}/ws` });
    const startedAtMs = now();
    const { trial, elapsedMs } = await countDown(transport, now, 1000);
    assert.equal(trial.samples.iteration.length, 1000);
    assert.equal(trial.server?.server, 'test');
    // By one clock, and so however slow the machine is.
    assert.ok(Number(elapsedMs) > 0 && Number(elapsedMs) + Number(trial.setUpMs) <= now() - startedAtMs);
  });

  it('fails where there is no server', async () => {
    const transport = createTransport('ws', { library, url: 'http://127.0.0.1:1/ws' });
    const test = await countDown(transport, now, 3);
    const [{ outcome, message }] = test.trial.failures;
    assert.equal(outcome, 'closed');
    assert.ok(formatEnd(test).endsWith(`0 of 3: ${message}`), formatEnd(test));
  });
});

describe('the tests of one press', () => {
  for (const [kind, expected] of Object.entries({
    xhr: ['xhr'],
    websocket: ['ws'],
    both: ['xhr', 'ws'],
    both3: ['xhr', 'ws', 'xhr', 'ws', 'xhr', 'ws'],
  })) {
    it(`makes ${expected.length} of '${kind}', XHR first`, () => {
      const tests = countdown.trialsOf({ iterations: 1, kind });
      assert.deepEqual(
        tests.map(({ transport }) => transport),
        expected,
      );
    });
  }
});

describe('meansOf', () => {
  it('counts each finished test alike, and the others beside them', async (t) => {
    const tests = [
      await run({ iterations: 10, roundTripMs: 1, name: 'xhr' }),
      await run({ iterations: 1000, roundTripMs: 3, name: 'xhr' }),
      await run({ iterations: 10, script: ['closed'], name: 'xhr' }),
      await run({ iterations: 10, script: ['closed'] }),
    ];
    assert.deepEqual(meansOf(tests), [
      { transport: 'xhr', meanMs: 2, finishedCount: 2, unfinishedCount: 1 },
      { transport: 'ws', meanMs: undefined, finishedCount: 0, unfinishedCount: 1 },
    ]);
    const [first, second] = tests;
    const webSocket = await run({ iterations: 10, roundTripMs: 0.9 });
    const texts = [
      tests,
      tests.slice(2),
      [first, webSocket],
      [first, second, webSocket],
      [first, webSocket, first, webSocket],
    ];
    matchGolden(t, 'countdown', texts.map(describeMeans));
  });
});

describe('a choice by link', () => {
  /** @param {string} name @param {string} text */
  const isComplaint = (name, text) => complaintOf(name, text === '' ? 'nothing' : `“${text}”`);
  for (const [text, expected] of /** @type {const} */ ([
    ['1', 1],
    [' 1000 ', 1000],
  ])) {
    it(`takes '${text}' iterations`, () => assert.equal(parseIterations(text), expected));
  }
  for (const text of ['', '0', '1001', '-1', '1.5', '1e2', 'ten', '0x10']) {
    it(`refuses '${text}' iterations, and says what it expects`, () => {
      assert.throws(() => parseIterations(text), isComplaint('Iterations', text));
    });
  }
  for (const kind of Object.keys(KINDS)) {
    it(`takes the kind '${kind}'`, () => assert.equal(parseKind(kind), kind));
  }
  for (const text of ['', 'both2', 'constructor']) {
    it(`refuses the kind '${text}', and says what it expects`, () => {
      assert.throws(() => parseKind(text), isComplaint('Kind', text));
    });
  }
});

describe('createFairPlan', () => {
  it('is a plan that the home page takes', () => {
    const plan = createFairPlan(1000, 7);
    const query = formatPlan(plan);
    assert.equal(query, 'transports=ajax,xhr,ws&blocks=10&iterations=1000&warmup=3&payload=0&seed=7');
    assert.deepEqual(parsePlan(shootout, new URLSearchParams(query)), plan);
  });
});

describe('the export', () => {
  const environment = { url: 'http://x/countdown', userAgent: 'test', stepMs: 0.005, isCrossOriginIsolated: true };

  /** @param {Awaited<ReturnType<typeof run>>[]} countdowns */
  const resultOf = (...countdowns) => ({
    environment,
    choice: { iterations: 30, kind: 'both' },
    tests: countdowns.map((countdown) => ({ ...countdown, startedAt: '2026-01-01T00:00:00.000Z', wasHidden: false })),
  });

  it('has a row per test; one that failed says so in place of its time', async () => {
    const { tests } = resultOf(
      await run({ iterations: 30, name: 'xhr' }),
      await run({ iterations: 30, script: ['ok', 'closed'] }),
    );
    assert.deepEqual(cellsOf({ columns: COLUMNS, rows: tests }), [
      ['1', 'XHR', '30', '150', '5.00'],
      ['2', 'WebSocket', '30', formatEnd(tests[1])],
    ]);
  });

  it('as JSON has every sample, the failures, and the environment', async () => {
    const result = resultOf(
      await run({ iterations: 30, name: 'xhr' }),
      await run({ iterations: 30, script: ['closed'] }),
    );
    const content = JSON.parse(JSON.stringify(toDocument(result)));
    assert.equal(content.schema, 'sockshootout/countdown/3');
    assert.equal(content.environment.userAgent, 'test');
    const [xhr, ws] = summarize(openPart(countdown, content)).tests;
    assert.equal(xhr.trial.samples.roundTripMs.length, 30);
    assert.equal(xhr.elapsedMs, 150);
    assert.equal(ws.elapsedMs, undefined);
    assert.equal(ws.trial.failures[0].outcome, 'closed');
  });

  it('as Markdown has a table with as many cells as columns, whatever a message holds', async (t) => {
    const result = resultOf(
      await run({ iterations: 30, name: 'xhr' }),
      await run({ iterations: 30, script: ['closed'] }),
    );
    result.tests[1].trial.failures[0].message = 'a|b\nc';
    const markdown = formatMarkdown(countdown, toDocument(result));
    const [table] = markdown.split('####');
    const rows = table.split('\n').filter((line) => line.startsWith('|'));
    assert.deepEqual(
      rows.map((row) => row.split(/(?<!\\)\|/).length - 2),
      Array(4).fill(COLUMNS.length),
    );
    assert.match(rows[3], / a\\\|b c \|\s+\|$/);
    assert.ok(markdown.includes(formatMeans(result.tests).replaceAll('\u00a0', ' ')));
    assert.equal(formatLink(result.choice), 'iterations=30&kind=both&autostart=1');
    assert.ok(markdown.includes(`${environment.url}?${formatLink(result.choice)},`));
    matchGolden(t, 'countdown', markdown);
  });

  it('says what connecting took, and what it is in', async (t) => {
    const result = resultOf(
      await run({ iterations: 3, name: 'xhr' }),
      await run({ iterations: 3, name: 'xhr' }),
      await run({ iterations: 3 }),
      await run({ iterations: 3 }),
    );
    delete result.tests[1].trial.setUpMs;
    const known = formatSetUp({ ...result, coldSetUpMs: 2 });
    const unknown = formatSetUp(result);
    assert.deepEqual(known.match(/\d\.\d ms/g), ['1.0 ms', '2.0 ms', '1.0 ms']);
    assert.deepEqual(unknown.match(/\d\.\d ms/g), ['1.0 ms', '1.0 ms']);
    assert.equal(formatSetUp(resultOf()), '');
    matchGolden(t, 'countdown', [known, unknown]);
  });

  it('says which tests a hidden tab spoiled', async (t) => {
    const result = resultOf(await run({ iterations: 3 }), await run({ iterations: 3 }));
    const shown = formatNotes(result);
    result.tests[1].wasHidden = true;
    const hidden = formatNotes(result);
    matchGolden(t, 'countdown', [shown, hidden]);
  });

  it('of what the app of 2019 shared says that it was reported, and nothing of server and browser', (t) => {
    const runs = [
      { test: 'xhr', iterations: 300, time: 610.5 },
      { test: 'ws', iterations: 300, time: 150.25 },
      { test: 'other *name*', iterations: 10, time: 20 },
    ];
    /** @type {Submission} */
    const document = { schema: SUBMISSION_SCHEMA, runs };
    const { headline, detail } = digestOf(countdown, document);
    matchGolden(t, 'countdown', [`In lists: ${headline}\n${detail}`, formatMarkdown(countdown, document)]);
    assert.equal(planPath(countdown, document), '/countdown?iterations=300&kind=both&autostart=1');
    const { charts } = countdown.find(openPart(countdown, document)).report;
    assert.deepEqual(
      charts[0].lines.map(({ label, values }) => [label, ...values]),
      [
        ['XHR', 2.035, null, null],
        ['WebSocket', null, 150.25 / 300, null],
        ['other *name*', null, null, 2],
      ],
    );
  });
});
