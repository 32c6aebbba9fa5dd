/** Makes PNG files of pictures, with fonts of its own: they look alike on every machine. */
import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';

const { resolve } = createRequire(import.meta.url);
const FONT_FILES = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => resolve(`dejavu-fonts-ttf/ttf/${name}`));
/** Matches what those fonts lack, such as Chinese. Finding the machine's own takes time. */
const OTHER_LETTERS = /[\u0900-\u0DFF\u0F00-\u109F\u1200-\u137F\u2E80-\uD7FF\uF900-\uFAFF]|[\u{10000}-\u{10FFFF}]/u;

/**
 * Takes some tens of milliseconds of CPU time.
 * @param {string} svg @param {{ width?: number }} [options] `width`: px, if not that of the picture @returns {Buffer} a PNG file
 */
export function toPng(svg, { width } = {}) {
  const font = { fontFiles: FONT_FILES, loadSystemFonts: OTHER_LETTERS.test(svg), defaultFontFamily: 'DejaVu Sans' };
  const fitTo = width === undefined ? undefined : { mode: /** @type {const} */ ('width'), value: width };
  return new Resvg(svg, { font, fitTo }).render().asPng();
}
