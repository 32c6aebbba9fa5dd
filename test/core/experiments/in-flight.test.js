import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import SockJS from 'sockjs-client';
import { describeDepths, formatDepthMarkdown, summarizeDepths } from '../../../core/experiments/in-flight-report.js';
import {
  formatDepthPlan,
  messagesAt,
  parseDepthPlan,
  sampleCountOf,
} from '../../../core/experiments/in-flight-plan.js';
import { measureDepths, SCHEMA, trialsOf } from '../../../core/experiments/in-flight.js';
import { createFetch } from '../../../core/transports/fetch.js';
import { createSockjs } from '../../../core/transports/sockjs.js';
import { withServer } from '../../support/two-workers.js';

const PLAN = { transports: ['ajax', 'sockjs'], depths: [1, 4], blocks: 2, seed: 5 };
const now = () => performance.now();

/**
 * A transport whose answers take a round trip, however many are on their way, on real time.
 *
 * @param {string} name
 * @param {{ mostInFlight?: number, outcomes?: string[] }} [options]
 */
function createPipe(name, { mostInFlight = Infinity } = {}) {
  const state = { inFlight: 0, most: 0, counts: new Set() };
  /** @type {(() => void)[]} */
  const queue = [];
  const enter = async () => {
    if (state.inFlight >= mostInFlight) await new Promise((resolve) => queue.push(() => resolve(undefined)));
    state.inFlight++;
    state.most = Math.max(state.most, state.inFlight);
  };
  return {
    state,
    /** @type {import('../../../core/transports/index.js').Transport} */
    transport: {
      name,
      capabilities: { socket: true },
      async connect() {
        return {
          protocol: 'pipe',
          setUpMs: 1,
          async exchange(/** @type {any} */ { count }) {
            await enter();
            state.counts.add(count);
            await new Promise((resolve) => setTimeout(resolve, 5));
            state.inFlight--;
            queue.shift()?.();
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
    const trials = trialsOf(PLAN);
    for (const block of [0, 1]) {
      const own = trials
        .filter((trial) => trial.block === block)
        .map(({ transport, depth }) => `${transport} ${depth}`);
      assert.deepEqual(own.toSorted(), ['ajax 1', 'ajax 4', 'sockjs 1', 'sockjs 4']);
    }
    assert.deepEqual(trials, trialsOf(PLAN));
    assert.notDeepEqual(trials, trialsOf({ ...PLAN, seed: 6 }));
  });
});

describe('measureDepths', () => {
  it('keeps exactly so many messages on their way, each with a count of its own', async () => {
    const pipe = createPipe('sockjs');
    const plan = { transports: ['sockjs'], depths: [4], blocks: 1, seed: 1 };
    const { trials, ending } = await measureDepths({ plan, transports: { sockjs: pipe.transport }, now });
    assert.equal(ending, undefined);
    assert.equal(pipe.state.most, 4);
    assert.equal(pipe.state.counts.size, 4 + messagesAt(4));
    assert.equal(trials[0].roundTripMs.length, messagesAt(4));
    // A timer of 5 ms may fire in the fifth.
    assert.ok(trials[0].roundTripMs.every((ms) => ms >= 4));
  });

  it('finds that a pipe carries more with more in flight, and where it is narrow no more than that', async () => {
    const wide = createPipe('sockjs');
    const narrow = createPipe('ajax', { mostInFlight: 2 });
    const plan = { transports: ['ajax', 'sockjs'], depths: [1, 8], blocks: 3, seed: 1 };
    const transports = { ajax: narrow.transport, sockjs: wide.transport };
    const { trials } = await measureDepths({ plan, transports, now });
    const gains = summarizeDepths(plan, trials).map(({ gain }) => gain?.estimate);
    assert.deepEqual([gains[0], gains[2]], [undefined, undefined]);
    // Eight at once are at most eight times as many, two at most twice.
    assert.ok(Number(gains[1]) < 2.5, String(gains[1]));
    assert.ok(Number(gains[3]) > 4, String(gains[3]));
  });

  it('works over the real transports', () =>
    withServer({}, async ({ origin }) => {
      const transports = {
        ajax: { ...createFetch({ url: `${origin}/ajaxecho` }), name: 'ajax' },
        sockjs: createSockjs({ library: SockJS, url: `${origin}/echo` }),
      };
      const { trials, ending } = await measureDepths({ plan: PLAN, transports, now });
      assert.equal(ending, undefined);
      assert.equal(trials.length, 8);
      for (const { failures, roundTripMs, depth } of trials) {
        assert.deepEqual(failures, []);
        assert.equal(roundTripMs.length, messagesAt(depth));
      }
    }));

  it('ends when it is cancelled, and keeps what was measured', async () => {
    const controller = new AbortController();
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    const run = await measureDepths({
      plan: PLAN,
      transports: { ajax: createPipe('ajax').transport, sockjs: createPipe('sockjs').transport },
      now,
      signal: controller.signal,
      onTrialEnd: ({ trials }) => {
        if (trials.length === 2) controller.abort(ending);
      },
    });
    assert.deepEqual([run.trials.length, run.ending], [2, ending]);
  });

  it('is invalid where the server goes away', () =>
    withServer({}, async (server) => {
      const run = await measureDepths({
        plan: { ...PLAN, transports: ['sockjs'], blocks: 50 },
        transports: { sockjs: createSockjs({ library: SockJS, url: `${server.origin}/echo` }) },
        now,
        onTrialEnd: async ({ trials }) => {
          if (trials.length === 2) await server.drain();
        },
      });
      assert.equal(run.ending?.kind, 'invalid');
      assert.match(String(run.ending?.reason), /^The connection to the server was lost in block 2, by SockJS/);
    }));
});

describe('the words of depths', () => {
  /** @param {string} transport @param {number} depth @param {number} rate @param {string} protocol */
  const trialsAt = (transport, depth, rate, protocol) =>
    [0, 1].map((block) => {
      const iterations = messagesAt(depth);
      const endedAtMs = Array.from({ length: iterations }, (_, i) => ((i + 1) / (rate + block)) * 1000);
      return {
        transport,
        depth,
        block,
        protocol,
        iterations,
        endedAtMs,
        roundTripMs: endedAtMs.map(() => 10),
        failures: [],
      };
    });
  const trials = [
    ...trialsAt('ajax', 1, 10, 'http/1.1'),
    ...trialsAt('ajax', 4, 40, 'http/1.1'),
    ...trialsAt('sockjs', 1, 10, 'websocket'),
    ...trialsAt('sockjs', 4, 41, 'websocket'),
  ];

  it('say what came back, and where six connections end', () => {
    const rows = summarizeDepths(PLAN, trials);
    assert.deepEqual(describeDepths(rows), [
      'AJAX carries 10.5 messages/s one at a time, and 40.5 with 4 in flight: 3.9 (2.5 to 6.0) times as many.',
      'Over HTTP/1.1 a browser has six connections to a server, so AJAX never has more than six on their way: the others wait in the browser.',
      'SockJS carries 10.5 messages/s one at a time, and 41.5 with 4 in flight: 4.0 (2.5 to 6.2) times as many.',
      'It is latency that kills the back-to-back loop, not the socket or the request.',
    ]);
    const environment = { url: 'http://127.0.0.1/inflight', userAgent: 'a browser', isCrossOriginIsolated: true };
    const document = { schema: SCHEMA, startedAt: '2026-11-21T10:00:00.000Z', plan: PLAN, environment, trials };
    const markdown = formatDepthMarkdown(document);
    assert.match(markdown, /^\| SockJS \| websocket \| 4 \| 41 \(\d+ to \d+\) \| 4\.0 \(2\.5 to 6\.2\) \|/m);
    assert.match(markdown, /^Plan: http:\/\/127.0.0.1\/inflight\?transports=ajax,sockjs&depths=1,4&blocks=2&seed=5, /m);
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    assert.doesNotMatch(formatDepthMarkdown({ ...document, ending }), /latency|carries/);
  });

  it('do not blame a latency that was not there, nor where nothing was gained', () => {
    const near = trials.map((trial) => ({ ...trial, roundTripMs: trial.roundTripMs.map(() => 0.5) }));
    assert.match(
      String(describeDepths(summarizeDepths(PLAN, near)).at(-1)),
      /^A message by itself takes 0\.50 ms here, so there is no distance to win back/,
    );
    const same = [1, 4].flatMap((depth) => trialsAt('ajax', depth, 10, 'http/1.1'));
    assert.doesNotMatch(describeDepths(summarizeDepths(PLAN, same)).join(' '), /latency|distance/);
  });

  it('leave out a rate that was not measured to its end', () => {
    const [first, second] = trialsAt('sockjs', 1, 10, 'websocket');
    first.endedAtMs.pop();
    const [row] = summarizeDepths({ transports: ['sockjs'], depths: [1] }, [first, second]);
    assert.deepEqual([row.blockCount, row.messagesPerSecond, row.gain], [1, undefined, undefined]);
    assert.match(describeDepths([row])[0], /too little was measured/);
  });
});

describe('the plan of depths', () => {
  const parse = (/** @type {string} */ query) => parseDepthPlan(new URLSearchParams(query), { seed: 9 });

  it('is in a link, and what the link leaves out is as usual', () => {
    const plan = parse('transports=sockjs,ajax&depths=4,1,2&blocks=6&seed=7');
    assert.deepEqual(plan, { transports: ['ajax', 'sockjs'], depths: [1, 2, 4], blocks: 6, seed: 7 });
    assert.deepEqual(plan && parse(formatDepthPlan(plan)), plan);
    assert.deepEqual(parse('transports=sse'), {
      transports: ['sse'],
      depths: [1, 2, 4, 8, 16, 32],
      blocks: 3,
      seed: 9,
    });
    assert.equal(parse('autostart=1'), undefined);
  });

  for (const [query, message] of [
    ['depths=2,4', /^depths: expected 1, .+ and up to 11 others from 2 to 256, .+, got “2,4”$/],
    ['depths=1,1', /got “1,1”$/],
    ['depths=1,257', /got “1,257”$/],
    ['depths=', /got nothing$/],
    ['blocks=1', /^blocks: expected a whole number from 2 to 50, got “1”$/],
    ['transports=carrier-pigeon', /^transports: expected at least one of ajax, /],
    ['blocks=50&depths=1,249,250,251,252,253,254,255,256', /at most 200000 samples, got 809600$/],
  ]) {
    it(`refuses ${query}`, () => {
      assert.throws(() => parse(String(query)), { name: 'RangeError', message });
    });
  }

  it('counts the samples of all depths', () => {
    assert.equal(sampleCountOf({ transports: ['ajax'], depths: [1, 32], blocks: 2 }), 2 * (16 + 128));
  });
});
