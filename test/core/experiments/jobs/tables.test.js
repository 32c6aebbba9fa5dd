import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tabulateJobs } from '../../../../core/experiments/jobs/tables.js';

it('has every column of polling or push in one of three tables, each with the delivery method first', () => {
  const [short, ...details] = tabulateJobs([]);
  assert.deepEqual([short.isDetail, ...details.map(({ isDetail }) => isDetail)], [undefined, true, true]);
  for (const { columns } of details) assert.equal(columns[0], short.columns[0]);
  const titles = [short, ...details].flatMap(({ columns }) => columns.slice(1)).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});
