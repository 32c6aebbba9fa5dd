import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { secondsOf } from '../../../core/experiment/run/duration.js';
import { isFullTestLink, linkOf, membersOf, parseFullTest } from '../../../core/full-test/plan.js';

const members = membersOf(EXPERIMENTS);
const PATH = { roundTripMs: 100, seed: 7 };

/** @param {string} query */
const parse = (query) => parseFullTest(new URLSearchParams(query), members, PATH);

/** @param {ReturnType<typeof parse>} plan */
const namesIn = ({ parts }) => parts.map(({ experiment }) => experiment.name);

/** The default selection must end in this time. */
const MAX_SECONDS = 300;

describe('the plan of a full test', () => {
  for (const [page, has, hasNot] of /** @type {const} */ ([
    ['asks-and-sends', ['shootout', 'jobs'], []],
    ['asks', ['jobs'], ['shootout']],
    ['sends', ['shootout'], ['jobs']],
  ])) {
    it(`measures what a page does: ${page}`, () => {
      const names = namesIn(parse(`page=${page}`));
      for (const name of has) assert.ok(names.includes(name), name);
      for (const name of hasNot) assert.ok(!names.includes(name), name);
    });
  }

  it('ends within five minutes, near and far, if its answers are soon clear', () => {
    for (const roundTripMs of [0.5, 20, 100, 230]) {
      const { parts } = parseFullTest(new URLSearchParams(), members, { ...PATH, roundTripMs });
      const seconds = secondsOf(parts, roundTripMs);
      assert.ok(seconds > 5 && seconds <= MAX_SECONDS, `${roundTripMs} ms: ${seconds} s`);
    }
  });

  it('is the same by its link, the plan of each part included', () => {
    const query = 'page=asks&every=500&uses=fetch&considers=ws&news=10000&late=2000&tests=jobs,shootout';
    const plan = parse(`${query}&shootout=${encodeURIComponent('transports=ajax,ws&blocks=9&iterations=3')}`);
    assert.deepEqual(namesIn(plan), ['shootout', 'jobs']);
    assert.equal(plan.parts[0].plan.blocks, 9);
    const link = new URL(linkOf(plan), 'http://localhost');
    assert.equal(link.pathname, '/');
    assert.ok(isFullTestLink(link.searchParams));
    const again = parseFullTest(link.searchParams, members, { roundTripMs: 1, seed: 99 });
    assert.deepEqual(again, plan);
  });

  it('leads to its own page where it has more than a page’s two questions', () => {
    const plan = { ...parse(''), parts: members.map((experiment) => ({ experiment })) };
    if (members.every(({ fullTest }) => fullTest.isNeeded)) return;
    assert.match(linkOf(plan), /^\/all\?/);
  });

  it('is not that of a link of an echo run', () => {
    for (const query of ['transports=ajax,sockjs&blocks=6&iterations=5', 'preset=quick', 'rtt=40', 'label=a', ''])
      assert.ok(!isFullTestLink(new URLSearchParams(query)), query);
  });

  for (const [query, message] of /** @type {const} */ ([
    ['page=all', /^page: expected one of asks, sends, asks-and-sends, got “all”/],
    ['every=50', /^every: expected a whole number of ms from 100 to 3,600,000, got “50”/],
    ['considers=ajax', /^considers: expected one of .*sockjs.*, got “ajax”/],
    ['tests=jobs,countdown', /^tests: expected at least one of .*jobs.*got “jobs,countdown”/],
    ['shootout=blocks%3D1', /^blocks: expected a whole number/],
  ])) {
    it(`is refused by ${query}`, () => {
      assert.throws(() => parse(query), { name: 'InvalidInputError', message });
    });
  }
});
