/** Cuts the part of a command's output that a document shows. */
import { RunError } from '../cli/program/program.js';

/** @param {string} output @returns {string[]} its paragraphs and tables */
const blocksOf = (output) => output.trim().split(/\n{2,}/);

/** @param {string} block */
const isTable = (block) => block.startsWith('|');

/**
 * @param {string} output of a command: Markdown, or text
 * @param {{ tables?: number, part?: string, text?: string }} figure
 * @returns {string} Markdown @throws {RunError} if the output has no such part
 */
export function excerptOf(output, { tables = 1, part, text }) {
  const blocks = blocksOf(output);
  if (text !== undefined) return fence(find(blocks, text));
  if (part !== undefined) return blocks[blocks.indexOf(find(blocks, `#### ${part}`)) + 1];
  const body = blocks.filter((block) => !block.startsWith('### '));
  const places = [...body.keys()].filter((place) => isTable(body[place]));
  return body
    .slice(0, places[tables - 1] + 1)
    .map(toBold)
    .join('\n\n');
}

/** Makes bold text of a heading, as the document has its own. @param {string} block */
const toBold = (block) => block.replace(/^#### (.*)$/, '**$1**');

/** @param {readonly string[]} blocks @param {string} beginning @throws {RunError} */
function find(blocks, beginning) {
  const found = blocks.find((block) => block.startsWith(beginning));
  if (found) return found;
  throw new RunError(`Expected “${beginning}” in the output, got ${blocks.length} paragraphs without it`);
}

/** Keeps the lines of a text. @param {string} text */
const fence = (text) => ['```text', text, '```'].join('\n');
