/**
 * What a run's own signal ends (a cancel, a hidden tab) is no failure of a transport: for each kind of experiment.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { createDocumentCheck } from '../../../../core/experiments/all.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { classic } from '../../../../core/experiments/classic/index.js';
import { formatClassic } from '../../../../core/experiments/classic/report.js';
import { countdown } from '../../../../core/experiments/countdown/index.js';
import { formatEnd } from '../../../../core/experiments/countdown/report.js';
import { fixedRate } from '../../../../core/experiments/fixed-rate/index.js';
import { inFlight } from '../../../../core/experiments/in-flight/index.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { probe } from '../../../../core/net/echo/probe.js';
import { createScriptedTransfer } from '../../../support/scripted-transfer.js';
import { createScriptedJobs } from '../../../support/scripted-jobs.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * @import { Ending } from '../../../../core/experiment/contract.js'
 * @import { Connection, Transport } from '../../../../core/net/echo/index.js'
 */

/** @type {Ending} */
const HIDDEN = { kind: 'invalid', reason: 'The tab was hidden.' };
/** @type {Ending} */
const CANCELLED = { kind: 'cancelled', reason: 'Enough.' };
const check = createDocumentCheck(valibot);
const environment = { url: 'http://x/', userAgent: 'test', stepMs: 0.005, isCrossOriginIsolated: true };
const startedAt = '2026-11-21T07:00:00.000Z';

/**
 * A transport that falls silent after so many answers; then the run's own signal comes, with nothing else to end it.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {number} options.answers
 * @param {AbortController} options.controller
 * @param {Ending} [options.ending]
 * @param {1 | -1} [options.step] of the server
 * @returns {Transport}
 */
function createSilent({ name, answers, controller, ending = CANCELLED, step = 1 }) {
  let sentCount = 0;
  /** @type {Connection['exchange']} */
  const exchange = (payload, { signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      if (!('count' in payload)) return resolve({});
      if (sentCount++ < answers) return setImmediate(resolve, { ...payload, count: Number(payload.count) + step });
      signal?.addEventListener('abort', () => reject(signal.reason));
      setImmediate(() => controller.abort(ending));
    });
  return {
    name,
    capabilities: { socket: name !== 'fetch' && name !== 'xhr' },
    connect: async () => ({ protocol: 'script', setUpMs: undefined, exchange, close() {} }),
  };
}

const now = () => performance.now();
const sleepUntil = () => new Promise((/** @type {(value: void) => void} */ resolve) => setImmediate(resolve));

for (const name of ['fetch', 'ws']) {
  describe(`an exchange by ${name} that the run itself ends is counted as no failure`, () => {
    /** @param {number} answers @param {Partial<Parameters<typeof createSilent>[0]>} [options] */
    const useSilent = (answers, options) => {
      const controller = new AbortController();
      const transport = createSilent({ name, answers, controller, ...options });
      const transports = { ajax: { ...transport, name: 'ajax' }, [name]: transport };
      return { transport, transports, now, signal: controller.signal };
    };

    for (const [where, answers] of /** @type {const} */ ([
      ['in a trial', 7],
      ['in a warm-up', 1],
    ])) {
      it(`${where} of the shoot-out, whose document is right`, async () => {
        const plan = { transports: ['ajax', name], blocks: 6, iterations: 5, warmUpCount: 3, payloadBytes: 0, seed: 1 };
        const { trials, ending } = await runExperiment(shootout, { plan, ...useSilent(answers) });
        assert.deepEqual([ending, trials.length, trials[0].failures], [CANCELLED, 1, []]);
        check({ schema: shootout.schema, startedAt, plan, environment, trials, coldSetUpMs: {}, ending });
      });

      it(`${where} of messages in flight, whose document is right`, async () => {
        const plan = { transports: [name], depths: [1, 2], blocks: 2, seed: 1 };
        const { trials, ending } = await runExperiment(inFlight, { plan, ...useSilent(answers) });
        assert.deepEqual([ending, trials.length, trials[0].failures], [CANCELLED, 1, []]);
        check({ schema: inFlight.schema, startedAt, plan, environment, trials, ending });
      });

      it(`${where} at a fixed rate, by the plan and back-to-back, whose document is right`, async () => {
        for (const seed of [1, 2, 3, 4]) {
          const plan = { transports: [name], ratePerSecond: 1000, messages: 20, blocks: 3, seed };
          const { trials, ending } = await runExperiment(fixedRate, { plan, sleepUntil, ...useSilent(answers) });
          assert.deepEqual([ending, trials.length, trials[0].failures], [CANCELLED, 1, []], `seed ${seed}`);
          check({ schema: fixedRate.schema, startedAt, plan, environment, trials, ending });
        }
      });
    }

    it('in a classic run, whose line and document say why it ended', async () => {
      const transport = name === 'fetch' ? 'ajax' : 'sockjs';
      for (const [ending, line] of /** @type {const} */ ([
        [CANCELLED, 'Stopped after 3 of 10 iterations.'],
        [HIDDEN, `Ended after 3 of 10 iterations: ${HIDDEN.reason}`],
      ])) {
        const clickedAtMs = now();
        const { trials } = await runExperiment(classic, {
          ...useSilent(3, { ending, name: transport }),
          plan: { iterations: [10] },
          clickedAtMs,
        });
        const [{ elapsedMs, ...run }] = trials;
        assert.deepEqual([run.trial.failures, run.ending, elapsedMs], [[], ending, undefined]);
        assert.equal(formatClassic(run), line);
        const runs = [{ ...run, startedAt, wasHidden: false }];
        check({ schema: classic.schema, transport, environment, runs });
      }
    });

    it('in a count-down, whose end and document say why it ended', async () => {
      const [transport, kind] = name === 'fetch' ? ['xhr', 'xhr'] : ['ws', 'websocket'];
      const silent = useSilent(3, { name: transport, step: -1, ending: HIDDEN });
      const plan = { iterations: 10, kind };
      const { trials } = await runExperiment(countdown, {
        ...silent,
        transports: { [transport]: silent.transport },
        plan,
      });
      const [{ elapsedMs, ...test }] = trials;
      assert.deepEqual([test.trial.failures, test.ending, elapsedMs], [[], HIDDEN, undefined]);
      assert.equal(formatEnd(test), `Ended after 3 of 10: ${HIDDEN.reason}`);
      const choice = { iterations: 10, kind };
      check({ schema: countdown.schema[0], environment, choice, tests: [{ ...test, startedAt, wasHidden: false }] });
    });

    it('in a look at the round trip, which says that it was cancelled', async () => {
      const { transport, signal } = useSilent(0);
      await assert.rejects(probe(transport, now, { payloadBytes: 0, signal }), /: Stopped\.$/);
    });
  });
}

describe('what the run itself ends is counted as no failure', () => {
  for (const [where, before] of /** @type {const} */ ([
    ['a message', 9],
    ['a warm-up', 1],
  ])) {
    it(`in ${where} of the payload experiment`, async () => {
      const plan = {
        transports: ['ajax', 'sockjs'],
        directions: /** @type {('up' | 'echo')[]} */ (['up', 'echo']),
        sizes: [1, 1000],
        repeats: 6,
        seed: 4,
      };
      const time = createVirtualTime();
      const controller = new AbortController();
      let sentCount = 0;
      const fail = () => {
        if (sentCount++ < before) return undefined;
        time.timers.setTimeout(() => controller.abort(CANCELLED), 1);
        return 'silence';
      };
      const transfers = Object.fromEntries(
        plan.transports.map((name) => [
          name,
          createScriptedTransfer(time, { name, law: () => 5, fail: /** @type {any} */ (fail) }).transfer,
        ]),
      );
      const measuring = runExperiment(payload, {
        plan,
        transfers,
        now: time.now,
        timeoutMs: 1e9,
        signal: controller.signal,
      });
      const { trials, ending } = await time.run(measuring);
      assert.deepEqual([ending, trials.filter(({ failure }) => failure)], [CANCELLED, []]);
    });
  }

  it('in poll or push, by each way', async () => {
    for (const way of ['poll', 'long-poll', 'sse', 'socket-per-job', 'push', 'sockjs']) {
      const time = createVirtualTime();
      const controller = new AbortController();
      const plan = {
        deliveries: [way],
        intervals: [50],
        users: 2,
        jobs: 5,
        minMs: 500,
        maxMs: 1000,
        limitMs: 1100,
        seed: 1,
      };
      const { trials, ending } = await time.run(
        runExperiment(jobs, {
          plan,
          ...createScriptedJobs(time),
          now: time.now,
          timers: time.timers,
          signal: controller.signal,
          onTrialStart: () => time.timers.setTimeout(() => controller.abort(HIDDEN), 600),
        }),
      );
      assert.deepEqual([ending, trials.map(({ failures }) => failures)], [HIDDEN, [[]]], way);
    }
  });
});
