/** A verdict has one word, wherever a run is shown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf } from '../../../../core/experiment/documents/document-digest.js';
import { parseVerdictCondition } from '../../../../cli/run/conditions.js';
import { VERDICT_LABELS } from '../../../../core/experiment/answer/verdict.js';
import { findingsOf } from '../../../../core/experiment/report/findings.js';
import { formatText } from '../../../../core/experiment/report/report.js';
import { createIntervalBars } from '../../../../core/experiments/shootout/interval-bars.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { createComparison } from '../../../../core/matrix/index.js';
import { FAR, situationOf } from '../../../support/full-tests.js';
import { createResult, createTrials } from '../../../support/results.js';

/**
 * A run over a path of 100 ms.
 * @param {number} logRatio on average @param {number} deviation of every second block, to either side
 */
const createRun = (logRatio, deviation) =>
  createResult({
    environment: FAR,
    trials: createTrials(
      [1, -1, 1, -1, 1, -1].map((sign) => [
        100 * Math.exp(Math.max(0, logRatio) + sign * deviation),
        100 * Math.exp(Math.max(0, -logRatio)),
      ]),
    ),
  });

/** @type {readonly [keyof typeof VERDICT_LABELS, word: string, logRatio: number, deviation: number, ofLine?: string][]} */
const RUNS = [
  ['faster', 'faster', 0.3, 0.05],
  ['little-faster', 'a little faster', 0.07, 0.05],
  ['little-faster', 'at least a little faster', 0.2, 0.15, 'unclear if over 10% faster'],
  ['same', 'the same within 10%', 0.02, 0.01],
  ['unclear', 'no clear difference', 0.05, 0.15],
  ['little-slower', 'a little slower', -0.07, 0.05],
  ['slower', 'slower', -0.3, 0.05],
];

describe('the word of a verdict', () => {
  it('has a run of each', () => {
    assert.deepEqual([...new Set(RUNS.map(([verdict]) => verdict))].sort(), Object.keys(VERDICT_LABELS).sort());
  });

  // A line has a mark, and claims nothing where that says that it is unclear.
  for (const [verdict, word, logRatio, deviation, ofLine] of RUNS) {
    it(`is one on card, line, chart, list and comparison, and in the command: ${word}`, () => {
      const document = createRun(logRatio, deviation);
      const { summary, report, answers } = findingsOf(shootout, document);
      const digest = digestOf(shootout, document);
      const line = shootout.fullTest.answer(summary, { ...situationOf(), rttMs: Number(summary.floorMs) });
      const texts = {
        card: report.headline,
        line: ofLine ? line.word.toLowerCase().replace(ofLine, word) : line.word.toLowerCase(),
        chart: createIntervalBars(summary.rows).bars[0].words,
        list: digest.headline,
        comparison: createComparison(Array(2).fill({ digest }), [shootout], ['', '']).sentence,
      };
      assert.ok(formatText(shootout, document).includes(report.headline));
      // A line and a chart have no subject.
      const inShort = word.replace(/^the /, '');
      for (const [where, text] of Object.entries(texts)) {
        assert.ok(text?.includes(inShort), `${where}: ${text}`);
        const other = RUNS.map(([, one]) => one.replace(/^the /, '')).find(
          (one) => !inShort.includes(one) && text?.includes(one),
        );
        assert.equal(other, undefined, `${where}: ${text}`);
      }
      assert.deepEqual(
        answers.map((one) => one.verdict),
        [verdict],
      );
      const met = Object.keys(VERDICT_LABELS).filter((name) =>
        parseVerdictCondition(`sockjs ${name}`)?.reasonOf(/** @type {any} */ ({ answers })),
      );
      assert.deepEqual(met, [verdict]);
    });
  }
});
