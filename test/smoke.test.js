import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { PAGES } from './support/page-uses.js';
import { describePages, openChromium } from './support/smoke.js';

describe('the list of pages', () => {
  it('has every view', () => {
    const views = readdirSync('views').filter((file) => file.endsWith('.ejs'));
    const used = Object.entries(PAGES).map(([name, { view = name }]) => `${view}.ejs`);
    assert.deepEqual(views, [...new Set(used)].sort());
  });
});

// What it shows when it was used, in a real run: test/browser/looks.test.js.
const asOpened = Object.entries(PAGES).map(([name, page]) => [name, { ...page, use: undefined }]);
describePages('Chrome', openChromium, Object.fromEntries(asOpened));
