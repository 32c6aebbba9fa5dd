import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { captionOf, drawPlot, hasNames } from '../../../core/picture/plot.js';
import { createScale } from '../../../core/picture/plot-scale.js';

/** @import { SvgNode } from '../../../core/picture/svg.js' */
/** @import { Plot } from '../../../core/picture/plot.js' */

const SIZE = { width: 600, height: 260 };

/** @param {Partial<Plot>} [parts] @returns {Plot} */
const plotOf = (parts) => ({
  x: { title: 'messages' },
  y: { title: 'ms', logBase: 10 },
  values: [1, 2, 3],
  lines: [{ label: 'AJAX', colour: 'ajax', values: [1, null, 100] }],
  ...parts,
});

/** @param {SvgNode | string} tree @param {string} tag @returns {SvgNode[]} */
const find = (tree, tag) =>
  typeof tree === 'string'
    ? []
    : [...(tree.tag === tag ? [tree] : []), ...tree.children.flatMap((child) => find(child, tag))];

/** @param {Plot} plot */
const pathOf = (plot) => String(find(drawPlot(plot, SIZE), 'path')[0].attributes.d);

/** @param {Plot} plot @returns {{ x: number, y: number }[]} where the names of its lines stand */
const namesIn = (plot) =>
  find(drawPlot(plot, SIZE), 'text')
    .filter(({ attributes, children }) => plot.lines.some(({ label }) => label === children[0]) && attributes.fill)
    .map(({ attributes: { x, y } }) => ({ x: Number(x), y: Number(y) }));

describe('a plot', () => {
  it('draws 10,000 points as one element', () => {
    const values = Array.from({ length: 10_000 }, (_, i) => i + 1);
    const lines = [{ label: 'AJAX', colour: 'ajax', isCloud: true, values }];
    const picture = drawPlot(plotOf({ values, lines }), SIZE);
    assert.equal(find(picture, 'path').length, 1);
    assert.equal(pathOf(plotOf({ values, lines })).match(/M/g)?.length, 10_000);
  });

  it('interrupts a line where it has no value, but not between measured points', () => {
    assert.equal(pathOf(plotOf()).match(/M/g)?.length, 2);
    const lines = [{ label: 'AJAX', colour: 'ajax', hasPoints: true, values: [1, null, 100] }];
    assert.equal(pathOf(plotOf({ lines })).match(/M/g)?.length, 1);
    assert.equal(find(drawPlot(plotOf({ lines }), SIZE), 'circle').length, 2);
  });

  it('keeps what is infinitely far, and a value of 0 on a logarithmic axis, within its picture', () => {
    const lines = [{ label: 'AJAX', colour: 'ajax', band: [{ low: 0, high: 1e9 }, null, null], values: [0, 1, 10] }];
    assert.doesNotMatch(JSON.stringify(drawPlot(plotOf({ lines }), SIZE)), /NaN|null|Infinity/);
    assert.doesNotMatch(JSON.stringify(drawPlot(plotOf({ values: [], lines: [] }), SIZE)), /NaN|null|Infinity/);
  });

  it('draws no band of which an interval says nothing, has an axis for all else, and says so', () => {
    const shownWith = (/** @type {readonly number[]} */ highs) => {
      const band = highs.map((high) => ({ low: 1 / high, high }));
      const values = highs.map((_, i) => i + 1);
      const plot = plotOf({ values, lines: [{ label: 'AJAX', colour: 'ajax', values, band }] });
      const bands = find(drawPlot(plot, SIZE), 'polygon').map(({ attributes }) => String(attributes.points).split(' '));
      const caption = captionOf({ ...plot, caption: 'Latency', bandName: '95% CI' });
      return { path: pathOf(plot), counts: bands.map(({ length }) => length / 2), caption };
    };
    const named = 'Latency, with its 95% CI';
    const told = `${named}. No band where the CI is very wide: AJAX`;
    const wide = shownWith([1e9, 1e9, 1e9]);
    assert.deepEqual([wide.counts, wide.caption], [[], told]);
    assert.equal(shownWith([1e12, 1e12, 1e12]).path, wide.path);
    const narrow = shownWith([10, 10, 10]);
    assert.deepEqual([narrow.counts, narrow.caption], [[3], named]);
    const mixed = shownWith([10, 10, 1e9, 10, 10, 10]);
    assert.deepEqual([mixed.counts, mixed.caption], [[], told]);
  });

  it('says in its caption which dots have no interval, unless none has one', () => {
    const dot = { label: 'WebSocket', colour: 'ws', x: 1, y: 2 };
    const known = { ...dot, interval: { estimate: 2, low: 1, high: 3 } };
    const says = (/** @type {readonly (typeof dot)[]} */ ...dots) =>
      captionOf({ ...plotOf(), caption: 'Latency', dots }).endsWith('. Without a line: no CI');
    assert.deepEqual([says(dot, known), says(known), says(dot)], [true, false, false]);
  });

  it('names its lines at their ends only where there is room', () => {
    const plot = plotOf({ hasDirectLabels: true });
    const fits = (/** @type {Plot} */ one, /** @type {number} */ width) => hasNames(one, { ...SIZE, width });
    assert.deepEqual([fits(plot, 600), fits(plot, 120), fits(plotOf(), 600)], [true, false, false]);
    const wordsOf = (/** @type {number} */ width) =>
      find(drawPlot(plot, { width, height: 260 }), 'text').flatMap(({ children }) => children);
    assert.deepEqual([wordsOf(600).includes('AJAX'), wordsOf(120).includes('AJAX')], [true, false]);
  });

  it('has room for the name of each line within its height, or names none', () => {
    /** @param {number} count @param {number} y of all ends */
    const crowdOf = (count, y) =>
      plotOf({
        hasDirectLabels: true,
        y: { title: 'ms', range: [0, 100] },
        lines: Array.from({ length: count }, (_, i) => ({ label: `L${i}`, colour: 'ajax', values: [50, 50, y] })),
      });
    const most =
      Array.from({ length: 20 }, (_, i) => i + 1).findLast((count) => hasNames(crowdOf(count, 0), SIZE)) ?? 0;
    assert.ok(most > 5 && most * 18 < SIZE.height, `${most} names`);
    for (const y of [0, 50, 100]) {
      const ys = namesIn(crowdOf(most, y)).map((name) => name.y);
      assert.equal(ys.length, most);
      assert.ok(Math.min(...ys) >= 9 && Math.max(...ys) <= SIZE.height - 9, String(ys));
      for (const [i, at] of ys.entries()) assert.ok(i === 0 || at - ys[i - 1] >= 18, String(ys));
    }
    assert.deepEqual(namesIn(crowdOf(most + 1, 50)), []);
  });

  it('names a line that ends before the others where it ends, beside them', () => {
    const lines = [
      { label: 'AJAX', colour: 'ajax', hasPoints: true, values: [50, 50, 50] },
      { label: 'fetch', colour: 'fetch', hasPoints: true, values: [50, 50, 50] },
      { label: 'POST', colour: 'sse', hasPoints: true, values: [50, null, null] },
    ];
    const plot = plotOf({ hasDirectLabels: true, y: { title: 'ms', range: [0, 100] }, lines });
    const [first, second, short] = namesIn(plot);
    assert.deepEqual([first.x, second.y - first.y], [second.x, 18]);
    const point = find(drawPlot(plot, SIZE), 'circle').at(-1)?.attributes ?? assert.fail();
    assert.ok(short.x > Number(point.cx) && short.x - Number(point.cx) < 20, JSON.stringify({ short, point }));
    // Not on the others, which go on from there.
    assert.ok(Math.abs(short.y - Number(point.cy)) >= 9, JSON.stringify({ short, point }));
  });
});

/** @param {Partial<Parameters<typeof createScale>[0]>} axis @param {readonly number[]} values @param {number} px */
const ticksOf = (axis, values, px, isX = false) =>
  createScale({ title: '', ...axis }, values, { from: 0, to: px, gapPx: 24, isX }).ticks.map(({ words }) => words);

describe('an axis of a plot', () => {
  it('has as many round numbers as there is room for', () => {
    assert.deepEqual(ticksOf({ logBase: 10 }, [1.2, 90], 200), ['1', '2', '5', '10', '20', '50', '100']);
    assert.deepEqual(ticksOf({ logBase: 10 }, [1.2, 9e5], 100), ['1', '100', '10,000', '1,000,000']);
    assert.deepEqual(ticksOf({ logBase: 2 }, [1, 16], 300, true), ['1', '2', '4', '8', '16']);
    assert.deepEqual(ticksOf({}, [0, 10], 140, true), ['0', '2', '4', '6', '8', '10']);
    assert.deepEqual(ticksOf({}, [1, 4], 200, true), ['1', '1.5', '2', '2.5', '3', '3.5', '4']);
    assert.deepEqual(ticksOf({ isCount: true }, [1, 4], 200, true), ['1', '2', '3', '4']);
  });

  it('has the ticks that are given, as many as their words leave room for', () => {
    const given = {
      logBase: /** @type {const} */ (10),
      ticks: [
        [1, 2, 4, 10, 20, 100, 1000],
        [1, 10, 100],
      ],
    };
    assert.deepEqual(ticksOf(given, [1, 100], 400, true), ['1', '2', '4', '10', '20', '100']);
    assert.deepEqual(ticksOf(given, [1, 100], 100, true), ['1', '10', '100']);
  });

  it('does not end with a value where it is logarithmic, as that would look cut off', () => {
    const { place } = createScale({ title: '', logBase: 10 }, [3, 20], { from: 0, to: 200, gapPx: 24, isX: false });
    assert.ok(place(3) > 10 && place(20) < 190, `${place(3)}, ${place(20)}`);
  });

  it('begins at 0 for a quantity, and at a round number where it is logarithmic', () => {
    assert.equal(ticksOf({}, [50, 95], 200)[0], '0');
    assert.equal(ticksOf({ logBase: 10 }, [0.58, 46], 400)[0], '0.5');
  });
});
