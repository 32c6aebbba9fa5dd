/**
 * Prints how many lines of code the product has, by folder: those that hold code, so without comments, blank lines and
 * imports. A figure to know, not a limit.
 *
 * usage: npm run count
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Linter } from 'eslint';

const PARTS = ['core', 'server', 'public', 'cli', 'deploy', 'lab', 'bench', 'figures'];
const TOP = ['server.js', 'ecosystem.config.js'];

/** @param {string} part @returns {string[]} */
const sourcesOf = (part) =>
  readdirSync(part, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(part, name))
    .filter((file) => file.endsWith('.js') && !file.includes('/test/'));

/** @param {{ loc?: any }} node of a syntax tree @returns {number[]} the lines that it stands in */
const linesOf = ({ loc: { start, end } }) =>
  Array.from({ length: end.line - start.line + 1 }, (_, i) => start.line + i);

/** @param {string} file @returns {number} */
function countCode(file) {
  const linter = new Linter();
  const [fault] = linter.verify(readFileSync(file, 'utf8'), {});
  if (fault?.fatal) throw new Error(`${file}: expected JavaScript, got ${fault.message} at line ${fault.line}`);
  const { tokens, body } = linter.getSourceCode().ast;
  const imported = new Set(body.filter(({ type }) => type === 'ImportDeclaration').flatMap(linesOf));
  return new Set(tokens.flatMap(linesOf).filter((line) => !imported.has(line))).size;
}

/** @param {string} name @param {readonly string[]} files @returns {number} the lines, once it has printed them */
function printCount(name, files) {
  const lineCount = files.reduce((sum, file) => sum + countCode(file), 0);
  process.stdout.write(
    `${name.padEnd(10)}${String(lineCount).padStart(7)} lines${String(files.length).padStart(5)} files\n`,
  );
  return lineCount;
}

const lists = new Map([...PARTS.map((part) => /** @type {const} */ ([part, sourcesOf(part)])), ['top level', TOP]]);
const lineCount = [...lists].reduce((sum, [name, files]) => sum + printCount(name, files), 0);
const fileCount = [...lists.values()].flat().length;
process.stdout.write(
  `${'product'.padEnd(10)}${String(lineCount).padStart(7)} lines${String(fileCount).padStart(5)} files\n`,
);
