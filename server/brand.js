/** The files by which others show the site, made of its logo and of the example: icons, a manifest, and the picture of its links. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { node, toMarkup } from '../core/picture/svg.js';
import { LOGO, LOGO_PX } from '../core/picture/logo.js';
import { drawRun } from '../core/experiment/report/draw-run.js';
import { fullTest } from '../core/full-test/all.js';
import { toPng } from './rasterize.js';

const ROOT = path.join(import.meta.dirname, '..');
const EXAMPLE = 'views/example-run.json';
const MANIFEST_SIZES = [192, 512];
/** Below the assets' prefix, so that links in it lead there. */
const MANIFEST = Object.freeze({
  name: 'SockShootout',
  icons: MANIFEST_SIZES.map((size) => ({ src: `icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' })),
  start_url: '../../../',
  display: 'browser',
});

/** @returns {Map<string, Uint8Array>} the files' contents by name */
export function makeBrand() {
  const size = `0 0 ${LOGO_PX} ${LOGO_PX}`;
  const icon = toMarkup(node('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: size }, ...LOGO));
  const { document } = JSON.parse(readFileSync(path.join(ROOT, EXAMPLE), 'utf8'));
  return new Map([
    ['img/home.png', toPng(drawRun(fullTest, document, { place: 'Example' }))],
    ['img/icon.svg', Buffer.from(icon)],
    ['img/favicon.ico', toIco(toPng(icon, { width: 32 }))],
    ['img/apple-touch-icon.png', toPng(icon, { width: 180 })],
    ...MANIFEST_SIZES.map((width) => /** @type {const} */ ([`img/icon-${width}.png`, toPng(icon, { width })])),
    ['img/manifest.webmanifest', Buffer.from(JSON.stringify(MANIFEST))],
  ]);
}

/**
 * Puts a picture of 32 x 32 px into an icon file. https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
 * @param {Buffer} png @returns {Buffer}
 */
function toIco(png) {
  const head = Buffer.alloc(22);
  // An icon, of one picture.
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(32, 6);
  head.writeUInt8(32, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
