/** The pictures of a matrix: dots with whiskers on one scale, and places on an axis of distances. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../core/base/random.js';
import { toMarkup } from '../../../core/picture/svg.js';
import { drawDistanceAxis, placeNames } from '../../../core/matrix/distance-axis.js';
import { createStudy } from '../../../core/matrix/index.js';
import { drawMatrixShare } from '../../../core/matrix/share-picture.js';
import { createWhiskers } from '../../../core/matrix/whiskers.js';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { createStudyRun, news, sending } from '../../support/studies.js';

const WIDTH = 1040;

/** @param {string} markup @param {RegExp} pattern with a group @returns {number[]} */
const numbersIn = (markup, pattern) => [...markup.matchAll(pattern)].map(([, text]) => Number(text));

describe('figures on one scale', () => {
  const ratios = [
    { value: 1.05, low: 1.04, high: 1.06, mark: /** @type {const} */ ('same') },
    { value: 1.21, low: 1.1, high: 1.3, mark: /** @type {const} */ ('better') },
    { value: 40, mark: /** @type {const} */ ('better') },
  ];

  it('stand in the order of their values, each between its ends, and far ones at the end', () => {
    const whiskers = createWhiskers('times-as-fast', ratios) ?? assert.fail();
    const markups = ratios.map((figure) => toMarkup(whiskers.draw(figure)));
    const places = markups.map((markup) => numbersIn(markup, /cx="([\d.]+)%"/g)[0]);
    assert.deepEqual(
      [...places].sort((a, b) => a - b),
      places,
    );
    assert.equal(places[2], 98);
    const [low, high] = [/class="whisker" x1="([\d.]+)%"/g, /class="whisker"[^>]* x2="([\d.]+)%"/g].map(
      (pattern) => numbersIn(markups[1], pattern)[0],
    );
    assert.ok(low < places[1] && places[1] < high);
    assert.doesNotMatch(markups[2], /"whisker"/);
  });

  it('of ratios have ticks around 1x with room between them, and of seconds begin at 0', () => {
    const ratio = toMarkup((createWhiskers('times-as-fast', ratios) ?? assert.fail()).drawHead());
    assert.match(ratio, />1x</);
    const at = numbersIn(ratio, /<text x="([\d.]+)%"/g).sort((a, b) => a - b);
    assert.ok(at.every((one, i) => i === 0 || one - at[i - 1] >= 22));
    const seconds = createWhiskers('sooner-ms', [{ value: 550, mark: 'better' }]) ?? assert.fail();
    assert.match(toMarkup(seconds.drawHead()), />0</);
  });

  it('of seconds are not pressed together by one far away, and have ticks that differ where all are near 0', () => {
    const far =
      createWhiskers(
        'sooner-ms',
        [4000, 1e12].map((value) => ({ value, mark: 'better' })),
      ) ?? assert.fail();
    assert.match(toMarkup(far.drawHead()), />3600 s|>3000 s|>2000 s/);
    const near = toMarkup((createWhiskers('sooner-ms', [{ value: 3, mark: 'same' }]) ?? assert.fail()).drawHead());
    const ticks = [...near.matchAll(/>([^<]+)<\/text>/g)].map(([, words]) => words);
    assert.equal(new Set(ticks).size, ticks.length, ticks.join());
  });

  it('are a diamond where they were predicted, a square where one machine measured them, and a circle elsewhere', () => {
    const whiskers = createWhiskers('times-as-fast', ratios) ?? assert.fail();
    const dots = /** @type {const} */ (['predicted', 'measured', undefined]).map(
      (local) => / class="dot"[^>]*? (d|cx)="[^"]*"/.exec(toMarkup(whiskers.draw({ ...ratios[0], local })))?.[0],
    );
    assert.deepEqual(
      dots.map((dot) => dot?.includes(' d=')),
      [true, true, false],
    );
    assert.equal(new Set(dots).size, dots.length);
  });

  it('are none for counts, or where nothing was measured', () => {
    assert.equal(createWhiskers('checks-passed', ratios), undefined);
    assert.equal(createWhiskers('times-as-fast', []), undefined);
  });
});

describe('places on an axis of distances', () => {
  it('have names that cover neither each other nor a stem, however they lie', () => {
    const random = createRandom(1);
    let named = 0;
    for (let run = 0; run < 500; run++) {
      const places = Array.from({ length: 2 + Math.floor(10 * random()) }, (_, i) => ({
        name: 'x'.repeat(1 + Math.floor(30 * random())),
        rttMs: i,
        x: 10 + (WIDTH - 20) * random() ** 2,
      }));
      const labels = placeNames(places, WIDTH);
      named += labels.length / places.length / 500;
      for (const one of labels) {
        assert.ok(one.left >= 0 && one.right <= WIDTH);
        for (const other of labels.filter((label) => label !== one)) {
          const isBeside = one.right < other.left || other.right < one.left;
          assert.ok(isBeside || one.level !== other.level);
          const isUnderStem = one.level < other.level && one.left <= other.x && other.x <= one.right;
          assert.ok(!isUnderStem, JSON.stringify({ one, other }));
        }
      }
    }
    assert.ok(named > 0.8, `${named} of the places are named`);
  });

  it('are named beside each other where two lie close together', () => {
    const rows = [
      { name: 'Frankfurt', rttMs: 22 },
      { name: 'New York', rttMs: 102 },
      { name: 'Rural 3G', rttMs: 108 },
      { name: 'Mumbai, mobile', rttMs: 218 },
    ].map((row) => ({ ...row, scope: /** @type {const} */ ('path'), runCount: 1 }));
    const markup = toMarkup(drawDistanceAxis(rows, WIDTH) ?? assert.fail());
    for (const { name, rttMs } of rows)
      assert.match(markup, new RegExp(`>\u2068${name}\u2069<tspan class="tick"> ${rttMs}<`));
    assert.equal(numbersIn(markup, /class="dot" cx="([\d.]+)"/g).length, rows.length);
  });

  it('are named together where they are equally far', () => {
    const at41 = ['Bonn', 'Köln', 'Düsseldorf, office'].map((name, i) => ({ name, rttMs: 41 + i / 10 }));
    const nameOf = (/** @type {number} */ count) => {
      const rows = at41.slice(0, count).map((row) => ({ ...row, scope: /** @type {const} */ ('path'), runCount: 1 }));
      const markup = toMarkup(drawDistanceAxis(rows, WIDTH) ?? assert.fail());
      assert.equal(numbersIn(markup, /class="dot" cx="([\d.]+)"/g).length, count);
      return [...markup.matchAll(/>\u2068(.*?)\u2069</g)].map(([, name]) => name);
    };
    assert.deepEqual(nameOf(2), ['Bonn and Köln']);
    assert.deepEqual(nameOf(3), ['Bonn +2']);
  });

  it('are none on one machine, or of a single place', () => {
    const row = { name: 'Desk', rttMs: 0.5, runCount: 1 };
    const rows = [
      { ...row, scope: /** @type {const} */ ('path') },
      { ...row, scope: /** @type {const} */ ('machine') },
    ];
    assert.equal(drawDistanceAxis(rows, WIDTH), undefined);
  });
});

describe('the picture to share', () => {
  const studyOf = (/** @type {number} */ count) =>
    createStudy(
      Array.from({ length: count }, (_, i) =>
        createStudyRun({ place: `Place ${i} <b>`, rttMs: 10 + i, answers: [sending(1 + i / 10), news(500)] }),
      ),
      EXPERIMENTS,
    );

  it('has a dot for each figure of its rows, and says how many rows it leaves out', () => {
    for (const [count, shownCount] of [
      [2, 2],
      [5, 5],
      [9, 4],
    ]) {
      const svg = drawMatrixShare('study x', studyOf(count));
      assert.match(svg, /^<svg [^>]*width="1200" height="630"/);
      assert.equal(svg.match(/class="dot"/g)?.length, 2 * shownCount);
      assert.equal(/>(\d+) more places</.exec(svg)?.[1], count > shownCount ? String(count - shownCount) : undefined);
      assert.ok(!svg.includes('<b>'));
    }
  });

  it('is the sentence alone where nothing was measured', () => {
    assert.doesNotMatch(drawMatrixShare('study x', studyOf(0)), /class="dot"/);
  });
});
