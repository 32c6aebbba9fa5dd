import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureStepMs } from '../../../core/base/clock.js';

describe('measureStepMs', () => {
  for (const step of [0.005, 0.1, 1, 100]) {
    it(`finds a step of ${step} ms, however often the clock is read within it`, () => {
      let reads = 0;
      const coarse = () => Math.floor(reads++ / 7) * step;
      assert.ok(Math.abs(Number(measureStepMs(coarse)) - step) < 1e-9);
    });
  }
  it('is absent for a clock that stands still', () =>
    assert.equal(
      measureStepMs(() => 42),
      undefined,
    ));
  it('finds that this machine’s clock moves', () => assert.ok(Number(measureStepMs(() => performance.now())) > 0));
});
