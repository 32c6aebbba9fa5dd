/** The picture of how an answer arrives. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeArrivals, drawArrivalsAxis, drawTrack, placeMarks } from '../../../core/picture/arrivals.js';
import { toMarkup } from '../../../core/picture/svg.js';

const ROW = { label: 'fetch', colour: 'stream-fetch', figures: ['12 ms', '0.30 s'] };

/** @param {number} apartMs @param {number} count of each @param {number} number of lumps */
const lumpsAt = (apartMs, count, number) =>
  Array.from({ length: number }, (_, i) => ({ at: (i * apartMs) / 1000, count }));

/** @param {readonly { x: number, r: number }[]} discs */
const overlapOf = (discs) => Math.max(...discs.slice(1).map((disc, i) => discs[i].r + disc.r - (disc.x - discs[i].x)));

describe('the picture of arrivals', () => {
  it('has a dot for each piece, and a disc with their number for three or more at once', () => {
    const lumps = [
      { at: 0, count: 1 },
      { at: 1, count: 2 },
      { at: 2, count: 13 },
    ];
    const { dots, discs } = placeMarks({ ...ROW, lumps }, (s) => 100 * s);
    assert.deepEqual(dots, [0, 100]);
    assert.deepEqual(
      discs.map(({ x, count }) => [x, count]),
      [[200, 13]],
    );
    const drawn = toMarkup(drawTrack({ ...ROW, lumps }, { range: [0, 2], dotPx: 3 }, { width: 320, height: 40 }));
    assert.equal(drawn.match(/M[\d.]+ 20h0/g)?.length, 2);
    assert.match(drawn, />13<\/text>/);
  });

  for (const [px, apartMs, count] of [
    [300, 250, 13],
    [300, 60, 4],
    [60, 20, 120],
  ]) {
    it(`covers no number of lumps ${apartMs} ms apart at ${px} px a second, and counts each piece`, () => {
      const { discs } = placeMarks({ ...ROW, lumps: lumpsAt(apartMs, count, 40) }, (s) => px * s);
      assert.ok(overlapOf([...discs, { x: Infinity, r: 0 }]) <= 0, JSON.stringify(discs));
      assert.equal(
        discs.reduce((sum, one) => sum + one.count, 0),
        40 * count,
      );
    });
  }

  it('shows the longest gap only where it has one', () => {
    const size = { width: 320, height: 40 };
    const draw = (/** @type {object} */ more) =>
      toMarkup(drawTrack({ ...ROW, lumps: lumpsAt(1000, 3, 3), ...more }, { range: [0, 2], dotPx: 3 }, size));
    assert.doesNotMatch(draw({}), /class="gap"/);
    assert.match(draw({ gap: { from: 0, to: 1 } }), /class="gap" x1="10" y1="20" x2="160"/);
  });

  it('has round seconds at its axis, and the unit once', () => {
    const wordsOf = (/** @type {number} */ end, width = 400) =>
      [...toMarkup(drawArrivalsAxis({ range: [0, end] }, { width, height: 28 })).matchAll(/>([^<]+)<\/text>/g)].map(
        ([, words]) => words,
      );
    assert.deepEqual(wordsOf(4.3), ['0', '1', '2', '3', '4 s']);
    assert.deepEqual(wordsOf(0.35, 250), ['0', '0.1', '0.2', '0.3 s']);
    assert.deepEqual(wordsOf(20, 300), ['0', '5', '10', '15', '20 s']);
  });

  it('says in words what it shows', () => {
    const said = describeArrivals({
      heading: 'One answer',
      caption: 'Seconds',
      range: [0, 1],
      columns: ['First piece', 'Longest gap', 'Flow'],
      rows: [{ ...ROW, lumps: lumpsAt(100, 3, 4), word: 'In bursts', mark: 'worse' }],
    });
    for (const fact of ['fetch', '12 pieces', 'first piece 12 ms', 'longest gap 0.30 s', 'in bursts'])
      assert.ok(said.includes(fact), said);
  });
});
