import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findChromium, findShipped } from '../../cli/program/chromium.js';
import { launchBrowser } from '../support/browser.js';
import { assertComplaint } from '../support/complaint.js';

describe('the browser that tests use', () => {
  it('is the one that CHROMIUM names, and a wrong name is said', async () => {
    assert.equal(await findChromium({ CHROMIUM: process.execPath }), process.execPath);
    await assert.rejects(findChromium({ CHROMIUM: '/nowhere' }), (error) => {
      assertComplaint(error, 'CHROMIUM', '“/nowhere”');
      return true;
    });
  });

  it('can be the one that comes with the dev dependencies', async () => {
    const executablePath = await findShipped();
    if (process.platform !== 'linux' || process.arch !== 'x64') {
      assert.equal(executablePath, undefined);
      return;
    }
    const browser = await launchBrowser({ executablePath });
    try {
      const page = await browser.newPage();
      assert.equal(await page.evaluate(() => 6 * 7), 42);
    } finally {
      await browser.close();
    }
  });
});
