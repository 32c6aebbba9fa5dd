import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runScript } from '../support/npm-script.js';

const PRODUCT = ['core', 'server', 'public', 'cli', 'deploy', 'top level'];
const TOOLS = ['lab', 'bench', 'figures'];

describe('npm run count', () => {
  it('prints the lines of each part, and the sums of the product and of the tools', async () => {
    const { code, out, err } = await runScript('count', []);
    assert.equal(code, 0, err);
    const rows = [...out.matchAll(/^(.+?) +(\d+) lines +(\d+) files$/gm)];
    const counts = new Map(rows.map(([, name, lines, files]) => [name, [Number(lines), Number(files)]]));
    assert.deepEqual([...counts.keys()], [...PRODUCT, 'product', ...TOOLS, 'tools']);
    for (const [sum, parts] of Object.entries({ product: PRODUCT, tools: TOOLS })) {
      const ofParts = parts.map((name) => counts.get(name) ?? []);
      for (const [lines] of ofParts) assert.ok(lines > 0, out);
      const sums = [0, 1].map((column) => ofParts.reduce((total, part) => total + part[column], 0));
      assert.deepEqual(counts.get(sum), sums);
    }
  });
});
