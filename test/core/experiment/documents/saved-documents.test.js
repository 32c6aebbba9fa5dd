/**
 * Documents that commit cacc1c4 made in a real browser: they are still read, and the same is said of them.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPlanned } from '../../../../core/experiments/all.js';
import {
  formatMarkdown as formatClassicComparison,
  formatCsv as formatClassicComparisonCsv,
  COLUMNS as CLASSIC_COLUMNS,
  createClassicComparison,
} from '../../../../core/experiments/classic/comparison.js';
import {
  createPlaceComparison,
  formatCsv as formatPlacesCsv,
  formatMarkdown as formatPlaces,
  listSentences,
  tabulateRates,
  tabulateSides,
} from '../../../../core/experiments/shootout/comparison.js';
import { describeDifference } from '../../../../core/experiment/compare-reports.js';
import { cellsOf, turn } from '../../../../core/experiment/table.js';
import { formatText } from '../../../../core/experiment/report.js';
import { useGolden } from '../../../support/golden.js';
import {
  figuresOf,
  LISTED,
  readFixture,
  readSavedDocument,
  SAVED_DOCUMENTS,
} from '../../../support/saved-documents.js';

/**
 * @typedef {object} Facts
 * @property {boolean} isValid
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {string} [ending] its kind; a document of several tests has none
 */

/** @type {Readonly<Record<string, { whole: Facts, early: Facts }>>} */
const EXPERIMENTS = {
  shootout: {
    whole: { isValid: true, sampleCount: 180, failureCount: 0 },
    early: { isValid: false, sampleCount: 80, failureCount: 1, ending: 'cancelled' },
  },
  'in-flight': {
    // By SSE + POST, whose messages may overtake one another on their way.
    whole: { isValid: true, sampleCount: 473, failureCount: 6 },
    early: { isValid: false, sampleCount: 112, failureCount: 8, ending: 'invalid' },
  },
  'fixed-rate': {
    whole: { isValid: true, sampleCount: 192, failureCount: 0 },
    early: { isValid: false, sampleCount: 126, failureCount: 1, ending: 'invalid' },
  },
  jobs: {
    whole: { isValid: true, sampleCount: 56, failureCount: 0 },
    early: { isValid: false, sampleCount: 11, failureCount: 7, ending: 'cancelled' },
  },
  payload: {
    whole: { isValid: true, sampleCount: 180, failureCount: 0 },
    early: { isValid: false, sampleCount: 122, failureCount: 1, ending: 'cancelled' },
  },
  reach: {
    whole: { isValid: true, sampleCount: 259, failureCount: 0 },
    early: { isValid: false, sampleCount: 254, failureCount: 0, ending: 'cancelled' },
  },
  countdown: {
    whole: { isValid: true, sampleCount: 60, failureCount: 0 },
    early: { isValid: false, sampleCount: 40, failureCount: 1 },
  },
  classic: {
    whole: { isValid: true, sampleCount: 110, failureCount: 0 },
    early: { isValid: false, sampleCount: 42, failureCount: 1 },
  },
};

const PARTS = /** @type {const} */ (['whole', 'early']);

const matchGolden = useGolden(import.meta.url);

/** @param {readonly string[]} names @returns {any[]} as a comparison gets them */
const readRuns = (names) =>
  names.map((name, index) => {
    const { document, listed } = readSavedDocument(name);
    return { ...listed, number: index + 1, document };
  });

/** @param {string} name */
const linesOf = (name) => readFixture(name).trimEnd().split('\n');

describe('the saved documents of cacc1c4', () => {
  for (const name of SAVED_DOCUMENTS) {
    it(`${name}: is accepted, with the figures of its digest and the CSV of then`, () => {
      const { experiment, document, digest, listed } = readSavedDocument(name);
      assert.equal(experiment.name, listed.experiment);
      assert.ok(name.startsWith(experiment.name));
      assert.deepEqual(figuresOf(digest), figuresOf(listed.digest));
      assert.equal(experiment.formatCsv(document), readFixture(`${name}.csv`));
    });
  }

  it('are all that were listed', () => {
    const read = SAVED_DOCUMENTS.map((name) => readSavedDocument(name).listed.id);
    assert.deepEqual(read.toSorted(), LISTED.map(({ id }) => id).toSorted());
  });
});

for (const [name, facts] of Object.entries(EXPERIMENTS)) {
  describe(`what is said of a saved document, ${name}`, () => {
    for (const part of PARTS) {
      it(`(${part})`, (t) => {
        const { experiment, document, digest } = readSavedDocument(`${name}-${part}`);
        const { isValid, sampleCount, failureCount } = digest;
        const ending = document.ending && { ending: document.ending.kind };
        assert.deepEqual({ isValid, sampleCount, failureCount, ...ending }, facts[part]);

        matchGolden(t, name, [
          `In lists: ${digest.headline}\n${digest.detail}`,
          experiment.formatMarkdown(document).trimEnd(),
          ...(isPlanned(experiment) ? [experiment.describePlan(document.plan), formatText(experiment, document)] : []),
        ]);
      });
    }
  });
}

describe('the saved documents of cacc1c4 side by side', () => {
  it('shootouts: the tables and the CSV of then', () => {
    const comparison = createPlaceComparison(readRuns(['shootout-whole', 'shootout-far', 'shootout-early']));
    const { pair, sides, differences, warnings } = comparison;
    assert.deepEqual(pair, { baseline: 'ajax', transport: 'sockjs' });
    assert.deepEqual(
      sides.map((side) => side.comparison?.word),
      ['faster', 'faster', undefined],
    );

    const shown = linesOf('shootout-comparison.txt');
    const figures = cellsOf(turn(tabulateSides(comparison), () => '')).filter(([title]) => title !== 'Verdict');
    const cells = [
      ...sides.flatMap((side) => cellsOf(tabulateRates(side))),
      ...figures.map(([, ...figureCells]) => figureCells),
    ];
    for (const line of cells.map((row) => row.join('\t')))
      assert.ok(
        shown.some((one) => one.endsWith(line)),
        line,
      );
    const sentences = [...differences.map(describeDifference), ...warnings, ...listSentences(comparison).slice(1)];
    for (const line of sentences) assert.ok(shown.includes(line), line);

    const markdown = linesOf('shootout-comparison.md');
    // Their figures, not what heads and titles call them.
    const tableOf = (/** @type {readonly string[]} */ lines) =>
      lines
        .filter((line) => line.startsWith('|') && !/^\| (?:Verdict|Transport) /.test(line))
        .map((line) => line.split('|').slice(2));
    const lines = formatPlaces(comparison, String(markdown.at(-1))).split('\n');
    assert.deepEqual(tableOf(lines), tableOf(markdown));
    assert.equal(formatPlacesCsv(comparison), readFixture('shootout-comparison.csv'));
  });

  it('classic tests: the tables of 2012, Markdown and CSV of then', () => {
    const comparison = createClassicComparison(
      readRuns(['classic-whole', 'classic-ajax', 'classic-far', 'classic-early']),
    );
    const { tables, differences, warnings } = comparison;
    assert.deepEqual(
      tables.map(({ numbers, rows }) => [numbers, rows.map(({ iterations }) => iterations)]),
      [
        [
          [2, 1],
          [10, 100],
        ],
        [
          [3, 4],
          [10, 100],
        ],
      ],
    );
    assert.deepEqual(tables[1].rows[1].measured, { ajax: undefined, sockjs: undefined, ratio: undefined });

    const shown = linesOf('classic-comparison.txt');
    const rows = tables.flatMap(({ rows: own }) =>
      cellsOf({ columns: CLASSIC_COLUMNS, rows: own }).map((cells) => cells.join('\t')),
    );
    for (const line of [...rows, ...differences.map(describeDifference), ...warnings])
      assert.ok(shown.includes(line), line);

    const link = String(linesOf('classic-comparison.md').at(-1));
    assert.equal(formatClassicComparison(comparison, link), readFixture('classic-comparison.md'));
    assert.equal(formatClassicComparisonCsv(comparison), readFixture('classic-comparison.csv'));
  });

  for (const experiment of ['in-flight', 'fixed-rate', 'jobs', 'payload', 'countdown']) {
    it(`${experiment}: the words of then`, () => {
      const shown = linesOf(`${experiment}-comparison.txt`);
      for (const { digest } of readRuns(PARTS.map((part) => `${experiment}-${part}`))) {
        assert.ok(shown.some((line) => line.startsWith(digest.headline)));
        assert.ok(shown.includes(digest.detail));
      }
    });
  }
});
