/** What is found on a path with each obstacle, over virtual time, and what is said of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leadBeneath, leadingOf } from '../../../../core/experiment/answer/answer-card.js';
import { formatPlan, parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { problemOf } from '../../../../core/experiment/documents/problem.js';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { findingsOf, reportOf } from '../../../../core/experiment/report/findings.js';
import { formatText, formatMarkdown } from '../../../../core/experiment/report/report.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import { reach } from '../../../../core/experiments/reach/index.js';
import { describeCheck, describeReachPlan, expectedMs, limitMsOf } from '../../../../core/experiments/reach/plan.js';
import { sharesOf } from '../../../../core/experiments/reach/places.js';
import { arrivalOf, summarize } from '../../../../core/experiments/reach/summary.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { createScriptedReach } from '../../../support/scripted-reach.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/** @import { Script } from '../../../support/scripted-reach.js' */

const matchGolden = useGolden(import.meta.url);

const PLAN = parsePlan(reach, new URLSearchParams('silences=500,5000,65000'), { seed: 5 });

/**
 * @param {Script} [script] @param {{ plan?: any, abortAtMs?: number }} [options]
 * @returns {Promise<{ document: any, state: any, elapsedMs: number, summary: any }>}
 */
async function run(script, { plan = PLAN, abortAtMs } = {}) {
  const time = createVirtualTime();
  const means = /** @type {any} */ (createScriptedReach(time, script));
  const controller = new AbortController();
  const startedAtMs = time.now();
  const cancel = () => controller.abort({ kind: 'cancelled', reason: 'The run was cancelled.' });
  if (abortAtMs !== undefined) time.timers.setTimeout(cancel, abortAtMs);
  const found = await time.run(runExperiment(reach, { plan, now: time.now, signal: controller.signal, ...means }));
  const environment = { url: 'http://scripted/', userAgent: 'Node.js v22', isCrossOriginIsolated: false };
  const document = { schema: reach.schema, startedAt: '2026-11-21T07:00:00.000Z', plan, environment, ...found };
  return { document, state: means.state, elapsedMs: time.now() - startedAtMs, summary: summarize(document) };
}

/** @param {any} summary @returns {string[]} the names of those that failed */
const failedIn = ({ checks }) =>
  checks.flatMap((/** @type {any} */ { result, planned }) => (result === 'fail' ? [describeCheck(planned)] : []));

/** @param {any} document */
const textOf = (document) => {
  const { conclusion = '', sentences, tables } = reportOf(reach, document);
  return [conclusion, ...sentences, ...cellsOf(tables[0]).map((cells) => cells.join(' | '))];
};

/** @type {Record<string, { script: Script, failed: string[], works: boolean }>} */
const OBSTACLES = {
  'no obstacle': { script: {}, failed: [], works: true },
  'an upgrade that never arrives': {
    script: { upgrade: 'never' },
    failed: ['WebSocket upgrade', 'SockJS over websocket'],
    works: false,
  },
  'an upgrade without its header': {
    script: { upgrade: 'plain', fallbackMs: 31 },
    failed: ['WebSocket upgrade', 'SockJS over websocket'],
    works: false,
  },
  'an upgrade that the server refuses': {
    script: { upgrade: 'refused' },
    failed: ['WebSocket upgrade', 'SockJS over websocket'],
    works: false,
  },
  'an upgrade that is swallowed': {
    script: { upgrade: 'swallowed' },
    failed: ['WebSocket upgrade', 'SockJS over websocket'],
    works: false,
  },
  'a reset soon after the upgrade': {
    script: { cutMs: 300 },
    failed: ['WebSocket, text messages', 'SockJS, 5 s per transport', 'SockJS with its defaults'],
    works: false,
  },
  'a path that lets one message through': {
    script: { passes: 1 },
    failed: [
      'WebSocket, text messages',
      'SockJS over websocket',
      'SockJS, 5 s per transport',
      'SockJS with its defaults',
    ],
    works: false,
  },
  'a path that drops bytes': {
    script: { dropsBinary: true },
    failed: ['WebSocket, binary messages'],
    works: true,
  },
  'a path that drops large messages': {
    script: { maxBytes: 100_000 },
    failed: ['WebSocket, 1 MiB'],
    works: true,
  },
  'an idle timeout of 60 s': {
    script: { idleMs: 60_000 },
    failed: ['WebSocket, 65 s of silence'],
    works: true,
  },
  'an idle timeout of 60 s that closes nothing': {
    script: { idleMs: 60_000, isCutSilently: true },
    failed: ['WebSocket, 65 s of silence'],
    works: true,
  },
  'buffering, and long polls that are cut': {
    script: { buffers: true, pollMs: 10_000 },
    failed: ['EventSource', 'xhr-streaming', 'Long poll'],
    works: true,
  },
};

describe('what works from here', () => {
  for (const [name, { script, failed, works }] of Object.entries(OBSTACLES)) {
    it(`names ${name}`, async (t) => {
      const { document, summary, elapsedMs, state } = await run(script);
      assert.deepEqual(failedIn(summary), failed);
      assert.equal(summary.works, works);
      assert.equal(document.ending, undefined);
      assert.equal(document.trials.length, reach.trialsOf(PLAN).length);
      assert.equal(problemOf(reach, document), undefined);
      assert.ok(elapsedMs <= limitMsOf(PLAN), `${elapsedMs}`);
      if (works) assert.ok(elapsedMs <= expectedMs(PLAN) + 10_000, `${elapsedMs}`);
      if (!script.isCutSilently) assert.equal(state.openCount, state.closedCount);
      // Its own close at the end of a check is no finding.
      assert.ok(
        document.trials.every((/** @type {any} */ { closeCode }) => closeCode === undefined || closeCode === 1006),
      );
      matchGolden(t, 'reach', textOf(document));
    });
  }

  it('says how long a connection was used that is cut without a close', async () => {
    const { document } = await run({ cutMs: 40_000, isCutSilently: true });
    const { livedMs, closeCode, failure } = document.trials.find((/** @type {any} */ one) => one.check === 'heartbeat');
    assert.deepEqual([failure.outcome, closeCode], ['timeout', undefined]);
    assert.ok(livedMs >= 25_000 && livedMs < 40_000, `${livedMs}`);
  });

  it('has a ratio of latencies with its interval, beside WebSocket or else beside a request', async () => {
    const { summary } = await run({ fallbackMs: 31 });
    assert.equal(summary.latency.baseline, 'websocket');
    assert.ok(Math.abs(summary.latency.timeRatio.estimate - 4.1) < 1e-9);
    const blocked = await run({ upgrade: 'never', fallbackMs: 31 });
    assert.equal(blocked.summary.latency.baseline, 'fetch');
    const few = await run({}, { plan: { ...PLAN, blocks: 5 } });
    assert.equal(few.summary.latency.verdict, undefined);
  });

  it('states the cost of the fallback by its verdict', async (t) => {
    const { document } = await run();
    /** @param {readonly number[]} factors by which the fallback takes longer in each block */
    const costOf = (factors) => {
      const trials = document.trials.map((/** @type {any} */ trial) => {
        if (trial.transport !== 'fallback') return trial;
        return {
          ...trial,
          roundTripMs: trial.roundTripMs.map((/** @type {number} */ ms) => factors[trial.block] * ms),
        };
      });
      const { conclusion, sentences } = reportOf(reach, { ...document, trials });
      return `${conclusion}\n${sentences[0]}`;
    };
    const [same, slower, faster, unclear] = [
      [1.02, 1.01, 1.02, 1.03, 1.02, 1.02],
      [4, 4.2, 4.1, 4, 4.2, 4.1],
      [0.5, 0.6, 0.5, 0.6, 0.5, 0.6],
      [0.5, 2, 0.5, 2, 0.5, 2],
    ].map(costOf);
    matchGolden(t, 'reach', [same, slower, faster, unclear]);
  });

  it('shows the failed checks, and folds the others', async () => {
    /** @param {Script} script */
    const partsOf = async (script) => reportOf(reach, (await run(script)).document).tables[0].parts ?? [];
    const shownOf = (/** @type {Awaited<ReturnType<typeof partsOf>>} */ parts) =>
      parts.map(({ heading, isFolded = false, columns }) => [heading, isFolded, columns.length]);
    assert.deepEqual(shownOf(await partsOf({})), [
      ['19 checks passed', true, 2],
      ['7 checks not tested', true, 2],
    ]);
    const parts = await partsOf({ maxBytes: 100_000 });
    assert.deepEqual(shownOf(parts)[0], ['1 check failed', false, 3]);
    assert.equal(parts[0].rows[0].name, 'WebSocket, 1 MiB');
  });

  it('finds a known idle timeout, whether the close is seen or not', async (t) => {
    const plan = { ...PLAN, silences: [500], idleMs: 600_000 };
    const seen = await run({ idleMs: 97_000 }, { plan });
    assert.ok(Math.abs(seen.summary.idle.cutMs - 97_000) < 100);
    const unseen = await run({ idleMs: 97_000, isCutSilently: true }, { plan });
    const { livedMs, cutMs } = unseen.summary.idle;
    assert.ok(livedMs < 97_000 && 97_000 <= cutMs && cutMs / livedMs < 1.25, `${livedMs} to ${cutMs}`);
    for (const { elapsedMs } of [seen, unseen]) assert.ok(elapsedMs < limitMsOf(plan));
    const none = await run({}, { plan });
    assert.deepEqual([none.summary.idle.livedMs, none.summary.idle.cutMs], [600_000, undefined]);
    matchGolden(
      t,
      'reach',
      [seen, unseen, none].map(({ document }) => textOf(document)[0]),
    );
  });

  it('ends at once when it is cancelled, and closes all', async () => {
    for (const abortAtMs of [5, 200, 3000, 30_000]) {
      const { document, elapsedMs, state } = await run({}, { abortAtMs });
      assert.equal(document.ending.kind, 'cancelled');
      assert.ok(elapsedMs - abortAtMs <= 1000, `${elapsedMs - abortAtMs}`);
      assert.equal(state.openCount, state.closedCount);
      assert.equal(problemOf(reach, document), undefined);
      assert.equal(digestOf(reach, document).isValid, false);
      assert.equal(reportOf(reach, document).conclusion, undefined);
    }
  });

  it('says nothing of WebSockets where the server was lost', async () => {
    const { document } = await run({ lostAtMs: 2000 });
    assert.equal(document.ending.kind, 'invalid');
    assert.equal(reportOf(reach, document).conclusion, undefined);
    assert.equal(problemOf(reach, document), undefined);
    assert.equal(problemOf(reach, { ...document, ending: undefined })?.path, 'trials');
  });
});

describe('events', () => {
  const sentMs = [0, 200, 400, 600, 800];
  it('are late relative to the fastest one, whatever the clocks', () => {
    const arrivedMs = sentMs.map((ms, i) => 5000 + ms + [0, 1, 30, 2, 0][i]);
    const { delayMs, ...arrival } = /** @type {any} */ (arrivalOf({ sentMs, arrivedMs }));
    assert.deepEqual(delayMs, [0, 1, 30, 2, 0]);
    assert.deepEqual(arrival, { maxDelayMs: 30, batchCount: 5, isBatched: false });
  });

  it('arrive in batches where most arrive together', () => {
    const all = /** @type {any} */ (arrivalOf({ sentMs, arrivedMs: sentMs.map(() => 900) }));
    assert.deepEqual([all.maxDelayMs, all.batchCount, all.isBatched], [800, 1, true]);
    // A stall of a network is no buffer.
    const stalled = [0, 200, 800, 801, 1000];
    assert.equal(arrivalOf({ sentMs, arrivedMs: stalled })?.isBatched, false);
    assert.equal(arrivalOf({ sentMs: [0], arrivedMs: [3] }), undefined);
  });
});

describe('the plan', () => {
  it('states what the visitor agrees to', (t) => {
    const plans = ['silences=500', 'silences=500,5000,65000', 'silences=600000', 'idle=600000'];
    matchGolden(
      t,
      'reach',
      plans.map((plan) => describeReachPlan(parsePlan(reach, new URLSearchParams(plan), { seed: 1 }))),
    );
  });

  it('refuses what is out of bounds by its name', () => {
    for (const [query, name, got] of [
      ['silences=99', 'silences', '“99”'],
      ['silences=600001', 'silences', '“600001”'],
      ['silences=1,2,3,4,5,6,7', 'silences', '7'],
      ['heartbeat=0', 'heartbeat', '“0”'],
      ['blocks=1', 'blocks', '“1”'],
      ['idle=-1', 'idle', '“-1”'],
    ]) {
      assert.throws(() => parsePlan(reach, new URLSearchParams(query), { seed: 1 }), complaintOf(name, got));
    }
  });

  it('is repeated by its link', () => {
    const query = formatPlan(reach, PLAN);
    assert.deepEqual(parsePlan(reach, new URLSearchParams(query), { seed: 9 }), PLAN);
  });
});

describe('the share of runs from which WebSockets work', () => {
  /** @param {string | undefined} name @param {boolean | undefined} webSocketWorks @param {number} count */
  const runs = (name, webSocketWorks, count) =>
    Array.from({ length: count }, () => ({
      place: name ? { name } : undefined,
      digest: webSocketWorks === undefined ? {} : { reach: { webSocketWorks } },
    }));

  it('is that of all, and of each place with five or more, with its interval', () => {
    const shared = [
      ...runs('Oslo', true, 6),
      ...runs('OSLO', true, 3),
      ...runs('oslo', false, 1),
      ...runs('Bonn', true, 4),
      ...runs('Bonn', undefined, 9),
      ...runs(undefined, false, 1),
    ];
    assert.deepEqual(sharesOf(shared), [
      { name: 'All runs', workCount: 13, count: 15, share: '87% (95% CI 62–96%)' },
      { name: 'Oslo', workCount: 9, count: 10, share: '90% (95% CI 60–98%)' },
    ]);
    assert.deepEqual(sharesOf(runs('Bonn', true, 4)), []);
  });

  it('is what the digest of a run tells', async () => {
    for (const [script, works] of /** @type {[Script, boolean][]} */ ([
      [{}, true],
      [{ upgrade: 'never' }, false],
    ])) {
      const { document } = await run(script);
      assert.deepEqual(digestOf(reach, document).reach, { webSocketWorks: works });
    }
    const { document } = await run({}, { abortAtMs: 3000 });
    assert.equal(digestOf(reach, document).reach, undefined);
  });
});

describe('the card of a run', () => {
  /** @param {Script} [script] */
  const cardOf = async (script) => {
    const { report, answers, scope } = findingsOf(reach, (await run(script)).document);
    const lead = leadBeneath({ report, answers, scope }) ?? assert.fail('no card');
    return { ...lead, ...leadingOf(lead) };
  };

  it('counts the checks that passed, and draws what the fallback costs', async () => {
    const { figure, word, interval, mark, bars, barsTitle } = await cardOf();
    // As the report lists them.
    assert.deepEqual([figure, word, interval, mark], ['19 of 19', 'checks passed', '7 not tested', 'better']);
    assert.deepEqual(
      bars?.map(({ name }) => name),
      ['WebSocket', 'SockJS over xhr-streaming'],
    );
    assert.match(String(barsTitle), /\bround trip\b.*\b6 blocks$/);
  });

  it('has no WebSocket among its bars where none works', async () => {
    const { mark, bars } = await cardOf({ upgrade: 'refused' });
    assert.deepEqual([mark, bars?.[0].name], ['worse', 'fetch']);
  });
});

describe('the headline of a run on one machine', () => {
  const headlineOf = async (/** @type {Script} */ script, /** @type {string} */ url) => {
    const { document } = await run(script);
    return reportOf(reach, { ...document, environment: { ...document.environment, url } });
  };

  it('leaves it open what users’ firewalls do, and reports here what was measured', async () => {
    const near = await headlineOf({}, 'http://localhost:8000/reach');
    assert.match(near.headline, /firewalls/);
    assert.ok(near.sentences.some((sentence) => sentence.startsWith('Idle connections stay open')));
    assert.ok(
      near.sentences.every((sentence) => !sentence.includes('WebSockets work')),
      'said twice',
    );
    const far = await headlineOf({}, 'https://example.org/reach');
    assert.doesNotMatch(far.headline, /firewalls/);
  });

  it('reports what failed even there', async () => {
    const near = await headlineOf({ upgrade: 'never' }, 'http://localhost:8000/reach');
    assert.match(near.headline, /^On one machine, WebSockets do not work/);
  });
});

describe('the exports', () => {
  it('have a line for each sample, and all events of a stream in one', async () => {
    const { document } = await run();
    const lines = reach.formatCsv(document).trimEnd().split('\n');
    assert.equal(lines.length, 1 + digestOf(reach, document).sampleCount);
    const [, , , , , , , , , , , sent, arrived] = String(lines.find((line) => line.includes(',events,'))).split(',');
    assert.deepEqual(
      [sent, arrived].map((list) => list.split(' ').length),
      [10, 10],
    );
    assert.match(formatMarkdown(reach, document), /^### SockShootout: Reachability/);
    assert.match(formatText(reach, document), /WebSockets work from here/);
  });
});
