/**
 * Slower devices: what a run in a browser predicts for one that is four times slower, beside what the same browser measures over
 * the same link when it is.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { modelOf, predictSpeedRatio, slowDown } from '../core/experiments/shootout/distance-model.js';
import { createPlan } from '../core/experiments/shootout/plan.js';
import { summarize } from '../core/experiments/shootout/summary.js';
import { withFarSite } from '../lab/far-site.js';
import { measureThrottled } from '../lab/throttled.js';
import { holdsOnce } from '../test/support/attempts.js';

const RTT_MS = 100;
const SLOWNESS = 4;

it('the speed-up on a device four times slower is what a run on this one predicts', (t) =>
  withFarSite({ rttMs: RTT_MS }, ({ browser, origin: baseUrl }) =>
    holdsOnce(t, async () => {
      const choices = { transports: ['ajax', 'sockjs'] };
      const plan = createPlan({ preset: 'quick', roundTripMs: RTT_MS, seed: 7, choices });
      const measure = async (/** @type {number} */ slowness) =>
        modelOf(summarize(await measureThrottled(browser, { baseUrl, plan, slowness }))) ?? assert.fail('no verdict');
      const [like, { speedRatio: measured }] = [await measure(1), await measure(SLOWNESS)];
      const predicted = predictSpeedRatio(slowDown(like, SLOWNESS), like.floorMs);
      const doOverlap = measured.low <= predicted.high && predicted.low <= measured.high;
      const isMore = measured.estimate > like.speedRatio.estimate;
      return doOverlap && isMore ? undefined : JSON.stringify({ like: like.speedRatio, predicted, measured });
    }),
  ));
