import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * A file, and as it may be sent; absent where that would save nothing worth having.
 *
 * @typedef {object} Encodings
 * @property {Uint8Array} identity
 * @property {Uint8Array} [gzip]
 * @property {Uint8Array} [br]
 */

const LEAST_BYTES = 512;
/** Who reads source maps can wait for them. */
const isMap = (/** @type {string} */ name) => name.endsWith('.map');

/**
 * As small as can be: it is done once for a version.
 *
 * @param {string} name
 * @param {Uint8Array} identity
 * @returns {Promise<Encodings>}
 */
export async function compress(name, identity) {
  if (identity.length < LEAST_BYTES || isMap(name)) return { identity };
  const [gzipped, br] = await Promise.all([
    toGzip(identity, { level: 9 }),
    toBrotli(identity, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
  ]);
  return { identity, gzip: gzipped, br };
}
