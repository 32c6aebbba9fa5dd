import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseJobsPlan } from '../../../../core/experiments/jobs/plan.js';
import { TITLES } from '../../../../core/experiments/jobs/report.js';
import { tabulateJobs } from '../../../../core/experiments/jobs/tables.js';

it('has every column of poll or push in one of two tables, each with the way first', () => {
  const plan = parseJobsPlan(new URLSearchParams('ways=poll,push'), { seed: 1 });
  assert.ok(plan);
  const { soon, costs } = tabulateJobs({ plan, trials: [], roundTripMs: [] });
  const [way, ...others] = TITLES;
  assert.equal(soon.titles[0], way);
  assert.equal(costs.titles[0], way);
  assert.deepEqual([...soon.titles.slice(1), ...costs.titles.slice(1)].toSorted(), others.toSorted());
  assert.deepEqual(
    [costs.titles[1], costs.titles.at(-1), soon.titles.at(-1)],
    ['Requests and messages a job', 'CPU, times the baseline’s', 'Failed'],
  );
  assert.ok(soon.isTextColumn(1), 'the protocol');
  assert.ok(!costs.isTextColumn(1), 'a count');
});
