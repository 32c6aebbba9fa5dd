/** The file in which an installed package has its pages: bundled beforehand, as it has neither their sources nor a bundler. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

export const PACKED_PAGES = path.join(import.meta.dirname, '../dist/pages.br');

/**
 * Compresses all files as one: each page's script contains what most others contain, too, which the window of a single
 * stream finds and that of a package's archive does not.
 * @param {Map<string, Uint8Array>} files by name @returns {Buffer}
 */
export function packPages(files) {
  const index = JSON.stringify([...files].map(([name, content]) => [name, content.length]));
  const whole = Buffer.concat([Buffer.from(`${index}\n`), ...files.values()]);
  return brotliCompressSync(whole, {
    params: {
      // Half a second. The last level makes 12% less of it, in half a minute, for which whoever builds the image waits.
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
}

/** @returns {Map<string, Uint8Array>} as they were packed */
export function readPackedPages() {
  const whole = brotliDecompressSync(readFileSync(PACKED_PAGES));
  const start = whole.indexOf('\n') + 1;
  /** @type {[name: string, length: number][]} */
  const index = JSON.parse(whole.toString('utf8', 0, start));
  let offset = start;
  return new Map(
    index.map(([name, length]) => {
      const content = whole.subarray(offset, (offset += length));
      return [name, content];
    }),
  );
}
