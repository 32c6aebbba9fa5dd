/** @import { Page } from 'playwright-core' */

/** What a page of a test may show after its run, the navigation included. */
export const MAX_WORDS = 300;

/**
 * @param {Page} page
 * @returns {Promise<number>} the words that are shown, without what is folded
 */
export async function countWords(page) {
  const text = await page.locator('body').innerText();
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
