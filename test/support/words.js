/** @import { Page } from 'playwright-core' */

/** What a page of a test may show after its run, the navigation included. */
export const MAX_WORDS = 300;

/**
 * @param {Page} page
 * @returns {Promise<number>} the words that are shown, without what is folded or only read out, and without the figures of plots' axes
 */
export async function countWords(page) {
  const text = await page.locator('body').innerText();
  const inPlots = await page
    .locator(':is(:is(.plot, .distance-axis, .scale):visible text, .again .unseen:visible)')
    .allTextContents();
  const count = (/** @type {string} */ some) => some.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return count(text) - count(inPlots.join(' '));
}
