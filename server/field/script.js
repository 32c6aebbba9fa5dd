/** The script that pages of other sites load. */
import { createHash } from 'node:crypto';

/**
 * @import { Assets } from '../assets.js'
 * @import { Encodings } from '../encodings.js'
 * @typedef {{ file: Encodings, integrity: string }} FieldScript `integrity`: as HTML has it, https://www.w3.org/TR/sri-2/
 */

/** @param {Assets} assets @returns {FieldScript} */
export function findFieldScript(assets) {
  const file = /** @type {Encodings} */ (assets.find('js/field.js'));
  return { file, integrity: `sha384-${createHash('sha384').update(file.identity).digest('base64')}` };
}
