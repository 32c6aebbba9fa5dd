import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeBars,
  describeLeading,
  leadBeneath,
  leadingOf,
  leadOf,
} from '../../../../core/experiment/answer/answer-card.js';
import { drawAnswerBars, placeOfMark } from '../../../../core/picture/bars.js';
import { sendingIn } from '../../../../core/full-test/decide.js';
import { fullTest, WHOLE } from '../../../support/full-tests.js';

/** @import { Answer } from '../../../../core/experiment/answer/answer.js' */
/** @import { Bars } from '../../../../core/picture/bars.js' */

const ASKED = { experiment: 'x', question: 'A question', subject: 'sockjs', baseline: 'ajax', word: '', count: 6 };
/** @param {object} found @returns {Answer} */
const answerWith = (found) => /** @type {Answer} */ ({ ...ASKED, mark: 'better', ...found });

/** @type {Bars} */
const BARS = [
  { name: 'AJAX', value: 110, figure: '110 ms' },
  { name: 'SockJS', value: 55, figure: '55 ms', matters: { value: 100, figure: '100 ms' } },
];

describe('the figure of a card', () => {
  it('is how much sooner users see news, with its interval and the number of blocks', () => {
    const found = leadingOf(answerWith({ topic: 'news', estimate: 550, low: 540, high: 570 }));
    const range = '0.54–0.57';
    const interval = `95% CI ${range} s, 6 blocks`;
    assert.deepEqual(found, { figure: '0.55 s', word: 'sooner', range, unit: 's', interval });
    assert.deepEqual(describeLeading(found), { gain: '0.55 s', range });
  });

  it('is a positive one where it is later or slower', () => {
    const later = leadingOf(answerWith({ topic: 'news', estimate: -50, low: -60, high: -40 }));
    assert.deepEqual([later.figure, later.word, describeLeading(later).gain], ['0.05 s', 'later', '0.05 s later']);
    assert.match(String(later.interval), / 0\.04–0\.06 s,/);
    const slower = leadingOf(answerWith({ topic: 'sending', savingMs: { estimate: -7, low: -8, high: -6 } }));
    assert.deepEqual([slower.figure, slower.word], ['7.0 ms', 'slower']);
    assert.match(String(slower.interval), / 6\.0–8\.0 ms,/);
  });

  it('is in seconds from one on, as its bars are', () => {
    const later = leadingOf(answerWith({ unit: 'sooner-ms', estimate: -1830, low: -1910, high: -1790 }));
    assert.deepEqual([later.figure, later.word, later.range, later.unit], ['1.8 s', 'later', '1.8–1.9', 's']);
    const exact = leadingOf(answerWith({ unit: 'sooner-ms', estimate: 1830, low: 1829, high: 1831 }));
    assert.deepEqual([exact.figure, exact.range], ['1.8 s', '1.829–1.831']);
    const unclear = leadingOf(answerWith({ unit: 'sooner-ms', estimate: -1500, low: -4000, high: 900 }));
    assert.deepEqual([unclear.limits, unclear.range], ['4 s later to 900 ms sooner', '−4.0 to 0.9']);
  });

  it('is what an interval with 0 in it allows in both directions, in the place of one figure', () => {
    const found = leadingOf(answerWith({ topic: 'sending', savingMs: { estimate: 1, low: -27, high: 3 } }));
    assert.deepEqual([found.figure, found.word, found.limits], [undefined, undefined, '27 ms slower to 3 ms faster']);
    // Its ends are said once, in words.
    assert.match(String(found.interval), /^95% CI\b(?!.*27)/);
    assert.deepEqual(describeLeading(found), { gain: '−27 to 3 ms', range: '' });
    const news = leadingOf(answerWith({ topic: 'news', estimate: 10, low: -20, high: 40 }));
    assert.equal(news.limits, '0.04 s sooner to 0.02 s later');
    const limitsOf = (/** @type {number} */ low) =>
      leadingOf(answerWith({ topic: 'sending', savingMs: { estimate: 4, low, high: 9.8 } })).limits;
    assert.equal(limitsOf(0), '0.0 to 9.8 ms faster');
    // What may be slower says so, by however little.
    assert.equal(limitsOf(-0.04), '9.8 ms faster to 0.04 ms slower');
  });

  it('has an end that is not 0 as such, in a column, too', () => {
    const gainOf = (/** @type {number} */ low) =>
      describeLeading(leadingOf(answerWith({ topic: 'sending', savingMs: { estimate: 3, low, high: 6.01 } })));
    assert.deepEqual(gainOf(0.004), { gain: '3.0 ms', range: '0.004–6.0' });
    assert.deepEqual(gainOf(-0.04), { gain: '−0.04 to 6.0 ms', range: '' });
  });

  it('is the interval of a ratio that is not clear, and a ratio where one end decides', () => {
    const ratio = { unit: /** @type {const} */ ('times-as-fast'), estimate: 1.4, low: 0.51, high: 3.6, count: 6 };
    const { figure, limits, interval } = leadingOf(answerWith({ ...ratio, verdict: 'unclear', mark: 'unclear' }));
    assert.deepEqual([figure, limits, interval], [undefined, '0.51x to 3.6x as fast', '95% CI, 6 blocks']);
    assert.equal(leadingOf(answerWith({ ...ratio, low: 1.2, verdict: 'faster', mark: 'better' })).figure, '1.4x');
  });

  it('is that of its own unit where it is about neither', () => {
    const counted = leadingOf(answerWith({ estimate: 5, unit: 'checks-passed', total: 6 }));
    assert.deepEqual([counted.figure, counted.word], ['5 of 6', 'checks passed']);
    assert.deepEqual(describeLeading(leadingOf(answerWith({}))), { gain: '–', range: '' });
  });
});

describe('what one test shows as its card', () => {
  const judged = (/** @type {Partial<Answer>} */ fields) =>
    answerWith({ unit: 'times-as-fast', bars: BARS, low: 1, high: 9, ...fields });
  const slower = judged({ subject: 'slower', mark: 'worse', verdict: 'slower', estimate: 0.1 });
  const faster = judged({ subject: 'faster', mark: 'better', verdict: 'faster', estimate: 2 });
  const same = judged({ subject: 'same', mark: 'same', verdict: 'same', estimate: 1 });
  const unclear = judged({ subject: 'unclear', mark: 'unclear', verdict: 'unclear', estimate: 30 });

  it('is the largest clear difference, of whatever direction', () => {
    assert.equal(leadOf([unclear, same, faster, slower])?.subject, 'slower');
  });

  it('says so, where there are other clear differences', () => {
    const aside = 'Its own.';
    assert.equal(leadOf([faster, { ...slower, aside }])?.aside, 'The largest clear difference. Its own.');
    assert.equal(leadOf([same, { ...slower, aside }])?.aside, aside);
    const placed = leadOf([faster, { ...slower, aside, at: 'download of 1 B' }]);
    assert.deepEqual([placed?.at, placed?.aside], ['largest difference: download of 1 B', aside]);
  });

  it('is one that users notice, if there is any, and else the largest of the others', () => {
    const unnoticed = { ...slower, mark: /** @type {const} */ ('same') };
    const passing = leadOf([unnoticed, faster]);
    assert.deepEqual(
      [passing?.subject, passing?.aside],
      ['faster', 'The largest clear difference that users may notice.'],
    );
    const placed = leadOf([unnoticed, { ...faster, at: 'download of 1 B' }]);
    assert.equal(placed?.at, 'largest difference that users may notice: download of 1 B');
    assert.equal(leadOf([same, { ...unnoticed, subject: 'smaller', estimate: 0.5 }, unnoticed])?.subject, 'slower');
  });

  it('is one that is the same, or unclear, where none is clear', () => {
    assert.equal(leadOf([unclear, same])?.subject, 'same');
    assert.equal(leadOf([unclear])?.subject, 'unclear');
  });

  it('is none without an interval or bars', () => {
    assert.equal(
      leadOf([
        { ...faster, low: undefined },
        { ...faster, bars: undefined },
      ]),
      undefined,
    );
  });

  it('has no verdict where no other has one', () => {
    const few = { ...faster, subject: 'few', mark: /** @type {const} */ ('unclear'), verdict: undefined, count: 1 };
    assert.equal(leadOf([few, unclear])?.subject, 'unclear');
    assert.equal(leadOf([few])?.subject, 'few');
    assert.match(String(leadingOf(few).interval), /, 1 block$/);
  });

  it('is predicted beneath a headline that is, in ms as that, and measured over a path', () => {
    const measured = judged({ unit: 'sooner-ms', verdict: 'faster', estimate: 284, low: 225, high: 344 });
    const gain = { estimate: 317, low: 264, high: 369 };
    const lead = { baseline: 'ajax', mark: /** @type {const} */ ('better'), word: 'Sooner', bars: BARS, ...gain };
    const report = /** @type {any} */ ({ elsewhere: { headline: '', lead } });
    const figureIn = (/** @type {'machine' | 'path'} */ scope) => {
      const shown = leadBeneath({ answers: [measured], report, scope });
      return shown && leadingOf(shown).figure;
    };
    assert.deepEqual([figureIn('machine'), figureIn('path')], ['317 ms', '284 ms']);
  });

  it('has its figure apart from what it counts', () => {
    const { figure, word, interval } = leadingOf(faster);
    assert.deepEqual([figure, word], ['2.0x', 'as fast']);
    assert.match(String(interval), /, 6 blocks$/);
  });
});

describe('the bars of a card', () => {
  it('are parts of the longest, with a mark where the difference begins to matter', () => {
    const [ajax, sockjs] = drawAnswerBars(BARS).map(({ picture }) => picture.children);
    const widths = [ajax, sockjs].map(([rect]) => typeof rect === 'object' && rect.attributes.width);
    assert.deepEqual(widths, ['100%', '50%']);
    assert.equal(ajax.length, 1);
    assert.equal(typeof sockjs[1] === 'object' && sockjs[1].attributes.x1, '90.91%');
    assert.equal(placeOfMark(BARS)?.toFixed(4), '0.9091');
    assert.equal(describeBars(BARS), 'AJAX 110 ms, SockJS 55 ms. 10% faster: 100 ms.');
  });

  it('share a scale with others if asked, and then have no mark', () => {
    const drawn = drawAnswerBars(BARS, { longest: 220, hasMark: false }).map(({ picture }) => picture.children);
    const widths = drawn.map(([rect]) => typeof rect === 'object' && rect.attributes.width);
    assert.deepEqual(widths, ['50%', '25%']);
    assert.ok(drawn.every((children) => children.length === 1));
  });

  it('of sending are marked at 10% below what is used', () => {
    const { answers } = fullTest.find(WHOLE).summary.score;
    const [now, candidate] = sendingIn(answers)?.bars ?? assert.fail();
    assert.ok(Math.abs(Number(candidate.matters?.value) - now.value / 1.1) < 1e-9);
  });
});
