/** What the files of a page weigh by gzip, which browsers ask for without TLS. Distance suites hold the same with all heads, and in round trips. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadAssets } from '../../server/assets.js';

const KIB = 1024;
/** Of the 200 KiB that a page may have; the rest is for its HTML and the heads of its answers. */
const LIMIT_KIB = 190;
const SHARED = ['css/site.css', 'js/opening.js'];
/** What some pages have beside them. @type {readonly { pages: RegExp, stylesheet: string }[]} */
const OWN = [
  { pages: /^(compare-|study)/, stylesheet: 'css/matrix.css' },
  { pages: /^moving\./, stylesheet: 'css/documents.css' },
  { pages: /^results\./, stylesheet: 'css/results.css' },
  { pages: /^result-/, stylesheet: 'css/shared-run.css' },
  { pages: /^your-page\./, stylesheet: 'css/your-page.css' },
];

describe('a page', () => {
  it(`has a script that weighs at most ${LIMIT_KIB} KiB with the stylesheet`, async () => {
    const assets = await loadAssets();
    const kibOf = (/** @type {string} */ name) => Number(assets.find(name)?.gzip?.length) / KIB;
    const weights = readdirSync('public/js/pages').map((file) => {
      const own = OWN.filter(({ pages }) => pages.test(file)).map(({ stylesheet }) => stylesheet);
      const kib = [`js/${file}`, ...SHARED, ...own].reduce((sum, name) => sum + kibOf(name), 0);
      return { file, kib: kib.toFixed(1), isLight: kib <= LIMIT_KIB };
    });
    assert.ok(weights.length > 30);
    assert.deepEqual(
      weights.filter(({ isLight }) => !isLight),
      [],
    );
  });
});
