/** When a worker counts as frozen, with one of the test's own. Real ones are in test/soak/serve-workers.test.js. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { FROZEN_MS, watchPulse } from '../../server/pulse.js';

/** @import { Worker } from 'node:cluster' */

const STEP_MS = 1000;

describe('the pulse of a worker', () => {
  let nowMs = 0;
  /** What the worker answers; absent while it stands still. @type {object | undefined} */
  let answer;
  const onFrozen = mock.fn();
  const worker = Object.assign(new EventEmitter(), {
    process: { pid: 1 },
    isConnected: () => true,
    send: () => answer && worker.emit('message', answer),
  });
  beforeEach(() => {
    answer = { isInspected: false };
    mock.timers.enable({ apis: ['setInterval'] });
    mock.method(performance, 'now', () => nowMs);
    watchPulse(/** @type {Worker} */ (/** @type {unknown} */ (worker)), onFrozen);
    pass(FROZEN_MS);
  });
  afterEach(() => {
    worker.emit('exit');
    worker.removeAllListeners();
    onFrozen.mock.resetCalls();
    mock.restoreAll();
    mock.timers.reset();
    syncBuiltinESMExports();
  });

  /** @param {number} ms */
  const pass = (ms) => {
    for (const endMs = nowMs + ms; nowMs < endMs; mock.timers.tick(STEP_MS)) nowMs += STEP_MS;
  };

  it('fails where it has not answered for a minute', () => {
    pass(60_000);
    answer = undefined;
    pass(45_000);
    assert.equal(onFrozen.mock.callCount(), 0);
    pass(FROZEN_MS);
    assert.ok(onFrozen.mock.callCount() > 0);
  });

  it('lasts where an answer comes late', () => {
    for (let i = 0; i < 5; i++) {
      answer = undefined;
      pass(45_000);
      worker.emit('message', {});
    }
    assert.equal(onFrozen.mock.callCount(), 0);
  });

  it('counts no time in which this process stood still itself', () => {
    answer = undefined;
    for (let i = 0; i < 5; i++) {
      pass(45_000);
      nowMs += 3_600_000;
    }
    assert.equal(onFrozen.mock.callCount(), 0);
  });

  it('lasts while a debugger is open in the worker, which may hold it', () => {
    answer = { isInspected: true };
    pass(5000);
    answer = undefined;
    pass(5 * FROZEN_MS);
    assert.equal(onFrozen.mock.callCount(), 0);
  });

  it('lasts while another debugger holds the worker, as the system says', () => {
    const status = (/** @type {number} */ tracer) => `Name:\tnode\nTracerPid:\t${tracer}\n`;
    const read = mock.method(fs, 'readFileSync', () => status(4711));
    syncBuiltinESMExports();
    answer = undefined;
    pass(5 * FROZEN_MS);
    assert.equal(onFrozen.mock.callCount(), 0);
    read.mock.mockImplementation(() => status(0));
    pass(5000);
    assert.ok(onFrozen.mock.callCount() > 0);
  });

  it('is nobody’s after the worker’s exit', () => {
    worker.emit('exit');
    answer = undefined;
    pass(5 * FROZEN_MS);
    assert.equal(onFrozen.mock.callCount(), 0);
  });
});
