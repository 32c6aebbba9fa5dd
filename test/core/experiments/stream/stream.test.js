import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePlan } from '../../../../core/experiment/plan-link.js';
import { findingsOf, formatText } from '../../../../core/experiment/report.js';
import { adviceOf } from '../../../../core/experiments/stream/advice.js';
import { stream } from '../../../../core/experiments/stream/index.js';
import { secondsOf, streamsOf, trialsOf } from '../../../../core/experiments/stream/plan.js';
import { summarize } from '../../../../core/experiments/stream/summary.js';
import { dueTimesOf } from '../../../../core/net/stream/stream.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';

/**
 * @import { StreamPlan } from '../../../../core/experiments/stream/plan.js'
 * @import { StreamDocument, StreamTrial } from '../../../../core/experiments/stream/schema.js'
 * @typedef {{ firstMs?: number, collects?: number, stepMs?: number, setUpMs?: number, lastN?: number, backMs?: number, waitMs?: number
 *   }} Way how pieces come by a method: the first after `firstMs`; `lastN`: how many come in all; `backMs`: how much later the second half,
 *   which the server sends so late, too
 */

const matchGolden = useGolden(import.meta.url);

/** @param {string} query @returns {StreamPlan} */
const planOf = (query) => parsePlan(stream, new URLSearchParams(`seed=1&${query}`));

/**
 * A run whose pieces come as the ways of its methods say, a little later in each block.
 * @param {string} query @param {Readonly<Record<string, Way>>} ways @param {Partial<StreamTrial>} [more] of each trial
 * @returns {StreamDocument}
 */
function runOf(query, ways, more) {
  const plan = planOf(query);
  const trials = trialsOf(plan).map((planned, index) => {
    const {
      firstMs = 100,
      collects = 1,
      stepMs,
      setUpMs,
      lastN = plan.pieces,
      backMs = 0,
      waitMs = 0,
    } = ways[planned.streamedBy];
    const streams = streamsOf(plan, planned).map((options, i) => {
      const due = dueTimesOf(options);
      const base = firstMs * (1 + planned.block / 1000) + (setUpMs ?? 0) + (i >= 6 ? waitMs : 0);
      const atMs = due.slice(0, lastN).map((ms, n) => {
        const kept = due[Math.min(due.length - 1, n - (n % collects) + collects - 1)];
        const atLeast = stepMs ? stepMs * Math.ceil(ms / stepMs) : kept;
        return base + atLeast + (n >= plan.pieces / 2 ? backMs : 0);
      });
      const lostAtMs = backMs > 0 ? [base + due[plan.pieces / 2 - 1] + 1] : [];
      const failure =
        lastN < plan.pieces
          ? { outcome: /** @type {const} */ ('closed'), message: 'The connection broke.' }
          : undefined;
      const sentMs = due.slice(0, lastN).map((ms, n) => ms + (n >= plan.pieces / 2 ? backMs : 0));
      return { askedAtMs: 0, setUpMs, sentMs, atMs, lostAtMs, ...(failure && { failure }) };
    });
    return { ...planned, protocol: 'http/1.1', startedAtMs: index * 10_000, elapsedMs: 9000, streams, ...more };
  });
  return {
    schema: 'sockshootout/stream/1',
    startedAt: '2026-11-29T10:00:00.000Z',
    plan,
    environment: { url: 'https://example.org/stream', userAgent: 'a|b', isCrossOriginIsolated: true },
    trials: /** @type {StreamTrial[]} */ (trials),
  };
}

const POLL = { stepMs: 250 };

/** @param {string} query @param {Readonly<Record<string, Way>>} ways */
const adviceFor = (query, ways) => {
  const { rule, text } = adviceOf(summarize(runOf(query, ways)));
  return { name: rule.name, recommends: rule.recommends, text };
};

describe('what a run of streams says to do', () => {
  const ALL = 'methods=fetch,ws-open,poll';

  it('is to stream by HTTP where a socket is no sooner, or so little that nobody notices', () => {
    for (const firstMs of [100, 95, 120]) {
      const { name, recommends } = adviceFor(ALL, { fetch: {}, 'ws-open': { firstMs }, poll: POLL });
      assert.deepEqual([name, recommends], ['HTTP is enough', 'http'], String(firstMs));
    }
  });

  it('is a socket that is open already where users notice the gain', () => {
    const { name, recommends, text } = adviceFor(ALL, { fetch: { firstMs: 250 }, 'ws-open': {}, poll: POLL });
    assert.deepEqual([name, recommends], ['socket sooner', 'socket']);
    assert.match(text, /\b0\.15 s sooner\b/);
  });

  it('is a socket, or no buffering, where a proxy collects what comes over HTTP', () => {
    const { name, recommends, text } = adviceFor(ALL, { fetch: { collects: 40 }, 'ws-open': {}, poll: POLL });
    assert.deepEqual([name, recommends], ['HTTP collected', 'socket']);
    assert.match(text, /in lumps of about 40\b/);
  });

  it('is another stream over HTTP where only that of today is buffered', () => {
    const collected = { collects: 40 };
    const { text, recommends } = adviceFor('methods=fetch,events,ws-open', {
      fetch: collected,
      events: {},
      'ws-open': {},
    });
    assert.equal(recommends, 'http');
    assert.match(text, /^Stream with EventSource: /);
    const alone = adviceFor('methods=ws-open&today=ws-open', { 'ws-open': collected });
    assert.deepEqual([alone.name, alone.recommends], ['only sockets, collected', undefined]);
  });

  it('does not say of an answer that comes all at once that a socket is as smooth', () => {
    const { name, text } = adviceFor('methods=fetch,ws-open&rate=0&pieces=40&spread=0', { fetch: {}, 'ws-open': {} });
    assert.equal(name, 'HTTP is enough');
    assert.doesNotMatch(text, /smooth/);
  });

  it('is no method where everything is collected, and HTTP where only the socket is', () => {
    const collected = { collects: 40 };
    assert.equal(adviceFor(ALL, { fetch: collected, 'ws-open': collected, poll: POLL }).name, 'all collected');
    assert.equal(adviceFor('methods=fetch,poll', { fetch: collected, poll: POLL }).name, 'only HTTP, collected');
    const { name, recommends } = adviceFor(ALL, { fetch: {}, 'ws-open': { stepMs: 300 }, poll: POLL });
    assert.deepEqual([name, recommends], ['socket collected', 'http']);
  });

  it('says how an EventSource compares with fetch, and does not take a socket that is not kept for none', () => {
    const { sentences } = findingsOf(
      stream,
      runOf('methods=fetch,events', { fetch: {}, events: { firstMs: 103 } }),
    ).report;
    assert.equal(
      sentences.filter((one) => /\bEventSource\b.*\b3(\.\d)? ms to 3(\.\d)? ms later\b.*\bfetch\b/.test(one)).length,
      1,
    );
    assert.equal(adviceFor('methods=ws&today=ws', { ws: { setUpMs: 200 } }).name, 'one kind');
    assert.equal(adviceFor('methods=fetch,ws', { fetch: {}, ws: { setUpMs: 200 } }).name, 'HTTP is enough');
  });

  it('needs six blocks, a whole answer in each, and more than polling', () => {
    const few = adviceFor(`${ALL}&blocks=5`, { fetch: {}, 'ws-open': {}, poll: POLL });
    assert.deepEqual([few.name, few.recommends], ['few blocks', undefined]);
    assert.equal(adviceFor('methods=poll&today=poll', { poll: POLL }).name, 'nothing came');
    assert.equal(adviceFor(ALL, { fetch: { lastN: 3 }, 'ws-open': {}, poll: POLL }).name, 'one kind');
  });

  it('never turns to a socket because of more noise', () => {
    const quiet = runOf(ALL, { fetch: { firstMs: 112 }, 'ws-open': {}, poll: POLL });
    for (const noiseMs of [0, 5, 30, 90]) {
      const noisy = structuredClone(quiet);
      for (const { block, streamedBy, streams } of noisy.trials) {
        if (streamedBy === 'fetch') streams[0].atMs[0] += (block % 2 ? 1 : -1) * noiseMs;
      }
      assert.notEqual(adviceOf(summarize(noisy)).rule.recommends, 'socket', String(noiseMs));
    }
  });
});

describe('the figures of streams', () => {
  it('are those of the pieces: the first, how late, the longest gap, against what was sent', () => {
    const run = runOf('methods=fetch,ws,poll', { fetch: {}, ws: { setUpMs: 200 }, poll: POLL });
    const { rows } = summarize(run);
    const [fetched, ws, polled] = rows;
    const due = run.trials.map((trial) => dueTimesOf(streamsOf(run.plan, trial)[0]));
    const longest = Math.max(...due.flatMap((times) => times.map((ms, i) => (i === 0 ? 0 : ms - times[i - 1]))));
    assert.equal(Math.round(Number(fetched.first?.estimate)), 100);
    assert.equal(Math.round(Number(ws.first?.estimate)), 300);
    assert.equal(ws.setUpMs, 200);
    assert.equal(Math.round(Number(fetched.late?.estimate)), 100);
    assert.ok(Number(fetched.gap?.median) <= longest);
    assert.equal(Number(fetched.gap?.median).toFixed(6), Number(fetched.dueGapMs).toFixed(6));
    assert.deepEqual(
      [fetched.flow?.name, polled.flow?.name, Math.round(Number(polled.flow?.everyMs))],
      ['even', 'steps', 250],
    );
    assert.deepEqual([fetched.judged, ws.judged?.verdict], [undefined, 'slower']);
    assert.ok(Math.abs(Number(ws.judged?.ratio?.estimate) - 1 / 3) < 0.001);
  });

  it('are bytes and CPU time of the server, without its idle use and the readings, where nobody else was served', () => {
    const traffic = {
      elapsedMs: 4000,
      readingCount: 1,
      requestCount: 1,
      messageCount: 0,
      receivedBytes: 300,
      sentBytes: 11_000,
      otherCount: 0,
      cpuMs: 16,
    };
    const run = {
      ...runOf('methods=fetch', { fetch: {} }, { traffic }),
      idle: { elapsedMs: 500, cpuMs: 3, readingCpuMs: 2, otherCount: 0 },
    };
    const [{ bytesPerPiece, cpuUsPerPiece }] = summarize(run).rows;
    assert.equal(bytesPerPiece, 55);
    // Of 16 ms, the reading took 2 and the idle server 8.
    assert.equal(cpuUsPerPiece?.estimate.toFixed(6), '30.000000');
    for (const trial of run.trials) trial.traffic = { ...traffic, otherCount: 9 };
    assert.equal(summarize(run).rows[0].cpuUsPerPiece, undefined);
  });

  it('have the flow of most blocks: whether it was collected first, then how', () => {
    const run = runOf('methods=fetch&blocks=12', { fetch: {} });
    const lumpy = runOf('methods=fetch&blocks=12', { fetch: { collects: 40 } });
    const stepped = runOf('methods=fetch&blocks=12', { fetch: { stepMs: 300 } });
    const trials = run.trials.map((trial, i) => (i < 5 ? trial : (i < 9 ? lumpy : stepped).trials[i]));
    assert.equal(summarize({ ...run, trials }).rows[0].flow?.name, 'lumps');
  });

  it('say how long the seventh of several waited', () => {
    const run = runOf('methods=fetch,ws-open&at-once=1,12&pieces=25', { fetch: { waitMs: 600 }, 'ws-open': {} });
    const { sentences, tables } = findingsOf(stream, run).report;
    const [fetched] = summarize(run).rows.filter(({ atOnce }) => atOnce === 12);
    assert.equal(Math.round(Number(fetched.wait?.estimate)), 600);
    assert.equal(sentences.filter((one) => /\b12 streams at once with fetch\b.*\b0\.60 s\b/.test(one)).length, 1);
    assert.equal(tables.find(({ heading }) => heading === 'Streams at once')?.rows.length, 2);
  });

  it('say what a cut cost: what was shown, what was lost, and when it went on', () => {
    const run = runOf('methods=fetch,fetch-resume,poll&cut=reset&pieces=40', {
      fetch: { lastN: 20 },
      'fetch-resume': { backMs: 1000 },
      poll: POLL,
    });
    const [plain, resumed, ...others] = summarize(run).cuts;
    // Polling has no connection to lose.
    assert.deepEqual(others, []);
    assert.deepEqual([plain.shown?.median, plain.lost?.median, plain.back], [20, 20, undefined]);
    assert.equal(resumed.lost?.median, 0);
    assert.ok(Number(resumed.back?.median) >= 1000 && Number(resumed.back?.median) < 1200);
    assert.match(String(findingsOf(stream, run).report.conclusion), /\bfetch 20\b.*\bfetch with resume after 1\.\d+ s/);
  });

  it('say of a cut neither that something on the way buffers, nor which method is faster', (t) => {
    const run = runOf('methods=fetch,fetch-resume,events,ws-open,poll&cut=reset&pieces=40', {
      fetch: { lastN: 20 },
      'fetch-resume': { backMs: 700, collects: 10 },
      events: { backMs: 4000, firstMs: 300 },
      'ws-open': { lastN: 20 },
      poll: POLL,
    });
    const { report, answers } = findingsOf(stream, run);
    assert.deepEqual(answers, []);
    assert.deepEqual(report.notes, []);
    const tables = report.tables.filter(({ isDetail }) => !isDetail);
    assert.equal(tables.length, 2);
    for (const { heading, columns } of tables)
      assert.ok(
        columns.every(({ title, judgedOf }) => !judgedOf && title !== 'Flow'),
        heading,
      );
    assert.ok(report.arrivals?.rows.every(({ word }) => word === undefined));
    const situation = /** @type {any} */ ({ considers: 'ws-open' });
    assert.equal(stream.fullTest.answer(summarize(run), situation).verdict, undefined);
    matchGolden(t, 'stream', [stream.describePlan(run.plan), formatText(stream, run)]);
  });

  it('say something of a cut that broke no stream, or one that had all its pieces', () => {
    const unbroken = runOf('methods=fetch&cut=reset&pieces=40', { fetch: {} });
    assert.match(String(findingsOf(stream, unbroken).report.conclusion), /\bno stream\b/);
    for (const { streams } of unbroken.trials) streams[0].lostAtMs = [Number(streams[0].atMs.at(-1)) + 1];
    assert.match(String(findingsOf(stream, unbroken).report.conclusion), /\ball pieces\b.*\bfetch\b/);
  });

  it('are drawn for a block in which all methods were measured, the longest gap only where it is uneven', () => {
    const { arrivals } = findingsOf(stream, runOf('methods=fetch,poll', { fetch: {}, poll: POLL })).report;
    assert.deepEqual(
      arrivals?.rows.map(({ colour, word, mark, gap }) => [colour, word, mark, gap !== undefined]),
      [
        ['stream-fetch', 'Even', 'better', false],
        ['stream-poll', 'In steps', 'worse', true],
      ],
    );
    assert.equal(
      arrivals?.rows[0].lumps.reduce((sum, { count }) => sum + count, 0),
      200,
    );
  });
});

describe('the plan of a run of streams', () => {
  it('has the same streams for all methods of a block, and others in each block', () => {
    const plan = planOf('at-once=2');
    const [first, second] = [0, 1].map((block) => streamsOf(plan, { block, atOnce: 2 }));
    assert.deepEqual(first, streamsOf(plan, { block: 0, atOnce: 2 }));
    assert.notEqual(first[0].seed, first[1].seed);
    assert.notEqual(first[0].seed, second[0].seed);
  });

  it('says how long it takes', () => {
    const seconds = secondsOf(planOf('methods=fetch,ws-open&pieces=101&rate=50&blocks=6'), 100);
    assert.ok(seconds >= 6 * 2 * 2 && seconds <= 6 * 2 * 3, String(seconds));
  });

  for (const [query, name, got] of /** @type {const} */ ([
    ['methods=fetch&today=poll', 'today', 'poll'],
    ['pieces=1000&rate=10', 'pieces', 99.9],
    ['methods=pigeon', 'methods', 'pigeon'],
    ['at-once=17', 'at-once', 17],
    ['rate=101', 'rate', 101],
    ['rate=0&cut=reset', 'rate', 0],
    ['methods=poll&today=poll&cut=reset', 'methods', 'only poll'],
    ['blocks=50&pieces=1000&rate=100&at-once=16', 'blocks times methods times at-once times pieces', 3_200_000],
  ])) {
    it(`is refused for ?${query}`, () => {
      assert.throws(() => planOf(query), complaintOf(name, got));
    });
  }
});
