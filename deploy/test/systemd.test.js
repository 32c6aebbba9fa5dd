/** The unit for systemd, as systemd's own tools and its settings judge it. No systemd runs here, so it is not started by one. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { spawnServer } from '../../test/support/server.js';

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

  it('starts a program that the package has, with settings that the site has', async () => {
    const text = await readFile(UNIT, 'utf8');
    const [command] = valuesOf(text, 'ExecStart');
    const [env, node, program] = command.split(' ');
    assert.deepEqual([env, node], ['/usr/bin/env', 'node']);
    const { files } = JSON.parse(await readFile(path.join(import.meta.dirname, '../../package.json'), 'utf8'));
    const name = path.relative(INSTALLED, program);
    assert.ok(files.includes(name) && files.includes('deploy/systemd'), name);
    // Of the settings it has only the folder, which is one of systemd's.
    assert.deepEqual(valuesOf(text, 'Environment'), ['DATA_DIR=%S/sockshootout']);
    const server = spawnServer({}, { program: name });
    await server.origin();
    assert.equal((await server.stop('SIGTERM')).code, 0);
  });
});
