import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cellsOf,
  fixed,
  toCsv,
  toMarkdown,
  toText,
  toTurnedText,
  turn,
} from '../../../../core/experiment/report/table.js';

/** @import { Table } from '../../../../core/experiment/report/table.js' */

/** @type {Table<{ name: string, ms?: number, reason?: string }>} */
const table = {
  columns: [
    { title: 'Name', isText: true, value: ({ name }) => name },
    { title: 'p50', unit: 'ms', value: ({ ms, reason }) => reason ?? ms, format: (value) => fixed(1)(Number(value)) },
    { title: '#', value: ({ reason }, index) => (reason ? null : index + 1) },
  ],
  rows: [{ name: 'a|b', ms: 1.25 }, { name: 'c\u001b[1m' }],
};

describe('a table', () => {
  it('has a dash where there is nothing to show', () => {
    assert.deepEqual(cellsOf(table), [
      ['a|b', '1.3', '1'],
      ['c\u001b[1m', '–', '2'],
    ]);
  });

  it('has fewer cells in a row whose last one reaches to the end, which Markdown fills up', () => {
    const cut = { columns: [table.columns[0], table.columns[2]], rows: [{ name: 'cut', reason: 'closed' }] };
    assert.deepEqual(cellsOf(cut), [['cut']]);
    assert.equal(toMarkdown(cut).at(-1), '| cut |  |');
  });

  it('is in Markdown, where no name is more than text', () => {
    assert.deepEqual(toMarkdown({ ...table, rows: table.rows.slice(0, 1) }), [
      '| Name | p50, ms | # |',
      '| --- | ---: | ---: |',
      '| a\\|b | 1.3 | 1 |',
    ]);
  });

  it('has separators in its counts, but not in what names a row, nor for programs', () => {
    const columns = [0, 1].map((i) => ({ title: '#', isKey: i === 0, value: () => 1786 }));
    assert.deepEqual(cellsOf({ columns, rows: [{}] }), [['1786', '1,786']]);
    assert.equal(toCsv({ columns, rows: [{}] }), '#,#\r\n1786,1786\r\n');
  });

  it('is in CSV, where what is absent stays empty', () => {
    assert.equal(toCsv({ ...table, rows: [{ name: 'a,b' }] }), 'Name,p50,#\r\n"a,b",,1\r\n');
  });

  it('stands in columns at a terminal, which no name steers', () => {
    assert.equal(toText(table)[0], 'Name   p50, ms  #');
    assert.ok(!toText(table).join('').includes('\u001b'));
  });

  it('has a line for each column where it is too wide', () => {
    const small = { ...table, rows: [{ name: 'a', ms: 1 }, { name: 'b' }] };
    assert.deepEqual(toTurnedText(small), ['Name     a    b', 'p50, ms  1.0  –', '#        1    2']);
    const heads = toMarkdown(turn(small, ({ name }) => `of ${name}`));
    assert.deepEqual(heads.slice(0, 2), ['|  | of a | of b |', '| --- | ---: | ---: |']);
  });
});
