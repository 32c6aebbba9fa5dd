import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawRun } from '../../../core/experiment/report/draw-run.js';
import { drawShareCard, SHARE_CARD } from '../../../core/picture/share-card.js';
import { stream } from '../../../core/experiments/stream/index.js';
import { STREAM_LABELS } from '../../../core/net/stream/index.js';
import { readSavedDocument } from '../../support/saved-documents.js';
import { fullTest, WHOLE } from '../../support/full-tests.js';

/** @import { Bars } from '../../../core/picture/bars.js' */

/** @param {string} svg @returns {{ x: number, y: number, words: string }[]} */
const textsIn = (svg) =>
  [...svg.matchAll(/<text ([^>]*)>(.*?)<\/text>/g)].map(([, attributes, content]) => {
    const numberOf = (/** @type {string} */ name) =>
      Number(new RegExp(`\\b${name}="([-\\d.]+)"`).exec(attributes)?.[1]);
    return { x: numberOf('x'), y: numberOf('y'), words: content.replace(/<[^>]+>/g, '') };
  });

/** @param {string} svg @returns {string} all its texts, one after the other */
const wordsIn = (svg) =>
  textsIn(svg)
    .map(({ words }) => words)
    .join(' ');

/** The widths of the two bars. @param {string} svg */
const barsIn = (svg) =>
  [...svg.matchAll(/<rect x="-8" y="[\d.]+" width="([\d.]+)"/g)].map(([, width]) => Number(width) - 8);

/** @type {Bars} */
const BARS = [
  { name: 'Polling every 1 s', value: 600, figure: '0.60 s' },
  { name: 'EventSource', value: 60, figure: '0.06 s' },
];

describe('the picture of an answer', () => {
  it('has the sentence, both figures, the place, for whom it holds, the day and the site', () => {
    const words = wordsIn(drawRun(fullTest, WHOLE, { place: 'Zürich, office', site: 'example.org' }));
    const { decision } = fullTest.find(WHOLE).summary.score;
    for (const text of [decision, 'Polling every', 'SockJS', 'Zürich, office, ', 'ms', 'November 2026', 'example.org'])
      assert.ok(words.includes(text), `${text}: ${words}`);
  });

  it('has bars whose lengths are as their figures', () => {
    const [polling, push] = barsIn(drawShareCard({ sentence: 'Use push.', bars: BARS }));
    assert.equal(polling / push, 10);
  });

  it('has a row for each method where an answer was streamed, each above the foot', () => {
    const { document } = readSavedDocument('stream-whole');
    const svg = drawRun(stream, document, {});
    const texts = textsIn(svg);
    const { rows = [] } = stream.find(document).report.arrivals ?? {};
    assert.ok(rows.length > 1);
    for (const { label, figures, word = '' } of rows) {
      const own = texts.find(({ words }) => words === label);
      assert.ok(own && own.y < 534, label);
      const beside = texts.filter(({ y }) => y === own.y).map(({ words }) => words);
      for (const said of [figures[0], word]) assert.ok(beside.includes(said), `${label}: ${beside}`);
    }
    assert.doesNotMatch(svg, /var\(/);
    for (const method of document.plan.methods) assert.ok(wordsIn(svg).includes(STREAM_LABELS[method]), method);
  });

  it('has none where nothing was compared', () => {
    assert.deepEqual(barsIn(drawShareCard({ sentence: 'Stopped: no verdict' })), []);
  });

  it('keeps a sentence of 300 characters above the bars, and cuts one that is longer', () => {
    const sentenceOf = (/** @type {number} */ wordCount) => {
      const svg = drawShareCard({ sentence: 'Two words '.repeat(wordCount).trim(), bars: BARS });
      return textsIn(svg).filter(({ words }) => /^(Two|words)/.test(words));
    };
    const [short, long, tooLong] = [4, 30, 300].map(sentenceOf);
    for (const lines of [short, long, tooLong]) assert.ok(Math.max(...lines.map(({ y }) => y)) < 290);
    const countOf = (/** @type {typeof short} */ lines) =>
      lines.flatMap(({ words }) => words.match(/Two/g) ?? []).length;
    assert.deepEqual([short, long].map(countOf), [4, 30]);
    assert.ok(countOf(tooLong) < 300 && tooLong.at(-1)?.words.endsWith('…'));
  });

  it('breaks a word that is wider than the picture', () => {
    const lines = textsIn(drawShareCard({ sentence: 'x'.repeat(100) })).filter(({ words }) => /^x/.test(words));
    assert.ok(lines.length > 1);
    assert.equal(lines.map(({ words }) => words).join(''), 'x'.repeat(100));
  });

  it('takes what visitors wrote as text, and cuts a long name of a place', () => {
    const svg = drawShareCard({ sentence: '<b>&"', place: `<script>${'n'.repeat(100)}`, site: 'example.org' });
    assert.doesNotMatch(svg, /<b>|<script|&(?!#)/);
    assert.match(wordsIn(svg), /n…/);
  });

  it('says how many warnings there are, so that none can be shared without them', () => {
    const [part] = WHOLE.parts;
    const busy = { ...part.document.environment, hasOtherTab: true };
    const parts = [{ ...part, document: { ...part.document, environment: busy } }, ...WHOLE.parts.slice(1)];
    assert.match(wordsIn(drawRun(fullTest, { ...WHOLE, parts }, {})), /, \d+ warnings?/);
  });

  it('has the size that sites show', () => {
    assert.match(drawShareCard({ sentence: '' }), /^<svg [^>]*width="1200" height="630"/);
    assert.deepEqual(SHARE_CARD, { width: 1200, height: 630 });
  });
});
