import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchGaps } from '../../../../core/experiment/run/gaps.js';

/** A device whose timer fires when the test says so. */
function createDevice() {
  let [monotonicMs, wallMs] = [7000, 1e12];
  /** @type {(() => void) | undefined} */
  let fire;
  const timers = {
    setTimeout: (/** @type {() => void} */ wake) => void (fire = wake),
    clearTimeout: () => void (fire = undefined),
  };
  return {
    clocks: { now: () => monotonicMs, wallNow: () => wallMs, timers },
    isWatched: () => fire !== undefined,
    /** @param {number} ms @param {number} [byWallMs] */
    pass(ms, byWallMs = ms) {
      monotonicMs += ms;
      wallMs += byWallMs;
      fire?.();
    },
  };
}

describe('a gap', () => {
  for (const [name, ms, byWallMs, expected] of /** @type {const} */ ([
    ['where the monotonic clock goes on while the device sleeps', 6250, 6250, 'slept for 6 s'],
    ['where it stands still while the device sleeps', 260, 6250, 'slept for 6 s'],
    ['where the clock is set back', 250, 250 - 3_600_000, 'set back by 3600 s'],
  ])) {
    it(`ends the run: ${name}`, () => {
      const device = createDevice();
      const { signal } = watchGaps(device.clocks);
      device.pass(250);
      assert.equal(signal.aborted, false);
      device.pass(ms, byWallMs);
      assert.equal(signal.reason.kind, 'invalid');
      assert.ok(signal.reason.reason.includes(expected), signal.reason.reason);
    });
  }

  for (const [workedMs, passedMs, isGap] of /** @type {const} */ ([
    [1400, 1500, false],
    [100, 1500, true],
    [6000, 6000, true],
  ])) {
    it(`is ${isGap ? 'one' : 'none'} where the program worked for ${workedMs} of ${passedMs} ms`, () => {
      const device = createDevice();
      let idleMs = 50;
      const { signal } = watchGaps({ ...device.clocks, idle: () => idleMs });
      idleMs += passedMs - workedMs;
      device.pass(passedMs);
      assert.equal(signal.aborted, isGap);
    });
  }

  it('is none where timers are late by less than a second, or the clock is adjusted, or the run is over', () => {
    const device = createDevice();
    const { signal, stop } = watchGaps(device.clocks);
    for (const byWallMs of [250, 1000, -500]) device.pass(250, byWallMs);
    device.pass(1200);
    stop();
    assert.equal(device.isWatched(), false);
    device.pass(60_000);
    assert.equal(signal.aborted, false);
  });
});
