/**
 * Documents that commit cacc1c4 made in a real browser: they are still read, and the same is said of them.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPlanned } from '../../../../core/experiments/all.js';
import * as comparisons from '../../../../core/matrix/comparison.js';
import { describeDifference } from '../../../../core/matrix/differences.js';
import { classic } from '../../../../core/experiments/classic/index.js';
import shootout from '../../../../core/experiments/shootout/index.js';
import { comparePlaces } from '../../../../core/experiments/shootout/comparison.js';
import { leadBeneath } from '../../../../core/experiment/answer/answer-card.js';
import { findingsOf } from '../../../../core/experiment/report/findings.js';
import { cellsOf, headsOf } from '../../../../core/experiment/report/table.js';
import { formatText, formatMarkdown } from '../../../../core/experiment/report/report.js';
import { useGolden } from '../../../support/golden.js';
import {
  figuresOf,
  LISTED,
  readCsv,
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
  cuts: {
    whole: { isValid: true, sampleCount: 1683, failureCount: 0 },
    early: { isValid: false, sampleCount: 155, failureCount: 0, ending: 'cancelled' },
  },
  'under-load': {
    whole: { isValid: true, sampleCount: 933, failureCount: 0 },
    early: { isValid: false, sampleCount: 333, failureCount: 0, ending: 'cancelled' },
  },
  stream: {
    whole: { isValid: true, sampleCount: 960, failureCount: 0 },
    early: { isValid: false, sampleCount: 240, failureCount: 0, ending: 'cancelled' },
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
      assert.equal(experiment.formatCsv(document), readCsv(name));
    });
  }

  it('have bars only with a title, and with the unit of each', () => {
    const drawn = SAVED_DOCUMENTS.map((name) => {
      const { experiment, document } = readSavedDocument(name);
      return leadBeneath(findingsOf(experiment, document));
    }).flatMap((lead) => (lead?.bars ? [lead] : []));
    assert.ok(drawn.length > 6);
    for (const { experiment, bars = [], barsTitle } of drawn) {
      assert.match(barsTitle ?? '', /^[A-Z]/, experiment);
      for (const { figure } of bars) assert.match(figure, /\d( m?s|\/s)$/);
    }
  });

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
          formatMarkdown(experiment, document).trimEnd(),
          ...(isPlanned(experiment) ? [experiment.describePlan(document.plan), formatText(experiment, document)] : []),
        ]);
      });
    }
  });
}

describe('the saved documents of cacc1c4 side by side', () => {
  /** Those whose heads and words are not others today. @param {string} name @param {readonly string[]} heads @returns {string[]} */
  const figuresThen = (name, heads) =>
    linesOf(name)
      .filter((line) => heads.some((head) => line.startsWith(`| ${head} |`)))
      .map((line) => line.slice(line.indexOf(' | ')));

  /** Titles of today, and those of then, when a run on one machine had not its place, and a label even if it was alone. */
  const TITLES = [
    [/^3\. localhost(?=[ :])/, '3. localhost (cable)'],
    [/^(1,[\w-]{16}),Frankfurt(?=,)/m, '$1,localhost (autumn 2026)'],
    [/^(3,[\w-]{16}),localhost(?=,)/m, '$1,localhost (cable)'],
    [/^Frankfurt(?=,)/gm, 'localhost'],
  ];
  const asThen = (/** @type {string} */ text) =>
    TITLES.reduce((words, [now, then]) => words.replace(now, String(then)), text);

  it('shootouts: the figures, sentences and CSV of then', () => {
    const comparison = comparisons.compareRuns(
      shootout,
      readRuns(['shootout-whole', 'shootout-far', 'shootout-early']),
    );
    const { sides, tables, charts, differences, warnings } = comparison;
    const { pair, places } = comparePlaces(sides);
    assert.deepEqual(pair, { baseline: 'ajax', transport: 'sockjs' });
    assert.deepEqual(
      places.map((place) => place.comparison?.verdict),
      ['faster', 'faster', undefined],
    );

    const shown = linesOf('shootout-comparison.txt');
    const [rates, figures] = tables;
    // A line for each transport of each run then, a line for each run now.
    const heads = headsOf(rates);
    assert.equal(heads.slice(2, -2).length, 7);
    for (const [i, transport] of heads.slice(2, -2).entries()) {
      const cells = cellsOf(rates).slice(0, sides.length);
      assert.deepEqual(
        cells.map((row) => row[2 + i]).filter((cell) => cell !== '–'),
        shown.filter((line) => line.startsWith(`${transport}\t`)).map((line) => line.split('\t')[1]),
      );
    }
    const rows = cellsOf(figures).filter(([title]) => title !== 'Headline');
    const sentences = [
      ...differences.map(describeDifference),
      ...warnings,
      ...charts.flatMap((chart) => chart.sentences ?? []).slice(1),
    ];
    // Behind the name of its run, which had its server then.
    const claims = sentences.map((sentence) => asThen(sentence).replace(/^\d+\. [^:]*: /, ''));
    for (const line of [...rows.map((row) => row.slice(1).join('\t')), ...claims])
      assert.ok(
        shown.some((one) => one.endsWith(line)),
        line,
      );

    const markdown = comparisons.formatMarkdown(comparison, '');
    const then = figuresThen('shootout-comparison.md', [
      'Label',
      'AJAX p50, ms',
      'SockJS adds, ms',
      'Predicted by 1',
      'Plan',
    ]);
    assert.equal(then.length, 5);
    for (const line of then) assert.ok(markdown.includes(line), line);
    assert.equal(asThen(comparisons.formatCsv(comparison)), readFixture('shootout-comparison.csv'));
  });

  it('classic tests: the figures of 2012, sentences and CSV of then', () => {
    const comparison = comparisons.compareRuns(
      classic,
      readRuns(['classic-whole', 'classic-ajax', 'classic-far', 'classic-early']),
    );
    const { tables, differences, warnings } = comparison;
    const rows = cellsOf(tables[0]);
    assert.deepEqual(
      rows.map(([, numbers, , , iterations]) => [numbers, iterations]),
      [
        ['2 and 1', '10'],
        ['2 and 1', '100'],
        ['3 and 4', '10'],
        ['3 and 4', '100'],
      ],
    );
    assert.deepEqual(rows[3].slice(5, 8), ['–', '–', '–']);

    const shown = linesOf('classic-comparison.txt');
    const lines = rows.map((cells) => cells.slice(4).join('\t'));
    for (const line of [...lines, ...differences.map(describeDifference), ...warnings])
      assert.ok(shown.includes(line), line);
    const markdown = comparisons.formatMarkdown(comparison, '');
    const then = figuresThen('classic-comparison.md', ['10', '100']);
    assert.equal(then.length, rows.length);
    for (const line of then) assert.ok(markdown.includes(line), line);
    assert.equal(asThen(comparisons.formatCsv(comparison)), readFixture('classic-comparison.csv'));
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
