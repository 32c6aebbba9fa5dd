/** Measures in Chromium on a slower device: its developer tools let a page have only a share of its time. */
import { measureOnPage } from '../cli/run/measure.js';
import { shootout } from '../core/experiments/shootout/index.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Result } from '../core/experiments/shootout/index.js'
 */

/**
 * Makes an echo run on the site's page.
 * @param {Browser} browser @param {{ baseUrl: string, plan: any, slowness: number }} run `slowness`: how many times slower the page is
 * @returns {Promise<Result>}
 */
export function measureThrottled(browser, { slowness, ...run }) {
  const newPage = async () => {
    const page = await browser.newPage();
    const tools = await page.context().newCDPSession(page);
    await tools.send('Emulation.setCPUThrottlingRate', { rate: slowness });
    return page;
  };
  return measureOnPage({ newPage }, shootout, run);
}
