import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerJudged, figureOf } from '../../../../core/experiment/answer/answer.js';
import { exportOf } from '../../../../core/experiment/documents/export.js';
import { readSavedDocument } from '../../../support/saved-documents.js';

/** @import { Unit } from '../../../../core/experiment/answer/answer.js' */

const RATIO = { estimate: 2, low: 1.9, high: 2.1 };

describe('the figure of an answer', () => {
  it('has the name of its interval', () => {
    const unit = 'times-as-many';
    assert.deepEqual(figureOf({ ...RATIO, unit }), {
      figure: '2.00x as many messages/s',
      interval: '95% CI 1.90–2.10',
    });
    assert.match(String(figureOf({ ...RATIO, unit, confidence: 1 - 0.05 / 3 }).interval), /^98\.3% CI /);
    assert.match(String(figureOf({ ...RATIO, unit, isPredicted: true }).interval), /^95% prediction interval /);
  });

  it('is positive where news is later, and absent where that is unclear', () => {
    const unit = 'sooner-ms';
    assert.equal(figureOf({ estimate: -60, low: -80, high: -40, unit }).figure, '0.06 s');
    const { figure, interval } = figureOf({ estimate: 5, low: -20, high: 30, unit });
    assert.equal(figure, undefined);
    assert.match(String(interval), /−0\.02 to 0\.03 s$/);
  });

  it('of a single value has beneath it what it is of', () => {
    /** @type {readonly [Unit, Parameters<typeof figureOf>[0], object][]} */
    const cases = [
      ['checks-passed', { estimate: 20, total: 21 }, { figure: '20 of 21', interval: 'checks passed' }],
      ['waited-ms', { estimate: 2800, condition: 'for 2 MB' }, { figure: '2.8 s', interval: 'for 2 MB' }],
    ];
    for (const [unit, answer, expected] of cases) assert.deepEqual(figureOf({ ...answer, unit }), expected);
    assert.deepEqual(figureOf({}), {});
  });
});

describe('an answer by blocks', () => {
  const WHAT = /** @type {const} */ ({ subject: 'sockjs', baseline: 'ajax', unit: 'times-as-fast' });

  it('has mark and word of its verdict, or says that there is none', () => {
    const slower = answerJudged(WHAT, { verdict: 'slower', ratio: RATIO, blockCount: 6 });
    assert.deepEqual([slower.mark, slower.word, slower.estimate, slower.count], ['worse', 'Slower', 2, 6]);
    const { mark, word, verdict } = answerJudged(WHAT, { ratio: RATIO });
    assert.deepEqual([mark, word, verdict], ['unclear', 'No verdict', undefined]);
  });

  it('has its documented fields in JSON, and the unit that it had in 1.0.0', () => {
    for (const [name, unit] of [
      ['in-flight-whole', 'times as many messages/s'],
      ['jobs-whole', 'ms sooner'],
      ['shootout-whole', 'times as fast'],
    ]) {
      const { experiment, document } = readSavedDocument(name);
      const [comparison] = JSON.parse(JSON.stringify(exportOf(experiment, document).summary.comparisons));
      assert.equal(comparison.unit, unit);
      const fields = ['baseline', 'confidence', 'count', 'estimate', 'high', 'low', 'subject', 'unit'];
      // Some runs compare at one place, or in too few blocks for a verdict.
      const own = Object.keys(comparison).filter((field) => !['at', 'verdict'].includes(field));
      assert.deepEqual(own.sort(), fields, name);
    }
  });
});
