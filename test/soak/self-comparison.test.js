/**
 * Real runs that compare a transport with itself, or a method of streams: what they call faster or slower is a false alarm. Of 40 comparisons with a 95%
 * interval there are 12 or more once in ten million.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { summarize } from '../../core/experiments/under-load/summary.js';
import { client as streamClient } from '../../cli/clients/stream.js';
import { sleep } from '../../core/base/async.js';
import { createRandom, shuffle } from '../../core/base/random.js';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { runExperiment } from '../../core/experiment/run/run.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { stream } from '../../core/experiments/stream/index.js';
import { summarize as summarizeStreams } from '../../core/experiments/stream/summary.js';
import { underLoad } from '../../core/experiments/under-load/index.js';
import { createTransport } from '../../core/net/echo/index.js';
import { createLoads } from '../../core/net/load/index.js';
import { openServer } from '../support/server.js';

/**
 * @import { StreamPlan } from '../../core/experiments/stream/plan.js'
 * @import { StreamDocument, StreamTrial } from '../../core/experiments/stream/schema.js'
 * @import { Loads, LoadOptions } from '../../core/net/load/index.js'
 * @import { TestServer } from '../support/server.js'
 */

const RUN_COUNT = 40;
const ALARM_COUNT = 12;
const PLAN = { transports: ['ajax', 'fetch'], blocks: 6, iterations: 10, warmUpCount: 3, payloadBytes: 0 };

/** The loads of a run are compared apart, so a run has four comparisons. */
const LOADS = ['http-down', 'http6-down', 'ws-down', 'ws-down-64'];
/** Without spread, as each block has the same pieces then. */
const STREAM_PLAN = parsePlan(stream, new URLSearchParams('methods=fetch&pieces=2&rate=100&spread=0&blocks=12&seed=1'));
/** Runs at the same time: what they cost each other is no advantage of one of two methods. */
const AT_A_TIME = 8;

/** More than a load needs to be one. */
const LOAD_MS = 1050;
const REST_MS = 60;

/**
 * Creates loads that go on long enough on one machine, and leave time for other runs: the same transfer again and again.
 * @param {Loads} loads @returns {Loads}
 */
function createLongLoads(loads) {
  /** @template {LoadOptions} T @param {T} options @param {(options: T) => Promise<unknown>} transfer @returns {Promise<number>} */
  const repeat = async (options, transfer) => {
    let begunAtMs = NaN;
    let onFirst = () => {
      begunAtMs = performance.now();
      options.onFirst();
      onFirst = () => {};
    };
    do {
      await transfer({ ...options, onFirst: () => onFirst() });
      await sleep(REST_MS);
    } while (performance.now() - begunAtMs < LOAD_MS);
    return options.bytes;
  };
  return {
    async open(direction, options) {
      const socket = await loads.open(direction, options);
      return { ...socket, transfer: (transfer) => repeat(transfer, socket.transfer) };
    },
    async request(direction, options) {
      await repeat(options, (again) => loads.request(direction, again));
    },
  };
}

/**
 * Takes each two trials that follow each other for a block of two methods, in random order.
 * @param {StreamPlan} plan of one method @param {readonly StreamTrial[]} trials @returns {StreamDocument}
 */
function asTwoMethods(plan, trials) {
  const methods = ['fetch', 'events'];
  const random = createRandom(plan.seed);
  const orders = Array.from({ length: plan.blocks / 2 }, () => shuffle(methods, random));
  const own = { ...plan, methods, blocks: orders.length };
  const renamed = trials.map((trial, i) => {
    const block = Math.floor(i / 2);
    return { ...trial, block, streamedBy: orders[block][i % 2] };
  });
  const environment = { url: 'http://localhost/stream', userAgent: 'Node.js', isCrossOriginIsolated: false };
  return { schema: stream.schema, startedAt: '', plan: own, environment, trials: renamed };
}

describe('a transport compared with itself', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  it(`is faster or slower in less than ${ALARM_COUNT} of ${RUN_COUNT} runs`, async (t) => {
    const url = `${server.origin}/ajaxecho`;
    const transports = Object.fromEntries(
      PLAN.transports.map((name) => [name, { ...createTransport('fetch', { url }), name }]),
    );
    const environment = { url: `${server.origin}/`, userAgent: 'Node.js', isCrossOriginIsolated: false, stepMs: 0.001 };
    /** @type {string[]} */
    const verdicts = [];
    for (let seed = 1; seed <= RUN_COUNT; seed++) {
      const plan = { ...PLAN, seed };
      const options = /** @type {any} */ ({ plan, transports, now: () => performance.now() });
      const run = await runExperiment(shootout, options);
      const document = { schema: shootout.schema, startedAt: '', plan, environment, coldSetUpMs: {}, ...run };
      const { summary } = findingsOf(shootout, document);
      assert.equal(document.ending, undefined);
      verdicts.push(summary.verdict.name);
    }
    const alarmCount = verdicts.filter((name) => /faster|slower/.test(String(name))).length;
    t.diagnostic(`${alarmCount} of ${RUN_COUNT}: ${verdicts.join(', ')}`);
    assert.ok(alarmCount < ALARM_COUNT, `expected less than ${ALARM_COUNT}, got ${alarmCount}`);
  });

  it(`is faster or slower beside a load in less than ${ALARM_COUNT} of ${RUN_COUNT} comparisons`, async (t) => {
    const url = `${server.origin}/ajaxecho`;
    const names = ['ajax', 'fetch'];
    const plan = {
      transports: names,
      loads: ['unloaded', ...LOADS],
      downBytes: 100_000,
      upBytes: 1,
      seconds: 1,
      blocks: 6,
    };
    const means = {
      transports: Object.fromEntries(names.map((name) => [name, { ...createTransport('fetch', { url }), name }])),
      createLoads: (/** @type {number} */ maxBytes) =>
        createLongLoads(createLoads({ baseUrl: server.origin, maxBytes, WebSocket: /** @type {any} */ (WebSocket) })),
      now: () => performance.now(),
    };
    // Side by side, as they wait most of the time; what they add to each other is the same for both.
    const runs = await Promise.all(
      Array.from({ length: RUN_COUNT / LOADS.length }, async (_, seed) => {
        const own = { ...plan, seed };
        const run = await runExperiment(underLoad, /** @type {any} */ ({ plan: own, ...means }));
        assert.equal(run.ending, undefined);
        return summarize({ plan: own, ...run });
      }),
    );
    const verdicts = runs.flatMap((/** @type {any} */ summary) =>
      summary.loads.map((/** @type {any} */ { rows }) => rows[1].judged.verdict),
    );
    const alarmCount = verdicts.filter((name) => /faster|slower/.test(String(name))).length;
    t.diagnostic(`${alarmCount} of ${RUN_COUNT}: ${verdicts.join(', ')}`);
    assert.equal(verdicts.length, RUN_COUNT);
    assert.ok(alarmCount < ALARM_COUNT, `expected less than ${ALARM_COUNT}, got ${alarmCount}`);
  });

  it(`brings the first piece of a stream sooner or later in less than ${ALARM_COUNT} of ${RUN_COUNT} runs`, async (t) => {
    const { signal } = new AbortController();
    const run = /** @type {any} */ ({ baseUrl: server.origin, plan: STREAM_PLAN, signal });
    const connections = await streamClient.prepareRun(run);
    let nextSeed = 1;
    let alarmCount = 0;
    const worker = async () => {
      while (nextSeed <= RUN_COUNT) {
        const plan = { ...STREAM_PLAN, seed: nextSeed++ };
        const options = /** @type {any} */ ({ plan, now: () => performance.now(), signal, ...connections });
        const { ending, trials } = await runExperiment(stream, options);
        assert.equal(ending, undefined);
        const { ratio } = summarizeStreams(asTwoMethods(plan, trials)).rows[1].judged ?? {};
        assert.ok(ratio);
        if (ratio.low > 1 || ratio.high < 1) alarmCount++;
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    t.diagnostic(`${alarmCount} of ${RUN_COUNT}`);
    assert.ok(alarmCount < ALARM_COUNT, `expected less than ${ALARM_COUNT}, got ${alarmCount}`);
  });
});
