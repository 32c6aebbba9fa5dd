/**
 * Finds and replaces figures in a document, between `<!-- figures: NAME -->` and `<!-- /figures -->`.
 */
import { InvalidInputError } from '../core/base/foreign-text.js';

const BLOCK = /(<!-- figures: (\S+) -->\n)[^]*?(<!-- \/figures -->)/g;

/** @param {string} text of a document @returns {string[]} the names of its figures, in their order */
export const listFigures = (text) => [...text.matchAll(BLOCK)].map(([, , name]) => name);

/**
 * @param {string} text of a document
 * @param {string} name of one of its figures
 * @param {string} markdown that replaces it
 * @returns {string} the text with everything else unchanged
 * @throws {InvalidInputError} if the document has no such figure
 */
export function replaceFigure(text, name, markdown) {
  if (!listFigures(text).includes(name))
    throw new InvalidInputError(`Expected the figure ${name} in the document, got none`);
  return text.replace(BLOCK, (block, opening, found, closing) =>
    found === name ? `${opening}\n${markdown.trim()}\n\n${closing}` : block,
  );
}
