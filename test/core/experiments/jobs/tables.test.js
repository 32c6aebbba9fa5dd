import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { formatText, formatMarkdown } from '../../../../core/experiment/report/report.js';
import { headOf, headsOf, toMarkdown } from '../../../../core/experiment/report/table.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { decimalsFor, formatEnds, tabulateJobs } from '../../../../core/experiments/jobs/tables.js';
import { PUBLISHED_NOTES } from '../../../../core/experiments/jobs/published.js';
import { summarize } from '../../../../core/experiments/jobs/summary.js';
import { useGolden } from '../../../support/golden.js';
import { measured, PLAN } from '../../../support/jobs-report.js';

const matchGolden = useGolden(import.meta.url);

describe('the tables of a jobs run', () => {
  it('shows each column in one of three tables, with the delivery method first', () => {
    const [short, ...details] = tabulateJobs([]);
    assert.deepEqual([short.isDetail, ...details.map(({ isDetail }) => isDetail)], [undefined, true, true]);
    for (const { columns } of details) assert.equal(columns[0], short.columns[0]);
    const titles = [short, ...details].flatMap(({ columns }) => columns.slice(1)).map(({ title }) => title);
    assert.equal(new Set(titles).size, titles.length);
  });

  it('adds a decimal where both ends of an interval would look the same', () => {
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

  it('prints the tables in columns on a terminal, among the sentences of the report', (t) => {
    const text = formatText(jobs, measured);
    for (const column of tabulateJobs(summarize(measured)).flatMap(({ columns }) => columns))
      assert.ok(
        [`\n${headOf(column)} `, `  ${headOf(column)}`].some((head) => text.includes(head)),
        column.title,
      );
    matchGolden(t, 'jobs', text);
  });

  it('prints the tables in Markdown, with names escaped', (t) => {
    const markdown = formatMarkdown(jobs, measured);
    assert.ok(!markdown.includes('2018'));
    matchGolden(t, 'jobs', markdown);
  });

  it('shows the figures of 2018 in columns of their own, and says what they are', (t) => {
    const as2018 = { ...measured, plan: { ...PLAN, arrangement: 'sequential' } };
    const partsOf = (/** @type {any} */ run) => {
      const { notes = [], tables } = reportOf(jobs, run);
      const heads = tables.flatMap(headsOf).filter((head) => head.includes('2018'));
      return [PUBLISHED_NOTES.filter((note) => notes.includes(note)).length, heads.length];
    };
    assert.deepEqual([as2018, measured, { ...as2018, trials: [] }].map(partsOf), [
      [3, 2],
      [0, 0],
      [0, 0],
    ]);
    matchGolden(t, 'jobs', [...PUBLISHED_NOTES, ...toMarkdown(tabulateJobs(summarize(as2018))[2])]);
  });
});
