/**
 * Each bench at its smallest: it starts, ends with 0 and gives a figure. What the figures say is for whoever runs it in full.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runScript } from '../support/npm-script.js';

/** @param {unknown} value */
const isFigure = (value) => typeof value === 'number' && value > 0;

describe('the benches', () => {
  it('npm run bench compares each of ours with its baseline', async () => {
    const { code, out, err } = await runScript('bench', ['--pairs', '1', '--json']);
    assert.equal(code, 0, err);
    const { comparisons } = JSON.parse(out);
    assert.equal(comparisons.length, 9);
    for (const { name, medianRatio } of comparisons) assert.ok(isFigure(medianRatio), name);
  });

  it('says what it expected where an option is wrong', async () => {
    for (const [option, value] of [
      ['pairs', '0'],
      ['only', 'rain'],
    ]) {
      const { code, err } = await runScript('bench', [`--${option}=${value}`]);
      assert.equal(code, 2, option);
      assert.ok(err.startsWith(`--${option}: expected `) && err.includes(value), err);
    }
  });
});
