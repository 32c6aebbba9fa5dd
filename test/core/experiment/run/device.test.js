/** The calibration of the device: by which clock it has a result. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { calibrate, deviceFacts } from '../../../../core/experiment/run/device.js';

it('the calibration takes the shortest of five rounds, or of fewer on a slow device', async () => {
  /** @param {number[]} takesMs of each round */
  const on = (takesMs) => {
    // The clock is read at the start, around each round, and before each but the first.
    const readings = [0];
    for (const [round, ms] of takesMs.entries()) {
      const last = Number(readings.at(-1));
      readings.push(...(round === 0 ? [last, last + ms] : [last, last, last + ms]));
    }
    let read = 0;
    return calibrate(() => readings[Math.min(read++, readings.length - 1)], 0.1);
  };
  assert.deepEqual(await on([9, 4, 3, 5, 7, 1]), { device: { workMs: 3 } });
  assert.deepEqual(await on([60, 50, 40]), { device: { workMs: 50 } });
});

it('the calibration has no result by a clock that is too coarse, and then no fact', async () => {
  let readMs = 0;
  const clock = () => (readMs += 1);
  assert.deepEqual(await calibrate(clock, 0.1), { device: { workMs: 1 } });
  assert.deepEqual(await calibrate(clock, 1), {});
  assert.deepEqual(deviceFacts({}), []);
  assert.match(deviceFacts({ device: { workMs: 2.5 } })[0].value, /2\.50 ms.*four times slower.*10\.0 ms/);
});
