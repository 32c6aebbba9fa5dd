import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decimalsFor, formatEnds, tabulateJobs } from '../../../../core/experiments/jobs/report.js';

it('has every column of polling or push in one of three tables, each with the delivery method first', () => {
  const [short, ...details] = tabulateJobs([]);
  assert.deepEqual([short.isDetail, ...details.map(({ isDetail }) => isDetail)], [undefined, true, true]);
  for (const { columns } of details) assert.equal(columns[0], short.columns[0]);
  const titles = [short, ...details].flatMap(({ columns }) => columns.slice(1)).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});

it('has one decimal more where both ends of an interval would be the same', () => {
  const format = (/** @type {number} */ low, /** @type {number} */ high, lagDecimals = 0) => {
    const interval = { estimate: (low + high) / 2, low, high };
    return formatEnds(interval, decimalsFor(interval, { lagDecimals }));
  };
  assert.equal(format(282.4, 365.2), '282–365');
  assert.equal(format(32.81, 33.24), '32.8–33.2');
  assert.equal(format(-0.23, 0.31), '−0.2 to 0.3');
  assert.equal(format(-4.1, -3.1), '−4 to −3');
  assert.equal(format(5.01, 5.04, 1), '5.01–5.04');
});
