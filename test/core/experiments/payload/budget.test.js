import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costsOf, expectedMs, fitTime } from '../../../../core/experiments/payload/budget.js';
import { measureSpeed } from '../../../../core/experiments/payload/speed.js';
import { bytesOf, splitSizes } from '../../../../core/experiments/payload/plan.js';
import { trialsOf } from '../../../../core/experiments/payload/trials.js';
import { PLAN, run } from '../../../support/run-scripted-transfers.js';
import { createScriptedTransfer } from '../../../support/scripted-transfer.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/** @import { PayloadPlan, PublishedPlan, Sweep } from '../../../../core/experiments/payload/plan.js' */

describe('the budget of a payload run', () => {
  const speed = { roundTripMs: 10, upBytesPerSecond: 1e6, downBytesPerSecond: 4e6 };
  /** @param {PayloadPlan} ofPlan of each size */
  const byteCountsOf = (ofPlan) => ofPlan.sizes.map((size) => bytesOf(ofPlan, size));
  /** @param {PayloadPlan} ofPlan */
  const byteCountOf = (ofPlan) => byteCountsOf(ofPlan).reduce((sum, count) => sum + count, 0);
  /** @param {PayloadPlan} ofPlan */
  const durationMsOf = (ofPlan) => costsOf(ofPlan, speed).reduce((sum, { durationMs }) => sum + durationMs, 0);
  /** @type {Sweep} */
  const plan = {
    transports: ['ajax', 'sockjs'],
    directions: ['up', 'echo'],
    sizes: [1, 1000, 1e6],
    repeats: 6,
    seed: 1,
  };

  it('counts the bytes of all messages in both directions, with a warm-up for each size', () => {
    // An upload counts once and an echo twice, for two transports, in six blocks and the warm-up.
    assert.deepEqual(byteCountsOf(plan), [42, 42_000, 42_000_000]);
    assert.equal(byteCountOf(plan), 42_042_042);
    assert.equal(byteCountOf({ ...plan, directions: ['down'] }), 14_014_014);
  });

  it('counts the bytes of the published plan, which warms up the smallest size alone', () => {
    /** @type {PublishedPlan} */
    const published = { preset: 'published', transports: ['ajax', 'sockjs'], directions: ['up'], sizes: [1, 500, 1e6] };
    assert.deepEqual(byteCountsOf(published), [2 * 201, 2 * 20 * 500, 2 * 2 * 1e6]);
  });

  it('estimates the time of all messages', () => {
    const [, , { durationMs }] = costsOf(plan, speed);
    // 1 MB takes 1010 ms up, and 1260 ms as an echo.
    assert.equal(durationMs, 14 * (1010 + 1260));
    assert.ok(Math.abs(durationMsOf(plan) - (31_780 + 14 * (11 + 11.25) + 14 * (20 + 2.25e-3))) < 1e-6);
  });

  describe('before the connection is tested', () => {
    const quick = { ...plan, directions: /** @type {const} */ (['up', 'down']), sizes: [1000, 100_000, 1_000_000] };

    /**
     * Sends all messages of a plan over TCP: what a connection has under way doubles with each round trip, up to what the path holds.
     * @param {{ rttMs: number, bytesPerSecond: number }} path
     */
    const sendAll = ({ rttMs, bytesPerSecond }) => {
      /** @type {Map<string, number>} what each connection may have under way */
      const windows = new Map();
      let ms = 0;
      for (const { transport, direction, size, warmUps = [] } of trialsOf({ ...PLAN, ...quick }))
        for (const sender of [...warmUps, transport]) {
          const key = `${sender} ${direction}`;
          // TCP, and for a socket its upgrade and its session.
          if (!windows.has(key)) ms += (sender === 'sockjs' ? 4 : 2) * rttMs;
          let under = windows.get(key) ?? 14_600;
          let left = size;
          for (; left > under; under *= 2) {
            left -= under;
            ms += Math.max(rttMs, (1000 * under) / bytesPerSecond);
          }
          ms += rttMs + (1000 * left) / bytesPerSecond;
          windows.set(key, under);
        }
      return ms;
    };

    for (const rttMs of [20, 100, 230])
      for (const bytesPerSecond of [250_000, 2_500_000, 12_500_000])
        it(`knows how long it takes at ${rttMs} ms with ${bytesPerSecond} bytes/s`, () => {
          const ratio = expectedMs(quick, rttMs, { bytesPerSecond }) / sendAll({ rttMs, bytesPerSecond });
          assert.ok(ratio > 0.8 && ratio < 1.25, String(ratio));
        });

    it('takes a path of which it knows nothing for a fast one', () => {
      assert.equal(expectedMs(quick, 20), expectedMs(quick, 20, { bytesPerSecond: 12_500_000 }));
      assert.ok(expectedMs(quick, 20, { bytesPerSecond: 1_250_000 }) > 4 * expectedMs(quick, 20));
    });
  });

  it('counts the bytes that a run really sends', async () => {
    const { states } = await run();
    const sent = Object.values(states).flatMap((state) => state.sent);
    const moved = sent.reduce((sum, { direction, bytes }) => sum + (direction === 'echo' ? 2 : 1) * bytes, 0);
    assert.equal(moved, byteCountOf(PLAN));
    const both = { ...PLAN, connections: ['kept', 'new'] };
    const { states: ofBoth, trials } = await run({ plan: both });
    const all = Object.values(ofBoth).flatMap((state) => state.sent);
    const bytes = all.map((one) => (one.direction === 'echo' ? 2 : 1) * one.bytes);
    assert.equal(
      bytes.reduce((sum, count) => sum + count, 0),
      byteCountOf(both),
    );
    assert.equal(trials.filter(({ transport, durationMs }) => transport === 'ajax-new' && durationMs).length, 24);
    /** @type {PublishedPlan} */
    const published = { preset: 'published', transports: ['ajax'], directions: ['down'], sizes: [1, 500] };
    const { states: publishedStates } = await run({ plan: published });
    assert.equal(publishedStates.ajax.sent.length, 1 + 2 * (100 + 10));
  });

  it('leaves out the largest sizes above a budget of bytes, but keeps them in the plan', () => {
    const split = (/** @type {number | undefined} */ budget) => splitSizes({ ...plan, budget });
    assert.deepEqual(split(undefined), { sizes: [1, 1000, 1e6], leftOut: [] });
    assert.deepEqual(split(43), { sizes: [1, 1000, 1e6], leftOut: [] });
    assert.deepEqual(split(42), { sizes: [1, 1000], leftOut: [1e6] });
    assert.deepEqual(trialsOf({ ...plan, budget: 42 }), trialsOf({ ...plan, sizes: [1, 1000] }));
    const lone = { ...plan, budget: 42, sizes: [1e6, 1e7] };
    assert.deepEqual(split(1).leftOut, [1e6]);
    assert.deepEqual(splitSizes({ ...lone, budget: 41 }).sizes, []);
  });

  it('leaves out the largest sizes that take more than twice a budget of time', () => {
    const wholeMs = durationMsOf(plan);
    const fit = (/** @type {number} */ budgetMs, /** @type {PayloadPlan} */ of = plan) =>
      fitTime(of, { speed, budgetMs });
    const byteCount = byteCountOf(plan);
    assert.deepEqual(fit(wholeMs / 2), { plan, tooSlow: [], byteCount, durationMs: wholeMs });
    const cut = fit(wholeMs / 2.01);
    assert.deepEqual([cut.plan.sizes, cut.tooSlow], [[1, 1000], [{ size: 1e6, durationMs: wholeMs }]]);
    assert.equal(cut.byteCount, 42_042);
    // The sizes that the budget of bytes leaves out stay in the plan.
    const tight = { ...plan, budget: 1 };
    assert.deepEqual([fit(1000, tight).plan, fit(1000, tight).tooSlow], [tight, []]);
    const { plan: none, durationMs } = fit(1);
    assert.deepEqual([none.sizes, durationMs], [[], 0]);
  });

  it('leaves out every size above one that takes too long, even where it takes less', () => {
    /** @type {PublishedPlan} */
    const published = { preset: 'published', transports: ['ajax'], directions: ['up'], sizes: [1, 500] };
    // 201 messages of 1 B take 2 s, 20 of 500 B only 0.2 s.
    assert.deepEqual(fitTime(published, { speed, budgetMs: 900 }).plan.sizes, []);
  });
});

describe('measureSpeed', () => {
  it('estimates the speed from a short test of the connection', async () => {
    const time = createVirtualTime();
    // A message takes 20 ms, and a millisecond per 100 bytes up or 1000 bytes down: 100 kB up take long enough, 1 MB is
    // sent down alone.
    const { transfer, state } = createScriptedTransfer(time, {
      name: 'fetch',
      form: 'binary',
      law: ({ direction, bytes }) => 20 + bytes / { up: 100, down: 1000, echo: Infinity }[direction],
    });
    const speedHere = await time.run(measureSpeed({ transfer, now: time.now }));
    const rounded = Object.values(speedHere).map(Math.round);
    assert.deepEqual(rounded, [20, 100_000, 1_000_000]);
    const largest = (/** @type {string} */ name) =>
      Math.max(...state.sent.filter(({ direction }) => direction === name).map(({ bytes }) => bytes));
    assert.deepEqual([largest('up'), largest('down')], [100_000, 1_000_000]);
    assert.equal(state.closeCount, 3);
  });

  it('estimates the speed from a smaller test on request', async () => {
    const time = createVirtualTime();
    const { transfer, state } = createScriptedTransfer(time, { name: 'fetch', form: 'binary', law: () => 1 });
    await time.run(measureSpeed({ transfer, now: time.now, maxBytes: 100_000 }));
    assert.equal(Math.max(...state.sent.map(({ bytes }) => bytes)), 100_000);
  });

  it('estimates the speed without connection setup, from the fastest of three tries', async () => {
    const time = createVirtualTime();
    const { transfer, state } = createScriptedTransfer(time, {
      name: 'fetch',
      form: 'binary',
      openingMs: 1000,
      // Every third message is delayed.
      law: ({ bytes }, count) => 20 + bytes / 10_000 + (count % 3 === 0 ? 100 : 0),
    });
    const { roundTripMs, upBytesPerSecond, downBytesPerSecond } = await time.run(
      measureSpeed({ transfer, now: time.now, maxBytes: 100_000 }),
    );
    assert.deepEqual([roundTripMs, upBytesPerSecond / 1e6, downBytesPerSecond / 1e6].map(Math.round), [20, 10, 10]);
    assert.equal(state.sent.filter(({ bytes }) => bytes === 100_000).length, 6);
  });

  it('estimates the speed from one try that takes long enough', async () => {
    const time = createVirtualTime();
    const { transfer, state } = createScriptedTransfer(time, { name: 'fetch', law: ({ bytes }) => 20 + bytes / 10 });
    await time.run(measureSpeed({ transfer, now: time.now }));
    assert.deepEqual(
      state.sent.flatMap(({ direction, bytes }) => (bytes > 1 ? [`${direction} ${bytes}`] : [])),
      ['up 10000', 'down 10000'],
    );
  });

  it('estimates no speed from wrong answers', async () => {
    const time = createVirtualTime();
    const { transfer, state } = createScriptedTransfer(time, { name: 'fetch', law: () => 1, fail: () => 'lie' });
    await assert.rejects(time.run(measureSpeed({ transfer, now: time.now })), { outcome: 'mismatch' });
    assert.equal(state.closeCount, 1);
  });
});
