/**
 * The home page’s example and the README’s picture can be made anew, from a real run.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as waitMs } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { fullTest } from '../../core/full-test/all.js';
import { runProgram } from '../../test/support/program.js';

/** Of the link of lab/make-example.js. */
const RTT_MS = 100;

// At the same time, as a run far away waits for most of it.
describe('node lab/make-example.js', { concurrency: true }, () => {
  it('makes a valid run at the distance that it names, and a picture', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    try {
      const { code, err } = await runProgram('lab/make-example.js', ['--preset', 'quick', '--out', folder]);
      assert.equal(code, 0, err);
      const { places, document } = JSON.parse(await readFile(path.join(folder, 'views/example-run.json'), 'utf8'));
      const { score } = findingsOf(fullTest, parseDocument(JSON.stringify(document), valibot, fullTest)).summary;
      assert.deepEqual(
        document.parts.map((/** @type {any} */ part) => [part.experiment, part.document.ending]),
        ['shootout', 'jobs'].map((name) => [name, undefined]),
      );
      assert.equal(score.isPredicted, false);
      assert.match(places, /simulated/);
      assert.ok(score.situation.rttMs >= RTT_MS, `${score.situation.rttMs} ms, of ${RTT_MS}`);
      const picture = await readFile(path.join(folder, 'docs/decision-card.png'));
      assert.deepEqual([...picture.subarray(1, 4)], [...Buffer.from('PNG')]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('takes its link down on Ctrl-C', { timeout: 120_000 }, async () => {
    const child = spawn(process.execPath, ['lab/make-example.js', '--out', os.tmpdir()]);
    const listPrograms = async () => {
      const { stdout } = await promisify(execFile)('ip', ['netns', 'list']);
      const names = stdout.match(new RegExp(`^sockshootout-${child.pid}-\\S+`, 'gm')) ?? [];
      const pids = names.map(async (name) => (await promisify(execFile)('ip', ['netns', 'pids', name])).stdout);
      return { names, pids: (await Promise.all(pids)).filter(Boolean) };
    };
    // A server at one end, a browser at the other.
    while ((await listPrograms()).pids.length < 2) await waitMs(50);
    const closed = once(child, 'close');
    child.kill('SIGINT');
    assert.deepEqual(await closed, [1, null]);
    assert.deepEqual((await listPrograms()).names, []);
  });
});
