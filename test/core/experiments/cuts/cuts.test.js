/** What each cut costs each method, against known truths over virtual time, and what is said of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summarize } from '../../../../core/experiments/cuts/summary.js';
import { parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { problemOf } from '../../../../core/experiment/documents/problem.js';
import { sleep } from '../../../../core/base/async.js';
import { fullTest } from '../../../../core/experiments/cuts/full-test.js';
import { cuts } from '../../../../core/experiments/cuts/index.js';
import { feedsOf, secondsOf } from '../../../../core/experiments/cuts/plan.js';
import { conclusionOf } from '../../../../core/experiments/cuts/words.js';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { formatText } from '../../../../core/experiment/report/report.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import { lengthMsOf } from '../../../../core/net/feed/feed.js';
import { complaintOf } from '../../../support/complaint.js';
import { situationOf } from '../../../support/full-tests.js';
import { useGolden } from '../../../support/golden.js';
import { createScriptedFeed } from '../../../support/scripted-feed.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

const matchGolden = useGolden(import.meta.url);

const ALL = 'poll,ws,ws-ping,ws-replay,sockjs,sockjs-ping,sockjs-replay,events';
const PLAIN = ['ws', 'sockjs'];
const PINGING = ['ws-ping', 'sockjs-ping', 'ws-replay', 'sockjs-replay'];
const REPLAYING = ['poll', 'ws-replay', 'sockjs-replay', 'events'];

/**
 * @param {string} query
 * @param {Parameters<typeof createScriptedFeed>[1] & { stopAtMs?: number, linkCutMs?: number, isForGood?: boolean }} [script]
 *   `linkCutMs`: how long the link is said to be cut; `isForGood`: it is said to forget its connections
 * @returns {Promise<any>}
 */
async function run(query, { stopAtMs, linkCutMs, isForGood, ...script } = {}) {
  const time = createVirtualTime();
  const plan = parsePlan(cuts, new URLSearchParams(query), { seed: 5 });
  const controller = new AbortController();
  const stop = () => controller.abort({ kind: 'cancelled', reason: 'The run was cancelled.' });
  if (stopAtMs !== undefined) time.timers.setTimeout(stop, stopAtMs);
  const means = createScriptedFeed(time, script);
  const cutLink = async () => {
    const fromMs = time.now();
    await sleep(Number(linkCutMs), { timers: time.timers });
    return { fromMs, ...(!isForGood && { toMs: time.now() }) };
  };
  const options = { plan, signal: controller.signal, ...means, ...(linkCutMs !== undefined && { cutLink }) };
  const found = await time.run(runExperiment(cuts, options));
  const environment = { url: 'http://scripted/', userAgent: 'Node.js v22', isCrossOriginIsolated: false };
  const document = { schema: cuts.schema, startedAt: '2026-11-21T07:00:00.000Z', plan, environment, ...found };
  return { document, summary: summarize(document), elapsedMs: time.now() };
}

/** @param {any} summary @param {string} cut @param {string} delivery */
const rowOf = ({ rows }, cut, delivery) =>
  rows.find((/** @type {any} */ row) => row.cut === cut && row.delivery === delivery);

describe('a cut', () => {
  for (const cut of ['close', 'reset', 'stall', 'dead']) {
    it(`of the kind ${cut}: each message is received or lost, and what replays loses none`, async (t) => {
      const { document, summary } = await run(`cuts=${cut}&deliveries=${ALL}`);
      assert.equal(document.ending, undefined);
      assert.equal(problemOf(cuts, document), undefined);
      for (const { delivery, figures, lost, doubled, outOfOrder } of summary.rows) {
        for (const { sentCount, receivedCount, lostCount } of figures)
          assert.equal(sentCount, receivedCount + lostCount);
        assert.deepEqual([doubled.max, outOfOrder.max], [0, 0], delivery);
        if (REPLAYING.includes(delivery)) assert.equal(lost.max, 0, delivery);
      }
      const { conclusion, sentences, tables } = reportOf(cuts, document);
      matchGolden(t, 'cuts', [
        String(conclusion),
        ...sentences,
        ...cellsOf(tables[0]).map((cells) => cells.join(' | ')),
      ]);
    });
  }

  it('that leaves a connection dead is noticed by pings after 5 to 10 s, and else when it is over', async () => {
    const { summary } = await run(`cuts=dead&deliveries=${ALL}`);
    for (const delivery of PINGING) {
      const { noticed } = rowOf(summary, 'dead', delivery);
      assert.equal(noticed.count, 6);
      assert.ok(noticed.min >= 5000 && noticed.max <= 10_000, `${delivery}: ${noticed.min} to ${noticed.max}`);
      // The instants of the cut are spread over the time between two pings.
      assert.ok(noticed.max - noticed.min >= 2500, delivery);
    }
    for (const delivery of PLAIN) assert.equal(rowOf(summary, 'dead', delivery).noticed.min, 20_000);
    // A poll has its own limit.
    const { noticed } = rowOf(summary, 'dead', 'poll');
    assert.ok(noticed.min >= 10_000 && noticed.max <= 12_000);
  });

  it('costs what comes until the connection is back', async () => {
    const { summary } = await run('cuts=dead&deliveries=ws,ws-ping');
    for (const delivery of ['ws', 'ws-ping']) {
      for (const { lostCount, backMs } of rowOf(summary, 'dead', delivery).figures) {
        // Two messages per second, of which the first comes up to half a second after the cut.
        assert.ok(Math.abs(lostCount - (2 * backMs) / 1000) <= 1, `${lostCount} lost, back after ${backMs} ms`);
      }
    }
  });

  it('costs every message until it is over, however long the one that is back then takes to arrive', () => {
    const [lost, noticed] = [14, 6010].map((one) => ({ median: one, min: one, max: one, count: 1 }));
    const answers = [7020, 7520, 7700].map((ms) => {
      const row = { cut: 'dead', delivery: 'ws', cutCount: 1, isByReset: true, lost, noticed, back: { median: ms } };
      return conclusionOf(/** @type {any} */ ({ plan: { rate: 2, seconds: 6 }, rows: [row] }));
    });
    assert.equal(new Set(answers).size, 1, answers.join('\n'));
    assert.match(answers[0], /every message/);
  });

  it('that only stalls a connection costs those who give it up too early', async () => {
    const { document, summary } = await run('cuts=stall,dead&deliveries=sockjs,sockjs-ping,sockjs-replay');
    assert.equal(rowOf(summary, 'stall', 'sockjs').lost.max, 0);
    assert.equal(rowOf(summary, 'stall', 'sockjs').noticed, undefined);
    assert.ok(rowOf(summary, 'stall', 'sockjs-ping').lost.min > 0);
    assert.equal(rowOf(summary, 'stall', 'sockjs-replay').lost.max, 0);
    const { sentences } = reportOf(cuts, document);
    assert.ok(sentences.some((words) => words.startsWith('Ping without replay cost SockJS messages')));
    assert.ok(!sentences.some((words) => words.startsWith('With ping, SockJS lost fewer')));
  });

  it('of nobody costs nothing, and tests nothing', async () => {
    const { document, summary } = await run(`cuts=watch&watch=20&blocks=1&deliveries=${ALL}`, { roundTripMs: 40 });
    const { conclusion, nextStep, sentences } = reportOf(cuts, document);
    assert.match(String(conclusion), /^No verdict: no cut was seen\./);
    assert.equal(nextStep, 'again');
    assert.ok(!sentences.includes('No cut was seen.'));
    assert.equal(fullTest.answer(summary, { ...situationOf(), rttMs: 1 })?.reason, conclusion);
    for (const { delivery, lost, doubled, noticed, latest, cutCount } of summary.rows) {
      assert.deepEqual([lost.max, doubled.max, noticed, cutCount], [0, 0, undefined, 0], delivery);
      assert.ok(latest.max <= (delivery === 'poll' ? 2100 : 100), `${delivery}: ${latest.max}`);
    }
  });
});

describe('the delays in the conclusion of a run of cuts', () => {
  it('are the longest of all blocks, not their median', async () => {
    const { summary } = await run('cuts=watch&watch=20&blocks=1&deliveries=poll,ws', { roundTripMs: 40 });
    const of = (/** @type {number} */ max) => ({ min: 0, median: max / 3, max, count: 3 });
    const rows = summary.rows.map((/** @type {any} */ row) => ({
      ...row,
      latest: of(row.delivery === 'poll' ? 6000 : 40),
    }));
    assert.match(
      conclusionOf({ ...summary, rows, seen: [{ fromMs: 0, toMs: 6000 }] }),
      /polling every 2 s was up to 6\.0 s late, webSocket under 0\.1 s\./i,
    );
  });
});

describe('the card of a run of cuts', () => {
  it('draws the seconds of messages that each method lost, and names the one that lost most', async () => {
    const { document, summary } = await run('cuts=dead,close&deliveries=poll,ws,ws-ping');
    const lead = reportOf(cuts, document).lead ?? assert.fail('no card');
    const lostMs = ['ws', 'ws-ping'].map((name) => rowOf(summary, 'dead', name).back.median);
    assert.deepEqual(
      lead.bars?.map(({ name, value }) => [name, value]),
      [
        ['Polling every 2 s', 0],
        ['WebSocket', lostMs[0]],
        ['WebSocket with ping', lostMs[1]],
      ],
    );
    assert.deepEqual([lead.subject, lead.estimate, lead.unit], ['ws', lostMs[0] / 1000, 'lost-seconds']);
  });

  it('draws how late the latest messages came where none was lost, and nothing for one method', async () => {
    const { document, summary } = await run('cuts=watch&watch=20&blocks=1&deliveries=poll,ws');
    const lead = reportOf(cuts, document).lead ?? assert.fail('no card');
    assert.deepEqual(
      lead.bars?.map(({ value }) => value),
      summary.rows.map((/** @type {any} */ { latest }) => latest.median),
    );
    assert.deepEqual(
      [lead.subject, lead.unit, lead.mark, lead.word],
      ['poll', 'late-seconds', 'unclear', 'No verdict'],
    );
    assert.equal(reportOf(cuts, (await run('cuts=watch&watch=2&blocks=1&deliveries=poll')).document).lead, undefined);
  });
});

describe('the answer in a full test', () => {
  const answered = async (/** @type {string} */ plan) => {
    const { document } = await run(`cuts=dead&blocks=3&deliveries=sockjs,sockjs-ping&${plan}`);
    return fullTest.answer(cuts.find(document).summary, { ...situationOf(), rttMs: 1 });
  };

  it('has the time that a ping takes, whatever the rate and the length of the cut', async () => {
    for (const plan of ['seconds=15', 'seconds=25', 'seconds=25&rate=10']) {
      const { estimate = NaN, unit } = (await answered(plan)) ?? {};
      assert.equal(unit, 'lost-seconds');
      // 5 s to the next ping at most, 5 s without an answer, and 1 s ±25% to the reconnection.
      assert.ok(estimate >= 5 && estimate <= 12, `${plan}: ${estimate}`);
    }
  });

  it('has none where the plan ended the cut before', async () => {
    assert.equal((await answered('seconds=2'))?.estimate, undefined);
  });
});

describe('a cut of the link itself', () => {
  const plan = 'cuts=watch&watch=30&blocks=5&deliveries=ws-ping,events';

  it('comes once per block, at instants of all parts of the longest timer, from which the figures count', async () => {
    const { document, summary } = await run(plan, { linkCutMs: 6000, roundTripMs: 40 });
    assert.equal(problemOf(cuts, document), undefined);
    for (const delivery of ['ws-ping', 'events']) {
      const trials = document.trials.filter((/** @type {any} */ trial) => trial.delivery === delivery);
      const parts = trials.map((/** @type {any} */ { linkCut, feedAtMs }) =>
        Math.floor((linkCut.fromMs - feedAtMs - 3000) / 1000),
      );
      assert.deepEqual(parts.toSorted(), [0, 1, 2, 3, 4]);
      const { figures, linkCut } = rowOf(summary, 'watch', delivery);
      assert.deepEqual(linkCut, { lastsMs: 6000 });
      // Nothing is really dropped here: the next of two messages per second comes at once.
      for (const { backMs } of figures) assert.ok(backMs > 0 && backMs <= 600, `${backMs}`);
    }
    const { tables, timelines } = reportOf(cuts, document);
    assert.match(String(tables[0].heading), /6 s/);
    assert.deepEqual([timelines?.[0].band?.from, timelines?.[0].band?.to], [0, 6]);
  });

  it('is for good where the link forgets, which is said of the time that was watched, and is no finding', async () => {
    // Nothing is really dropped here but by the server, which tells nobody while the feed lasts.
    const query = 'cuts=watch&watch=40&blocks=1&deliveries=poll,ws,ws-ping';
    const [{ instantMs: at }] = feedsOf(/** @type {any} */ (parsePlan(cuts, new URLSearchParams(query), { seed: 5 })));
    const ownCut = { cut: /** @type {const} */ ('dead'), at, for: 60_000 };
    const { document, summary } = await run(query, { linkCutMs: 0, isForGood: true, ownCut });
    assert.equal(problemOf(cuts, document), undefined);
    const [poll, ws, ping] = summary.rows;
    assert.deepEqual([poll.lost.max, ws.noticed, ws.back, ws.latest], [0, undefined, undefined, undefined]);
    assert.equal(ws.linkCut.lastsMs, undefined);
    assert.ok(ping.noticed.max <= 10_000);
    const { conclusion, sentences, timelines } = reportOf(cuts, document);
    assert.match(String(conclusion), /WebSocket did not notice, and lost every message in the next 3\d s/);
    assert.ok(sentences.includes('Polling lost none: it asks for all since its last message.'));
    assert.ok(Number(timelines?.[0].band?.to) > 30);
  });

  it('is none of a trial in which the server cuts, and none where nothing can cut the link', async () => {
    const { document } = await run('cuts=reset&deliveries=ws&blocks=1', { linkCutMs: 6000 });
    assert.equal(document.trials[0].linkCut, undefined);
    const [trial] = document.trials;
    const wrong = { ...document, trials: [{ ...trial, linkCut: { fromMs: 4000, toMs: 5000 } }] };
    assert.match(JSON.stringify(problemOf(cuts, wrong)), /a cut of the link/);
    const whole = await run(plan);
    assert.ok(whole.document.trials.every((/** @type {any} */ { linkCut }) => linkCut === undefined));
    assert.deepEqual(reportOf(cuts, whole.document).timelines, []);
  });

  it('need not be over for a run to stop', async () => {
    const { document, elapsedMs } = await run(plan, { linkCutMs: 60_000, stopAtMs: 10_000 });
    assert.equal(document.ending.kind, 'cancelled');
    assert.ok(elapsedMs < 60_000, `${elapsedMs}`);
  });
});

describe('a cut that nobody announced', () => {
  const RATE = 2;
  /** The feed begins with the run, as no message takes any time here. */
  const AT_MS = 20_130;

  for (const [cut, lastsMs, methods] of /** @type {const} */ ([
    ['dead', 20_000, ALL],
    ['reset', 0, 'ws,ws-replay,sockjs,events'],
    ['close', 0, 'ws'],
  ])) {
    it(`is noticed as long after it as it took, where it is of the kind ${cut}`, async () => {
      const ownCut = { cut, at: AT_MS, for: lastsMs };
      const { document, summary } = await run(`cuts=watch&watch=60&rate=${RATE}&blocks=1&deliveries=${methods}`, {
        ownCut,
      });
      for (const { delivery, figures, noticed, cutCount } of summary.rows) {
        const { losses } = document.trials.find((/** @type {any} */ trial) => trial.delivery === delivery);
        const trueMs = losses.find((/** @type {any} */ { atMs }) => atMs >= AT_MS).atMs - AT_MS;
        // Nobody knows more than that it came after the last message.
        const error = figures[0].noticedMs - trueMs;
        assert.ok(error >= 0 && error <= 1000 / RATE, `${delivery}: ${figures[0].noticedMs}, not ${trueMs} ms`);
        assert.deepEqual([noticed.count, cutCount], [1, 1], delivery);
      }
      assert.equal(reportOf(cuts, document).timelines?.length, 1);
    });
  }

  it('is one after which nothing is back where nothing came, though the start of the feed is known to 100 ms only', async () => {
    const ownCut = { cut: /** @type {const} */ ('dead'), at: AT_MS, for: 60_000 };
    const { document } = await run('cuts=watch&watch=40&blocks=1&deliveries=ws,sockjs', { ownCut });
    const trials = document.trials.map((/** @type {any} */ trial) => ({ ...trial, requestMs: 200, feedAtMs: 100 }));
    for (const { back } of summarize({ ...document, trials }).rows) assert.equal(back, undefined);
  });

  it('is one that no method noticed, where all messages came late', async () => {
    const ownCut = { cut: /** @type {const} */ ('stall'), at: AT_MS, for: 4500 };
    const { document, summary } = await run('cuts=watch&watch=60&blocks=1&deliveries=ws,sockjs', { ownCut });
    for (const row of summary.rows) assert.deepEqual([row.noticed, row.cutCount, row.lost.max], [undefined, 1, 0]);
    assert.match(reportOf(cuts, document).sentences.join(' '), /\bnothing came for [45]\.\d s\./);
    assert.deepEqual(
      cellsOf(reportOf(cuts, document).tables[0]).map(([, noticed]) => noticed),
      ['not noticed', 'not noticed'],
    );
  });
});

describe('the figures of cuts', () => {
  it('count messages that are dropped or doubled on the way', async () => {
    const script = { drops: [3, 4], doubles: [6] };
    const { document, summary } = await run('cuts=watch&watch=10&blocks=1&deliveries=ws', script);
    const [{ sentCount, receivedCount, lostCount, doubledCount }] = summary.rows[0].figures;
    assert.deepEqual([sentCount, receivedCount, lostCount, doubledCount], [20, 18, 2, 1]);
    const lines = cuts.formatCsv(document).split('\n');
    assert.equal(lines.filter((line) => line.includes(',lost,')).length, 2);
    assert.equal(lines.filter((line) => line.includes(',doubled,')).length, 1);
    assert.equal(lines.filter((line) => line.includes(',ok,')).length, 18);
  });

  it('have intervals from six blocks on, and ranges before', async () => {
    const { summary } = await run('cuts=reset&deliveries=ws&blocks=6');
    assert.ok(rowOf(summary, 'reset', 'ws').back.interval);
    const few = await run('cuts=reset&deliveries=ws&blocks=5');
    assert.equal(rowOf(few.summary, 'reset', 'ws').back.interval, undefined);
    assert.match(formatText(cuts, few.document), /Only 5 cuts of each kind/);
  });
});

describe('a run of cuts', () => {
  it('says so when the server makes no feed', async () => {
    const { document } = await run('cuts=reset&blocks=1&deliveries=poll,ws', { isGone: true });
    assert.equal(document.ending.kind, 'invalid');
    assert.match(document.ending.reason, /The server is shutting down/);
    assert.equal(problemOf(cuts, document), undefined);
  });

  it('waits 10 s for a feed, and keeps what it has if it is stopped by then', async () => {
    const { document, elapsedMs } = await run('cuts=reset&blocks=1&deliveries=ws', { isMute: true });
    assert.match(document.ending.reason, /No feed within 10 s/);
    assert.ok(elapsedMs < 15_000, String(elapsedMs));
    const stopped = await run('cuts=reset&blocks=1&deliveries=ws', { isMute: true, stopAtMs: 2000 });
    assert.equal(stopped.document.ending.kind, 'cancelled');
  });

  it('does not take a session without a WebSocket for one that survived', async () => {
    const { document, summary } = await run('cuts=reset&blocks=1&deliveries=ws,sockjs', { fallback: 'xhr-streaming' });
    assert.deepEqual(
      summary.rows.map((/** @type {any} */ { delivery }) => delivery),
      ['ws'],
    );
    assert.match(document.trials[1].failure.message, /Not cut: messages went over xhr-streaming/);
    assert.equal(problemOf(cuts, document), undefined);
  });

  it('cuts polls off, too, after one that failed before', async () => {
    const { summary } = await run('cuts=dead&deliveries=poll', { refusedPollCount: 1 });
    assert.equal(rowOf(summary, 'dead', 'poll').noticed.count, 6);
  });

  it('gives polls the time for an interval after the one that was cut off', async () => {
    const { summary } = await run('cuts=reset&deliveries=poll&interval=15000');
    const { noticed, lost } = rowOf(summary, 'reset', 'poll');
    assert.deepEqual([noticed.count, lost.max], [6, 0]);
  });

  it('waits by chance before each reconnection, not as long in every block', async () => {
    const { summary } = await run('cuts=close&deliveries=ws');
    const backMs = rowOf(summary, 'close', 'ws').figures.map((/** @type {any} */ one) => one.backMs);
    assert.ok(new Set(backMs.map((/** @type {number} */ ms) => ms.toFixed(1))).size > 1, String(backMs));
  });

  it('is valid though the server restarted, where somebody else does the cutting', async () => {
    const status = (/** @type {string} */ startedAt) => ({ workers: [{ worker: 0, startedAt }] });
    const restart = {
      statusBefore: status('2026-11-21T07:00:00.000Z'),
      statusAfter: status('2026-11-21T07:00:05.000Z'),
    };
    for (const [cut, path] of [
      ['watch', undefined],
      ['reset', 'ending'],
    ]) {
      const { document } = await run(`cuts=${cut}&watch=5&blocks=1&deliveries=ws`);
      assert.equal(problemOf(cuts, { ...document, ...restart })?.path, path, cut);
    }
  });

  it('keeps whole trials only, when it is stopped', async () => {
    const { document } = await run('cuts=reset&blocks=2&deliveries=poll,ws', { stopAtMs: 20_000 });
    assert.equal(document.ending.kind, 'cancelled');
    assert.deepEqual(
      document.trials.map((/** @type {any} */ { block }) => block),
      [0, 0],
    );
    assert.equal(problemOf(cuts, document), undefined);
    assert.equal(reportOf(cuts, document).headline, 'Stopped: no verdict');
  });

  it('takes as long as it says, within a few seconds per cut', async () => {
    const plan = 'cuts=close,dead&blocks=2';
    const { document, elapsedMs } = await run(plan);
    const expectedMs = secondsOf(document.plan) * 1000;
    assert.ok(Math.abs(elapsedMs - expectedMs) < 0.3 * expectedMs, `${elapsedMs} of ${expectedMs}`);
  });

  it('cuts each kind at instants of all parts of the longest timer', () => {
    const plan = parsePlan(cuts, new URLSearchParams('cuts=reset,dead&deliveries=ws-ping&blocks=5'), { seed: 9 });
    for (const cut of ['reset', 'dead']) {
      const parts = feedsOf(plan)
        .filter((feed) => feed.cut === cut)
        .map(({ options }) => Math.floor((options.cutAtMs - 3000) / 1000));
      assert.deepEqual(parts.toSorted(), [0, 1, 2, 3, 4]);
    }
    for (const { options } of feedsOf(plan)) assert.ok(lengthMsOf(options) <= 180_000);
  });

  for (const [query, name, got] of [
    ['cuts=bang', 'cuts', 'bang'],
    ['deliveries=pigeon', 'deliveries', 'pigeon'],
    ['seconds=26', 'seconds', '26'],
    ['rate=20&blocks=50&seconds=25&cuts=stall,dead', 'blocks times cuts times delivery methods times messages'],
  ]) {
    it(`is refused for ?${query}`, () => {
      assert.throws(() => parsePlan(cuts, new URLSearchParams(query), { seed: 1 }), complaintOf(name, got));
    });
  }
});
