import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { findingsOf } from '../../../../core/experiment/report/findings.js';
import { formatText } from '../../../../core/experiment/report/report.js';
import { arrivalsSoFar } from '../../../../core/experiments/stream/arrivals.js';
import { stream } from '../../../../core/experiments/stream/index.js';
import { secondsOf, streamsOf } from '../../../../core/experiments/stream/plan.js';
import { summarize } from '../../../../core/experiments/stream/summary.js';
import { firstOf } from '../../../../core/experiments/stream/advice.js';
import { dueTimesOf } from '../../../../core/net/stream/stream.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { planOf, POLL, runOf } from '../../../support/streams.js';

const matchGolden = useGolden(import.meta.url);

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
    assert.equal(summarize({ ...run, trials }).rows[0].flow?.name, 'bursts');
  });

  it('say how long the seventh of several waited', () => {
    const run = runOf('methods=fetch,ws-open&at-once=1,12&pieces=25', { fetch: { waitMs: 600 }, 'ws-open': {} });
    const { conclusion, sentences, tables } = findingsOf(stream, run).report;
    const [fetched] = summarize(run).rows.filter(({ atOnce }) => atOnce === 12);
    assert.equal(Math.round(Number(fetched.wait?.estimate)), 600);
    const isSaid = (/** @type {string} */ one) => /\b12 streams at once with fetch\b.*\b0\.60 s\b/.test(one);
    const others = runOf('methods=fetch,ws-open&at-once=12&pieces=25', { fetch: { waitMs: 600 }, 'ws-open': {} });
    assert.equal(findingsOf(stream, others).report.sentences.filter(isSaid).length, 1);
    // Once is enough.
    assert.match(String(conclusion), / Of 12 at once, .* 0\.60 s with fetch\b/);
    assert.deepEqual(sentences.filter(isSaid), []);
    // However far apart the pieces of each are.
    const slow = runOf('methods=fetch&at-once=12&pieces=10&rate=1', { fetch: { waitMs: 600 } });
    const said = findingsOf(stream, slow).report.sentences;
    assert.deepEqual(
      said.filter((one) => /\bnone waited\b/.test(one)),
      [],
    );
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

  it('say of a cut neither that something on the path buffers, nor which method is faster', (t) => {
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

  it('say of a cut what it cost after one block, too, and of anything else that a verdict needs six', () => {
    const [cut, whole] = ['cut=reset&pieces=40', 'pieces=40'].map((query) =>
      findingsOf(
        stream,
        runOf(`methods=fetch,events&blocks=1&${query}`, { fetch: { lastN: 20 }, events: { backMs: 4000 } }),
      ),
    );
    assert.match(String(cut.report.conclusion), /\bfetch 20\b/);
    assert.match(String(whole.report.conclusion), /\b1 of 6 blocks\b.*\bfetch\b/);
  });

  it('say something of a cut that broke no stream, or one that had all its pieces', () => {
    const unbroken = runOf('methods=fetch&cut=reset&pieces=40', { fetch: {} });
    assert.match(String(findingsOf(stream, unbroken).report.conclusion), /\bno stream\b/);
    for (const { streams } of unbroken.trials) streams[0].lostAtMs = [Number(streams[0].atMs.at(-1)) + 1];
    assert.match(String(findingsOf(stream, unbroken).report.conclusion), /\ball pieces\b.*\bfetch\b/);
  });

  it('have no column of how answers flow where all are too short to tell', () => {
    const { tables, arrivals } = findingsOf(stream, runOf('methods=fetch,ws&pieces=2', { fetch: {}, ws: {} })).report;
    assert.ok(tables[0].columns.every(({ title }) => title !== 'Flow'));
    assert.deepEqual(arrivals?.columns, ['First piece', 'Longest gap']);
  });

  it('are drawn for a block in which all methods were measured, the longest gap only where it is uneven', () => {
    const run = runOf('methods=fetch,poll', { fetch: {}, poll: POLL });
    const drawn = run.trials.filter(({ block, streamedBy }) => block === 2 && streamedBy === 'fetch');
    // The figures beside it are those of all blocks.
    drawn[0].streams[0].atMs[0] = 50;
    const { arrivals } = findingsOf(stream, run).report;
    assert.equal(arrivals?.rows[0].figures[0], firstOf(summarize(run).rows[0]));
    assert.notEqual(arrivals.rows[0].figures[0], '50 ms');
    assert.equal(arrivals.rows[1].label, 'Polling, 250 ms');
    assert.match(String(arrivals.note), /^Sent irregularly, up to \d+ ms apart\.$/);
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

describe('what a run of streams answers', () => {
  it('have no round trip of a connection that resumed a stream: its setup is not that of the first', () => {
    const run = runOf('methods=ws-resume&cut=reset&pieces=40', { 'ws-resume': { backMs: 700, lastN: 20 } });
    assert.ok(Number(stream.find(run).roundTripMs?.length) > 0);
    for (const { streams } of run.trials) streams[0].setUpMs = 10_000;
    assert.deepEqual(stream.find(run).roundTripMs, []);
  });

  it('is judged by today’s method with as many streams at once', () => {
    const run = runOf('methods=fetch,ws-open&at-once=1,12&pieces=25', { fetch: { waitMs: 600 }, 'ws-open': {} });
    const { rows } = summarize(run);
    const { answers = [] } = findingsOf(stream, run);
    for (const { at, bars } of answers) {
      const base = rows.find(({ method, atOnce }) => method === 'fetch' && atOnce === (at === 'first piece' ? 1 : 12));
      assert.equal(bars?.[0].value, base?.first?.estimate, at);
    }
    assert.equal(answers.length, 2);
    assert.notEqual(answers[0].bars?.[0].value, answers[1].bars?.[0].value);
  });

  it('is stored with the methods that it compares, with a verdict or without', () => {
    for (const [query, subject] of [
      ['methods=fetch,ws-open', 'Open WebSocket compared with fetch, first piece'],
      ['methods=events,sockjs', 'SockJS compared with EventSource, first piece'],
      ['methods=events,socketio&today=events&blocks=2', 'Socket.IO compared with EventSource'],
      ['methods=events,fetch&today=events', 'fetch compared with EventSource'],
      ['methods=poll&today=poll', 'Polling'],
    ]) {
      const { methods } = planOf(query);
      const run = runOf(query, Object.fromEntries(methods.map((name) => [name, {}])));
      assert.deepEqual(
        digestOf(stream, run).answers?.map((one) => one.subject),
        [subject],
      );
    }
  });

  it('takes no first piece for a round trip that something held back', () => {
    const run = runOf('methods=fetch,ws-open,poll', {
      fetch: { collects: 40 },
      'ws-open': { firstMs: 50 },
      poll: POLL,
    });
    const { roundTripMs = [] } = findingsOf(stream, run);
    assert.equal(roundTripMs.length, 12);
    assert.ok(Math.max(...roundTripMs) < 120, roundTripMs.join());
  });
});

describe('the live picture of streams', () => {
  it('has an axis before anything came, however soon all is due', () => {
    const plan = planOf('rate=0&pieces=10');
    for (const atMs of [[], [0.2]]) {
      const underWay = {
        planned: { block: 0, streamedBy: 'fetch', atOnce: 1 },
        soFar: [{ askedAtMs: 0, sentMs: atMs, atMs, lostAtMs: [] }],
      };
      const { range } = arrivalsSoFar({ plan, trials: [], underWay });
      assert.ok(range[1] > range[0] && Number.isFinite(range[1]), range.join());
    }
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

  it('counts what a trial waits for besides its pieces: the next poll, others over HTTP/1.1, and a lost connection', () => {
    const STREAM_SECONDS = 2;
    const secondsFor = (/** @type {string} */ query) => secondsOf(planOf(`pieces=101&rate=50&blocks=1&${query}`), 0);
    const once = secondsFor('methods=ws&today=ws');
    assert.ok(secondsFor('methods=poll&today=poll&interval=5000') >= once + 4);
    assert.equal(secondsFor('methods=ws&today=ws&at-once=12'), once);
    assert.ok(secondsFor('methods=fetch&at-once=12') >= once + STREAM_SECONDS);
    assert.ok(secondsFor('methods=fetch-resume&today=fetch-resume&cut=reset') >= once + 1);
    assert.ok(secondsFor('methods=events&today=events&cut=reset') >= once + 3);
    assert.equal(secondsFor('methods=fetch&cut=reset'), once);
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
