/** The code by which tests measure, as pages show it: without what only a type checker reads. */
import { readFileSync } from 'node:fs';
import { moduleOf, streamMethods } from '../core/net/stream/index.js';

/** @typedef {{ module: string, label: string, text: string }} MeasuredCode `label`: of the method that is measured most */

/** A cast, or what says the type of a parameter. */
const TYPE = /\/\*\* @type \{(?:[^{}]|\{[^{}]*\})*\} \*\/ ?/;
const CAST = new RegExp(`${TYPE.source}\\(([\\w.]+)\\)`, 'g');
const TYPES = new RegExp(TYPE.source, 'g');
/** A comment that is not in a line of code. */
const COMMENT = /^( *)\/\*\*((?:(?!\*\/)[^])*)\*\/\n/gm;

/** @param {string} file in core, such as 'net/feed/ping' @returns {string} the same program */
export function readCode(file) {
  const text = readFileSync(new URL(`../core/${file}.js`, import.meta.url), 'utf8');
  return text
    .replace(COMMENT, (_, indent, comment) => asLines(comment, indent))
    .replace(CAST, '$1')
    .replace(TYPES, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Breaks prose at spaces, so that a page shows whole lines. @param {string} text @returns {readonly string[]} of at most 72 characters, or one long word */
const wrap = (text) =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .match(/\S{73,}|\S.{0,71}(?= |$)/g) ?? [];

/** @param {string} comment @param {string} indent @returns {string} what it tells a reader, and its example, as comments of a line each */
function asLines(comment, indent) {
  const [about, ...tags] = comment.replace(/^ *\* ?/gm, '').split(/(?:^|\s)@(?=[a-z])/);
  const example = tags.find((tag) => tag.startsWith('example'))?.replace('example', 'For example:');
  const lines = [...wrap(about), ...(example ?? '').trim().split('\n')];
  return lines.map((line) => line && `${indent}// ${line}\n`).join('');
}

/** @returns {MeasuredCode[]} one for each module */
export function readMeasuredCodes() {
  const rows = Object.values(streamMethods);
  return [...new Set(rows.map(({ name }) => moduleOf(name)))].map((module) => {
    const own = rows.filter(({ name }) => moduleOf(name) === module);
    const { label } = own.find(({ isDefault }) => isDefault) ?? own[0];
    return { module, label, text: readCode(`net/stream/${module}`) };
  });
}
