import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { InvalidInputError } from '../../../../core/base/foreign-text.js';
import { MAX_SAMPLES } from '../../../../core/experiment/plan/fields.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import {
  baselineOf,
  createPlan,
  estimateDurationMs,
  formatPlan,
  parsePreset,
  PRESETS,
} from '../../../../core/experiments/shootout/plan.js';
import { assertComplaint } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';

const matchGolden = useGolden(import.meta.url);

const RIGHT = 'transports=ajax,sockjs&blocks=6&iterations=10&warmup=2&payload=0&seed=7';
const PLAN = { transports: ['ajax', 'sockjs'], blocks: 6, iterations: 10, warmUpCount: 2, payloadBytes: 0, seed: 7 };

/** @param {string} query */
const parse = (query) => parsePlan(shootout, new URLSearchParams(query));

/**
 * @param {() => unknown} work
 * @returns {InvalidInputError}
 */
function errorOf(work) {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
  return assert.fail('Expected an InvalidInputError, got none');
}

describe('the estimate of a plan’s duration', () => {
  /** @param {string[]} transports @param {number} roundTripMs */
  const estimate = (transports, roundTripMs) => estimateDurationMs({ ...PLAN, transports }, roundTripMs);

  it('gives a socket less than HTTP on one machine, and the same far away but for 4 ms', () => {
    const [http, socket] = [['xhr', 'fetch'], ['ws', 'sockjs']]; // prettier-ignore
    const messageCount = PLAN.blocks * (PLAN.iterations + PLAN.warmUpCount + 3);
    for (const [ms, socketMs] of [
      [0.5, 0.1],
      [5, 1],
      [30, 26],
      [230, 226],
    ]) {
      const saved = (estimate(http, ms) - estimate(socket, ms)) / messageCount / 2;
      assert.ok(Math.abs(ms - saved - socketMs) < 1e-9, `${ms}: ${saved}`);
    }
  });

  it('adds to each message over a fallback what its client waits', () => {
    const messageCount = PLAN.blocks * (PLAN.iterations + PLAN.warmUpCount + 3);
    const added = estimate(['xhr', 'sockjs-xhr-polling'], 10) - estimate(['xhr', 'fetch'], 10);
    assert.ok(Math.abs(added - messageCount * 40) < 1e-6);
  });
});

describe('createPlan', () => {
  for (const [preset, { blocks, budgetMs }] of Object.entries(PRESETS)) {
    it(`${preset}: fits its time where the way is short, and has 6 blocks or more`, () => {
      const plan = createPlan({ preset, roundTripMs: 1, seed: 1 });
      assert.equal(plan.blocks, blocks);
      assert.ok(blocks >= 6);
      assert.equal(plan.iterations, 50);
      assert.ok(estimateDurationMs(plan, 1) <= budgetMs);
    });
  }

  it('has fewer iterations the longer the way, but never fewer than 5', () => {
    const iterations = [1, 10, 30, 230, 10_000].map(
      (ms) => createPlan({ preset: 'standard', roundTripMs: ms, seed: 1 }).iterations,
    );
    assert.deepEqual(
      iterations,
      iterations.toSorted((a, b) => b - a),
    );
    assert.equal(iterations.at(-1), 5);
  });
});

describe('baselineOf', () => {
  it('is AJAX where a plan has it, else fetch', () => {
    assert.equal(baselineOf({ transports: ['fetch', 'sockjs', 'ajax'] }), 'ajax');
    assert.equal(baselineOf({ transports: ['sockjs', 'fetch'] }), 'fetch');
  });

  it('is an error where a plan has neither', (t) => {
    const error = errorOf(() => baselineOf({ transports: ['xhr', 'sockjs'] }));
    assertComplaint(error, 'baseline', '“xhr,sockjs”');
    matchGolden(t, 'shootout', error.message);
  });
});

describe('the order of the trials', () => {
  const plan = { ...PLAN, transports: ['ajax', 'xhr', 'ws', 'sockjs'], blocks: 100 };
  const ordersOf = (/** @type {typeof plan} */ whole) =>
    Array.from({ length: whole.blocks }, (_, block) =>
      shootout.trialsOf(whole).flatMap((trial) => (trial.block === block ? trial.transport : [])),
    );

  it('has every transport once in each block', () => {
    const orders = ordersOf(plan);
    assert.equal(orders.length, 100);
    for (const order of orders) assert.deepEqual(order.toSorted(), plan.transports.toSorted());
  });

  it('is the same for the same seed, and another for another', () => {
    assert.deepEqual(ordersOf(plan), ordersOf(plan));
    assert.notDeepEqual(ordersOf(plan), ordersOf({ ...plan, seed: 8 }));
  });

  it('puts each transport first in about a quarter of the blocks', () => {
    const trials = shootout.trialsOf({ ...plan, blocks: 4000 });
    const firsts = trials.filter((_, index) => index % plan.transports.length === 0);
    for (const name of plan.transports) {
      const count = firsts.filter(({ transport }) => transport === name).length;
      // Five standard deviations of 4000 draws.
      assert.ok(Math.abs(count - 1000) < 5 * 27.4, `${name}: ${count}`);
    }
  });
});

describe('a plan’s link', () => {
  it('holds all of the plan', () => {
    assert.equal(formatPlan(PLAN), RIGHT);
    assert.deepEqual(parse(RIGHT), PLAN);
  });

  it('is none without a word of a plan', () => {
    assert.equal(parse('autostart=1'), undefined);
  });

  it('may do without AJAX where it has fetch', () => {
    assert.deepEqual(parse(RIGHT.replace('ajax', 'fetch')), { ...PLAN, transports: ['fetch', 'sockjs'] });
  });

  it('may leave out the warm-up and the payload', () => {
    assert.deepEqual(parse('transports=sockjs,ajax&blocks=6&iterations=10&seed=7'), { ...PLAN, warmUpCount: 3 });
  });

  it('names what is wrong in it before what is missing', () => {
    assertComplaint(
      errorOf(() => parse('transports=carrier-pigeon')),
      'transports',
      '“carrier-pigeon”',
    );
    assertComplaint(
      errorOf(() => parse('seed=x')),
      'seed',
      '“x”',
    );
    assertComplaint(
      errorOf(() => parse('seed=7')),
      'transports',
      'nothing',
    );
  });

  it('may ask for a preset instead', () => {
    const presetOf = (/** @type {string} */ query) => parsePreset(new URLSearchParams(query));
    assert.equal(presetOf('preset=quick'), 'quick');
    assert.equal(presetOf('autostart=1'), undefined);
    assertComplaint(
      errorOf(() => presetOf('preset=toString')),
      'preset',
      '“toString”',
    );
  });

  const wrongs = /** @type {const} */ ([
    ['blocks=6', 'blocks=5', 'blocks', '“5”'],
    ['blocks=6', 'x=1', 'blocks', 'nothing'],
    ['iterations=10', 'iterations=1e3', 'iterations', '“1e3”'],
    ['iterations=10', 'iterations=-1', 'iterations', '“-1”'],
    ['seed=7', 'seed=4294967296', 'seed', '“4294967296”'],
    ['payload=0', 'payload=1000001', 'payload', '“1000001”'],
    ['warmup=2', 'warmup=', 'warmup', 'nothing'],
    ['ajax,sockjs', 'sockjs,websocket', 'transports', '“sockjs,websocket”'],
    ['ajax,sockjs', 'fetch', 'transports', '“fetch”'],
    ['ajax,sockjs', 'ajax', 'transports', '“ajax”'],
    ['ajax,sockjs', 'ajax,ajax', 'transports', '“ajax,ajax”'],
    ['ajax,sockjs', 'ajax,toString', 'transports', '“ajax,toString”'],
  ]);
  /** @param {string} from @param {string} to */
  const refusalOf = (from, to) => errorOf(() => parse(RIGHT.replace(from, to)));
  for (const [from, to, name, got] of wrongs) {
    it(`is refused with ${to}`, () => assertComplaint(refusalOf(from, to), name, got));
  }

  it('is refused with more samples than a result may hold', (t) => {
    const { message } = refusalOf('blocks=6&iterations=10', 'blocks=200&iterations=1000');
    assert.ok(message.includes(` ${MAX_SAMPLES} samples, got ${2 * MAX_SAMPLES}`), message);
    matchGolden(t, 'shootout', message);
  });

  it('is refused with the words what would have been right', (t) =>
    matchGolden(
      t,
      'shootout',
      wrongs.map(([from, to]) => refusalOf(from, to).message),
    ));
});
