import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { formatMarkdown, formatText, reportOf } from '../../../core/experiment/report.js';
import { cellsOf, headsOf } from '../../../core/experiment/table.js';
import { readSavedDocument } from '../../support/saved-documents.js';

describe('the report of each experiment', () => {
  for (const experiment of EXPERIMENTS) {
    for (const part of ['whole', 'early']) {
      it(`${experiment.name}, ${part}: rests on one summary, and is whole in each form`, () => {
        const { document } = readSavedDocument(`${experiment.name}-${part}`);
        let count = 0;
        /** @param {any} measured */
        const summarize = (measured) => {
          count++;
          return experiment.summarize(measured);
        };
        const { heading, tables, charts } = reportOf({ ...experiment, summarize }, document);
        assert.equal(count, 1);
        assert.notEqual(heading, '');
        const [markdown, text] = [formatMarkdown(experiment, document), formatText(experiment, document)];
        assert.ok(markdown.startsWith('### SockShootout: '));
        for (const table of tables) {
          const [heads, cells] = [headsOf(table), cellsOf(table)];
          for (const head of heads) assert.ok(text.includes(head) || head === '', head);
          for (const row of cells) assert.ok(row.length <= heads.length);
        }
        for (const { values, lines } of charts) {
          for (const line of lines) assert.equal(line.values.length, values.length, line.label);
        }
      });
    }
  }
});
