import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import {
  MAX_SAMPLES,
  checkSampleCount,
  choice,
  formatFields,
  hasFields,
  integer,
  integers,
  names,
  parseFields,
  schemaOfFields,
} from '../../../../core/experiment/plan/fields.js';
import { complaintOf } from '../../../support/complaint.js';

const FIELDS = {
  deliveries: names({
    one: 'delivery method',
    parameter: 'deliveries',
    label: 'Deliveries',
    choices: { poll: 'Polling', push: 'Push' },
    default: ['poll'],
  }),
  intervalsMs: integers({
    parameter: 'intervals',
    label: 'Intervals',
    unit: 'ms',
    min: 10,
    max: 100,
    maxCount: 3,
    isFalling: true,
    default: [50],
    rule: { isMet: (list) => !list.includes(13), expected: 'none of them 13', schema: { description: 'not 13' } },
  }),
  users: integer({ parameter: 'users', label: 'Users', min: 1, max: 20 }),
};
const PLAN = { deliveries: ['poll', 'push'], intervalsMs: [100, 10], users: 5 };
const LINK = 'deliveries=poll,push&intervals=100,10&users=5';

/** @param {string} query */
const parse = (query) => parseFields(new URLSearchParams(query), FIELDS);

describe('the fields of a plan', () => {
  it('are in a link, by their parameters, and lists in their order', () => {
    assert.equal(formatFields(PLAN, FIELDS), LINK);
    assert.deepEqual(parse(LINK), PLAN);
    assert.deepEqual(parse('users=5&deliveries=push, poll&intervals=10,100'), PLAN);
  });

  it('have their defaults where a link leaves them out, those that are given first', () => {
    assert.deepEqual(parse('users=1'), { deliveries: ['poll'], intervalsMs: [50], users: 1 });
    assert.deepEqual(parseFields(new URLSearchParams(), FIELDS, { users: 7, deliveries: ['push'] }), {
      deliveries: ['push'],
      intervalsMs: [50],
      users: 7,
    });
  });

  it('have as a default among names one that is chosen, and what a link says whatever is chosen', () => {
    const { choices } = FIELDS.deliveries;
    const today = choice({ parameter: 'today', label: 'Today', choices, default: 'poll', among: 'deliveries' });
    const todayOf = (/** @type {string} */ query) =>
      parseFields(new URLSearchParams(query), { ...FIELDS, today }, { users: 1 }).today;
    for (const [query, expected] of [
      ['', 'poll'],
      ['deliveries=push', 'push'],
      ['deliveries=push,poll', 'poll'],
      ['deliveries=push&today=poll', 'poll'],
    ])
      assert.equal(todayOf(query), expected, query);
  });

  it('are told from what else a link may say', () => {
    assert.equal(hasFields(new URLSearchParams('autostart=1'), FIELDS), false);
    assert.equal(hasFields(new URLSearchParams('intervals='), FIELDS), true);
  });

  for (const [query, parameter, got] of [
    ['', 'users', 'nothing'],
    ['users=', 'users', 'nothing'],
    ['users=0', 'users', '“0”'],
    ['users=1e1', 'users', '“1e1”'],
    ['users=1,2', 'users', '“1,2”'],
    ['users=1&deliveries=poll,poll', 'deliveries', '“poll,poll”'],
    ['users=1&deliveries=toString', 'deliveries', '“toString”'],
    ['users=1&intervals=10,9', 'intervals', '“10,9”'],
    ['users=1&intervals=13', 'intervals', '“13”'],
    ['users=1&intervals=10,20,10', 'intervals', '10 more than once'],
    ['users=1&intervals=10,20,30,40', 'intervals', '4'],
  ]) {
    it(`refuse ${query || 'nothing'}`, () => {
      assert.throws(() => parse(query), { name: 'InvalidInputError', fields: [parameter] });
      assert.throws(() => parse(query), complaintOf(parameter, got));
    });
  }

  it('are all named by an error in their product', () => {
    const fields = ['blocks', 'users'];
    assert.throws(() => checkSampleCount(MAX_SAMPLES + 1, fields), {
      fields,
      message: /^blocks times users: expected /,
    });
  });

  it('have a schema that takes what a link may say, and no more', () => {
    const schema = v.strictObject(schemaOfFields(v, FIELDS));
    /** @param {object} changes */
    const fits = (changes) => v.is(schema, { ...PLAN, ...changes });
    assert.ok(fits({}));
    assert.ok(fits({ deliveries: ['push', 'poll'] }));
    for (const changes of [
      { users: 0 },
      { users: 1.5 },
      { users: '5' },
      { deliveries: [] },
      { deliveries: ['poll', 'poll'] },
      { deliveries: ['pigeon'] },
      { intervalsMs: [] },
      { intervalsMs: [10, 100] },
      { intervalsMs: [50, 50] },
      { intervalsMs: [40, 30, 20, 10] },
      { intervalsMs: [13] },
    ]) {
      assert.equal(fits(changes), false, JSON.stringify(changes));
    }
  });

  it('have names in the order of tables where that is asked for', () => {
    const deliveries = names({ ...FIELDS.deliveries, isOrdered: true });
    const schema = v.strictObject(schemaOfFields(v, { deliveries }));
    assert.deepEqual(
      [
        ['poll', 'push'],
        ['push', 'poll'],
      ].map((list) => v.is(schema, { deliveries: list })),
      [true, false],
    );
  });
});
