import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseJobsPlan } from '../../../../core/experiments/jobs/plan.js';
import { tabulateJobs } from '../../../../core/experiments/jobs/tables.js';

it('has every column of poll or push in one of two tables, each with the way first', () => {
  const plan = parseJobsPlan(new URLSearchParams('ways=poll,push'), { seed: 1 });
  assert.ok(plan);
  const { soon, costs, all } = tabulateJobs({ plan, trials: [], roundTripMs: [] });
  const [way, ...others] = all.columns;
  assert.equal(soon.columns[0], way);
  assert.equal(costs.columns[0], way);
  assert.deepEqual(new Set([...soon.columns.slice(1), ...costs.columns.slice(1)]), new Set(others));
  assert.deepEqual(
    [costs.columns[1], costs.columns.at(-1), soon.columns.at(-1)].map((column) => column?.title),
    ['Requests and messages a job', 'CPU, times the baseline’s', 'Failed'],
  );
  assert.ok(soon.columns[1].isText, 'the protocol');
  assert.ok(!costs.columns[1].isText, 'a count');
});
