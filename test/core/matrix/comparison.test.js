import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareRuns, formatCsv, formatMarkdown } from '../../../core/matrix/comparison.js';
import { describeDifference } from '../../../core/matrix/differences.js';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { mergeReports } from '../../../core/experiment/report/merged-report.js';
import { cellsOf, headsOf } from '../../../core/experiment/report/table.js';
import { digestOf } from '../../../core/experiment/documents/document-digest.js';
import { fullTest, situationOf, WHOLE } from '../../support/full-tests.js';
import { readSavedDocument } from '../../support/saved-documents.js';

const LINK = 'http://localhost:8000/compare?ids=a,b';

/** @param {string} experiment @returns {any[]} a whole run, and one that ended early */
const readRuns = (experiment) =>
  ['whole', 'early'].map((part, i) => {
    const { document, listed } = readSavedDocument(`${experiment}-${part}`);
    return { ...listed, number: i + 1, document };
  });

describe('runs side by side', () => {
  for (const experiment of EXPERIMENTS) {
    it(`${experiment.name}: every row of every run, those about the same together, and its charts`, () => {
      const comparison = compareRuns(experiment, readRuns(experiment.name));
      const { sides } = comparison;
      const { tables, charts, csv } = mergeReports(sides);
      // A heat map, a timeline or arrivals stand for the chart; that of shootouts is of the places.
      const maps = tables.filter(({ heatMap }) => heatMap);
      const hasPicture = sides.some(({ report }) => report.timelines?.length || report.arrivals);
      assert.equal(comparison.charts.length + maps.length > 0, !hasPicture);
      // What the experiment adds stands before them.
      const own = experiment.comparisonPart?.(sides);
      assert.equal(comparison.tables.length, tables.length + (own?.tables.length ?? 0));
      assert.equal(comparison.charts.length, charts.length + (own?.charts?.length ?? 0));
      assert.equal(tables.indexOf(maps[0]), maps.length - 1);
      for (const table of tables.filter(({ heatMap }) => !heatMap)) {
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
      const drawn = sides.flatMap(({ report }) => report.charts);
      const namesIn = (/** @type {readonly typeof drawn[number][]} */ all) =>
        all.flatMap(({ lines, dots = [] }) => [...lines, ...dots]);
      assert.equal(namesIn(charts).length, namesIn(drawn).length);
      // Those of one name each are one chart; of several, each run has its own, with its names.
      const isJoined = drawn.every((one) => namesIn([one]).length <= 1);
      assert.equal(charts.length, isJoined ? Math.min(1, drawn.length) : drawn.length);
      // Each value stands where it stood in the chart of its run.
      const known = (/** @type {typeof drawn[number]} */ { values, lines }) =>
        lines.flatMap((line) => values.flatMap((x, i) => (line.values[i] === null ? [] : [[x, line.values[i]]])));
      assert.deepEqual(charts.flatMap(known), drawn.flatMap(known));
      for (const { values, lines, x, y } of charts) {
        assert.ok(lines.every((line) => line.values.length === values.length));
        assert.deepEqual([x.range, y.range], [charts[0].x.range, charts[0].y.range]);
      }
      const markdown = formatMarkdown(comparison, LINK);
      assert.ok(markdown.startsWith(`### ${experiment.label}: `) && markdown.endsWith(`${LINK}\n`));
      const [head, ...lines] = formatCsv({ ...comparison, csv })
        .trimEnd()
        .split('\r\n');
      assert.equal(head, 'run,title,table,row,figure,value');
      // Without the column that names the run.
      const cellCount = tables.reduce((sum, { rows, columns }) => sum + rows.length * (columns.length - 1), 0);
      assert.equal(lines.length, cellCount);
    });
  }

  it('reach: shows on pages what failed in one of the runs, and folds the rest', () => {
    const [reach] = EXPERIMENTS.filter(({ name }) => name === 'reach');
    const [whole, ...others] = readRuns('reach');
    const [trial, ...trials] = whole.document.trials;
    const failure = { outcome: 'timeout', message: 'No answer' };
    const failed = { ...whole, document: { ...whole.document, trials: [{ ...trial, failure }, ...trials] } };
    const [{ rows, parts = [] }] = compareRuns(reach, [failed, ...others]).tables;
    const [shown, folded] = parts;
    assert.equal(parts.length, 2);
    assert.ok(shown.rows.some(({ row }) => row.result === 'fail') && !shown.isFolded);
    assert.ok(folded.rows.every(({ row }) => row.result !== 'fail') && folded.isFolded);
    assert.equal(shown.rows.length + folded.rows.length, rows.length);
  });

  it('in flight: a chart for each run with its own names, all with the same axes', () => {
    const experiment = EXPERIMENTS.find(({ name }) => name === 'in-flight') ?? assert.fail();
    const [whole] = readRuns('in-flight');
    const place = { name: 'Bonn' };
    const { charts, sides } = compareRuns(experiment, [whole, { ...whole, place, number: 2 }]);
    assert.deepEqual(
      charts.map(({ heading }) => heading),
      ['1. Frankfurt', '2. Bonn'],
    );
    assert.deepEqual(
      charts.map(({ lines }) => lines.map(({ label }) => label)),
      sides.map(({ report }) => report.charts[0].lines.map(({ label }) => label)),
    );
    assert.deepEqual([charts[0].x, charts[0].y], [charts[1].x, charts[1].y]);
  });

  it('payload: a heat map of every direction, size and run', () => {
    const experiment = EXPERIMENTS.find(({ name }) => name === 'payload') ?? assert.fail();
    const [whole] = readRuns('payload');
    const again = { ...whole, number: 2 };
    const [map] = compareRuns(experiment, [whole, again]).tables;
    assert.equal(map.heading, 'Speed-up over AJAX');
    const heads = headsOf(map);
    assert.deepEqual([heads[0], heads[1], heads.at(-1)], ['Size', 'Upload: fetch', 'Echo: SockJS']);
    const cells = cellsOf(map);
    assert.deepEqual(
      cells.map(([place]) => place),
      ['100 B, run 1', '100 B, run 2', '100 kB, run 1', '100 kB, run 2'],
    );
    const own = compareRuns(experiment, [whole]).sides[0].report.tables.filter(({ heatMap }) => heatMap);
    assert.deepEqual(
      cells[2].slice(1),
      own.flatMap((table) => cellsOf(table)[1].slice(1)),
    );
    assert.deepEqual(cells[3].slice(1), cells[2].slice(1));
    const marksIn = (/** @type {typeof map} */ { columns, rows }) =>
      rows.map((row) => columns.flatMap(({ mark }) => mark?.(row)?.verdict ?? []));
    assert.equal(marksIn(map)[0].length, heads.length - 1);
    // Only one of them has ended early, which leaves nothing to compare.
    assert.equal(compareRuns(experiment, readRuns('payload')).tables[0].rows.length, 2);
  });

  it('full test: says which settings of the situation and of its parts differ, in words', () => {
    const [, jobs] = WHOLE.parts;
    const { plan } = jobs.document ?? assert.fail();
    const part = { ...jobs, document: { ...jobs.document, plan: { ...plan, users: 2 } } };
    const other = { ...WHOLE, situation: situationOf('every=5000&considers=ws'), parts: [part] };
    const runs = [WHOLE, other].map((document, i) => {
      const digest = digestOf(fullTest, document);
      return /** @type {any} */ ({ id: String(i), number: i + 1, digest, document });
    });
    assert.deepEqual(compareRuns(fullTest, runs).differences.map(describeDifference), [
      'It polls every: 1 s (1); 5 s (2).',
      'Compared with: SockJS (1); WebSocket (2).',
      'Tests: Sending a message, Being notified (1); Being notified (2).',
      'Being notified: Users: 1 (1); 2 (2).',
    ]);
  });

  it('says what differs besides the place, the order of the trials apart', () => {
    const experiment = EXPERIMENTS.find(({ name }) => name === 'in-flight');
    assert.ok(experiment);
    const [whole] = readRuns('in-flight');
    const again = structuredClone(whole);
    again.number = 2;
    again.document.plan.seed += 1;
    assert.deepEqual(compareRuns(experiment, [whole, again]).differences, []);
    again.document.plan.blocks += 1;
    again.document.ending = { kind: 'cancelled', reason: 'Enough.' };
    const { sides, differences, warnings, doubts } = compareRuns(experiment, [whole, again]);
    assert.deepEqual(
      differences.map(({ name, values }) => [name, values.map(({ number }) => number)]),
      [['Blocks', [1, 2]]],
    );
    const { blocks } = whole.document.plan;
    assert.equal(describeDifference(differences[0]), `Blocks: ${blocks} (1); ${blocks + 1} (2).`);
    const { name } = sides[0];
    assert.deepEqual(warnings, [`2. ${sides[1].name} was stopped: no verdict. Enough.`]);
    assert.deepEqual(doubts, []);
    // A run without a verdict needs no further doubt.
    for (const { document } of [whole, again]) delete document.statusAfter;
    assert.deepEqual(
      compareRuns(experiment, [whole, again]).doubts.map((doubt) => doubt.slice(0, `1. ${name}: Other`.length)),
      [`1. ${name}: Other`],
    );
  });
});
