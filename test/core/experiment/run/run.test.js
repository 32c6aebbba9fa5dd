import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRestart } from '../../../../core/experiment/run/faults.js';
import { measureDocument, runExperiment } from '../../../../core/experiment/run/run.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { useGolden } from '../../../support/golden.js';
import { createShootout } from '../../../support/submissions.js';
import { createScriptedTransport } from '../../../support/scripted-transport.js';

/**
 * @import { RunCallbacks } from '../../../../core/experiment/contract.js'
 * @import { Options, PlannedTrial } from '../../../../core/experiments/shootout/measure.js'
 * @import { RunTrial, Trial } from '../../../../core/net/echo/trial.js'
 */

const matchGolden = useGolden(import.meta.url);

const PLAN = { transports: ['ajax', 'sockjs'], blocks: 6, iterations: 4, warmUpCount: 1, payloadBytes: 0, seed: 7 };

/**
 * @param {Partial<Record<'ajax' | 'sockjs', Partial<Parameters<typeof createScriptedTransport>[0]>>>} scripts
 * @param {Partial<Options & RunCallbacks<PlannedTrial, RunTrial>>} [options]
 */
function run(scripts = {}, options = {}) {
  const ajax = createScriptedTransport({ script: [], name: 'ajax', ...scripts.ajax });
  const sockjs = createScriptedTransport({ script: [], name: 'sockjs', socket: true, ...scripts.sockjs });
  return runExperiment(shootout, {
    plan: PLAN,
    transports: { ajax: ajax.transport, sockjs: sockjs.transport },
    now: ajax.now,
    ...options,
  });
}

/** @param {Pick<Trial, 'failures'>[]} trials */
const lastOutcomeOf = (trials) => trials.at(-1)?.failures.at(-1)?.outcome;

/** An exchange in the second block of a transport: after the iterations of the first, as a warm-up of one message is not scripted. */
const SECOND_TRIAL = PLAN.iterations;

describe('a run', () => {
  it('makes one trial of each transport a block, in the plan’s order', async () => {
    const { trials, ending } = await run();
    assert.deepEqual(
      trials.map(({ transport, block }) => ({ transport, block })),
      shootout.trialsOf(PLAN),
    );
    assert.equal(ending, undefined);
    for (const { samples } of trials) assert.equal(samples.iteration.length, PLAN.iterations);
  });

  it('waits after each trial for whoever paints', async () => {
    /** @type {string[]} */
    const happened = [];
    await run(
      {},
      {
        onTrialStart({ transport }) {
          happened.push(`start ${transport}`);
        },
        async onTrialEnd({ trials }) {
          await new Promise((resolve) => setImmediate(resolve));
          happened.push(`painted ${trials.at(-1)?.transport}`);
        },
      },
    );
    assert.deepEqual(
      happened,
      shootout.trialsOf(PLAN).flatMap(({ transport }) => [`start ${transport}`, `painted ${transport}`]),
    );
  });

  it('counts what was rejected, and goes on', async () => {
    const { trials, ending } = await run({ ajax: { script: ['rejected', 'mismatch'] } });
    assert.equal(ending, undefined);
    const [{ samples, failures }] = trials.filter(({ transport }) => transport === 'ajax');
    assert.deepEqual(samples.iteration, [2, 3]);
    assert.deepEqual(
      failures.map(({ outcome, iteration }) => [outcome, iteration]),
      [
        ['rejected', 0],
        ['mismatch', 1],
      ],
    );
  });

  for (const [transport, label] of /** @type {const} */ ([
    ['ajax', 'AJAX'],
    ['sockjs', 'SockJS'],
  ])) {
    it(`is invalid as soon as ${label} loses its connection`, async (t) => {
      const script = [...Array(SECOND_TRIAL + 2).fill('ok'), 'closed'];
      const { trials, ending } = await run({ [transport]: { script } });
      assert.equal(ending?.kind, 'invalid');
      assert.ok(ending.reason.includes(`lost (block 2, ${label}). `), ending.reason);
      const last = trials.at(-1);
      assert.equal(lastOutcomeOf(trials), 'closed');
      assert.deepEqual([last?.transport, last?.block], [transport, 1]);
      assert.ok(trials.length <= 4);
      matchGolden(t, 'shootout', ending.reason);
    });
  }

  it('goes on without a transport that never worked, which is shown as failed', async () => {
    const { trials, ending } = await run({ sockjs: { script: Array(100).fill('closed') } });
    assert.equal(ending, undefined);
    assert.equal(trials.length, 2 * PLAN.blocks);
    for (const { transport, samples, failures } of trials) {
      assert.equal(samples.iteration.length, transport === 'ajax' ? PLAN.iterations : 0);
      assert.equal(failures.length > 0, transport === 'sockjs');
    }
  });

  it('ends after one block in which nothing worked', async (t) => {
    const script = Array(100).fill('closed');
    const { trials, ending } = await run({ ajax: { script }, sockjs: { script } });
    assert.equal(trials.length, 2);
    assert.ok(trials.every(({ samples }) => samples.iteration.length === 0));
    assert.equal(ending?.kind, 'invalid');
    matchGolden(t, 'shootout', ending.reason);
  });

  it('is invalid where a worker was started anew meanwhile', async (t) => {
    let count = 0;
    const whoami = () => ({ startedAt: count++ === 3 ? '2026-11-21T07:00:00.000Z' : '2026-11-21T06:00:00.000Z' });
    const { trials, ending } = await run({ ajax: { whoami } });
    assert.equal(ending?.kind, 'invalid');
    const last = trials.at(-1);
    assert.deepEqual([last?.transport, last?.block, last?.failures], ['ajax', 3, []]);
    matchGolden(t, 'shootout', ending.reason);
  });

  it('is not invalid because several workers answered', async () => {
    let count = 0;
    const whoami = () => {
      const worker = count++ % 2;
      return { worker, startedAt: `2026-11-21T06:00:0${worker}.000Z` };
    };
    assert.equal((await run({ ajax: { whoami }, sockjs: { whoami } })).ending, undefined);
  });

  it('keeps what was measured when it is cancelled, and says so', async () => {
    const controller = new AbortController();
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    const result = await run(
      {},
      {
        signal: controller.signal,
        onTrialEnd({ trials }) {
          if (trials.length === 5) controller.abort(ending);
        },
      },
    );
    assert.deepEqual(result.ending, ending);
    assert.deepEqual(
      result.trials.map(({ samples, failures }) => [samples.iteration.length, failures.length]),
      Array(5).fill([PLAN.iterations, 0]),
    );
  });

  it('keeps the answers of a trial that is cancelled, and counts what was given up as no failure', async () => {
    const controller = new AbortController();
    const result = await run(
      { sockjs: { script: [...Array(SECOND_TRIAL + 2).fill('ok'), 'silence'] } },
      {
        signal: controller.signal,
        onTrialStart({ transport, block }) {
          // A script's answers come without an event in between, so this comes when it has fallen silent.
          if (transport === 'sockjs' && block === 1)
            setImmediate(() => controller.abort({ kind: 'cancelled', reason: 'x' }));
        },
        timeoutMs: 1e9,
      },
    );
    const last = result.trials.at(-1);
    assert.deepEqual([last?.transport, last?.samples.iteration], ['sockjs', [0, 1]]);
    assert.deepEqual(last?.failures, []);
  });

  it('is invalid as soon as a server that answered falls silent', async (t) => {
    const script = [...Array(SECOND_TRIAL + 2).fill('ok'), 'timeout'];
    const { trials, ending } = await run({ sockjs: { script } });
    assert.equal(ending?.kind, 'invalid');
    const last = trials.at(-1);
    assert.deepEqual([last?.transport, last?.block, lastOutcomeOf(trials)], ['sockjs', 1, 'timeout']);
    matchGolden(t, 'shootout', ending.reason);
  });

  it('makes no trial where it was ended before', async () => {
    const controller = new AbortController();
    controller.abort({ kind: 'cancelled', reason: 'x' });
    const { trials, ending } = await run({}, { signal: controller.signal });
    assert.deepEqual([trials, ending?.kind], [[], 'cancelled']);
  });
});

describe('findRestart', () => {
  /** @param {string} startedAt @param {number} [worker] */
  const status = (startedAt, worker = 0) => ({
    server: 's',
    location: '',
    version: '1',
    worker: 0,
    workers: [{ worker, startedAt, openSessions: 0, echoCount: 0, eventLoop: { lagCount: 0, lagTotalMs: 0 } }],
    silentWorkerCount: 0,
  });

  it('finds a worker that started anew, and only that', () => {
    assert.equal(findRestart(status('a'), status('b'))?.kind, 'invalid');
    for (const after of [status('a'), status('b', 1), undefined])
      assert.equal(findRestart(status('a'), after), undefined);
    assert.equal(findRestart(undefined, status('a')), undefined);
  });
});

it('the document of a run says how much the lag of timers differed between trials', async () => {
  // However busy the machine is, the sampler's timer is due before each of these.
  const runTrial = async () => {
    for (let i = 0; i < 8; i++) await new Promise((resolve) => setTimeout(resolve, 30));
    return { transport: 'toy' };
  };
  const { environment } = await measureDocument(
    {
      schema: 'toy',
      trialsOf: () => [{ block: 0 }, { block: 1 }],
      runTrial,
      readTrial: () => ({ answerCount: 1, failures: [] }),
      watchFaults: () => ({ look: () => undefined }),
    },
    {
      plan: {},
      now: () => performance.now(),
      statusUrl: 'http://localhost:1/',
      environment: createShootout().environment,
    },
  );
  assert.ok(environment.lag.betweenTrialsMs >= 0);
});

describe('after a run', () => {
  it('asks those that can tell what a connection costs, and leaves the others out', async () => {
    const { transport: sockjs, now } = createScriptedTransport({ script: [] });
    const ajax = { ...sockjs, measureColdSetUp: async () => 4 };
    const transports = { ajax, sockjs };
    const run = await shootout.around?.({ plan: PLAN, transports, now }, async () => ({ trials: [] }));
    assert.deepEqual(run, { trials: [], coldSetUpMs: { ajax: 4 } });
  });
});
