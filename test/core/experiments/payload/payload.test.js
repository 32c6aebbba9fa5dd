import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costsOf, fitTime, measureSpeed } from '../../../../core/experiments/payload/budget.js';
import {
  bytesOf,
  describePayloadPlan,
  formatSize,
  formatPayloadPlan,
  parsePayloadPlan,
  PUBLISHED_SIZES,
  splitSizes,
  trialsOf,
  DEFAULT_SIZES,
} from '../../../../core/experiments/payload/plan.js';
import { ExchangeError } from '../../../../core/net/exchange-error.js';
import { runExperiment } from '../../../../core/experiment/run.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { findFault } from '../../../../core/experiment/faults.js';
import { assertComplaint } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { createScriptedTransfer } from '../../../support/scripted-transfer.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * @import { RunCallbacks } from '../../../../core/experiment/contract.js'
 * @import { Options } from '../../../../core/experiments/payload/measure.js'
 * @import { PayloadTrial } from '../../../../core/experiments/payload/schema.js'
 * @import { PayloadPlan, PlannedTrial, PublishedPlan, Sweep } from '../../../../core/experiments/payload/plan.js'
 */

const matchGolden = useGolden(import.meta.url);

/** @type {Sweep} */
const PLAN = { transports: ['ajax', 'sockjs'], directions: ['up', 'echo'], sizes: [1, 1000], repeats: 6, seed: 4 };
const TRIAL_COUNT = 2 * 2 * 2 * 6;
const NOT_PUBLISHED = 'preset=published&sizes=2';

/** @type {(query: string) => PayloadPlan | undefined} */
const parse = (query) => parsePayloadPlan(new URLSearchParams(query), { seed: 9 });

/**
 * @param {string} query
 * @returns {Error} by which it is refused
 */
function errorOf(query) {
  try {
    parse(query);
  } catch (error) {
    return /** @type {Error} */ (error);
  }
  assert.fail(`${query} is taken`);
}

/**
 * @param {object} [options]
 * @param {PayloadPlan} [options.plan]
 * @param {Record<string, Partial<Parameters<typeof createScriptedTransfer>[1]>>} [options.scripts] by transport
 * @param {Partial<Options> & RunCallbacks<any, any>} [options.measureOptions]
 */
async function run({ plan = PLAN, scripts = {}, measureOptions } = {}) {
  const time = createVirtualTime();
  const scripted = Object.fromEntries(
    plan.transports.map((name) => [name, createScriptedTransfer(time, { name, law: () => 5, ...scripts[name] })]),
  );
  const transfers = Object.fromEntries(Object.entries(scripted).map(([name, { transfer }]) => [name, transfer]));
  const made = await time.run(runExperiment(payload, { plan, transfers, now: time.now, ...measureOptions }));
  return { ...made, states: Object.fromEntries(Object.entries(scripted).map(([name, { state }]) => [name, state])) };
}

/** @param {readonly PayloadTrial[]} trials */
const failuresOf = (trials) => trials.flatMap(({ failure, ...place }) => (failure ? [{ ...place, ...failure }] : []));

describe('the plan of a run over sizes', () => {
  it('is in a link, and what the link leaves out is as usual', () => {
    const plan = parse('transports=sockjs,ajax&directions=echo,up&sizes=1000,0,16777216&budget=999&repeats=8&seed=7');
    assert.deepEqual(plan, {
      transports: ['ajax', 'sockjs'],
      connections: ['kept'],
      directions: ['up', 'echo'],
      sizes: [0, 1000, 16777216],
      budget: 999,
      repeats: 8,
      seed: 7,
    });
    assert.deepEqual(plan && parse(formatPayloadPlan(plan)), plan);
    assert.deepEqual(parse('seed=3'), {
      transports: ['ajax', 'fetch', 'websocket-text', 'websocket-binary', 'sockjs'],
      connections: ['kept'],
      directions: ['up', 'down', 'echo'],
      sizes: DEFAULT_SIZES,
      budget: 200,
      repeats: 6,
      seed: 3,
    });
    assert.equal(parse('autostart=1'), undefined);
  });

  it('may be as published, also in a link', () => {
    const plan = parse('preset=published&directions=up&transports=ajax,sockjs&sizes=1,1000000');
    assert.deepEqual(plan, {
      preset: 'published',
      transports: ['ajax', 'sockjs'],
      directions: ['up'],
      sizes: [1, 1_000_000],
      budget: 500,
    });
    assert.deepEqual(plan && parse(formatPayloadPlan(plan)), plan);
    const whole = parse('preset=published');
    assert.deepEqual(whole && splitSizes(whole).sizes, PUBLISHED_SIZES);
    assert.deepEqual(PUBLISHED_SIZES, [1, 500, 1000, 100_000, 1_000_000, 10_000_000]);
  });

  /** @type {[string, string, string | number][]} query, parameter, what it got */
  const wrongs = [
    ['repeats=5', 'repeats', '“5”'],
    ['repeats=51', 'repeats', '“51”'],
    ['sizes=', 'sizes', 'nothing'],
    ['sizes=1,5,1', 'sizes', '1 more than once'],
    ['sizes=16777217', 'sizes', '“16777217”'],
    ['sizes=1,2,3,4,5,6,7,8,9,10,11,12,13', 'sizes', 13],
    ['sizes=1e3', 'sizes', '“1e3”'],
    ['directions=sideways', 'directions', '“sideways”'],
    ['transports=websocket', 'transports', '“websocket”'],
    ['transports=ajax,ajax', 'transports', '“ajax,ajax”'],
    ['preset=quick', 'preset', '“quick”'],
    ['connections=new', 'connections', '“new”'],
    ['budget=0', 'budget', '“0”'],
    ['sizes=10000000&budget=1', 'budget', '1'],
  ];
  for (const [query, parameter, got] of wrongs) {
    it(`refuses ${query}`, () => {
      const error = errorOf(query);
      assert.equal(error.name, 'InvalidInputError');
      assertComplaint(error, parameter, got);
    });
  }

  it('refuses sizes as published that were not', () => {
    const { name, message } = errorOf(NOT_PUBLISHED);
    assert.equal(name, 'InvalidInputError');
    assert.match(message, /^sizes: .+ got “2”$/);
  });

  it('says what it expected where it refuses', (t) => {
    const queries = [...wrongs.map(([query]) => query), NOT_PUBLISHED];
    matchGolden(
      t,
      'payload',
      queries.map((query) => errorOf(query).message),
    );
  });

  it('takes the most blocks, and the most sizes', () => {
    const plan = parse('repeats=50&sizes=1,2,3,4,5,6,7,8,9,10,11,16777216');
    assert.deepEqual([plan?.sizes.length, !plan?.preset && plan?.repeats], [12, 50]);
  });

  it('has every transport once for each size and direction in each block, next to each other, in random order', () => {
    const plan = { ...PLAN, transports: ['ajax', 'fetch', 'sockjs'] };
    const trials = trialsOf(plan);
    assert.equal(trials.length, 6 * 2 * 2 * 3);
    const groups = groupsOf(plan);
    const placeOf = (/** @type {PlannedTrial} */ { block, size, direction }) => `${block} ${size} ${direction}`;
    for (const group of groups) {
      assert.deepEqual(group.map(({ transport }) => transport).toSorted(), plan.transports);
      assert.equal(new Set(group.map(placeOf)).size, 1);
    }
    assert.equal(new Set(trials.map(placeOf)).size, groups.length);
    assert.deepEqual(trials, trialsOf(plan));
    assert.notDeepEqual(trials, trialsOf({ ...plan, seed: 5 }));
    assert.equal(new Set(groups.map((group) => group.map(({ transport }) => transport).join())).size, 6);
    assert.ok(new Set(Array.from({ length: 6 }, (_, block) => JSON.stringify(placesIn(plan, block)))).size > 1);
  });

  it('has new connections before or after all kept ones of a block, in turn, whose order stays', () => {
    const trials = trialsOf({ ...PLAN, connections: ['kept', 'new'] });
    const isNew = (/** @type {PlannedTrial} */ { transport }) => transport === 'ajax-new';
    const kept = trials.filter((trial) => !isNew(trial));
    const bare = (/** @type {PlannedTrial} */ { warmUps: _, ...trial }) => trial;
    assert.deepEqual(kept.map(bare), trialsOf(PLAN).map(bare));
    assert.equal(trials.length - kept.length, 6 * 2 * 2);
    const order = Array.from({ length: 6 }, (_, block) => {
      const kinds = trials.filter((trial) => trial.block === block).map(isNew);
      return kinds
        .map(Number)
        .join('')
        .replace(/(.)\1+/g, '$1');
    });
    assert.deepEqual(order, ['01', '10', '01', '10', '01', '10']);
    // They end the connections that HTTP kept, so that each block warms up.
    assert.equal(kept.filter(({ warmUps }) => warmUps).length, 6 * 2 * 2);
  });

  it('as published takes each size as often as that was, by one transport after the other, twice', () => {
    const plan = parse('preset=published&directions=up,down&transports=ajax,sockjs');
    assert.ok(plan);
    const trials = trialsOf(plan);
    assert.equal(trials.length, 2 * 2 * 2 * (100 + 10 + 10 + 10 + 1 + 1));
    assert.deepEqual(
      trials.slice(0, 201).map(({ transport, size }) => `${transport} ${size}`),
      [...Array(100).fill('ajax 1'), ...Array(100).fill('sockjs 1'), 'ajax 500'],
    );
  });

  it('is described in a sentence', (t) => {
    const plan = parse('preset=published&directions=up&transports=fetch&sizes=1,10000000');
    assert.ok(plan);
    const tight = { ...PLAN, sizes: [1, 1000, 1e6, 1e7] };
    matchGolden(
      t,
      'payload',
      [PLAN, plan, { ...tight, budget: 100, connections: ['kept', 'new'] }, { ...tight, budget: 1 }].map(
        describePayloadPlan,
      ),
    );
  });

  for (const [bytes, text] of /** @type {[number, string][]} */ ([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1536, '1.536 kB'],
    [10_000_000, '10 MB'],
    [16 * 1024 * 1024, '16 MiB'],
    [16_777_215, '16.777215 MB'],
  ])) {
    it(`calls ${bytes} bytes ${text}`, () => assert.equal(formatSize(bytes), text));
  }
});

/** The messages that are measured next to each other: one by each transport. @param {Sweep} plan */
function groupsOf(plan) {
  const trials = trialsOf(plan);
  const { length } = plan.transports;
  return Array.from({ length: trials.length / length }, (_, i) => trials.slice(i * length, (i + 1) * length));
}

/** @param {Sweep} plan @param {number} block */
function placesIn(plan, block) {
  return groupsOf(plan)
    .filter(([first]) => first.block === block)
    .map(([{ size, direction }]) => `${size} ${direction}`);
}

describe('the budget', () => {
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
    // Up once, an echo twice; two transports; six blocks and the warm-up.
    assert.deepEqual(byteCountsOf(plan), [42, 42_000, 42_000_000]);
    assert.equal(byteCountOf(plan), 42_042_042);
    assert.equal(byteCountOf({ ...plan, directions: ['down'] }), 14_014_014);
  });

  it('counts those of the published plan, which warms up the smallest size alone', () => {
    /** @type {PublishedPlan} */
    const published = { preset: 'published', transports: ['ajax', 'sockjs'], directions: ['up'], sizes: [1, 500, 1e6] };
    assert.deepEqual(byteCountsOf(published), [2 * 201, 2 * 20 * 500, 2 * 2 * 1e6]);
  });

  it('estimates the time of all messages', () => {
    const [, , { durationMs }] = costsOf(plan, speed);
    // Of 1 MB up 1010 ms, of its echo 1260 ms.
    assert.equal(durationMs, 14 * (1010 + 1260));
    assert.ok(Math.abs(durationMsOf(plan) - (31_780 + 14 * (11 + 11.25) + 14 * (20 + 2.25e-3))) < 1e-6);
  });

  it('counts what is really sent', async () => {
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

  it('of bytes leaves out the largest sizes, which the plan keeps', () => {
    const split = (/** @type {number | undefined} */ budget) => splitSizes({ ...plan, budget });
    assert.deepEqual(split(undefined), { sizes: [1, 1000, 1e6], leftOut: [] });
    assert.deepEqual(split(43), { sizes: [1, 1000, 1e6], leftOut: [] });
    assert.deepEqual(split(42), { sizes: [1, 1000], leftOut: [1e6] });
    assert.deepEqual(trialsOf({ ...plan, budget: 42 }), trialsOf({ ...plan, sizes: [1, 1000] }));
    const lone = { ...plan, budget: 42, sizes: [1e6, 1e7] };
    assert.deepEqual(split(1).leftOut, [1e6]);
    assert.deepEqual(splitSizes({ ...lone, budget: 41 }).sizes, []);
  });

  it('of time leaves out the largest sizes, above twice of it', () => {
    const wholeMs = durationMsOf(plan);
    const fit = (/** @type {number} */ budgetMs, /** @type {PayloadPlan} */ of = plan) =>
      fitTime(of, { speed, budgetMs });
    const byteCount = byteCountOf(plan);
    assert.deepEqual(fit(wholeMs / 2), { plan, tooSlow: [], byteCount, durationMs: wholeMs });
    const cut = fit(wholeMs / 2.01);
    assert.deepEqual([cut.plan.sizes, cut.tooSlow], [[1, 1000], [{ size: 1e6, durationMs: wholeMs }]]);
    assert.equal(cut.byteCount, 42_042);
    // What the byte budget leaves out anyway stays in the plan.
    const tight = { ...plan, budget: 1 };
    assert.deepEqual([fit(1000, tight).plan, fit(1000, tight).tooSlow], [tight, []]);
    const { plan: none, durationMs } = fit(1);
    assert.deepEqual([none.sizes, durationMs], [[], 0]);
  });

  it('keeps no size above one that takes too long, though it would cost less', () => {
    /** @type {PublishedPlan} */
    const published = { preset: 'published', transports: ['ajax'], directions: ['up'], sizes: [1, 500] };
    // 201 messages of 1 B take 2 s, 20 of 500 B only 0.2 s.
    assert.deepEqual(fitTime(published, { speed, budgetMs: 900 }).plan.sizes, []);
  });

  it('is estimated from a short test of the connection', async () => {
    const time = createVirtualTime();
    // 20 ms, and 100 bytes a millisecond up, 1000 down: 100 kB up take long enough, 1 MB is sent down alone.
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

  it('is estimated from a smaller test on request', async () => {
    const time = createVirtualTime();
    const { transfer, state } = createScriptedTransfer(time, { name: 'fetch', form: 'binary', law: () => 1 });
    await time.run(measureSpeed({ transfer, now: time.now, maxBytes: 100_000 }));
    assert.equal(Math.max(...state.sent.map(({ bytes }) => bytes)), 100_000);
  });

  it('is estimated without connection setup, from the fastest of three tries', async () => {
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

  it('is estimated from one try that takes long enough', async () => {
    const time = createVirtualTime();
    const { transfer, state } = createScriptedTransfer(time, { name: 'fetch', law: ({ bytes }) => 20 + bytes / 10 });
    await time.run(measureSpeed({ transfer, now: time.now }));
    assert.deepEqual(
      state.sent.flatMap(({ direction, bytes }) => (bytes > 1 ? [`${direction} ${bytes}`] : [])),
      ['up 10000', 'down 10000'],
    );
  });

  it('is not estimated from wrong answers', async () => {
    const time = createVirtualTime();
    const { transfer, state } = createScriptedTransfer(time, { name: 'fetch', law: () => 1, fail: () => 'lie' });
    await assert.rejects(time.run(measureSpeed({ transfer, now: time.now })), { outcome: 'mismatch' });
    assert.equal(state.closeCount, 1);
  });
});

describe('a run over sizes', () => {
  it('times each message of the plan, in its order, and nothing else', async () => {
    const { trials, ending } = await run({
      scripts: { ajax: { law: ({ bytes }) => 3 + bytes / 100 }, sockjs: { law: () => 2 } },
    });
    assert.equal(ending, undefined);
    assert.deepEqual(
      trials.map(({ block, size, direction, transport }) => ({ block, size, direction, transport })),
      trialsOf(PLAN).map(({ warmUps: _, ...planned }) => planned),
    );
    for (const { transport, size, durationMs, protocol } of trials) {
      const expected = transport === 'ajax' ? 3 + size / 100 : 2;
      // Clock readings are subtracted.
      assert.ok(Math.abs(Number(durationMs) - expected) < 1e-9, `${transport} ${size}: ${durationMs}`);
      assert.equal(protocol, 'script');
    }
    assert.ok(trials.every(({ startedAtMs }, i) => i === 0 || startedAtMs > trials[i - 1].startedAtMs));
  });

  it('opens a connection for each transport and direction, and reports its setup once', async () => {
    const { trials, states } = await run();
    for (const { connectCount, closeCount } of Object.values(states)) {
      assert.deepEqual([connectCount, closeCount], [2, 2]);
    }
    const opened = trials.filter(({ setUpMs }) => setUpMs !== undefined);
    assert.deepEqual(opened.map(({ block, direction, transport }) => `${block} ${transport} ${direction}`).toSorted(), [
      '0 ajax echo',
      '0 ajax up',
      '0 sockjs echo',
      '0 sockjs up',
    ]);
  });

  it('warms each size up by all its transports before it times it by any', async () => {
    /** @type {string[]} */
    const begun = [];
    await run({
      measureOptions: {
        onWarmUp: ({ size, direction }) => begun.push(`${size} ${direction} warm-up`),
        onTrialEnd({ trials }) {
          const { block, size, direction, transport } = trials[trials.length - 1];
          if (block === 0) begun.push(`${size} ${direction} ${transport}`);
        },
      },
    });
    assert.equal(begun.length, 16);
    for (let i = 0; i < begun.length; i += 4) {
      assert.match(begun[i], /warm-up$/);
      assert.equal(begun[i], begun[i + 1]);
      assert.deepEqual(
        [begun[i + 2], begun[i + 3]].map((text) => /warm-up/.test(text)),
        [false, false],
      );
    }
  });

  it('sends no two messages alike, one after the other', async () => {
    const { states } = await run();
    const { sent } = states.ajax;
    assert.ok(sent.every(({ offset }, i) => i === 0 || offset !== sent[i - 1].offset));
  });

  it('counts a wrong byte as a failure, and goes on over the same connection', async () => {
    const { trials, ending, states } = await run({
      scripts: { sockjs: { fail: (_, count) => (count === 10 ? 'lie' : undefined) } },
    });
    const failures = failuresOf(trials);
    assert.deepEqual([failures.length, failures[0].outcome, failures[0].transport], [1, 'mismatch', 'sockjs']);
    assert.match(failures[0].message, /^(Byte \d+ of \d+: expected|Expected \{"bytes")/);
    assert.equal(failures[0].durationMs, undefined);
    assert.deepEqual([trials.length, ending, states.sockjs.connectCount], [TRIAL_COUNT, undefined, 2]);
  });

  it('opens a lost connection anew, and does not count the first message over it', async () => {
    const { trials, ending, states } = await run({
      scripts: {
        sockjs: { fail: (_, count) => (count === 10 ? 'closed' : undefined), openingMs: 500 },
      },
    });
    assert.deepEqual([trials.length, ending, states.sockjs.connectCount], [TRIAL_COUNT, undefined, 3]);
    assert.deepEqual(
      failuresOf(trials).map(({ outcome }) => outcome),
      ['closed'],
    );
    // What a connection's first message takes longer is in no trial.
    assert.ok(trials.every(({ durationMs = 0 }) => durationMs < 100));
    assert.equal(trials.filter(({ transport, setUpMs }) => transport === 'sockjs' && setUpMs === 7).length, 3);
  });

  it('gives a silent transport up after its limit, and goes on with the others', async () => {
    const { trials } = await run({
      scripts: { sockjs: { fail: (_, count) => (count === 10 ? 'silence' : undefined) } },
      measureOptions: { timeoutMs: 200 },
    });
    assert.equal(trials.length, TRIAL_COUNT);
    assert.deepEqual(
      failuresOf(trials).map(({ outcome, transport }) => `${transport} ${outcome}`),
      ['sockjs timeout'],
    );
  });

  it('waits longer for larger messages, and not for ever', { timeout: 300_000 }, async () => {
    // Besides the limit of 10 ms, 1000 bytes have 20 up, and 40 echoed.
    const { trials } = await run({
      scripts: { sockjs: { fail: ({ bytes }, count) => (bytes === 1000 && count > 20 ? 'silence' : undefined) } },
      measureOptions: { timeoutMs: 10 },
    });
    const outcomes = new Set(
      failuresOf(trials).map(
        ({ direction, outcome, message }) => `${direction} ${outcome} ${/[\d.]+ ms/.exec(message)}`,
      ),
    );
    assert.deepEqual([...outcomes].toSorted(), ['echo timeout 50 ms', 'up timeout 30 ms']);
  });

  it('shows a warm-up that failed in the message after it', async () => {
    const { trials } = await run({
      scripts: { sockjs: { fail: (_, count) => (count === 0 ? 'rejected' : undefined) } },
    });
    const [failure, ...others] = failuresOf(trials);
    assert.deepEqual([failure.block, failure.outcome, others], [0, 'rejected', []]);
  });

  it('as published shows it in the first message alone', async () => {
    /** @type {PublishedPlan} */
    const plan = { preset: 'published', transports: ['ajax'], directions: ['up'], sizes: [1] };
    const { trials } = await run({
      plan,
      scripts: { ajax: { fail: (_, count) => (count === 0 ? 'rejected' : undefined) } },
    });
    assert.deepEqual(
      trials.flatMap(({ failure }, index) => (failure ? [index] : [])),
      [0],
    );
  });

  it('does not try again what it never got a connection by', async () => {
    const { trials, ending, states } = await run({ scripts: { sockjs: { isDeaf: true } } });
    assert.deepEqual([states.sockjs.connectCount, ending], [1, undefined]);
    assert.equal(failuresOf(trials).length, TRIAL_COUNT / 2);
    assert.ok(trials.every(({ transport, failure }) => (transport === 'sockjs') === (failure !== undefined)));
  });

  it('is invalid where the server is lost, and not where a transport takes no large messages', async (t) => {
    const lost = (/** @type {unknown} */ _, /** @type {number} */ count) =>
      count > 12 ? /** @type {const} */ ('closed') : undefined;
    const { trials, ending } = await run({ scripts: { ajax: { fail: lost }, sockjs: { fail: lost } } });
    assert.ok(ending);
    assert.equal(ending.kind, 'invalid');
    matchGolden(t, 'payload', ending.reason);
    assert.deepEqual(findFault(payload, { plan: PLAN, trials }), ending);
    assert.ok(trials.length < TRIAL_COUNT);

    const { trials: all, ending: none } = await run({
      scripts: { sockjs: { fail: ({ bytes }) => (bytes === 1000 ? 'closed' : undefined) } },
    });
    assert.deepEqual([all.length, none, failuresOf(all).length], [TRIAL_COUNT, undefined, TRIAL_COUNT / 4]);
  });

  it('takes the server for lost when each transport was lost three times since the last answer', () => {
    /** @param {string} outcomes a letter for each message: c closed, t timeout, r rejected, a dot where it was answered */
    const look = (outcomes) => {
      const kinds = /** @type {const} */ ({ c: 'closed', t: 'timeout', r: 'rejected' });
      const trials = [...outcomes].map((letter, index) => {
        const outcome = kinds[/** @type {keyof typeof kinds} */ (letter)];
        const failure = outcome && { outcome, message: 'gone' };
        const transport = ['ajax', 'sockjs'][index % 2];
        const direction = /** @type {const} */ ('up');
        return { transport, block: 0, size: 1, direction, startedAtMs: index, failure };
      });
      return findFault(payload, { plan: PLAN, trials }) !== undefined;
    };
    assert.deepEqual(['cccccc', 'ctctct', 'ccccc', 'cccc.cc', '.ccccc', 'c.c.c.c.', 'ccccrccc', '..cccccc'].map(look), [
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('ends after one timeout if the server does not answer another request either', async () => {
    const silent = (/** @type {unknown} */ _, /** @type {number} */ count) =>
      count > 10 ? /** @type {const} */ ('silence') : undefined;
    let askedCount = 0;
    const reach = () => {
      askedCount++;
      return Promise.reject(new ExchangeError('timeout', 'No answer within 10000 ms.'));
    };
    const { trials, ending } = await run({
      scripts: { ajax: { fail: silent }, sockjs: { fail: silent } },
      measureOptions: { timeoutMs: 200, reach },
    });
    assert.equal(ending?.kind, 'invalid');
    assert.equal(askedCount, 1);
    // The message that got no answer, and those that were not sent any more.
    assert.deepEqual([...new Set(failuresOf(trials).map(({ outcome }) => outcome))], ['timeout']);
    const messages = failuresOf(trials).map(({ message }) => message);
    assert.equal(messages.filter((message) => message !== 'No answer within 10000 ms.').length, 1);
  });

  it('ends when it is cancelled, and keeps what was measured', async () => {
    const controller = new AbortController();
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    const {
      trials,
      ending: got,
      states,
    } = await run({
      scripts: {
        sockjs: {
          law: (_, count) => {
            if (count === 9) controller.abort(ending);
            return 5;
          },
        },
      },
      measureOptions: { signal: controller.signal },
    });
    assert.deepEqual(got, ending);
    assert.ok(trials.length > 0 && trials.length < TRIAL_COUNT);
    assert.ok(trials.slice(0, -1).every(({ failure }) => failure === undefined));
    for (const { connectCount, closeCount } of Object.values(states)) assert.ok(closeCount >= connectCount);
  });

  it('throws what is a fault of the program', async () => {
    const law = () => {
      throw new TypeError('ours');
    };
    await assert.rejects(run({ scripts: { ajax: { law } } }), TypeError);
  });
});
