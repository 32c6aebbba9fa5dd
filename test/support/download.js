/** A run as its visitor can take it along. */
import { readFile } from 'node:fs/promises';

/** @import { Page } from 'playwright-core' */

/**
 * Waits until the run has ended, as there is nothing to export before.
 *
 * @param {Page} page
 * @param {{ timeout?: number }} [options]
 * @returns {Promise<string>} JSON
 */
export async function downloadRun(page, options) {
  const exports = page.locator('#exports');
  await exports.waitFor(options);
  if ((await exports.getAttribute('open')) === null) await exports.locator('> summary').click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  return readFile(await file.path(), 'utf8');
}
