/**
 * Runs every *.test.js below the folders named, one file after the other: the tests start servers and browsers, and two
 * at once would measure each other. (`node --test` takes folders or globs, depending on its version.)
 *
 * usage: node test/run.js FOLDER... [-- OPTIONS OF node --test]
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const [folders, options] = splitAt(process.argv.slice(2), '--');
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => path.join(folder, file)),
);
if (files.length === 0) {
  process.stderr.write(`Expected test files (*.test.js) below a folder, found none in '${folders.join(' ')}'\n`);
  process.exit(1);
}

const runner = spawn(process.execPath, ['--test', '--test-concurrency=1', ...options, ...files.sort()], {
  stdio: 'inherit',
});
runner.on('exit', (code) => process.exit(code ?? 1));

/**
 * @param {string[]} words
 * @param {string} mark
 */
function splitAt(words, mark) {
  const at = words.indexOf(mark);
  return at < 0 ? [words, []] : [words.slice(0, at), words.slice(at + 1)];
}
