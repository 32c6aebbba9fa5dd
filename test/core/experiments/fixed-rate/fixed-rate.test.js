import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import SockJS from 'sockjs-client';
import { formatPlan, parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { fixedRate } from '../../../../core/experiments/fixed-rate/index.js';
import { sampleCountOf } from '../../../../core/experiments/fixed-rate/plan.js';
import {
  findOverload,
  measureSendDelays,
  summarizeFixedRate,
  summarize,
} from '../../../../core/experiments/fixed-rate/summary.js';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { MAX_UNANSWERED_COUNT, runOpenTrial } from '../../../../core/experiments/fixed-rate/open-trial.js';
import { createTransport } from '../../../../core/net/echo/index.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { withServer } from '../../../support/two-workers.js';
import { createVirtualPipe } from '../../../support/virtual-pipe.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * @import { ClosedLoopTrial, OpenLoopTrial } from '../../../../core/experiments/fixed-rate/schema.js'
 * @import { Progress } from '../../../../core/net/echo/trial.js'
 */

const matchGolden = useGolden(import.meta.url);
const RTT_MS = 10;
const PLAN = { transports: ['sockjs'], ratePerSecond: 50, messages: 100, blocks: 1, seed: 1 };
const WARM_UP = 6;
const IN_BROWSER = { isInBrowser: true };

/**
 * @param {Parameters<typeof createVirtualPipe>[1] & { late?: (atMs: number) => number }} [options] `late` makes the sender wake late
 * @param {Partial<Parameters<typeof runOpenTrial>[0]>} [trialOptions]
 */
async function runOpen(options = {}, trialOptions = {}) {
  const time = createVirtualTime();
  const pipe = createVirtualPipe(time, options);
  const trial = await time.run(
    runOpenTrial({
      transport: pipe.transport,
      ratePerSecond: 50,
      messages: 20,
      now: time.now,
      sleepUntil: (atMs) => time.sleepUntil(options.late ? options.late(atMs) : atMs),
      ...trialOptions,
    }),
  );
  return { trial, ...pipe };
}

/** @param {any} run */
const documentOf = ({ userAgent = 'a|b', ...run }) => ({
  schema: fixedRate.schema,
  startedAt: '2026-11-21T10:00:00.000Z',
  environment: { url: 'https://example.org/fixedrate', userAgent, isCrossOriginIsolated: true },
  ...run,
});

describe('an open-loop trial', () => {
  it('sends each message at its planned time, whatever came back', async () => {
    const { trial, state } = await runOpen({ stall: { fromMs: 100, toMs: 300 } });
    const { iteration, plannedAtMs, sentAtMs, endedAtMs } = trial.samples;
    const expected = Array.from({ length: 20 }, (_, i) => RTT_MS + i * 20);
    assert.deepEqual(
      iteration,
      expected.map((_, i) => i),
    );
    assert.deepEqual(plannedAtMs, expected);
    assert.deepEqual(sentAtMs, expected);
    assert.equal(endedAtMs[0], RTT_MS + RTT_MS);
    assert.deepEqual([trial.failures, trial.missed], [[], { unansweredCount: 0, endedCount: 0 }]);
    assert.equal(new Set(state.counts).size, WARM_UP + 20);
    assert.equal(state.closeCount, 1);
  });

  it('sends all that are due when its sender wakes late, and counts since they were due all the same', async () => {
    // The sixth message's time is 110 ms, to which the sender wakes at 175: to the sixth to ninth.
    const { trial } = await runOpen({ late: (atMs) => (atMs === 1000 + 110 ? 1000 + 175 : atMs) });
    const { plannedAtMs, sentAtMs } = trial.samples;
    assert.deepEqual(plannedAtMs.slice(4, 11), [90, 110, 130, 150, 170, 190, 210]);
    assert.deepEqual(sentAtMs.slice(4, 11), [90, 175, 175, 175, 175, 190, 210]);
    const run = { ...trial, loop: /** @type {const} */ ('open'), block: 0 };
    const [, plan, send] = summarizeFixedRate({ ...PLAN, messages: 20 }, [run]);
    // Late is what left more than an interval, 20 ms, after its time: the sixth, by 65, the seventh, by 45, the eighth, by 25.
    assert.deepEqual([plan.lateCount, plan.missedCount, plan.maxMs, send.maxMs], [3, 0, 75, 10]);
    assert.equal(measureSendDelays([run]).p50Ms, 0);
  });

  it('counts what is never sent as too many are unanswered', async () => {
    const messages = MAX_UNANSWERED_COUNT + 50;
    const stall = { fromMs: RTT_MS, toMs: 10_000 };
    const { trial } = await runOpen({ stall }, { ratePerSecond: 1000, messages, timeoutMs: 1e6 });
    assert.deepEqual(trial.missed, { unansweredCount: 50, endedCount: 0 });
    assert.equal(trial.samples.iteration.length, MAX_UNANSWERED_COUNT);
  });

  it('counts failures, and goes on over HTTP', async () => {
    const fail = (/** @type {number} */ count) => (count === WARM_UP + 3 ? 'rejected' : undefined);
    const { trial } = await runOpen({ socket: false, fail });
    assert.deepEqual(trial.failures, [
      { outcome: 'rejected', message: 'scripted rejected', iteration: 3, plannedAtMs: 70, sentAtMs: 70 },
    ]);
    assert.equal(trial.samples.iteration.length, 19);
    assert.deepEqual(trial.missed, { unansweredCount: 0, endedCount: 0 });
  });

  it('ends with a socket that is lost, and counts the rest as missed', async () => {
    const fail = (/** @type {number} */ count) => (count === WARM_UP + 3 ? 'closed' : undefined);
    const { trial } = await runOpen({ fail });
    assert.deepEqual([trial.samples.iteration.length, trial.failures.length], [3, 1]);
    assert.deepEqual(trial.missed, { unansweredCount: 0, endedCount: 16 });
  });

  it('ends where no answer comes, and counts what was sent until then as timed out', async () => {
    const fail = (/** @type {number} */ count) => (count >= WARM_UP + 18 ? 'silence' : undefined);
    const { trial } = await runOpen({ socket: false, fail }, { timeoutMs: 20 });
    assert.deepEqual(
      trial.failures.map(({ outcome, iteration }) => [outcome, iteration]),
      [
        ['timeout', 18],
        ['timeout', 19],
      ],
    );
    assert.deepEqual(trial.missed, { unansweredCount: 0, endedCount: 0 });
  });

  it('sends nothing by its plan where its connection fails', async () => {
    const { trial } = await runOpen({ fail: () => 'closed' });
    assert.equal(trial.failures.length, WARM_UP);
    assert.deepEqual(trial.failures[0], { outcome: 'closed', message: 'scripted closed' });
    assert.deepEqual(trial.missed, { unansweredCount: 0, endedCount: 20 });
  });
});

describe('a run at a fixed rate', () => {
  it('shows a stall in as many messages as were due during it, and once in the back-to-back loop', async () => {
    const time = createVirtualTime();
    // In the back-to-back trial, after its warm-up of 30 ms, the message that leaves at 500 waits for its end.
    const { transport } = createVirtualPipe(time, { stall: { fromMs: 500, toMs: 1500 } });
    const { now, sleepUntil } = time;
    const { trials } = await time.run(
      runExperiment(fixedRate, { plan: PLAN, transports: { sockjs: transport }, now, sleepUntil }),
    );
    const open = /** @type {OpenLoopTrial} */ (trials.find(({ loop }) => loop === 'open'));
    const closed = /** @type {ClosedLoopTrial} */ (trials.find(({ loop }) => loop === 'closed'));
    assert.deepEqual(
      closed.samples.roundTripMs.filter((ms) => ms > RTT_MS),
      [1000 + RTT_MS],
    );
    const latencies = open.samples.endedAtMs.map((endedMs, i) => endedMs - open.samples.plannedAtMs[i]);
    // 50 a second are due while it lasts, one second: each waits for its end.
    const delayed = latencies.filter((ms) => ms > RTT_MS);
    assert.equal(delayed.length, 50);
    assert.deepEqual([Math.max(...delayed), Math.min(...delayed)], [1000, 20]);
    const [back, plan] = summarizeFixedRate(PLAN, trials);
    assert.deepEqual([back.p95Ms, Number(plan.p95Ms) > 500], [RTT_MS, true]);
    assert.equal(findOverload(PLAN, trials, IN_BROWSER), undefined);
  });

  it('has both loops of every transport once in each block, in an order that its seed gives', () => {
    const plan = { ...PLAN, transports: ['ajax', 'sockjs'], blocks: 4, seed: 5 };
    const trials = fixedRate.trialsOf(plan);
    for (const block of [0, 1, 2, 3]) {
      const own = trials.filter((trial) => trial.block === block).map(({ transport, loop }) => `${transport} ${loop}`);
      assert.deepEqual(own.toSorted(), ['ajax closed', 'ajax open', 'sockjs closed', 'sockjs open']);
    }
    assert.deepEqual(trials, fixedRate.trialsOf(plan));
    assert.notDeepEqual(trials, fixedRate.trialsOf({ ...plan, seed: 6 }));
  });

  it('finds where connections end a rate, and how the queue grew', async (t) => {
    const time = createVirtualTime();
    const ajax = createVirtualPipe(time, { name: 'ajax', socket: false, protocol: 'http/1.1', connections: 6 });
    const sockjs = createVirtualPipe(time, { protocol: 'websocket' });
    const plan = { transports: ['ajax', 'sockjs'], ratePerSecond: 1000, messages: 120, blocks: 6, seed: 2 };
    const transports = { ajax: ajax.transport, sockjs: sockjs.transport };
    const { now, sleepUntil } = time;
    const run = await time.run(runExperiment(fixedRate, { plan, transports, now, sleepUntil }));
    const [ajaxTrials, sockjsTrials] = plan.transports.map((name) =>
      run.trials.filter(({ transport }) => transport === name),
    );
    assert.equal(findOverload(plan, sockjsTrials, IN_BROWSER), undefined);
    const overload = findOverload(plan, ajaxTrials, IN_BROWSER);
    // Six at a time, 10 ms each: 600/s, and 5 ms until all six are at work. After 119 ms 120 were sent, 66 answered.
    assert.equal(overload?.connectionsCarryPerSecond, 600);
    assert.equal(overload?.maxUnansweredCount, 54);
    assert.equal(overload?.carriedPerSecond.estimate.toFixed(0), '585');
    assert.ok(findOverload(plan, ajaxTrials, { isInBrowser: false }));
    const planned = summarizeFixedRate(plan, run.trials).find(
      (row) => row.transport === 'sockjs' && row.view === 'plan',
    );
    assert.deepEqual(
      [planned?.protocols, planned?.p50Ms, planned?.p95Ms, planned?.p99Ms, planned?.maxMs],
      [['websocket'], RTT_MS, RTT_MS, RTT_MS, RTT_MS],
    );
    assert.deepEqual(measureSendDelays(run.trials), { p50Ms: 0, p99Ms: 0 });

    const document = documentOf({ plan, ...run });
    assert.deepEqual(
      summarize(document).transports.map(({ transport, outcome, speedUp }) => [transport, outcome, speedUp]),
      [
        ['ajax', 'behind', undefined],
        ['sockjs', 'carried', undefined],
      ],
    );
    const markdown = formatMarkdown(fixedRate, document);
    matchGolden(t, 'fixed-rate', markdown);

    const byNode = documentOf({ plan, ...run, userAgent: 'Node.js v22.0.0' });
    assert.doesNotMatch(reportOf(fixedRate, byNode).sentences.join(' '), /connections/);
  });

  it('states how fast a transport was only under a verdict of six blocks', async (t) => {
    const time = createVirtualTime();
    const [slow, quick] = [createVirtualPipe(time, { name: 'ajax', rttMs: 4 * RTT_MS }), createVirtualPipe(time)];
    const transports = { ajax: slow.transport, sockjs: quick.transport };
    const plan = { transports: ['ajax', 'sockjs'], ratePerSecond: 50, messages: 20, blocks: 6, seed: 2 };
    const { now, sleepUntil } = time;
    const run = await time.run(runExperiment(fixedRate, { plan, transports, now, sleepUntil }));
    const document = documentOf({ plan, ...run });
    const [, sockjs] = summarize(document).transports;
    assert.deepEqual([sockjs.speedUp?.verdict, sockjs.speedUp?.ratio?.estimate.toFixed(6)], ['faster', '4.000000']);
    const { conclusion = '', sentences, charts } = reportOf(fixedRate, document);
    // The slowest of twenty is the 95th percentile: there lines and axis end.
    assert.equal(charts[0].values.at(-1), 20);
    const few = documentOf({
      plan: { ...plan, blocks: 3 },
      trials: run.trials.filter(({ block }) => block < 3),
    });
    const said = reportOf(fixedRate, few);
    assert.doesNotMatch([said.conclusion, ...said.sentences].join(' '), /\dx\b/);
    matchGolden(t, 'fixed-rate', [conclusion, ...sentences, String(said.conclusion)]);
  });

  it('ends when it is cancelled, and keeps what was measured', async () => {
    const time = createVirtualTime();
    const controller = new AbortController();
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    const { transport } = createVirtualPipe(time);
    /** @type {Progress | undefined} */
    let progress;
    const run = await time.run(
      runExperiment(fixedRate, {
        plan: { ...PLAN, blocks: 3 },
        transports: { sockjs: transport },
        now: time.now,
        sleepUntil: async (atMs) => {
          if (progress?.completedCount === 40) controller.abort(ending);
          await time.sleepUntil(atMs);
        },
        signal: controller.signal,
        onTrialStart: (_, counter) => (progress = counter),
      }),
    );
    assert.deepEqual(run.ending, ending);
    const last = run.trials[run.trials.length - 1];
    assert.equal(last.loop, 'open');
    assert.ok(last.loop === 'open' && last.missed.endedCount > 0);
    const { samples, failures, missed } = last;
    assert.equal(samples.iteration.length + failures.length + missed.endedCount, PLAN.messages);
  });

  it('is invalid where a socket that worked is lost', async (t) => {
    const time = createVirtualTime();
    const { transport } = createVirtualPipe(time, { fail: (count) => (count === WARM_UP + 60 ? 'closed' : undefined) });
    const { now, sleepUntil } = time;
    const run = await time.run(
      runExperiment(fixedRate, { plan: PLAN, transports: { sockjs: transport }, now, sleepUntil }),
    );
    assert.equal(run.ending?.kind, 'invalid');
    matchGolden(t, 'fixed-rate', run.ending.reason);
  });

  it('works over the real transports', () =>
    withServer({}, async ({ origin }) => {
      const transports = {
        ajax: { ...createTransport('fetch', { url: `${origin}/ajaxecho` }), name: 'ajax' },
        sockjs: createTransport('sockjs', { library: SockJS, url: `${origin}/echo` }),
      };
      const plan = { transports: ['ajax', 'sockjs'], ratePerSecond: 500, messages: 20, blocks: 1, seed: 1 };
      const now = () => performance.now();
      const run = await runExperiment(fixedRate, {
        plan,
        transports,
        now,
        sleepUntil: async (atMs) => {
          while (now() < atMs) await new Promise((resolve) => setImmediate(resolve));
        },
      });
      assert.equal(run.ending, undefined);
      for (const { samples, failures } of run.trials) {
        assert.deepEqual([samples.iteration.length, failures], [20, []]);
      }
      for (const trial of run.trials) {
        if (trial.loop === 'closed') continue;
        const { plannedAtMs, sentAtMs, endedAtMs } = trial.samples;
        // By one clock, and so however slow the machine is.
        assert.ok(sentAtMs.every((ms, i) => ms >= plannedAtMs[i] && endedAtMs[i] > ms));
      }
    }));
});

describe('the plan of a fixed rate', () => {
  const parse = (/** @type {string} */ query) => parsePlan(fixedRate, new URLSearchParams(query), { seed: 9 });

  it('is in a link, and what the link leaves out is as usual', () => {
    const plan = parse('transports=sockjs,ajax&rate=200&messages=50&blocks=4&seed=7');
    assert.deepEqual(plan, { transports: ['ajax', 'sockjs'], ratePerSecond: 200, messages: 50, blocks: 4, seed: 7 });
    assert.deepEqual(plan && parse(formatPlan(fixedRate, plan)), plan);
    assert.deepEqual(parse('rate=20'), {
      transports: ['ajax', 'sockjs'],
      ratePerSecond: 20,
      messages: 100,
      blocks: 6,
      seed: 9,
    });
    assert.equal(parse('autostart=1'), undefined);
  });

  for (const [query, field, got] of [
    ['rate=0', 'rate', '“0”'],
    ['rate=1001', 'rate', '“1001”'],
    ['blocks=2', 'blocks', '“2”'],
    ['blocks=51', 'blocks', '“51”'],
    ['messages=', 'messages', 'nothing'],
    ['messages=1', 'messages', '“1”'],
    ['messages=10001', 'messages', '“10001”'],
    ['transports=ajax,ajax', 'transports', '“ajax,ajax”'],
    ['transports=', 'transports', 'nothing'],
  ]) {
    it(`refuses ${query}`, () => {
      assert.throws(() => parse(query), complaintOf(field, got));
    });
  }

  it('refuses more samples than a document may hold', () => {
    assert.throws(() => parse('messages=10000&blocks=50'), {
      name: 'InvalidInputError',
      message: /at most 200000\b.*\bgot 2000000$/,
    });
  });

  it('is described in a sentence, with the time that it takes', (t) => {
    const words = fixedRate.describePlan({
      transports: ['ajax'],
      ratePerSecond: 10,
      messages: 100,
      blocks: 3,
      seed: 0,
    });
    matchGolden(t, 'fixed-rate', words);
  });

  it('counts the samples of both loops', () => {
    assert.equal(sampleCountOf({ transports: ['ajax', 'sockjs'], messages: 100, blocks: 3 }), 1200);
  });
});
