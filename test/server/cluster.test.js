/** What starts several workers, with workers of the test's own. Real ones are in test/soak/serve-workers.test.js. */
import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { startWorkers } from '../../server/cluster.js';
import { parseConfig } from '../../server/config.js';
import { FROZEN_MS } from '../../server/pulse.js';

/** @import { Mock, TestContext } from 'node:test' */

const CONFIG = parseConfig({ WORKERS: '3', NODE_APP_INSTANCE: '0', LOG_LEVEL: 'silent' });
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const PAUSE_MS = 1000;

describe('the start of several workers', () => {
  /** @type {(EventEmitter & { process: { kill: Mock<(signal: string) => void>, pid?: number }, send: Mock<() => void> })[]} */
  let started;
  /** What the signals reach besides: other tests share this process. @type {Set<Function>} */
  let others;
  /** @type {typeof process.exitCode} */
  let exitCode;
  /** @type {(() => void)[]} */
  const restores = [];
  /** Of the next worker; absent where the system has no process for it. @type {number | undefined} */
  let nextPid;
  /** @type {Mock<(code?: number) => void>} */
  let exit;
  beforeEach(() => {
    others = new Set(SIGNALS.flatMap((name) => process.listeners(name)));
    ({ exitCode } = process);
    started = [];
    nextPid = 1;
    const setup = mock.method(cluster, 'setupPrimary', () => {});
    const fork = mock.method(cluster, 'fork', () => {
      if (nextPid === 0) throw new Error('spawn ENOMEM');
      const process = { kill: mock.fn(), pid: nextPid };
      const worker = Object.assign(new EventEmitter(), { process, isConnected: () => true, send: mock.fn() });
      started.push(worker);
      return worker;
    });
    exit = mock.method(process, 'exit', () => {});
    for (const { mock } of [setup, fork, exit]) restores.push(() => mock.restore());
  });
  afterEach(async () => {
    // From here on, nothing is started that would be a real process.
    const exitCount = exit.mock.callCount();
    for (const listener of listenersOf('SIGTERM')) listener('SIGTERM');
    for (const worker of started) worker.emit('exit', 0, null);
    await untilExit(exitCount + 1);
    for (const restore of restores.splice(0)) restore();
    process.exitCode = exitCode;
    for (const name of SIGNALS) for (const own of listenersOf(name)) process.off(name, own);
  });

  /** Until all that is ready to be done is done. */
  const settle = () => new Promise(setImmediate);

  /** The log is written first. @param {number} count of exits that there have been by then */
  const untilExit = async (count) => {
    while (exit.mock.callCount() < count) await settle();
  };

  /** @param {NodeJS.Signals} name @returns {NodeJS.SignalsListener[]} those of the cluster alone */
  const listenersOf = (name) => process.listeners(name).filter((one) => !others.has(one));

  /** Starts all of them, with a clock of the test's own from then on. @param {TestContext} t */
  const startAll = async (t) => {
    const all = startWorkers(CONFIG);
    await settle();
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    started[0].emit('message', 'ready');
    await settle();
    for (const worker of started.slice(1)) worker.emit('message', 'ready');
    assert.equal(await all, true);
    return {
      /** @param {number} ms */
      async pass(ms) {
        t.mock.timers.tick(ms);
        await settle();
      },
    };
  };

  it('starts the others when the first one is ready', async () => {
    const all = startWorkers(CONFIG);
    await settle();
    assert.equal(started.length, 1);
    started[0].emit('message', 'ready');
    await settle();
    assert.equal(started.length, 3);
    for (const worker of started.slice(1)) worker.emit('message', 'ready');
    assert.equal(await all, true);
  });

  for (const signal of SIGNALS) {
    it(`starts no other one after ${signal}, which none would get, and exits after the last`, async () => {
      const all = startWorkers(CONFIG);
      await settle();
      for (const listener of listenersOf(signal)) listener(signal);
      // It had become ready before it got the signal.
      started[0].emit('message', 'ready');
      assert.equal(await all, false);
      assert.equal(started.length, 1);
      assert.equal(started[0].process.kill.mock.callCount(), 1);
      await settle();
      assert.equal(exit.mock.callCount(), 0);
      started[0].emit('exit', 0, null);
      await untilExit(1);
      assert.equal(process.exitCode, exitCode);
    });
  }

  it('ends the others, and with 1, where one cannot start', async () => {
    const all = startWorkers(CONFIG);
    await settle();
    started[0].emit('message', 'ready');
    await settle();
    started[1].emit('exit', 1, null);
    started[2].emit('message', 'ready');
    assert.equal(await all, false);
    assert.equal(process.exitCode, 1);
    for (const worker of [started[0], started[2]]) {
      assert.deepEqual(worker.process.kill.mock.calls[0].arguments, ['SIGTERM']);
    }
  });

  for (const [how, pid] of /** @type {const} */ ([
    ['says so later', undefined],
    ['throws', 0],
  ])) {
    it(`tries again where a worker cannot be spawned, which ${how}, and leaves the others alone`, async (t) => {
      const { pass } = await startAll(t);
      nextPid = pid;
      started[1].emit('exit', null, 'SIGKILL');
      for (let i = 0; i < 3; i++) {
        await pass(PAUSE_MS);
        if (pid === undefined) started[3 + i].emit('error', new Error('spawn EAGAIN'));
        await settle();
      }
      nextPid = 2;
      const triedCount = started.length;
      await pass(PAUSE_MS);
      assert.equal(started.length, triedCount + 1);
      const last = started[triedCount];
      last.emit('message', 'ready');
      // A message that could not be sent is no such failure.
      last.emit('error', new Error('EPIPE'));
      await pass(PAUSE_MS);
      assert.equal(started.length, triedCount + 1);
      assert.equal(process.exitCode, exitCode);
      for (const worker of started) assert.equal(worker.process.kill.mock.callCount(), 0);
    });
  }

  it('tries again where the first one cannot be spawned', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    nextPid = 0;
    const all = startWorkers(CONFIG);
    await settle();
    nextPid = 1;
    t.mock.timers.tick(PAUSE_MS);
    await settle();
    assert.equal(started.length, 1);
    started[0].emit('exit', 1, null);
    assert.equal(await all, false);
    await untilExit(1);
  });

  it('kills one that is ready and does not answer any more, and starts another', async (t) => {
    const { pass } = await startAll(t);
    const [first, frozen, third] = started;
    for (const worker of [first, third]) worker.send.mock.mockImplementation(() => worker.emit('message', {}));
    for (let ms = 0; ms < 2 * FROZEN_MS; ms += PAUSE_MS) await pass(PAUSE_MS);
    assert.deepEqual(
      started.map(({ process }) => process.kill.mock.calls[0]?.arguments),
      [undefined, ['SIGKILL'], undefined],
    );
    frozen.emit('exit', null, 'SIGKILL');
    await pass(PAUSE_MS);
    assert.equal(started.length, 4);
  });
});
