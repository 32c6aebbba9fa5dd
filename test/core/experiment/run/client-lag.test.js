import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { clientLagFacts, sampleLag, summarizeLag } from '../../../../core/experiment/run/client-lag.js';
import { otherTabFacts } from '../../../../core/experiment/run/trust.js';
import { createDocumentCheck } from '../../../../core/experiments/all.js';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { createShootout } from '../../../support/submissions.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

const LAG = { count: 40, meanMs: 0.4, p90Ms: 0.9 };
const check = createDocumentCheck(valibot);

/** @param {object} others @returns {any} a document */
function createRun(others) {
  const document = createShootout();
  return { ...document, environment: { ...document.environment, ...others } };
}

/** Samples over timers that are late, in turn. @param {readonly number[]} lateByMs @param {number} ms in all */
async function sampleFor(lateByMs, ms) {
  const { now, timers, sleepUntil, run } = createVirtualTime();
  let count = 0;
  /** @type {number[]} */
  const lateMs = [];
  const stop = sampleLag(lateMs, {
    now,
    timers: {
      ...timers,
      setTimeout: (wake, wait) => timers.setTimeout(wake, wait + lateByMs[count++ % lateByMs.length]),
    },
  });
  await run(sleepUntil(now() + ms));
  stop();
  await run(sleepUntil(now() + ms));
  return lateMs;
}

describe('the sampler of a program’s own lag', () => {
  it('notes how late each timer is, until it is stopped', async () => {
    const lateMs = await sampleFor([0, 5], 1000);
    assert.deepEqual(lateMs.slice(0, 4), [0, 5, 0, 5]);
    assert.ok(lateMs.length > 10 && lateMs.length < 100, String(lateMs.length));
  });

  it('counts a timer that is early as in time', async () => {
    assert.deepEqual(new Set(await sampleFor([-1], 500)), new Set([0]));
  });

  it('leaves no timer behind', async () => {
    const lateMs = await sampleFor([0], 300);
    const { length } = lateMs;
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(lateMs.length, length);
  });

  it('gives count, mean and 90th percentile; nothing for a run that is too short for one', () => {
    const lateMs = [9, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    const { lag } = summarizeLag(lateMs);
    assert.deepEqual([lag?.count, lag?.meanMs, lag?.p90Ms.toFixed(3)], [10, 1, '1.800']);
    assert.deepEqual(summarizeLag(lateMs.slice(1)), {});
  });
});

describe('the deviation between trials', () => {
  /** @param {readonly (readonly [method: string, ms: number])[]} trials of 10 samples, around `ms` */
  function deviationOf(trials) {
    const lateMs = trials.flatMap(([, ms]) => Array.from({ length: 10 }, (_, i) => ms + (i % 2)));
    const ends = trials.map(([method], i) => ({ method, count: 10 * (i + 1) }));
    return summarizeLag(lateMs, ends).lag?.betweenTrialsMs;
  }

  it('is that of the trials’ means, without what chance explains', () => {
    // Means 0.5, 10.5, 20.5: their variance is 100, of which (10 x 0.25 / 9) / 10 are expected by chance.
    const found = deviationOf([['ajax', 0], ['ajax', 10], ['ajax', 20]]); // prettier-ignore
    assert.equal(found?.toFixed(6), Math.sqrt(100 - 0.25 / 9).toFixed(6));
  });

  it('is not that of one long stall', () => {
    const lateMs = Array.from({ length: 60 }, (_, i) => (i === 7 ? 5000 : i % 2));
    const ends = [20, 40, 60].map((count) => ({ method: 'ajax', count }));
    assert.equal(summarizeLag(lateMs, ends).lag?.betweenTrialsMs, 0);
  });

  it('is 0 where each method has a lag of its own, alike in all its trials', () => {
    assert.equal(deviationOf([['ajax', 9], ['ws', 2], ['ws', 2], ['ajax', 9]]), 0); // prettier-ignore
  });

  it('is absent for one trial of each method, and for short ones', () => {
    assert.equal(deviationOf([['ajax', 9], ['ws', 2]]), undefined); // prettier-ignore
    const ends = [2, 4, 6, 8, 10].map((count) => ({ method: 'ajax', count }));
    assert.equal(summarizeLag([9, 1, 0, 0, 0, 0, 0, 0, 0, 0], ends).lag?.betweenTrialsMs, undefined);
  });
});

describe('the fact about the lag', () => {
  it('is absent from documents without one', () => {
    assert.deepEqual(clientLagFacts({ stepMs: 0.005 }), []);
  });

  it('has a unit and the number of samples', () => {
    const [{ value, isWarning }] = clientLagFacts({ lag: LAG }, { decidingMs: 1 });
    assert.match(value, /0\.90 ms.*\b40 samples$/);
    assert.equal(isWarning, false);
  });

  for (const [what, lag, decidingMs, warns] of /** @type {const} */ ([
    ['differed between trials by more than decides', { p90Ms: 9, betweenTrialsMs: 3 }, 5, true],
    ['differed between trials by less than decides', { p90Ms: 9, betweenTrialsMs: 2 }, 5, false],
    ['is large, and alike in all trials', { p90Ms: 60, betweenTrialsMs: 0 }, 5, false],
    ['differed by more than usually decides', { p90Ms: 9, betweenTrialsMs: 4.1 }, undefined, true],
    ['differed by less than a timer tells', { p90Ms: 0.6, betweenTrialsMs: 0.4 }, 0.3, false],
    ['is small, of an earlier release', { p90Ms: 7 }, 5, false],
    ['is large, of an earlier release', { p90Ms: 9 }, 5, true],
    ['is large, but less than decides', { p90Ms: 9 }, 20, false],
  ])) {
    it(`${warns ? 'warns' : 'does not warn'} of a lag that ${what}`, () => {
      const [{ isWarning, weighs }] = clientLagFacts({ lag: { ...LAG, ...lag } }, { decidingMs });
      assert.deepEqual([isWarning, weighs], [warns, true]);
    });
  }

  it('allows for a coarse clock', () => {
    const lag = { ...LAG, p90Ms: 50 };
    assert.deepEqual(
      [0, 100].map((stepMs) => clientLagFacts({ lag, stepMs })[0].isWarning),
      [true, false],
    );
  });

  it('does not warn of what the run itself causes', () => {
    const [{ value, isWarning }] = clientLagFacts({ lag: { ...LAG, p90Ms: 60 } }, { isOwn: true });
    assert.equal(isWarning, false);
    assert.match(value, /own load$/);
  });

  it('is among the facts of a run', () => {
    const lag = { ...LAG, p90Ms: 30 };
    const { trust } = reportOf(shootout, createRun({ lag, hasOtherTab: true }));
    for (const fact of [...clientLagFacts({ lag }), ...otherTabFacts({ hasOtherTab: true })]) {
      assert.ok(fact.isWarning);
      assert.deepEqual(
        trust.find(({ name }) => name === fact.name),
        fact,
      );
    }
  });
});

describe('a document', () => {
  it('is taken with a lag and another tab, and without', () => {
    for (const found of [
      {},
      { lag: LAG },
      { hasOtherTab: true },
      { lag: { ...LAG, betweenTrialsMs: 0 }, hasOtherTab: true },
    ]) {
      const document = createRun(found);
      assert.deepEqual(check(document).document, document);
    }
  });

  for (const [what, found, message] of /** @type {const} */ ([
    ['a lag of one number', { lag: 3 }, 'environment.lag: expected Object, got 3'],
    ['a lag below 0', { lag: { ...LAG, p90Ms: -1 } }, 'environment.lag.p90Ms: expected at least 0, got -1'],
    [
      'fewer samples than a percentile needs',
      { lag: { ...LAG, count: 9 } },
      'environment.lag.count: expected at least 10, got 9',
    ],
    ['a time in words', { lag: { ...LAG, meanMs: 'long' } }, 'environment.lag.meanMs: expected number, got "long"'],
    ['another figure', { lag: { ...LAG, p99Ms: 9 } }, 'environment.lag.p99Ms: expected no such field'],
    ['a tab that was not there', { hasOtherTab: false }, 'environment.hasOtherTab: expected true, got false'],
  ])) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => check(createRun(found)), { name: 'InvalidInputError', message });
    });
  }
});
