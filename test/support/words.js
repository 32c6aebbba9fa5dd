/** @import { Page } from 'playwright-core' */

/** What a page of a test may show after its run, the navigation included. */
export const MAX_WORDS = 300;

/**
 * @param {Page} page
 * @returns {Promise<number>} the words that are shown, without what is folded or only read out, the figures of plots' axes
 *   and the warnings, as a busy machine has more of them
 */
export async function countWords(page) {
  const text = await page.locator('body').innerText();
  const others = await page
    .locator(':is(:is(.plot, .distance-axis, .scale):visible text, .again .unseen:visible, #trust:visible > summary)')
    .allTextContents();
  const count = (/** @type {string} */ some) => some.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return count(text) - count(others.join(' '));
}
