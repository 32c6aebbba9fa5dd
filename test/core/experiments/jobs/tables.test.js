import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tabulateJobs } from '../../../../core/experiments/jobs/tables.js';

it('has every column of polling or push in one of two tables, each with the delivery method first', () => {
  const [latency, costs] = tabulateJobs([]);
  assert.equal(latency.columns[0], costs.columns[0]);
  const titles = [...latency.columns, ...costs.columns.slice(1)].map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  assert.ok(latency.columns[1].isText, 'the protocol');
  assert.ok(!costs.columns[1].isText, 'a count');
});
