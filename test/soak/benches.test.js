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
    assert.equal(comparisons.length, 7);
    for (const { name, medianRatio } of comparisons) assert.ok(isFigure(medianRatio), name);
  });

  it('npm run bench:floods measures what a visitor waits, beside bare servers', async () => {
    const smallest = [
      '--clients',
      '1',
      '--seconds',
      '1',
      '--only',
      'pings',
      '--path',
      '/ws',
      '--only',
      'refused requests',
    ];
    const { out, err } = await runScript('bench:floods', [...smallest, '--json']);
    const { rows } = JSON.parse(out);
    assert.equal(rows.length, 10, err);
    for (const { server, medianMs, p95Ms, worstMs } of rows) {
      assert.ok([medianMs, p95Ms, worstMs].every(isFigure), server);
    }
  });

  it('says what it expected where an option is wrong', async () => {
    for (const [script, option, value] of [
      ['bench', 'pairs', '0'],
      ['bench:floods', 'only', 'rain'],
    ]) {
      const { code, err } = await runScript(script, [`--${option}=${value}`]);
      assert.equal(code, 2, script);
      assert.ok(err.startsWith(`--${option}: expected `) && err.includes(value), err);
    }
  });
});
