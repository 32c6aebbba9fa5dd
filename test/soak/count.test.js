import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runScript } from '../support/npm-script.js';

describe('npm run count', () => {
  it('prints the lines of each part, and of the product', async () => {
    const { code, out, err } = await runScript('count', []);
    assert.equal(code, 0, err);
    const counts = [...out.matchAll(/^(.+?) +(\d+) lines/gm)].map(([, name, lines]) => [name, Number(lines)]);
    const { product, ...parts } = Object.fromEntries(counts);
    assert.ok(parts.core > 0, out);
    assert.equal(
      Object.values(parts).reduce((sum, lines) => sum + lines, 0),
      product,
    );
  });
});
