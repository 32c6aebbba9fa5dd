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

// Its run takes as long as those of all others: test/browser/reach.test.js and test/engines have it.
describePages('Chrome', openChromium, { ...PAGES, reach: { ...PAGES.reach, use: undefined } });

// What a site below a path has otherwise than at the root: its pages' links, requests and sockets.
const { home, polltest, socktest, result, compare, 'study-form': form, error } = PAGES;
describePages('Chrome', openChromium, { home, polltest, socktest, result, compare, form, error }, '/shootout');
