import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { parsePageOptions } from '../../cli/page.js';
import { assertRefused, refusalOf } from '../support/complaint.js';
import { harOf, pollEntries } from '../support/har.js';
import { runProgram } from '../support/program.js';

const HAR = harOf(pollEntries({ answer: () => ({ body: '[]' }), count: 40, everyMs: 2000 }));

/** @param {readonly string[]} args */
const page = (args) => runProgram('cli/sockshootout.js', ['page', ...args]);

/** A machine that is busy reads for so long that it says how far it is. @param {string} err */
const assertOnlyProgress = (err) => assert.match(err, /^(\d+% {2}Reading\n)*$/);

describe('sockshootout page', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-page-'));
    file = path.join(folder, 'page.har');
    await writeFile(file, HAR);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('ends with the answer', async () => {
    const { code, out, err } = await page([file]);
    assert.equal(code, 0);
    assertOnlyProgress(err);
    assert.match(out.trimEnd().split('\n').at(-1) ?? '', /^This page polls \/orders every 2\.0 s; /);
  });

  it('prints JSON for as many users as are asked for, to a file, from standard input', async () => {
    const out = path.join(folder, 'out.json');
    const args = ['cli/sockshootout.js', 'page', '-', '--users', '1800', '--json', '--out', out];
    const child = spawn(process.execPath, args);
    child.stdin.end(Buffer.from(`\ufeff${HAR}`, 'utf16le'));
    assertOnlyProgress(await text(child.stderr));
    const { polls, totals } = JSON.parse(await readFile(out, 'utf8'));
    assert.deepEqual([polls.length, totals.users, Math.round(totals.now.requestsPerSecond)], [1, 1800, 900]);
  });

  it('refuses what is no HAR file, and what cannot be read', async () => {
    const bad = path.join(folder, 'bad.har');
    await writeFile(bad, '<!doctype html>');
    const { code, out, err } = await page([bad]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /^Expected a HAR file, .* got “<!doctype html>”\.\n$/);
    assertRefused(await page([path.join(folder, 'none.har')]), 'page', 'none.har');
    assertRefused(await page([folder]), 'page', path.basename(folder));
  });

  it('refuses a file that is too large before it is read, and standard input once it is', async () => {
    const large = path.join(folder, 'large.har');
    await writeFile(large, HAR);
    await truncate(large, 650_000_000);
    assertRefused(await page([large]), 'page', '650 MB');
    const input = await open(large);
    const child = spawn(process.execPath, ['cli/sockshootout.js', 'page', '-'], { stdio: [input.fd, 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    const [out, err] = await Promise.all([child.stdout, child.stderr].map((stream) => text(stream ?? assert.fail())));
    const [code] = await ended;
    await input.close();
    assertRefused({ code, out, err }, 'page', '101 MB');
  });
});

describe('the options of sockshootout page', () => {
  it('are one file, users, and one format', () => {
    const base = { file: 'a.har', users: 100, format: 'text', out: undefined, isQuiet: false };
    assert.deepEqual(parsePageOptions(['a.har']), base);
    assert.deepEqual(parsePageOptions(['-', '--markdown', '-q']), {
      ...base,
      file: '-',
      format: 'markdown',
      isQuiet: true,
    });
    for (const format of ['csv', 'json', 'markdown'])
      assert.equal(parsePageOptions(['a.har', `--${format}`]).format, format);
  });

  for (const args of [
    [],
    ['a.har', 'b.har'],
    ['a.har', '--users', '0'],
    ['a.har', '--users', '100000001'],
    ['a.har', '--json', '--csv'],
    ['a.har', '--no'],
  ]) {
    it(`refuse: ${args.join(' ')}`, async () => void (await refusalOf(() => parsePageOptions(args))));
  }
});
