import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../core/base/random.js';
import { toMarkup } from '../../../core/picture/svg.js';
import { UNITS } from '../../../core/experiment/answer/answer.js';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { drawMatrixCurve } from '../../../core/matrix/curve.js';
import {
  formatMatrixCsv,
  formatMatrixMarkdown,
  formatMatrixText,
  listLeftOut,
  listSubjects,
} from '../../../core/matrix/export.js';
import { createStudy } from '../../../core/matrix/index.js';
import { useGolden } from '../../support/golden.js';
import { createStudyRun, createStudyRuns, news, reach, sending } from '../../support/studies.js';

/** @import { StoredAnswer } from '../../../core/experiment/documents/stored-answers.js' */
/** @import { SharedRun } from '../../../core/matrix/places.js' */

const matchGolden = useGolden(import.meta.url);

const SIZE = { width: 720, height: 300 };

const PREDICTED = /** @type {const} */ ({
  rttMs: 100,
  mark: 'same',
  word: 'Same within 10%',
  amount: { value: 1.03, low: 1.01, high: 1.05, unit: 'times-as-fast' },
});

/** @param {readonly SharedRun[]} runs */
const studyOf = (runs) => createStudy(runs, EXPERIMENTS);
/** @param {readonly SharedRun[]} runs */
const namesOf = (runs) => studyOf(runs).rows.map(({ name }) => name);

describe('a study', () => {
  const study = studyOf(createStudyRuns());
  const rowOf = (/** @type {string} */ name) => {
    const row = study.rows.find((one) => one.name === name);
    assert.ok(row, name);
    return row;
  };
  /** @param {string} place @param {string} experiment */
  const cellOf = (place, experiment) =>
    rowOf(place).cells[study.columns.findIndex((column) => column.experiment === experiment)];

  it('has a row for each place by its round-trip time, the own machine first, however the place is spelled', () => {
    assert.deepEqual(
      study.rows.map(({ name, scope, rttMs, runCount }) => [name, scope, rttMs, runCount]),
      [
        ['localhost', 'machine', 0.45, 2],
        ['Frankfurt', 'path', 12, 3],
        ['London', 'path', 38, 1],
        ['New York', 'path', 92, 6],
        ['Sydney', 'path', 287.5, 2],
      ],
    );
    assert.deepEqual(rowOf('Frankfurt').days, { from: '2026-11-18', to: '2026-11-19' });
  });

  it('has a column for each question that somebody measured', () => {
    assert.deepEqual(study.columns.map(({ experiment }) => experiment).sort(), ['jobs', 'reach', 'shootout']);
  });

  it('sums up by the median and range, and from six runs on with an interval', () => {
    const { value, low, high, spread, count } = cellOf('Frankfurt', 'shootout');
    assert.deepEqual(
      { value, low, high, spread, count },
      { value: 1.44, low: 1.38, high: 1.5, spread: 'range', count: 3 },
    );
    const far = cellOf('New York', 'shootout');
    assert.deepEqual([far.value, far.low, far.high, far.spread], [1.04, 1.01, 1.08, '95% CI']);
    const alone = cellOf('London', 'shootout');
    assert.deepEqual([alone.value, alone.spread, alone.low], [1.15, undefined, undefined]);
  });

  it('has no figure of a unit that only a newer release knows', () => {
    const amount = /** @type {any} */ ({ value: 1, unit: 'newer' });
    const { columns, rows } = studyOf([createStudyRun({ place: 'Bonn', answers: [sending(1, { amount })] })]);
    assert.deepEqual([columns[0].unit, rows[0].cells[0].figure], [undefined, undefined]);
  });

  it('has the interval of a single run, and its verdict by the rule of today', () => {
    const amount = /** @type {const} */ ({ value: 1.2, unit: 'times-as-fast', low: 1.05, high: 1.4 });
    const { rows } = studyOf([createStudyRun({ place: 'Bonn', answers: [sending(1.2, { amount })] })]);
    const [{ low, high, word }] = rows[0].cells;
    assert.deepEqual([low, high, word], [1.05, 1.4, 'Unclear if over 10% faster']);
  });

  it('says what the interval of the runs says, by the rule of a run, whatever most of them say', () => {
    /** @param {readonly number[]} values @param {typeof sending | typeof news} answer */
    const saidOf = (values, answer) => {
      const { rows } = studyOf(values.map((value) => createStudyRun({ place: 'Bonn', answers: [answer(value)] })));
      const { mark, word } = rows[0].cells[0];
      return [mark, word];
    };
    // Most runs say “a little faster” of 1.11; from six on there is an interval, before that a range.
    assert.deepEqual(saidOf([0.99, 1.04, 1.11, 1.11, 1.11], sending), ['unclear', 'No clear difference']);
    assert.deepEqual(saidOf([1.02, 1.04, 1.12, 1.13], sending), ['same', 'A little faster (at most 13%)']);
    assert.deepEqual(saidOf([1.11, 1.15, 1.3], sending), ['better', 'Faster']);
    assert.deepEqual(saidOf([1.02, 1.03, 1.04, 1.05, 1.06, 1.07], sending), ['same', 'Same within 10%']);
    assert.deepEqual(saidOf([-20, 300, 500], news), ['unclear', 'No clear difference']);
    assert.deepEqual(saidOf([200, 300, 500], news), ['better', 'Sooner']);
  });

  it('is no surer than its runs where they are few, and shows an outlier where they are many', () => {
    /** @param {readonly [value: number, low: number, high: number][]} figures */
    const cellOfRuns = (...figures) => {
      const answers = figures.map(([value, low, high]) =>
        sending(value, { amount: { value, low, high, unit: 'times-as-fast' } }),
      );
      return studyOf(answers.map((one) => createStudyRun({ place: 'Bonn', answers: [one] }))).rows[0].cells[0];
    };
    const few = cellOfRuns([1.04, 0.99, 5.1], [1.03, 1, 1.06]);
    assert.deepEqual([few.word, few.ends, few.figure], ['No clear difference', '0.99 to 5.1x', '1.04x']);
    const many = cellOfRuns(...Array(11).fill([1.04, 1.03, 1.05]), [5.1, 4, 6]);
    assert.deepEqual([many.word, many.range, many.value], ['Same within 10%', '1.04 to 5.1x', 1.04]);
  });

  it('has a word that follows from its interval, for every unit and whatever the runs said', () => {
    const random = createRandom(7);
    const judged = /** @type {const} */ (['times-as-fast', 'times-as-many', 'sooner-ms']);
    assert.deepEqual(
      judged,
      Object.entries(UNITS).flatMap(([name, row]) => ('judge' in row ? [name] : [])),
    );
    for (const unit of judged) {
      const centre = unit === 'sooner-ms' ? 0 : 1.1;
      for (let i = 0; i < 300; i++) {
        const runs = Array.from({ length: 1 + (i % 12) }, () => {
          const value = centre + (random() - 0.5) * (unit === 'sooner-ms' ? 900 : 0.4);
          const amount = { value, low: value - random() / 5, high: value + random() / 5, unit };
          return createStudyRun({ place: 'Bonn', answers: [sending(random() + 0.6, { amount })] });
        });
        const [{ mark, word, low, high, value: estimate }] = studyOf(runs).rows[0].cells;
        const said = UNITS[unit].judge(/** @type {any} */ ({ estimate, low, high }));
        assert.deepEqual([mark, word], [said.mark, said.word]);
      }
    }
  });

  it('says that nobody notices, as cards do, where all of its runs say so', () => {
    const unnoticed = /** @type {const} */ ({ mark: 'same', word: 'Sooner, unnoticed' });
    /** @param {readonly StoredAnswer[]} answers */
    const saidOf = (...answers) => {
      const { rows, sentence } = studyOf(answers.map((one) => createStudyRun({ place: 'Bonn', answers: [one] })));
      const { mark, word } = rows[0].cells[0];
      return [mark, word, sentence];
    };
    const sentence = 'News arrives 0.05 s sooner: Bonn (40 ms).';
    assert.deepEqual(saidOf(news(50, unnoticed), news(50, unnoticed)), ['same', 'Sooner, unnoticed', sentence]);
    assert.deepEqual(saidOf(news(50, unnoticed), news(50)), ['better', 'Sooner', sentence]);
    // The figures of several may say less than each of them.
    const [mark, word] = saidOf(news(50, unnoticed), news(-50, { mark: 'same', word: 'Later, unnoticed' }));
    assert.deepEqual([mark, word], ['unclear', 'No clear difference']);
    const stream = sending(1.3, { topic: undefined, verdict: 'faster', mark: 'same', word: 'Faster, unnoticed' });
    const [, ofStream, streamSentence] = saidOf(stream);
    assert.equal(ofStream, 'Faster, unnoticed');
    assert.match(streamSentence, /: faster, unnoticed/);
    // The word of a run over sizes has the sizes in it.
    const sized = { ...stream, word: 'Faster at 1 MB, unnoticed' };
    assert.equal(saidOf(sized, { ...sized, word: 'Faster, unnoticed' })[1], 'Faster, unnoticed');
  });

  it('reads no word for a verdict: that of a digest, or for older ones what its figure or its mark says', () => {
    const amount = /** @type {const} */ ({ value: 1.2, unit: 'times-as-fast' });
    /** @param {object} more */
    const verdictOf = (more) =>
      studyOf([createStudyRun({ place: 'Bonn', answers: [sending(1.2, { amount, ...more })] })]).sentence;
    assert.match(verdictOf({ verdict: 'little-slower', word: 'Faster', mark: 'same' }), /is a little slower: Bonn/);
    assert.match(verdictOf({ mark: 'worse', word: 'A little faster' }), /is slower: Bonn/);
    assert.match(
      verdictOf({ amount: { ...amount, low: 1.15, high: 1.3 }, mark: 'worse', word: 'Slower' }),
      /faster: Bonn/,
    );
  });

  it('counts the runs that say the same where they do not agree, and hides none that failed', () => {
    const fails = sending(1, { amount: undefined, mark: 'worse', word: 'Fails from 1 MB' });
    const runs = [sending(1.5), fails, sending(1.6)].map((one) => createStudyRun({ place: 'Bonn', answers: [one] }));
    const [{ mark, word }] = studyOf(runs).rows[0].cells;
    assert.deepEqual([mark, word], ['unclear', 'Faster in 2 of 3 runs']);
  });

  it('says of one machine what it measured there, and in the sentence only what it predicts', () => {
    const { kind, word, value } = cellOf('localhost', 'shootout');
    assert.deepEqual([kind, word, value], ['local', 'Faster', 6.6]);
    const runs = [6, 7].map((ratio) =>
      createStudyRun({ rttMs: 0.4, answers: [sending(ratio, { elsewhere: PREDICTED }), news(500)] }),
    );
    const near = studyOf(runs);
    const [, { elsewhere, ...cell }] = near.rows[0].cells;
    assert.deepEqual(
      [cell.word, cell.figure, elsewhere?.word, elsewhere?.figure, elsewhere?.ends, elsewhere?.rttMs],
      ['Faster', '6.5x', 'Same within 10%', '1.03x', '1.01 to 1.05x', 100],
    );
    assert.match(near.sentence, /^Sending is the same within 10%\. Predicted for users 100 ms away\. So far, /);
    assert.match(
      studyOf([...runs, createStudyRun({ place: 'Bonn', answers: [sending(1.3)] })]).sentence,
      /^Sending is 30% faster: Bonn \(40 ms\)\.$/,
    );
  });

  it('names what each column compares, and no other subject for a run without a verdict', () => {
    const eventSource = 'EventSource compared with AJAX, polling every 1 s';
    const silent = news(1, { amount: undefined, mark: 'unclear', word: 'No verdict' });
    const { columns, rows } = studyOf([
      createStudyRun({ place: 'Bonn', answers: [silent] }),
      createStudyRun({ place: 'Köln', answers: [sending(1.3), news(500, { subject: eventSource })] }),
      createStudyRun({ place: 'Trier', answers: [sending(1.3, { subject: 'SockJS compared with fetch' })] }),
    ]);
    assert.deepEqual(listSubjects({ columns }), [
      `Being notified: ${eventSource}.`,
      'Sending a message: SockJS compared with AJAX.',
    ]);
    assert.deepEqual(
      rows.flatMap(({ cells }) => cells.map(({ kind, word }) => [kind, word])),
      [
        ['verdict', 'No verdict'],
        ['not measured', 'Not measured'],
        ['verdict', 'Sooner'],
        ['verdict', 'Faster'],
        ['not measured', 'Not measured'],
        ['other', 'Compares something else'],
      ],
    );
    assert.deepEqual(rows[2].cells[1].subjects, ['SockJS compared with fetch']);
  });

  it('has cells of their own for what was not measured and for what has no majority', () => {
    assert.equal(cellOf('London', 'reach').kind, 'not measured');
    const split = cellOf('Sydney', 'reach');
    assert.deepEqual(
      [split.kind, split.mark, split.word, split.value],
      ['verdict', 'unclear', 'Does not work in 1 of 2 runs', 6.5],
    );
  });

  it('counts runs with serious warnings, and leaves them out of the figures', () => {
    const { value, count, doubtfulCount, ids } = cellOf('Sydney', 'shootout');
    assert.deepEqual([value, count, doubtfulCount, ids.length], [1.02, 1, 1, 2]);
    assert.equal(study.leftOut.doubtful, 1);
    const onlyDoubtful = studyOf([createStudyRun({ place: 'Bonn', answers: [sending(2, { isDoubtful: true })] })]);
    assert.deepEqual(
      onlyDoubtful.rows[0].cells.map(({ kind, value: own }) => [kind, own]),
      [['doubtful', undefined]],
    );
  });

  it('leaves out what has no place, and what answers nothing', () => {
    assert.deepEqual([study.runCount, study.leftOut.nameless, study.leftOut.silent], [16, 1, 1]);
  });

  it('compares only answers to the same question: those of other plans are counted, and named', () => {
    const other = sending(3, { subject: 'WebSocket compared with AJAX' });
    const { rows, leftOut } = studyOf([
      ...[1.2, 1.3].map((ratio) => createStudyRun({ place: 'Bonn', answers: [sending(ratio)] })),
      createStudyRun({ place: 'Bonn', answers: [other] }),
    ]);
    assert.deepEqual([rows[0].cells[0].value, rows[0].cells[0].otherCount, leftOut.other], [1.25, 1, 1]);
    assert.deepEqual(leftOut.otherSubjects, ['WebSocket compared with AJAX']);
    assert.match(listLeftOut(leftOut).join(), /1 answer .*WebSocket compared with AJAX/);
  });

  it('never pools places: another protocol, server or scope is another row', () => {
    const own = { place: 'Bonn', answers: [sending(1.2)] };
    const names = namesOf([
      createStudyRun({ ...own, rttMs: 20 }),
      createStudyRun({ ...own, rttMs: 21, digest: { fallback: 'xhr-streaming' } }),
      createStudyRun({ ...own, rttMs: 22, digest: { server: 'syd-1' } }),
      createStudyRun({ ...own, rttMs: 0.4 }),
    ]);
    assert.deepEqual(names, ['Bonn', 'Bonn, to fra-1', 'Bonn, over xhr-streaming', 'Bonn, to syd-1']);
    const link = { link: '230 ms RTT' };
    assert.deepEqual(namesOf([createStudyRun({ answers: [sending(1)], digest: link })]), ['230 ms RTT']);
  });

  it('draws the curve with a dot for each place that has a speed-up', () => {
    const markup = toMarkup(/** @type {any} */ (drawMatrixCurve(study, SIZE)));
    for (const { name } of study.rows) assert.ok(markup.includes(name), name);
    assert.equal(drawMatrixCurve(studyOf([createStudyRun({ place: 'Bonn', answers: [news(500)] })]), SIZE), undefined);
  });

  it('exports a line for each cell as CSV, and the matrix as Markdown and text', (t) => {
    const lines = formatMatrixCsv(study).trimEnd().split('\r\n');
    assert.equal(lines.length, 1 + study.rows.length * study.columns.length);
    assert.match(formatMatrixMarkdown('study a|b', study), /^### SockShootout: study a\\\|b\n/);
    matchGolden(t, 'study', [
      formatMatrixText(study),
      formatMatrixMarkdown('study dashboard', study),
      lines.slice(0, 4).join('\n'),
    ]);
  });

  it('says so as long as there is nothing to sum up', (t) => {
    const empty = studyOf([]);
    assert.deepEqual([empty.rows, empty.columns, empty.days], [[], [], undefined]);
    const local = studyOf([createStudyRun({ rttMs: 0.4, answers: [sending(5)] })]);
    const doubtful = studyOf([createStudyRun({ place: 'Bonn', answers: [sending(5, { isDoubtful: true })] })]);
    const other = studyOf([createStudyRun({ place: 'Bonn', answers: [reach(7)] })]);
    matchGolden(t, 'study', [empty, local, doubtful, other].map(formatMatrixText));
  });
});
