/**
 * Prints how many lines of code the product and its tools have, by folder: those that hold code, so without comments, blank
 * lines and imports. A figure to know, not a limit.
 *
 * usage: npm run count
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Linter } from 'eslint';

const PRODUCT = ['core', 'server', 'public', 'cli', 'deploy'];
const TOOLS = ['lab', 'bench', 'figures'];
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

/**
 * @typedef {object} Count
 * @property {string} name
 * @property {number} lines
 * @property {number} files
 */

/** @param {string} name @param {readonly string[]} files @returns {Count} */
const countPart = (name, files) => ({
  name,
  lines: files.reduce((sum, file) => sum + countCode(file), 0),
  files: files.length,
});

/** @param {string} name @param {readonly Count[]} parts @returns {Count} */
const sumUp = (name, parts) => ({
  name,
  lines: parts.reduce((sum, { lines }) => sum + lines, 0),
  files: parts.reduce((sum, { files }) => sum + files, 0),
});

const countFolder = (/** @type {string} */ name) => countPart(name, sourcesOf(name));
const product = [...PRODUCT.map(countFolder), countPart('top level', TOP)];
const tools = TOOLS.map(countFolder);
for (const { name, lines, files } of [...product, sumUp('product', product), ...tools, sumUp('tools', tools)]) {
  process.stdout.write(`${name.padEnd(10)}${String(lines).padStart(7)} lines${String(files).padStart(5)} files\n`);
}
