import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXPERIMENTS } from '../../../../core/experiments/all.js';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { describeTrust, formatMarkdown, formatText } from '../../../../core/experiment/report/report.js';
import { cellsOf, headsOf } from '../../../../core/experiment/report/table.js';
import { describeWarnings, fact } from '../../../../core/experiment/run/trust.js';
import { readSavedDocument } from '../../../support/saved-documents.js';

describe('the report of each experiment', () => {
  for (const experiment of EXPERIMENTS) {
    for (const part of ['whole', 'early']) {
      it(`${experiment.name}, ${part}: rests on one summary, and is whole in each form`, () => {
        const { document } = readSavedDocument(`${experiment.name}-${part}`);
        let count = 0;
        /** @param {any} measured */
        const find = (measured) => {
          count++;
          return experiment.find(measured);
        };
        const { heading, tables, charts } = reportOf({ ...experiment, find }, document);
        assert.equal(count, 1);
        assert.notEqual(heading, '');
        const [markdown, text] = [formatMarkdown(experiment, document), formatText(experiment, document)];
        assert.ok(/^### SockShootout[:,] /.test(markdown));
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

describe('the trust in a report', () => {
  const trust = [{ name: 'Valid', value: 'yes', isWarning: false }];

  it('is without a warning only where no notice warns', () => {
    assert.equal(describeTrust({ trust }), 'No warnings.');
    assert.equal(describeTrust({ trust, notice: 'Client and server were on one machine.' }), '');
  });

  it('has its warnings beside a notice, too', () => {
    const doubted = [{ name: 'Valid', value: 'no', isWarning: true }];
    assert.equal(describeTrust({ trust: doubted, notice: 'On one machine.' }), '1 warning. Valid: no.');
  });

  it('names the warning that weighs most beside their number', () => {
    const traffic = fact('Traffic', '3', 'others came');
    const lag = { ...fact('Lag', '9 ms', 'the device was busy'), weighs: true };
    assert.equal(describeWarnings([...trust, traffic]), '1 warning: others came');
    assert.equal(describeWarnings([...trust, traffic, lag]), '2 warnings: the device was busy, others came');
    // A check that weighs, but found nothing, is none.
    assert.equal(describeWarnings([{ ...lag, isWarning: false }, traffic]), '1 warning: others came');
  });
});

describe('the conditions of a report', () => {
  const experiment = EXPERIMENTS.find(({ name }) => name === 'in-flight');
  const { document } = readSavedDocument('in-flight-whole');
  /** @param {any} [more] */
  const conditionsOf = (more) => experiment && reportOf(experiment, { ...document, ...more }).conditions;

  it('are what was run where', () => {
    assert.equal(
      conditionsOf(),
      'Chrome 156 to localhost over HTTP/1.1 and WebSocket, fastest round trip 0.78 ms. 3 blocks, 473 messages, 6 failures.',
    );
  });

  it('leave out what no trial has', () => {
    const [trial] = document.trials;
    const trials = [{ ...trial, protocol: undefined, depth: 4, roundTripMs: [9], failures: [{ outcome: 'closed' }] }];
    const environment = { ...document.environment, userAgent: 'Node.js v22.0.0' };
    assert.equal(conditionsOf({ trials, environment }), 'Node.js 22 to localhost. 1 block, 1 message, 1 failure.');
  });

  it('stand below the answer and its notice, before the figures', () => {
    assert.match(
      formatMarkdown(/** @type {any} */ (experiment), document),
      /No verdict yet: 3 of 6 blocks\.\*\*\n\n.*\n\nChrome 156 .*\n\n\|/,
    );
  });
});
