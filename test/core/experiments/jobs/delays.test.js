import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toMarkup } from '../../../../core/picture/svg.js';
import { newsIn } from '../../../../core/full-test/decide.js';
import { drawDelays } from '../../../../core/experiments/jobs/delays.js';
import { scoreOf } from '../../../../core/full-test/score.js';
import { fullTest, WHOLE } from '../../../support/full-tests.js';

const SIZE = { width: 600, height: 300 };

it('the chart of delays has the figures of the card, whatever push took besides its way', () => {
  const { measured, score } = fullTest.find(WHOLE).summary;
  const asked = { ...score.situation, rttMs: 100, intervalMs: 2000 };
  const [polling, push] = newsIn(scoreOf(measured, asked, { rttMs: 100 }).answers)?.bars ?? assert.fail();
  const { polls, rttMs, intervalMs } = asked;
  const page = { polls, rttMs, intervalMs, ownIntervalMs: intervalMs, ...SIZE };
  for (const extraMs of [0, 140]) {
    const gainMs = polling.value - push.value - extraMs;
    const drawn = toMarkup(drawDelays({ delivery: 'sse', name: 'EventSource', gainMs, ...page }));
    for (const ms of [polling.value, push.value + extraMs]) {
      const label = `${Number((ms / 1000).toPrecision(2))} s<`;
      assert.ok(drawn.includes(`>${label}`), `${label} ${drawn}`);
    }
  }
});
