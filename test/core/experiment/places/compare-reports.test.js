import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  compareReports,
  formatComparisonCsv,
  formatComparisonMarkdown,
} from '../../../../core/experiment/compare-reports.js';
import { EXPERIMENTS } from '../../../../core/experiments/all.js';
import { cellsOf, headsOf } from '../../../../core/experiment/table.js';
import { readSavedDocument } from '../../../support/saved-documents.js';

const LINK = 'http://localhost:8000/compare?ids=a,b';

/** @param {string} experiment @returns {any[]} a whole run, and one that ended early */
const readRuns = (experiment) =>
  ['whole', 'early'].map((part, i) => {
    const { document, listed } = readSavedDocument(`${experiment}-${part}`);
    return { ...listed, number: i + 1, document };
  });

describe('runs side by side', () => {
  for (const experiment of EXPERIMENTS) {
    it(`${experiment.name}: every row of every run, those about the same together, and one chart for all`, () => {
      const comparison = compareReports(experiment, readRuns(experiment.name));
      const { sides, tables, charts } = comparison;
      for (const table of tables) {
        const ownOf = (/** @type {typeof sides[number]} */ { report }) =>
          report.tables.find(({ heading }) => heading === table.heading);
        const counts = sides.map((side) => ownOf(side)?.rows.length ?? 0);
        assert.equal(
          table.rows.length,
          counts.reduce((sum, count) => sum + count),
        );
        const keys = table.rows.map(({ key }) => key);
        assert.equal(keys.filter((key, row) => key !== keys[row - 1]).length, new Set(keys).size);
        assert.ok(headsOf(table).includes('Run'));
        // Each cell is that of its own run's table.
        for (const [row, { side, index }] of table.rows.entries()) {
          const own = ownOf(side);
          assert.ok(own);
          const head = headsOf(own).findIndex((one) => one === headsOf(table)[0]);
          if (head >= 0) assert.equal(cellsOf(table)[row][0], cellsOf(own)[index][head] ?? '–');
        }
      }
      for (const chart of charts) {
        const own = sides.flatMap(({ report }) => report.charts.filter(({ heading }) => heading === chart.heading));
        assert.equal(
          chart.lines.length,
          own.reduce((sum, { lines }) => sum + lines.length, 0),
        );
        assert.equal(chart.dots?.length, own[0].dots && own.reduce((sum, { dots = [] }) => sum + dots.length, 0));
        // Each run's values stand where they stood in its own chart.
        const known = (/** @type {typeof own[number]} */ { values, lines }) =>
          lines.flatMap((line) => values.flatMap((x, i) => (line.values[i] === null ? [] : [[x, line.values[i]]])));
        assert.deepEqual(known(chart), own.flatMap(known));
        for (const { values, band } of chart.lines) assert.equal((band ?? values).length, chart.values.length);
      }
      const markdown = formatComparisonMarkdown(experiment.label, comparison, LINK);
      assert.ok(markdown.startsWith(`### ${experiment.label}: `) && markdown.endsWith(`${LINK}\n`));
      const [head, ...lines] = formatComparisonCsv(comparison).trimEnd().split('\r\n');
      assert.equal(head, 'run,title,table,row,figure,value');
      const cellCount = tables.reduce((sum, { rows, columns }) => sum + rows.length * (columns.length - 1), 0);
      assert.equal(lines.length, cellCount);
    });
  }

  it('says what differs besides the place, the order of the trials apart', () => {
    const experiment = EXPERIMENTS.find(({ name }) => name === 'in-flight');
    assert.ok(experiment);
    const [whole] = readRuns('in-flight');
    const again = structuredClone(whole);
    again.number = 2;
    again.document.plan.seed += 1;
    assert.deepEqual(compareReports(experiment, [whole, again]).differences, []);
    again.document.plan.blocks += 1;
    again.document.ending = { kind: 'cancelled', reason: 'Enough.' };
    const { differences } = compareReports(experiment, [whole, again]);
    assert.deepEqual(
      differences.map((sentence) => sentence.split(':')[0]),
      ['The plans differ', 'Run 2 is invalid'],
    );
  });
});
