import { createDocumentCheck, DocumentError } from './check.js';

/**
 * @import { Experiment } from '../contract.js'
 * @import { Valibot } from './fields.js'
 */

const NOT_ONE = 'This is no run of SockShootout';

/**
 * Reads the document of a run that somebody brings.
 *
 * @param {string} text
 * @param {Valibot} v the validation library
 * @param {Experiment} expected
 * @returns {any} its document
 * @throws {RangeError} what was expected where
 */
export function parseDocument(text, v, expected) {
  try {
    return createDocumentCheck(v, [expected])(unwrap(parseJson(text))).document;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`${NOT_ONE}: ${error.message}`, { cause: error });
  }
}

/** What `/api/results/ID` answers has the document within it. @param {any} given */
function unwrap(given) {
  return given?.schema === undefined && given?.document ? given.document : given;
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new DocumentError({ path: '', message: 'expected JSON, got something else' });
  }
}
