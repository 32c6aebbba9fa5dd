/**
 * `npm run figures` with one figure that takes seconds. It changes no file.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIGURES } from '../../figures/list.js';
import { assertRefused } from '../support/complaint.js';
import { runScript } from '../support/npm-script.js';

describe('npm run figures', () => {
  it('makes a figure, with its command and date above it', { timeout: 120_000 }, async () => {
    const { code, out, err } = await runScript('figures', ['--only', 'masking', '--dry-run']);
    assert.equal(code, 0, err);
    assert.match(out, /^`npx sockshootout run payload .*`, \d{4}-\d\d-\d\d: Node\.js v/);
    assert.match(out, /^\| up \| 10 MB \| [\d.]+ \([\d.]+–[\d.]+\) \| [\d.]+ \(/m);
    assert.match(out, /^masking \(\d+ s\): made$/m);
  });

  it('lists all, with their commands', async () => {
    const { code, out } = await runScript('figures', ['--list']);
    assert.equal(code, 0);
    for (const { name, file, command } of FIGURES) {
      assert.ok(out.split('\n').some((line) => line.startsWith(name) && line.includes(file) && line.endsWith(command)));
    }
  });

  it('refuses a figure that there is not', async () => {
    assertRefused(await runScript('figures', ['--only', 'luck']), '--only', '“luck”');
  });
});
