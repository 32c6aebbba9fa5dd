import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatPlan, parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import {
  DEFAULT_SIZES,
  formatSize,
  PUBLISHED_SIZES,
  splitSizes,
  describePayloadPlan,
} from '../../../../core/experiments/payload/plan.js';
import { payload } from '../../../../core/experiments/payload/index.js';
import { trialsOf } from '../../../../core/experiments/payload/trials.js';
import { assertComplaint } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { PLAN } from '../../../support/run-scripted-transfers.js';

/**
 * @import { PayloadPlan, Sweep } from '../../../../core/experiments/payload/plan.js'
 * @import { PlannedTrial } from '../../../../core/experiments/payload/trials.js'
 */

const matchGolden = useGolden(import.meta.url);

const NOT_PUBLISHED = 'preset=published&sizes=2';

/** @type {(query: string) => PayloadPlan | undefined} */
const parse = (query) => parsePlan(payload, new URLSearchParams(query), { seed: 9 });

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

describe('the plan of a payload run', () => {
  it('reads a plan from a link, with defaults for what the link leaves out', () => {
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
    assert.deepEqual(plan && parse(formatPlan(payload, plan)), plan);
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

  it('reads the published preset from a link', () => {
    const plan = parse('preset=published&directions=up&transports=ajax,sockjs&sizes=1,1000000');
    assert.deepEqual(plan, {
      preset: 'published',
      transports: ['ajax', 'sockjs'],
      directions: ['up'],
      sizes: [1, 1_000_000],
      budget: 500,
    });
    assert.deepEqual(plan && parse(formatPlan(payload, plan)), plan);
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
    it(`refuses a link with ${query}`, () => {
      const error = errorOf(query);
      assert.equal(error.name, 'InvalidInputError');
      assertComplaint(error, parameter, got);
    });
  }

  it('refuses a size in the published preset that was not published', () => {
    const { name, message } = errorOf(NOT_PUBLISHED);
    assert.equal(name, 'InvalidInputError');
    assert.match(message, /^sizes: .+ got “2”$/);
  });

  it('says what was expected of each value that is refused', (t) => {
    const queries = [...wrongs.map(([query]) => query), NOT_PUBLISHED];
    matchGolden(
      t,
      'payload',
      queries.map((query) => errorOf(query).message),
    );
  });

  it('accepts the maximum number of blocks and of sizes', () => {
    const plan = parse('repeats=50&sizes=1,2,3,4,5,6,7,8,9,10,11,16777216');
    assert.deepEqual([plan?.sizes.length, !plan?.preset && plan?.repeats], [12, 50]);
  });

  it('plans every transport once for each size and direction in each block, next to each other, in random order', () => {
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

  it('plans new connections before or after the kept ones of a block, in turn, and keeps the order of those', () => {
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
    // New connections end those that HTTP kept, so each block warms up.
    assert.equal(kept.filter(({ warmUps }) => warmUps).length, 6 * 2 * 2);
  });

  it('plans each size of the published preset as often as published, one transport after the other, twice', () => {
    const plan = parse('preset=published&directions=up,down&transports=ajax,sockjs');
    assert.ok(plan);
    const trials = trialsOf(plan);
    assert.equal(trials.length, 2 * 2 * 2 * (100 + 10 + 10 + 10 + 1 + 1));
    assert.deepEqual(
      trials.slice(0, 201).map(({ transport, size }) => `${transport} ${size}`),
      [...Array(100).fill('ajax 1'), ...Array(100).fill('sockjs 1'), 'ajax 500'],
    );
  });

  it('describes a plan in at most three sentences', (t) => {
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
    it(`formats ${bytes} bytes as ${text}`, () => assert.equal(formatSize(bytes), text));
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
