/**
 * Runs every *.test.js below the folders named. (`node --test` takes folders or globs, depending on its version.)
 *
 * Those of which no test looks at how long something takes come first, three at a time, as much of theirs is waiting: for
 * programs and browsers to start, for servers to drain. The others measure, and two at once would measure each other: they
 * run one after the other.
 *
 * usage: node test/run.js FOLDER... [-- OPTIONS OF node --test]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const SIDE_BY_SIDE = ['bench', 'test'];
/** Real times, within those folders. */
const MEASURING = [
  'test/cli/jobs-closed-form',
  'test/cli/jobs-known-answer',
  'test/core/experiments/in-flight',
  'test/core/known-delay',
];

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

const isAlone = (/** @type {string} */ file) => !startsWithAny(file, SIDE_BY_SIDE) || startsWithAny(file, MEASURING);
const codes = [
  await runTests(
    files.filter((file) => !isAlone(file)),
    3,
  ),
  await runTests(files.filter(isAlone), 1),
];
process.exitCode = codes.find((code) => code !== 0) ?? 0;

/**
 * @param {string[]} some of the files
 * @param {number} concurrency how many at a time
 * @returns {Promise<number>} the exit code
 */
async function runTests(some, concurrency) {
  if (some.length === 0) return 0;
  const args = ['--test', `--test-concurrency=${concurrency}`, ...options, ...some.sort()];
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return code ?? 1;
}

/**
 * @param {string} file
 * @param {string[]} starts
 */
function startsWithAny(file, starts) {
  return starts.some((start) => file.startsWith(path.normalize(start)));
}

/**
 * @param {string[]} words
 * @param {string} mark
 */
function splitAt(words, mark) {
  const at = words.indexOf(mark);
  return at < 0 ? [words, []] : [words.slice(0, at), words.slice(at + 1)];
}
