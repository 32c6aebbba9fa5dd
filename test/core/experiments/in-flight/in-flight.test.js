import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import SockJS from 'sockjs-client';
import { formatPlan, parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { formatMarkdown } from '../../../../core/experiment/report/report.js';
import { summarize } from '../../../../core/experiments/in-flight/summary.js';
import { inFlight } from '../../../../core/experiments/in-flight/index.js';
import { messagesAt, sampleCountOf } from '../../../../core/experiments/in-flight/plan.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { createTransport } from '../../../../core/net/echo/index.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { withServer } from '../../../support/two-workers.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/** @import { Transport } from '../../../../core/net/echo/index.js' */

const matchGolden = useGolden(import.meta.url);
const RTT_MS = 5;
const PLAN = { transports: ['ajax', 'sockjs'], depths: [1, 4], blocks: 2, seed: 5 };
const now = () => performance.now();

/**
 * A transport over virtual time: its answers take {@link RTT_MS}, however many are on their way.
 *
 * @param {ReturnType<typeof createVirtualTime>} time
 * @param {string} name
 * @param {number} [places] as many messages on their way at once, the others wait
 */
function createPipe(time, name, places = 100) {
  const state = { inFlight: 0, most: 0, counts: new Set() };
  const freeAtMs = Array.from({ length: places }, () => 0);
  return {
    state,
    /** @type {Transport} */
    transport: {
      name,
      capabilities: { socket: true },
      async connect() {
        return {
          protocol: 'pipe',
          setUpMs: 1,
          async exchange(/** @type {any} */ { count }) {
            state.counts.add(count);
            state.most = Math.max(state.most, ++state.inFlight);
            const place = freeAtMs.indexOf(Math.min(...freeAtMs));
            freeAtMs[place] = Math.max(time.now(), freeAtMs[place]) + RTT_MS;
            await time.sleepUntil(freeAtMs[place]);
            state.inFlight--;
            return { count: count + 1 };
          },
          close() {},
        };
      },
    },
  };
}

describe('trialsOf', () => {
  it('has every transport at every depth once in each block, in an order that its seed gives', () => {
    const trials = inFlight.trialsOf(PLAN);
    for (const block of [0, 1]) {
      const own = trials
        .filter((trial) => trial.block === block)
        .map(({ transport, depth }) => `${transport} ${depth}`);
      assert.deepEqual(own.toSorted(), ['ajax 1', 'ajax 4', 'sockjs 1', 'sockjs 4']);
    }
    assert.deepEqual(trials, inFlight.trialsOf(PLAN));
    assert.notDeepEqual(trials, inFlight.trialsOf({ ...PLAN, seed: 6 }));
  });
});

describe('a run with messages in flight', () => {
  it('keeps exactly so many messages on their way, each with a count of its own', async () => {
    const time = createVirtualTime();
    const pipe = createPipe(time, 'sockjs');
    const plan = { transports: ['sockjs'], depths: [4], blocks: 1, seed: 1 };
    const transports = { sockjs: pipe.transport };
    const { trials, ending } = await time.run(runExperiment(inFlight, { plan, transports, now: time.now }));
    assert.equal(ending, undefined);
    assert.equal(pipe.state.most, 4);
    assert.equal(pipe.state.counts.size, 4 + messagesAt(4));
    assert.deepEqual(trials[0].roundTripMs, Array(messagesAt(4)).fill(RTT_MS));
  });

  for (const [label, requestCount] of /** @type {const} */ ([
    ['HTTP/1.1', 6],
    ['HTTP/2', 100],
  ])) {
    it(`takes about as long as is estimated, with the requests that ${label} has open at once`, async () => {
      const time = createVirtualTime();
      const startedAtMs = time.now();
      const plan = { transports: ['ajax', 'sockjs'], depths: [1, 32], blocks: 6, seed: 1 };
      const transports = {
        ajax: createPipe(time, 'ajax', requestCount).transport,
        sockjs: createPipe(time, 'sockjs').transport,
      };
      await time.run(runExperiment(inFlight, { plan, transports, now: time.now }));
      // In seconds, of a round trip that is a thousand times as long; a pipe opens at once, and a socket does not.
      const path = requestCount === 6 ? {} : { requestLimit: Infinity };
      const estimate = inFlight.fullTest.secondsOf(plan, 1000 * RTT_MS, path);
      const ratio = estimate / (time.now() - startedAtMs);
      assert.ok(ratio > 1 && ratio < 1.2, String(ratio));
    });
  }

  it('finds that a pipe carries more with more in flight, and where it is narrow no more than that', async () => {
    const time = createVirtualTime();
    const plan = { transports: ['ajax', 'sockjs'], depths: [1, 8], blocks: 3, seed: 1 };
    const transports = {
      ajax: createPipe(time, 'ajax', 2).transport,
      sockjs: createPipe(time, 'sockjs').transport,
    };
    const { trials } = await time.run(runExperiment(inFlight, { plan, transports, now: time.now }));
    // Two at once are twice as many, eight at once eight times; logarithms lose some of their last digits.
    assert.deepEqual(
      summarize({ plan, trials }).rows.map(({ gain }) => gain.ratio?.estimate.toFixed(9)),
      [undefined, '2.000000000', undefined, '8.000000000'],
    );
  });

  it('works over the real transports', () =>
    withServer({}, async ({ origin }) => {
      const transports = {
        ajax: { ...createTransport('fetch', { url: `${origin}/ajaxecho` }), name: 'ajax' },
        sockjs: createTransport('sockjs', { library: SockJS, url: `${origin}/echo` }),
      };
      const { trials, ending } = await runExperiment(inFlight, { plan: PLAN, transports, now });
      assert.equal(ending, undefined);
      assert.equal(trials.length, 8);
      for (const { failures, roundTripMs, depth } of trials) {
        assert.deepEqual(failures, []);
        assert.equal(roundTripMs.length, messagesAt(depth));
      }
    }));

  it('ends when it is cancelled, and keeps what was measured', async () => {
    const time = createVirtualTime();
    const controller = new AbortController();
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    const run = await time.run(
      runExperiment(inFlight, {
        plan: PLAN,
        transports: { ajax: createPipe(time, 'ajax').transport, sockjs: createPipe(time, 'sockjs').transport },
        now: time.now,
        signal: controller.signal,
        onTrialEnd: ({ trials }) => {
          if (trials.length === 2) controller.abort(ending);
        },
      }),
    );
    assert.deepEqual([run.trials.length, run.ending], [2, ending]);
  });

  it('is invalid where the server goes away', () =>
    withServer({}, async (server) => {
      const run = await runExperiment(inFlight, {
        plan: { ...PLAN, transports: ['sockjs'], blocks: 50 },
        transports: { sockjs: createTransport('sockjs', { library: SockJS, url: `${server.origin}/echo` }) },
        now,
        onTrialEnd: async ({ trials }) => {
          if (trials.length === 2) await server.drain();
        },
      });
      assert.equal(run.ending?.kind, 'invalid');
      assert.match(String(run.ending?.reason), /\(block 2, SockJS\)/);
    }));
});

describe('what is said of depths', () => {
  const PLAN_OF_SIX = { ...PLAN, blocks: 6 };
  const BROWSER = 'Mozilla/5.0 Chrome/140';

  /**
   * One trial for each rate, in a block of its own.
   *
   * @param {string} transport @param {number} depth @param {readonly number[]} rates messages per second
   * @param {string} [protocol]
   */
  const trialsAt = (transport, depth, rates, protocol = 'http/1.1') =>
    rates.map((rate, block) => {
      const iterations = messagesAt(depth);
      const endedAtMs = Array.from({ length: iterations }, (_, i) => ((i + 1) / rate) * 1000);
      const roundTripMs = endedAtMs.map(() => 10);
      return { transport, depth, block, protocol, iterations, endedAtMs, roundTripMs, failures: [] };
    });
  /** @param {any} [more] */
  const documentOf = ({ userAgent = BROWSER, ...more } = {}) => ({
    schema: inFlight.schema,
    startedAt: '2026-11-21T10:00:00.000Z',
    plan: PLAN_OF_SIX,
    environment: { url: 'https://example.org/inflight', userAgent, isCrossOriginIsolated: true },
    ...more,
  });
  /** @param {number} from @param {number} step @param {number} [count] */
  const rising = (from, step, count = 6) => Array.from({ length: count }, (_, i) => from + i * step);
  /** Of SockJS the ratio is 0.3 in one block, 10 in another. */
  const WILD = [3, 100, 40, 15, 60, 8];
  const trials = [
    ...trialsAt('ajax', 1, rising(10, 1)),
    ...trialsAt('ajax', 4, rising(40, 4.1)),
    ...trialsAt('sockjs', 1, rising(10, 0.1), 'websocket'),
    ...trialsAt('sockjs', 4, WILD, 'websocket'),
  ];
  const document = documentOf({ trials });

  it('is a factor only where its interval is beyond 1, with its interval', (t) => {
    const { transports } = summarize(document);
    assert.deepEqual(
      transports.map(({ deepest: { gain } }) => gain.verdict),
      ['faster', 'unclear'],
    );
    const [ajax, sockjs] = transports.map(({ deepest }) => deepest.gain.ratio);
    assert.equal(ajax?.estimate.toFixed(1), '4.0');
    assert.ok(sockjs && sockjs.low < 1 && sockjs.high > 1);
    matchGolden(t, 'in-flight', formatMarkdown(inFlight, document));
  });

  it('begins with the transports beside the baseline, with the interval of a single one', (t) => {
    const steady = [...trials.slice(0, 18), ...trialsAt('sockjs', 4, rising(160, 1), 'websocket')];
    const said = (/** @type {any} */ more) => reportOf(inFlight, documentOf(more));
    const alone = said({ plan: { ...PLAN_OF_SIX, transports: ['ajax'] }, trials: trials.slice(0, 12) });
    assert.deepEqual(alone.sentences, []);
    matchGolden(t, 'in-flight', [String(said({ trials: steady }).conclusion), String(alone.conclusion)]);
  });

  it('is in the order of the verdicts: same within 10% before faster', () => {
    const same = [1, 4].flatMap((depth) => trialsAt('ajax', depth, rising(depth === 1 ? 100 : 105, 1)));
    const { transports } = summarize({ plan: { transports: ['ajax'], depths: [1, 4] }, trials: same });
    const { ratio, verdict } = transports[0].deepest.gain;
    assert.ok(ratio && ratio.low > 1);
    assert.equal(verdict, 'same');
  });

  it('is no verdict below six blocks', (t) => {
    const plan = { ...PLAN, blocks: 3 };
    const few = documentOf({ plan, trials: trials.filter(({ block }) => block < 3) });
    assert.deepEqual(
      summarize(few).transports.map(({ deepest: { gain } }) => gain.verdict),
      [undefined, undefined],
    );
    const { conclusion = '', sentences } = reportOf(inFlight, few);
    assert.doesNotMatch(sentences.join(' '), /\dx\b/);
    matchGolden(t, 'in-flight', conclusion);
  });

  it('names the six connections of a browser, and of nothing else', (t) => {
    const plan = { ...PLAN_OF_SIX, depths: [1, 8] };
    const wide = trials.map((trial) => (trial.depth === 4 ? { ...trial, depth: 8 } : trial));
    const said = (/** @type {string} */ userAgent) => {
      const { sentences, charts } = reportOf(inFlight, documentOf({ userAgent, plan, trials: wide }));
      return { isSaid: /\b6 connections\b.*AJAX/.test(sentences.join(' ')), marks: charts[0].marks?.map(({ x }) => x) };
    };
    assert.deepEqual(said(BROWSER), { isSaid: true, marks: [6] });
    assert.deepEqual(said('Node.js v22.0.0'), { isSaid: false, marks: [] });
    const shared = wide.map((trial) => (trial.protocol === 'http/1.1' ? { ...trial, protocol: 'h2' } : trial));
    const overHttp2 = reportOf(inFlight, documentOf({ plan, trials: shared }));
    assert.deepEqual(overHttp2.charts[0].marks, []);
    const { sentences, charts } = reportOf(inFlight, document);
    assert.doesNotMatch(sentences.join(' '), /connections/);
    assert.deepEqual(charts[0].marks, []);
    matchGolden(t, 'in-flight', overHttp2.sentences);
  });

  it('is nothing of a run that ended early', () => {
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    const { conclusion, sentences, tables } = reportOf(inFlight, { ...document, ending });
    assert.deepEqual([conclusion, sentences], [undefined, []]);
    assert.ok(tables[0].columns.every(({ title }) => !title.includes('compared')));
  });

  it('leaves out a rate that was not measured to its end', () => {
    const [first, second] = trialsAt('sockjs', 1, [10, 11], 'websocket');
    first.endedAtMs.pop();
    const [row] = summarize({ plan: { transports: ['sockjs'], depths: [1] }, trials: [first, second] }).rows;
    assert.deepEqual([row.blockCount, row.messagesPerSecond, row.gain], [1, undefined, {}]);
  });
});

describe('the plan of depths', () => {
  const parse = (/** @type {string} */ query) => parsePlan(inFlight, new URLSearchParams(query), { seed: 9 });

  it('is in a link, and what the link leaves out is as usual', () => {
    const plan = parse('transports=sockjs,ajax&depths=4,1,2&blocks=6&seed=7');
    assert.deepEqual(plan, { transports: ['ajax', 'sockjs'], depths: [1, 2, 4], blocks: 6, seed: 7 });
    assert.deepEqual(plan && parse(formatPlan(inFlight, plan)), plan);
    assert.deepEqual(parse('transports=sse'), {
      transports: ['sse'],
      depths: [1, 2, 4, 8, 16, 32],
      blocks: 6,
      seed: 9,
    });
    assert.equal(parse('autostart=1'), undefined);
  });

  for (const [query, field, got] of [
    ['depths=2,4', 'depths', '“2,4”'],
    ['depths=1,1', 'depths', '1 more than once'],
    ['depths=1,257', 'depths', '“1,257”'],
    ['depths=', 'depths', 'nothing'],
    ['depths=1,2,3,4,5,6,7,8,9,10,11,12,13', 'depths', '13'],
    ['blocks=1', 'blocks', '“1”'],
    ['blocks=51', 'blocks', '“51”'],
    ['transports=carrier-pigeon', 'transports', '“carrier-pigeon”'],
  ]) {
    it(`refuses ${query}`, () => {
      assert.throws(() => parse(query), complaintOf(field, got));
    });
  }

  it('refuses more samples than a document may hold', () => {
    assert.throws(() => parse('blocks=50&depths=1,249,250,251,252,253,254,255,256'), {
      name: 'InvalidInputError',
      message: /at most 200000\b.*\bgot 809600$/,
    });
  });

  it('is described in at most three sentences, with the messages that it makes', (t) => {
    const words = inFlight.describePlan(PLAN);
    assert.ok(words.includes(`, ${sampleCountOf(PLAN)} messages.`), words);
    matchGolden(t, 'in-flight', words);
  });

  it('counts the samples of all depths', () => {
    assert.equal(sampleCountOf({ transports: ['ajax'], depths: [1, 32], blocks: 2 }), 2 * (16 + 128));
  });
});
