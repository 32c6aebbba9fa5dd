/**
 * The sentences of an experiment are held against its golden file, test/golden/NAME.txt, and nowhere else: a text is
 * improved by one command, `npm test -- --update-golden`, and the change can be read in the diff.
 *
 * A golden file is a list of entries: a line that names the test, then the text that the test got.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_TRANSPORTS, nodeTransportsOf } from '../../cli/net/transports.js';
import { payload } from '../../core/experiments/payload/index.js';
import { deliveries } from '../../core/net/delivery/index.js';
import { transports } from '../../core/net/echo/index.js';
import { transfers } from '../../core/net/transfer/index.js';

/** @import { TestContext } from 'node:test' */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = path.join(ROOT, 'test/golden');
const MARK = '======== ';

/** The lists in error texts that follow from rows: a new row changes no golden file. */
const LISTS = Object.entries({
  'all transports': Object.keys(transports),
  'all transports of Node.js': NODE_TRANSPORTS,
  'all transfer methods': Object.keys(transfers),
  'all transfer methods of Node.js': nodeTransportsOf(payload),
  'all delivery methods': Object.keys(deliveries),
})
  .flatMap(([name, names]) => [
    { list: names.join(', '), name: `(${name})` },
    { list: names.map((one) => `"${one}"`).join(', '), name: `(${name}, quoted)` },
  ])
  // A list may be a part of another.
  .sort((a, b) => b.list.length - a.list.length);

/** Set by the test runner, which removes the golden files first and runs one test file at a time. */
const isUpdating = process.env.UPDATE_GOLDEN === '1';
/** Not all tests of a file are run. */
const isPartial = process.execArgv.some((arg) => /^--test-(only|name-pattern|skip-pattern)/.test(arg));

/** @type {Map<string, Set<string>>} the entries that each test file has asked for */
const seenByFile = new Map();
if (!isUpdating && !isPartial) process.once('exit', () => seenByFile.forEach(complainOfUnseen));

/**
 * @param {string} testUrl `import.meta.url` of the test file
 */
export function useGolden(testUrl) {
  const file = path.relative(ROOT, fileURLToPath(testUrl)).split(path.sep).join('/');
  /** @type {Set<string>} */
  const seen = new Set();
  seenByFile.set(file, seen);

  /**
   * @param {TestContext} t names the entry; a test has one at most in each golden file
   * @param {string} experiment
   * @param {string | readonly string[]} text several are paragraphs
   * @throws {assert.AssertionError} where the golden file has another text, or none
   */
  return function matchGolden(t, experiment, text) {
    // In the types since Node.js 22; 20 has it, too.
    const name = `${file} > ${/** @type {any} */ (t).fullName}`;
    const entry = `${experiment}: ${name}`;
    assert.ok(!seen.has(entry), `expected one text, got another: ${entry}`);
    seen.add(entry);

    const actual = nameLists(typeof text === 'string' ? text : text.join('\n\n')).trimEnd();
    const entries = readGolden(experiment);
    if (isUpdating) {
      entries.set(name, actual);
      writeGolden(experiment, entries);
    } else if (entries.get(name) !== actual) {
      const hint = `Not as in test/golden/${experiment}.txt; if it is meant to be: npm test -- --update-golden`;
      process.stderr.write(`${hint}\n`);
      assert.equal(actual, entries.get(name) ?? '');
    }
  };
}

/** @param {string} text @returns {string} the text with a name in place of each list that follows from rows */
const nameLists = (text) => LISTS.reduce((named, { list, name }) => named.replaceAll(list, name), text);

/**
 * Entries of a test file that none of its tests has asked for are of tests that are gone: the file fails.
 *
 * @param {ReadonlySet<string>} seen
 * @param {string} file
 */
function complainOfUnseen(seen, file) {
  const experiments = readdirSync(FOLDER).map((name) => path.parse(name).name);
  const entries = experiments.flatMap((experiment) =>
    [...readGolden(experiment).keys()]
      .filter((name) => name.startsWith(`${file} > `))
      .map((name) => `${experiment}: ${name}`),
  );
  const unseen = entries.filter((entry) => !seen.has(entry));
  if (unseen.length === 0) return;
  process.stderr.write(`Golden entries of no test; npm test -- --update-golden removes them:\n${unseen.join('\n')}\n`);
  process.exitCode = 1;
}

/**
 * @param {string} experiment
 * @returns {Map<string, string>} the text by its entry's name, `FILE > TEST`; none where there is no such file
 */
function readGolden(experiment) {
  let text = '';
  try {
    text = readFileSync(fileOf(experiment), 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  return new Map(
    text
      .split(new RegExp(`^${MARK}`, 'm'))
      .slice(1)
      .map((entry) => {
        const end = entry.indexOf('\n');
        return [entry.slice(0, end), entry.slice(end + 1).trimEnd()];
      }),
  );
}

/**
 * @param {string} experiment
 * @param {ReadonlyMap<string, string>} entries
 */
function writeGolden(experiment, entries) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(experiment), [...entries].map(([name, text]) => `${MARK}${name}\n${text}\n`).join('\n'));
}

/** @param {string} experiment */
const fileOf = (experiment) => path.join(FOLDER, `${experiment}.txt`);
