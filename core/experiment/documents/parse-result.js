import { createDocumentCheck, DocumentError } from './check.js';
import { shootout } from '../../experiments/shootout/document.js';

const NOT_ONE = 'This is no run of SockShootout';

/**
 * Reads a shootout that somebody brings.
 *
 * @param {string} text
 * @param {import('./fields.js').Valibot} v the validation library
 * @returns {import('../environment.js').Result}
 * @throws {RangeError} what was expected where
 */
export function parseResult(text, v) {
  return parseRun(text, v, shootout);
}

/**
 * The same of any experiment.
 *
 * @param {string} text
 * @param {import('./fields.js').Valibot} v the validation library
 * @param {import('./check.js').Kind} expected
 * @returns {any} its document
 * @throws {RangeError} what was expected where
 */
export function parseRun(text, v, expected) {
  try {
    const { kind, document } = createDocumentCheck(v)(unwrap(parseJson(text)));
    if (kind === expected) return document;
    throw new RangeError(`schema: expected ${expected.schema}, got ${kind.schema}`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`${NOT_ONE}: ${error.message}`, { cause: error });
  }
}

/**
 * What `/api/results/ID` answers has the document within it.
 *
 * @param {any} given
 */
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
