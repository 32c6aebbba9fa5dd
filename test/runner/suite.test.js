/** Suites of files that fail as often as they are told to. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runSuite } from './suite.js';
import { sortFailed } from './unsteady.js';

/** @import { Suite } from './suites.js' */

/** @type {string} */
let root;
before(async () => (root = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'))));
after(() => rm(root, { recursive: true }));

/**
 * @param {string} name
 * @param {Record<string, number | string>} failures how often each file fails before it passes, or what its test does
 * @param {Partial<Suite>} [options]
 * @returns {Promise<{ isPassed: boolean, lines: string[], starts: (name: string) => number }>}
 */
async function run(name, failures, options) {
  const folder = path.join(root, name);
  await mkdir(folder);
  for (const [file, what] of Object.entries(failures)) {
    const text = typeof what === 'string' ? formatTest(what) : formatFile(path.join(folder, file), what);
    await writeFile(path.join(folder, `${file}.test.js`), text);
  }
  let text = '';
  const suite = { command: 'npm run it', folders: [folder], parts: [], workers: 1, ...options };
  const isPassed = await runSuite(suite, { write: (more) => (text += more) });
  const lines = text.trimEnd().split('\n');
  const starts = (/** @type {string} */ file) =>
    lines.filter((line) => /^[✔✖]/.test(line) && line.includes(`/${file}.test.js: `)).length;
  return { isPassed, lines, starts };
}

/** @param {string} body @returns {string} a test file */
const formatTest = (body) => `import { it } from 'node:test';\nit('does it', async () => {${body}});\n`;

/** @param {string} memory a file @param {number} count @returns {string} a test file */
const formatFile = (memory, count) => `
  import { appendFileSync, readFileSync } from 'node:fs';
  import { it } from 'node:test';
  it('has luck', () => {
    appendFileSync(${JSON.stringify(memory)}, '.');
    if (readFileSync(${JSON.stringify(memory)}).length <= ${count}) throw new Error('expected luck, got none');
  });`;

describe('a file that failed once', () => {
  it('and then passes twice, by itself, is named as unsteady with its failure, and the suite passes', async () => {
    const { isPassed, lines, starts } = await run('once', { never: 0, once: 1 });
    assert.ok(isPassed, lines.join('\n'));
    assert.deepEqual([starts('never'), starts('once')], [1, 3]);
    assert.match(String(lines.at(-1)), /^unsteady: .*once\.test\.js: has luck: expected luck, got none$/);
  });

  it('and fails again is a failure', async () => {
    const { isPassed, lines, starts } = await run('twice', { twice: 2 });
    assert.ok(!isPassed);
    assert.equal(starts('twice'), 2);
    assert.match(String(lines.at(-1)), /failures in: .*twice\.test\.js$/);
  });

  it('is a failure at once where more than three others failed, too', async () => {
    for (const parcels of [
      ['a', 'b', 'c', 'd'],
      ['ab', 'cd'],
    ]) {
      const failed = parcels.map((files) => ({ failedFiles: [...files] }));
      const outcome = await sortFailed(failed, () => assert.fail('expected no further run'));
      assert.deepEqual(outcome, { unsteady: [], broken: ['a', 'b', 'c', 'd'] });
    }
  });

  it('is a failure in a suite of facts', async () => {
    const { isPassed, lines } = await run('facts', { first: 0, once: 1 }, { isFacts: true, filesPerProcess: 2 });
    assert.ok(!isPassed);
    assert.match(String(lines.at(-1)), /: 1 tests of 2 files .*failures in: [^,]*once\.test\.js$/);
  });
});

it('a file that hangs is ended at its limit, which begins when it does, and is named with it', async () => {
  const [waitMs, limitMs] = [1000, 5000];
  const bodies = {
    a: `await new Promise((over) => setTimeout(over, ${waitMs}));`,
    b: 'await new Promise(() => setInterval(() => {}, 1e6));',
  };
  const { isPassed, lines } = await run('hangs', bodies, { isFacts: true, filesPerProcess: 2, limitMs });
  assert.ok(!isPassed);
  assert.match(lines.join('\n'), /^\S+b\.test\.js was still running after 5 s, its limit$/m);
  assert.match(String(lines.at(-1)), /failures in: [^,]*b\.test\.js$/);
  const seconds = Number(/: 0 tests, (\d+\.\d) s/.exec(String(lines[0]))?.[1]);
  assert.ok(seconds >= (waitMs + limitMs) / 1000, lines[0]);
});

it('a file that failed is named, too, where a later one of its process hangs', async () => {
  const bodies = { a: "throw new Error('a failed');", b: 'await new Promise(() => setInterval(() => {}, 1e6));' };
  const { lines } = await run('fails-hangs', bodies, { isFacts: true, filesPerProcess: 2, limitMs: 3000 });
  assert.match(String(lines.at(-1)), /failures in: [^,]*a\.test\.js, [^,]*b\.test\.js$/);
});

it('an exception that nobody caught is a failure, which is told', async () => {
  const thrown =
    "setTimeout(() => { throw new Error('thrown late'); }); await new Promise((over) => setTimeout(over, 100));";
  const rejected =
    "void Promise.reject(new Error('rejected alone')); await new Promise((over) => setTimeout(over, 100));";
  const { isPassed, lines } = await run('uncaught', { rejected, thrown }, { isFacts: true });
  assert.ok(!isPassed);
  for (const words of ['rejected alone', 'thrown late'])
    assert.ok(lines.includes(`Nobody caught Error: ${words}`), lines.join('\n'));
  assert.match(String(lines.at(-1)), /failures in: .*rejected\.test\.js, .*thrown\.test\.js$/);
});

it('files that nobody listens to any more end', async () => {
  const file = path.join(root, 'orphan.test.js');
  await writeFile(
    file,
    formatTest("setInterval(() => console.error('Is anybody there?'), 10); await new Promise(() => {});"),
  );
  const args = ['--test-reporter=./test/runner/reporter.js', 'test/runner/run-files.js', file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child.stderr, 'data');
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  assert.deepEqual(await once(child, 'exit'), [1, null]);
});

it('a suite ends with its slowest files, five at most', async () => {
  const { lines } = await run('slow', { a: 0, b: 0, c: 0, d: 0, e: 0, f: 0 }, { filesPerProcess: 2, workers: 2 });
  const times = lines.flatMap((line) => /^ +(\d+\.\d) s +\S+\.test\.js$/.exec(line)?.[1] ?? []).map(Number);
  assert.equal(times.length, 5);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
});
