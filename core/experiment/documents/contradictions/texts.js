import { isVisible } from '../../../base/foreign-text.js';

/**
 * @import { Problem } from '../../contract.js'
 * @import { SeenTrial } from './list-trials.js'
 */

/**
 * What browsers and servers call themselves is shown on pages and in terminals.
 *
 * @param {any} document
 * @param {readonly SeenTrial[]} trials
 * @returns {Problem[]}
 */
export function findInvisibleTexts(document, trials) {
  const { environment, statusBefore, statusAfter } = document;
  const texts = [
    ...textsOf('environment', environment, ['url', 'pageOrigin', 'userAgent']),
    ...textsOf('statusBefore', statusBefore),
    ...textsOf('statusAfter', statusAfter),
    ...trials.flatMap(({ path, server }) => textsOf(`${path}.server`, server)),
  ];
  return texts
    .filter(({ text }) => !isVisible(text))
    .map(({ path, text }) => ({
      path,
      message: `expected text without characters that cannot be seen or turn its direction, got ${quote(text)}`,
    }));
}

/** @param {string} path @param {Record<string, any> | undefined} part @param {readonly string[]} [names] */
function textsOf(path, part, names = ['server', 'location', 'version']) {
  return names.flatMap((name) =>
    part?.[name] === undefined ? [] : { path: `${path}.${name}`, text: String(part[name]) },
  );
}

/** @param {string} text */
function quote(text) {
  const escaped = [...text.slice(0, 60)].map((character) => (isVisible(character) ? character : nameOf(character)));
  return `“${escaped.join('')}”`;
}

/** @param {string} character @returns {string} like U+202E */
function nameOf(character) {
  return `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;
}
