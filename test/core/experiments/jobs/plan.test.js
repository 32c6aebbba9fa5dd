import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatPlan, parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { InvalidInputError } from '../../../../core/base/foreign-text.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { describeJobsPlan, durationsOf, jobsOf } from '../../../../core/experiments/jobs/plan.js';
import { assertComplaint } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { measure } from '../../../support/run-scripted-jobs.js';

/** @import { JobsPlan } from '../../../../core/experiments/jobs/plan.js' */

const matchGolden = useGolden(import.meta.url);

describe('the plan of a jobs run', () => {
  const parse = (/** @type {string} */ query) => parsePlan(jobs, new URLSearchParams(query), { seed: 9 });
  const usual = {
    deliveries: ['poll', 'push', 'sockjs'],
    intervals: [500],
    users: 4,
    jobs: 5,
    arrangement: 'all',
    minMs: 0,
    maxMs: 1000,
    limitMs: 11_000,
    blocks: 6,
    seed: 9,
  };

  it('spreads the durations of each user evenly over the range, if it says so, by chance within each part', () => {
    // The range is from 230 to 560 ms; its length, a polling period, is 330 ms.
    const plan = parse('users=3&jobs=4&min=230&max=560&spread=even');
    const blocks = Array.from({ length: 50 }, (_, block) => durationsOf(plan, block));
    for (const durations of blocks) {
      for (const [job, ms] of durations.entries()) {
        assert.ok(ms >= 230 && ms <= 560, `${job}: ${ms}`);
        const part = (((ms - (job % 4) * 82.5 + 0.5) % 330) + 330) % 330;
        assert.ok(part <= 83.5, `${job}: ${ms}`);
      }
    }
    // A fifth of a part is at the start of the range.
    const starts = blocks.flatMap((durations) => durations.filter((ms, job) => job % 4 === 2 && ms < 300));
    assert.ok(starts.length > 10 && starts.length < 50, String(starts.length));
    assert.deepEqual(durationsOf({ ...plan, minMs: 5, maxMs: 5 }), Array(12).fill(5));
    assert.equal('spread' in parse('users=3'), false);
  });

  it('has news of a size where it says so, in each job and in words', () => {
    const plan = parse('users=2&jobs=3&news-bytes=32000');
    assert.ok(plan);
    assert.deepEqual(
      jobsOf(plan).map(({ newsBytes }) => newsBytes),
      Array(6).fill(32_000),
    );
    assert.match(jobs.describePlan(plan), /32,000 bytes/);
    assert.deepEqual(parse(formatPlan(jobs, plan)), plan);
    const small = parse('users=2');
    assert.ok(small && !('newsBytes' in small) && !('newsBytes' in jobsOf(small)[0]));
    assert.doesNotMatch(formatPlan(jobs, small), /bytes/);
    for (const bytes of ['199', '64001', '']) {
      assert.throws(() => parse(`users=2&news-bytes=${bytes}`), /200 to 64,000/);
    }
  });

  it('reads a plan from a link, with those of the page’s form for what the link leaves out', () => {
    const plan = parse(
      'deliveries=push,poll&intervals=25,50&users=3&jobs=4&arrangement=sequential&min=5&max=200&limit=400&blocks=1&seed=7',
    );
    assert.deepEqual(plan, {
      deliveries: ['poll', 'push'],
      intervals: [50, 25],
      users: 3,
      jobs: 4,
      arrangement: 'sequential',
      minMs: 5,
      maxMs: 200,
      limitMs: 400,
      blocks: 1,
      seed: 7,
    });
    assert.deepEqual(plan && parse(formatPlan(jobs, plan)), plan);
    assert.deepEqual(parse('users=4'), usual);
    assert.deepEqual(parse('deliveries=push'), { ...usual, deliveries: ['push'] });
    assert.equal(parse('autostart=1&transports=ajax'), undefined);
  });

  /** @type {[query: string, field: string, got: string | number][]} */
  const wrongs = [
    ['users=0', 'users', 0],
    ['jobs=101', 'jobs', 101],
    ['limit=99', 'limit', 99],
    ['min=20&max=10', 'min', 20],
    ['max=600001', 'max', 600001],
    ['intervals=9', 'intervals', '“9”'],
    ['intervals=50,50', 'intervals', '50 more than once'],
    ['intervals=', 'intervals', 'nothing'],
    ['intervals=1.5e2', 'intervals', '1.5e2'],
    ['intervals=10,20,30,40,50,60', 'intervals', 6],
    ['interval=250', 'interval', 'interval “250”'],
    ['deliveries=poll,poll', 'deliveries', 'poll,poll'],
    ['deliveries=pigeons', 'deliveries', 'pigeons'],
    ['deliveries=constructor', 'deliveries', 'constructor'],
    ['arrangement=both', 'arrangement', '“both”'],
    ['users=1000&jobs=11', 'users times jobs', 11000],
  ];
  for (const [query, field, got] of wrongs) {
    it(`refuses a link with ${query}`, () => assertComplaint(complaintOf(query), field, got));
  }

  it('says what was expected of each value that is refused', (t) => {
    const complaints = wrongs.map(([query]) => complaintOf(query));
    matchGolden(t, 'jobs', complaints);
  });

  /** @param {string} query */
  function complaintOf(query) {
    try {
      parse(query);
    } catch (error) {
      assert.ok(error instanceof InvalidInputError);
      return error.message;
    }
    return assert.fail('expected an InvalidInputError, got a plan');
  }

  it('describes a plan: durations below a second in ms, and which jobs will be late', (t) => {
    const describe = (/** @type {string} */ query) => describeJobsPlan(/** @type {JobsPlan} */ (parse(query)));
    const late = describe('deliveries=poll,push&intervals=500&users=1&min=0&max=0&limit=300&blocks=1');
    const long = describe('min=250&max=10000&blocks=1');
    const short = describe('max=400&blocks=2');
    const sequential = describe('users=2&jobs=3&max=10000&arrangement=sequential&blocks=1');
    matchGolden(t, 'jobs', [late, long, short, sequential]);
  });

  it('reads an older document as one block with all jobs at once', () => {
    const old = { ...usual, arrangement: undefined, blocks: undefined };
    const one = parse('users=4&blocks=1');
    assert.equal(formatPlan(jobs, one), formatPlan(jobs, old));
    assert.deepEqual(jobs.trialsOf(one), jobs.trialsOf(old));
    assert.ok(jobs.trialsOf(one).every((/** @type {any} */ trial) => trial.block === undefined));
    assert.match(formatPlan(jobs, parse('blocks=6')), /&blocks=6&/);
  });

  it('plans every delivery method in every block, with the same jobs within a block only', async () => {
    const { trials } = await measure({ deliveries: ['sse', 'push'], blocks: 3 });
    assert.deepEqual(
      trials.map(({ block, delivery }) => `${block} ${delivery}`).sort(),
      [0, 1, 2].flatMap((block) => [`${block} push`, `${block} sse`]),
    );
    const durations = trials.map(({ notified }) => notified.durationMs.join());
    for (const i of [0, 2, 4]) assert.equal(durations[i], durations[i + 1]);
    assert.equal(new Set(durations).size, 3);
  });

  it('accepts a plan as large as a document may be', () => {
    assert.doesNotThrow(() =>
      parse(
        'users=1000&jobs=10&blocks=1&deliveries=poll,long-poll,sse,socket-per-job,push,sockjs&intervals=10,20,30,40,50',
      ),
    );
  });
});
