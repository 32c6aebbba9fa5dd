/** What starts several workers, with workers of the test's own. Real ones are in test/soak/serve-workers.test.js. */
import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { startWorkers } from '../../server/cluster.js';
import { parseConfig } from '../../server/config.js';

/** @import { Mock } from 'node:test' */

const CONFIG = parseConfig({ WORKERS: '3', NODE_APP_INSTANCE: '0', LOG_LEVEL: 'silent' });
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM']);

describe('the start of several workers', () => {
  /** @type {(EventEmitter & { process: { kill: Mock<(signal: string) => void>, pid?: number } })[]} */
  let started;
  /** What the signals reach besides: other tests share this process. @type {Set<Function>} */
  let others;
  /** @type {typeof process.exitCode} */
  let exitCode;
  /** @type {(() => void)[]} */
  const restores = [];
  /** Of the next worker; absent where the system has no process for it. @type {number | undefined} */
  let nextPid;
  beforeEach(() => {
    others = new Set(SIGNALS.flatMap((name) => process.listeners(name)));
    ({ exitCode } = process);
    started = [];
    nextPid = 1;
    const setup = mock.method(cluster, 'setupPrimary', () => {});
    const fork = mock.method(cluster, 'fork', () => {
      const worker = Object.assign(new EventEmitter(), { process: { kill: mock.fn(), pid: nextPid } });
      started.push(worker);
      Object.assign(cluster.workers ?? {}, { [started.length]: worker });
      return worker;
    });
    restores.push(
      () => setup.mock.restore(),
      () => fork.mock.restore(),
    );
  });
  afterEach(() => {
    for (const restore of restores.splice(0)) restore();
    process.exitCode = exitCode;
    for (const id of Object.keys(cluster.workers ?? {})) delete cluster.workers?.[id];
    for (const name of SIGNALS) for (const own of listenersOf(name)) process.off(name, own);
  });

  /** @param {NodeJS.Signals} name @returns {NodeJS.SignalsListener[]} those of the cluster alone */
  const listenersOf = (name) => process.listeners(name).filter((one) => !others.has(one));

  it('starts the others when the first one is ready', async () => {
    const all = startWorkers(CONFIG);
    assert.equal(started.length, 1);
    started[0].emit('message', 'ready');
    await new Promise(setImmediate);
    assert.equal(started.length, 3);
    for (const worker of started.slice(1)) worker.emit('message', 'ready');
    assert.equal(await all, true);
  });

  it('starts no other one after a signal, which none would get', async () => {
    const all = startWorkers(CONFIG);
    for (const listener of listenersOf('SIGTERM')) listener('SIGTERM');
    // It had become ready before it got the signal.
    started[0].emit('message', 'ready');
    assert.equal(await all, false);
    assert.equal(started.length, 1);
    assert.equal(started[0].process.kill.mock.callCount(), 1);
    started[0].emit('exit', 0, null);
    assert.equal(process.exitCode, exitCode);
  });

  it('ends the others, and with 1, where one cannot start', async () => {
    const all = startWorkers(CONFIG);
    started[0].emit('message', 'ready');
    await new Promise(setImmediate);
    started[1].emit('exit', 1, null);
    started[2].emit('message', 'ready');
    assert.equal(await all, false);
    assert.equal(process.exitCode, 1);
    for (const worker of started) assert.deepEqual(worker.process.kill.mock.calls[0].arguments, ['SIGTERM']);
  });

  it('tries again where a worker cannot be started later, and leaves the others alone', async (t) => {
    const all = startWorkers(CONFIG);
    started[0].emit('message', 'ready');
    await new Promise(setImmediate);
    for (const worker of started.slice(1)) worker.emit('message', 'ready');
    assert.equal(await all, true);

    t.mock.timers.enable({ apis: ['setTimeout'] });
    nextPid = undefined;
    started[1].emit('exit', null, 'SIGKILL');
    t.mock.timers.tick(1000);
    assert.equal(started.length, 4);
    started[3].emit('error', new Error('spawn EAGAIN'));
    nextPid = 2;
    t.mock.timers.tick(1000);
    assert.equal(started.length, 5);
    started[4].emit('message', 'ready');
    // A message that could not be sent is no such failure.
    started[4].emit('error', new Error('EPIPE'));
    t.mock.timers.tick(1000);
    assert.equal(started.length, 5);
    assert.equal(process.exitCode, exitCode);
    for (const worker of started) assert.equal(worker.process.kill.mock.callCount(), 0);
  });
});
