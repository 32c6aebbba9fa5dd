/**
 * The home page’s example and the README’s picture can be made anew, from a real run.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { createReport } from '../../core/experiments/shootout/report.js';
import { runProgram } from '../../test/support/program.js';

it('node lab/make-example.js: a valid run at the distance that it names, and a picture', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  try {
    const { code, err } = await runProgram('lab/make-example.js', ['--preset', 'quick', '--out', folder]);
    assert.equal(code, 0, err);
    const { places, document } = JSON.parse(await readFile(path.join(folder, 'views/example-run.json'), 'utf8'));
    const report = createReport(parseDocument(JSON.stringify(document), valibot, shootout));
    assert.equal(report.result.ending, undefined);
    assert.equal(report.scope, 'path');
    const rttMs = Number(/(\d+) ms/.exec(places)?.[1]);
    assert.ok(Number(report.floorMs) >= rttMs, `${report.floorMs} ms, of ${rttMs}`);
    const picture = await readFile(path.join(folder, 'docs/decision-card.png'));
    assert.deepEqual([...picture.subarray(1, 4)], [...Buffer.from('PNG')]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
