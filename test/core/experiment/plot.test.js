import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawPlot, hasNames } from '../../../core/experiment/plot.js';
import { createScale } from '../../../core/experiment/plot-scale.js';

/** @import { SvgNode } from '../../../core/base/svg.js' */
/** @import { Plot } from '../../../core/experiment/plot.js' */

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

  it('names its lines at their ends only where there is room', () => {
    const plot = plotOf({ hasDirectLabels: true });
    assert.deepEqual([hasNames(plot, 600), hasNames(plot, 120), hasNames(plotOf(), 600)], [true, false, false]);
    const wordsOf = (/** @type {number} */ width) =>
      find(drawPlot(plot, { width, height: 260 }), 'text').flatMap(({ children }) => children);
    assert.deepEqual([wordsOf(600).includes('AJAX'), wordsOf(120).includes('AJAX')], [true, false]);
  });
});

/** @param {Partial<Parameters<typeof createScale>[0]>} axis @param {readonly number[]} values @param {number} px */
const ticksOf = (axis, values, px, isX = false) =>
  createScale({ title: '', ...axis }, values, { from: 0, to: px, gapPx: 24, isX }).ticks.map(({ words }) => words);

describe('an axis of a plot', () => {
  it('has as many round numbers as there is room for', () => {
    assert.deepEqual(ticksOf({ logBase: 10 }, [1, 100], 200), ['1', '2', '5', '10', '20', '50', '100']);
    assert.deepEqual(ticksOf({ logBase: 10 }, [1, 1e6], 100), ['1', '100', '10,000', '1,000,000']);
    assert.deepEqual(ticksOf({ logBase: 2 }, [1, 16], 300, true), ['1', '2', '4', '8', '16']);
    assert.deepEqual(ticksOf({}, [0, 10], 140, true), ['0', '2', '4', '6', '8', '10']);
  });

  it('begins at 0 for a quantity, and at a round number where it is logarithmic', () => {
    assert.equal(ticksOf({}, [50, 95], 200)[0], '0');
    assert.equal(ticksOf({ logBase: 10 }, [0.58, 46], 400)[0], '0.5');
  });
});
