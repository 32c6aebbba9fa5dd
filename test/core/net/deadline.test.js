import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createDeadline } from '../../../core/net/deadline.js';

// These clocks go on when they are read, not as time does: what is asserted holds however slow the machine is.
describe('createDeadline', () => {
  it('ends a wait that is too long, and gives the next one a signal of its own', async () => {
    let nowMs = 0;
    const deadline = createDeadline({ now: () => (nowMs += 21), limitMs: 20 });
    try {
      const first = deadline.start();
      await once(first, 'abort');
      assert.equal(first.reason.outcome, 'timeout');
      assert.equal(deadline.start().aborted, false);
    } finally {
      deadline.close();
    }
  });

  it('does not end a wait that is followed by another in time', async () => {
    let nowMs = 0;
    const deadline = createDeadline({ now: () => (nowMs += 21), limitMs: 20 });
    try {
      const first = deadline.start();
      // Between two looks of the deadline's there is at least one of these, as timers and immediates take turns.
      for (let i = 0; i < 100; i++) {
        await new Promise(setImmediate);
        assert.equal(deadline.start(), first);
      }
    } finally {
      deadline.close();
    }
  });

  it('keeps one signal as long as no wait was ended', () => {
    const deadline = createDeadline({ now: () => 0, limitMs: 1000 });
    try {
      assert.equal(deadline.start(), deadline.start());
    } finally {
      deadline.close();
    }
  });

  it('ends every wait, also those to come, once the visitor gives up', () => {
    const controller = new AbortController();
    const deadline = createDeadline({ now: () => 0, limitMs: 1000, signal: controller.signal });
    try {
      const before = deadline.start();
      controller.abort();
      assert.equal(before.reason.outcome, 'aborted');
      assert.equal(deadline.start().aborted, true);
    } finally {
      deadline.close();
    }
  });

  it('is over at once where the visitor gave up beforehand', () => {
    const deadline = createDeadline({ now: () => 0, limitMs: 1000, signal: AbortSignal.abort() });
    try {
      assert.equal(deadline.start().reason.outcome, 'aborted');
    } finally {
      deadline.close();
    }
  });
});
