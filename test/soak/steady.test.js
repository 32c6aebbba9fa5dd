import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runScript } from '../support/npm-script.js';

/** Fails every second time. */
const FILE = `
  import { appendFileSync, readFileSync } from 'node:fs';
  import { it } from 'node:test';
  it('alternates', () => {
    const memory = import.meta.filename + '.runs';
    appendFileSync(memory, '.');
    if (readFileSync(memory).length % 2 === 0) throw new Error('expected an odd run');
  });`;

describe('npm run test:steady', () => {
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    await writeFile(path.join(folder, 'a.test.js'), FILE);
  });
  after(() => rm(folder, { recursive: true }));

  it('says how often a file failed beside busy loops, and how at first', async () => {
    const { code, out } = await runScript('test:steady', [
      path.join(folder, 'a.test.js'),
      '--times',
      '4',
      '--load',
      '1',
    ]);
    assert.match(out, /a\.test\.js failed 2 of 4 times beside 1 busy loops\n$/);
    assert.match(out, /^✖ 2\/4 .* alternates: expected an odd run$/m);
    assert.equal(code, 1);
  });

  it('says what it expected', async () => {
    for (const [args, complaint] of /** @type {const} */ ([
      [['none.test.js'], 'expected one test file, got “none.test.js”'],
      [['test/run.js', '--times', '0'], '--times: expected a whole number from 1 to 10,000, got “0”'],
    ])) {
      const { code, err } = await runScript('test:steady', args);
      assert.ok(err.toLowerCase().includes(complaint), err);
      assert.equal(code, 2);
    }
  });
});
