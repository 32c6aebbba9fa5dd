/** The unit for systemd, as systemd's own tools and its settings judge it. No systemd runs here, so it is not started by one. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const UNIT = path.join(import.meta.dirname, '../systemd/sockshootout.service');
const INSTALLED = '/opt/sockshootout/node_modules/sockshootout';
/** In tenths, as systemd-analyze takes it; a unit without any hardening has 96. */
const MAX_EXPOSURE = 20;

/** @param {string} text of the unit @param {string} name @returns {string[]} */
const valuesOf = (text, name) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

describe('sockshootout.service', () => {
  it('is a unit that systemd takes without a warning', async () => {
    assert.deepEqual(await execute('systemd-analyze', ['verify', UNIT]), { stdout: '', stderr: '' });
  });

  it(`is hardened to an exposure of at most ${MAX_EXPOSURE / 10} of 10`, async () => {
    await execute('systemd-analyze', [
      ...['security', '--no-pager', '--offline=true', `--threshold=${MAX_EXPOSURE}`],
      UNIT,
    ]);
  });

  it('starts the command of the package, with settings that the site has', async () => {
    const text = await readFile(UNIT, 'utf8');
    const [command] = valuesOf(text, 'ExecStart');
    const { bin, files } = JSON.parse(await readFile(path.join(import.meta.dirname, '../../package.json'), 'utf8'));
    assert.equal(command, `/usr/bin/env node ${path.join(INSTALLED, bin.sockshootout)} serve`);
    assert.ok(files.includes('deploy/systemd'));
    // The folder is one of systemd's, and what `serve` leaves out for a terminal belongs into the journal.
    assert.deepEqual(valuesOf(text, 'Environment'), ['DATA_DIR=%S/sockshootout LOG_LEVEL=info']);
  });
});
