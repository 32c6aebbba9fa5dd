/**
 * `npm run prepack`, by which `npm pack` begins: bundles the pages for the package. Source maps stay out, as they are five
 * times the rest.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundle } from '../server/bundle.js';
import { PACKED_PAGES, packPages } from '../server/assets.js';

const packed = packPages(await bundle({ hasMaps: false }));
await mkdir(path.dirname(PACKED_PAGES), { recursive: true });
await writeFile(PACKED_PAGES, packed);
process.stdout.write(`Packed the pages: ${packed.length} bytes\n`);
