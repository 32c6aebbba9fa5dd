/** The code that streams were measured with, as pages show it: without what only a type checker reads. */
import { readFileSync } from 'node:fs';
import { moduleOf, streamMethods } from '../core/net/stream/index.js';

/** @typedef {{ module: string, label: string, text: string }} MeasuredCode `label`: of the method that is measured most */

/** A cast, or what says the type of a parameter. */
const TYPE = /\/\*\* @type \{(?:[^{}]|\{[^{}]*\})*\} \*\/ ?/;
const CAST = new RegExp(`${TYPE.source}\\(([\\w.]+)\\)`, 'g');
const LINE = new RegExp(`^ *${TYPE.source}\n`, 'gm');
const TYPES = new RegExp(TYPE.source, 'g');

/** @param {string} name of a module in core/net/stream @returns {string} */
function readCode(name) {
  const text = readFileSync(new URL(`../core/net/stream/${name}.js`, import.meta.url), 'utf8');
  return withoutTypes(text);
}

/** @param {string} text of a module @returns {string} the same program */
const withoutTypes = (text) =>
  text
    .replace(/^\/\*\*\n([^@]*?)(?: \* @[^]*?)? \*\/\n/, (_, about) => about.replaceAll(/^ \* /gm, '// '))
    .replace(LINE, '')
    .replace(CAST, '$1')
    .replace(TYPES, '')
    .trim();

/** @returns {MeasuredCode[]} one for each module */
export function readMeasuredCodes() {
  const rows = Object.values(streamMethods);
  return [...new Set(rows.map(({ name }) => moduleOf(name)))].map((module) => {
    const own = rows.filter(({ name }) => moduleOf(name) === module);
    const { label } = own.find(({ isDefault }) => isDefault) ?? own[0];
    return { module, label, text: readCode(module) };
  });
}
