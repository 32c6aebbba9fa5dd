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
    assert.match(out, /^Made on \d{4}-\d\d-\d\d with Node\.js v/);
    assert.match(out, /^`npx sockshootout run payload .*`:$/m);
    assert.match(out, /^\| Upload \| 10 MB \| fetch \| /m);
    assert.match(out, /^masking \(\d+ s\): made$/m);
  });

  it('lists all, with their commands', async () => {
    const { code, out } = await runScript('figures', ['--list']);
    assert.equal(code, 0);
    for (const { name, file, commands } of FIGURES) {
      const lines = out.split('\n').filter((line) => line.startsWith(`${name} `) && line.includes(file));
      assert.deepEqual(
        lines.map((line) => line.split(/ {2,}/)),
        commands.map((command) => [name, file, command]),
      );
    }
  });

  it('refuses a figure that there is not', async () => {
    assertRefused(await runScript('figures', ['--only', 'luck']), '--only', '“luck”');
  });
});
