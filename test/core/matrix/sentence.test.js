import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { createComparison } from '../../../core/matrix/index.js';
import { RULES, sayOf } from '../../../core/matrix/sentence.js';
import { useGolden } from '../../support/golden.js';
import { readSavedDocument } from '../../support/saved-documents.js';
import { createStudyRun, news, sending } from '../../support/studies.js';

/** @import { At } from '../../../core/matrix/sentence.js' */

const matchGolden = useGolden(import.meta.url);

const NAMES = ['Frankfurt', 'London', 'New York', 'Sydney', 'Tokyo'];
const RTTS_MS = [12, 38, 92, 285, 300];
const MARKS = /** @type {const} */ ({ b: 'better', s: 'same', w: 'worse', u: 'unclear', f: 'same', l: 'unclear' });
/** The verdicts that say more than their marks. */
const VERDICTS = /** @type {Record<string, At['verdict']>} */ ({ f: 'little-faster', l: 'little-slower' });

/**
 * @param {string} marks of places by their round-trip times, by their first letters @param {string} [topic] that the values are of
 * @returns {At[]}
 */
const placesOf = (marks, topic) =>
  [...marks].map((letter, i) => ({
    name: NAMES[i],
    rttMs: RTTS_MS[i],
    mark: MARKS[/** @type {keyof typeof MARKS} */ (letter)],
    word: letter,
    verdict: VERDICTS[letter],
    value: topic === 'sending' ? 1.44 - 0.05 * i : 510 + 10 * i,
  }));

/** The topic, the rule that speaks, and the marks; the golden text has the sentence. */
const CASES = /** @type {const} */ ([
  ['news', 'sooner from all', 'bbb'],
  ['news', 'sooner from all', 'b'],
  ['news', 'later from all', 'ww'],
  ['news', 'clear from none', 'uu'],
  ['news', 'by row', 'bbu'],
  ['news', 'by row', 'wu'],
  ['sending', 'faster from all', 'bb'],
  ['sending', 'the same from all', 'sss'],
  ['sending', 'slower from all', 'w'],
  ['sending', 'clear from none', 'uu'],
  ['sending', 'faster up to a distance', 'bbss'],
  ['sending', 'faster from a distance on', 'sssb'],
  ['sending', 'by row', 'bsb'],
  ['sending', 'by row', 'bw'],
  ['sending', 'by row', 'uw'],
  ['sending', 'by row', 'bsbbb'],
  ['sending', 'by row', 'ff'],
  ['sending', 'by row', 'bfsl'],
  ['other', 'by figure', 'uu'],
  ['other', 'by word', 'bbw'],
]);

describe('the sentence of a matrix', () => {
  it('has no figure where no row has one', () => {
    const rows = placesOf('bb').map((row) => ({ ...row, value: undefined }));
    const said = /** @type {any} */ ({ of: 'place', rows, unit: 'sooner-ms' });
    assert.equal(sayOf('news', said), 'News arrives sooner at every place.');
  });

  for (const [topic, rule, marks] of CASES) {
    it(`of ${topic} is by the rule “${rule}” for ${marks}`, (t) => {
      const said = /** @type {const} */ ({
        of: 'place',
        rows: placesOf(marks, topic),
        unit: topic === 'other' ? 'lost-seconds' : 'times-as-fast',
        subject: 'Payload size',
      });
      const rules = Object.entries(RULES[topic]);
      const [first] = rules.find(([, own]) => own(said) !== undefined) ?? [];
      assert.equal(first, rule);
      matchGolden(t, 'study', sayOf(topic, said));
    });
  }

  it('says “every place” only where all of them measured it', (t) => {
    const say = (/** @type {'news' | 'sending'} */ topic, /** @type {string} */ marks) =>
      sayOf(topic, { of: 'place', rows: placesOf(marks, topic), rowCount: 5, subject: '' });
    matchGolden(t, 'study', [say('news', 'bb'), say('sending', 'ssss'), say('news', 'uu')]);
    // What is unclear there may be faster there.
    assert.doesNotMatch(say('sending', 'bu'), /only up to/);
  });

  it('has a case for each rule', () => {
    const wanted = Object.entries(RULES).flatMap(([topic, rules]) =>
      Object.keys(rules).map((rule) => `${topic}: ${rule}`),
    );
    assert.deepEqual(
      wanted.filter((one) => !CASES.some(([topic, rule]) => `${topic}: ${rule}` === one)),
      [],
    );
  });

  it('says how much faster sending is by place, in percent below twice the speed', () => {
    const say = (/** @type {number[]} */ ...values) =>
      sayOf('sending', {
        of: 'place',
        rows: placesOf('b'.repeat(values.length)).map((row, i) => ({ ...row, value: values[i] })),
        subject: '',
      });
    assert.match(say(1.23, 1.12), /^Sending is 12 to 23% faster at every place\.$/);
    assert.match(say(1.2, 6.6), /^Sending is 1\.20 to 6\.6x as fast at every place\.$/);
    assert.match(say(1.23), /^Sending is 23% faster: Frankfurt/);
  });

  it('has words for any marks', (t) => {
    const all = ['b', 'bs', 'bu', 'sb', 'ub', 'us', 'wb', 'bwsu'];
    const topics = /** @type {const} */ (['news', 'sending']);
    const sentences = topics.flatMap((topic) =>
      all.map((marks) => sayOf(topic, { of: 'place', rows: placesOf(marks, topic), subject: '' })),
    );
    for (const one of sentences) assert.match(one, /^[A-Z].*\.$/);
    matchGolden(t, 'study', sentences);
  });
});

describe('the sentence of a comparison', () => {
  /** @param {...[ratio: number, rttMs: number, digest?: object]} runs */
  const say = (...runs) =>
    createComparison(
      runs.map(([ratio, rttMs, digest]) => createStudyRun({ rttMs, answers: [sending(ratio)], digest })),
      EXPERIMENTS,
    ).sentence;
  /** @param {readonly string[]} headlines */
  const quote = (...headlines) =>
    createComparison(
      headlines.map((headline) => createStudyRun({ digest: { headline } })),
      EXPERIMENTS,
    ).sentence;

  it('is absent for a single run', () => assert.equal(say([2, 40]), ''));

  it('says that all agree, and with which figures', () => {
    assert.equal(say([1.5, 40], [2, 12]), 'Both agree: sending is faster, 1.50 to 2.00x as fast.');
    assert.equal(say([1, 40], [1, 12], [1.02, 90]), 'All three agree: sending is the same within 10%.');
    const runs = [540, 550, 551, 552].map((ms) => createStudyRun({ rttMs: 40, answers: [news(ms)] }));
    assert.equal(createComparison(runs, EXPERIMENTS).sentence, 'All 4 agree: news arrives 0.54 to 0.55 s sooner.');
  });

  it('says which runs differ, each with its round-trip time', () => {
    assert.equal(
      say([1, 158], [1.54, 40], [1.97, 12]),
      'Sending is faster in runs 2 (40 ms) and 3 (12 ms). The same within 10% in run 1 (158 ms).',
    );
  });

  it('leaves out runs without a verdict, and those on one machine, and names them', () => {
    assert.equal(
      say([2, 40], [9, 0.4], [2, 12], [2, 40, { isValid: false }]),
      'Both agree: sending is faster, 2.00x as fast. Run 2 was measured on one machine. Run 4 gave no verdict.',
    );
    assert.match(say([9, 0.4], [8, 0.4]), /^Both agree: move for push\. To measure for your users,/);
    assert.match(say([2, 40], [9, 0.4]), /^In run 1 \(40 ms\), sending is faster, 2\.00x as fast\. Run 2 /);
  });

  it('says what runs on one machine found, before where that was', () => {
    const { digest } = readSavedDocument('payload-whole');
    const run = createStudyRun({ digest });
    assert.equal(
      createComparison([run, run], EXPERIMENTS).sentence,
      'SockJS, echo of 100 kB: no clear difference in any run. Runs 1 and 2 were measured on one machine.',
    );
  });

  it('says what runs on one machine predict, and calls it so', () => {
    /** @param {...number} figures of users 100 ms away */
    const predict = (...figures) =>
      createComparison(
        figures.map((value) => {
          const amount = /** @type {const} */ ({ value, low: value - 10, high: value + 10, unit: 'sooner-ms' });
          const elsewhere = /** @type {const} */ ({ rttMs: 100, mark: 'better', word: 'Sooner', amount });
          return createStudyRun({ rttMs: 0.4, answers: [news(500, { elsewhere })] });
        }),
        EXPERIMENTS,
      ).sentence;
    const where = 'Runs 1 and 2 were measured on one machine.';
    assert.equal(predict(550, 560), `News arrives 0.55 to 0.56 s sooner. Predicted for users 100 ms away. ${where}`);
    assert.equal(
      predict(550, 0),
      `News arrives 0.55 s sooner in run 1. No clear difference in run 2. Predicted for users 100 ms away. ${where}`,
    );
  });

  it('quotes the headlines of runs that answer no question', () => {
    assert.equal(quote('AJAX: 80 a second.', 'SockJS: 90'), 'AJAX: 80 a second; SockJS: 90.');
    assert.equal(quote('A.', 'B.', 'C.', 'D.', 'E.'), 'A; B; C; D; 1 more.');
    assert.equal(quote('A.', 'A.'), 'Both agree: a.');
    const long = 'x'.repeat(181);
    assert.equal(quote(long, 'B.'), 'The findings differ.');
  });

  it('quotes the first sentence of long headlines, and never says that runs agree without saying on what', () => {
    const long = 'x'.repeat(181);
    const headline = `Messages wait 1.5 s more. ${long}.`;
    assert.equal(quote(headline, headline, headline), 'All three agree: messages wait 1.5 s more.');
    assert.equal(quote(headline, 'B.'), 'Messages wait 1.5 s more; B.');
    assert.doesNotMatch(quote(`${long}.`, `${long}.`), /agree/);
  });

  it('has one colon at most before what runs agree on', () =>
    assert.equal(quote('SockJS: 388 a second.', 'SockJS: 388 a second.'), 'Both agree. SockJS: 388 a second.'));
});
