import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** @import { Page } from 'playwright-core' */

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * @param {Page} page
 * @param {string[]} [rules] absent: all
 * @returns {Promise<string[]>} what keeps some people from using it: the rule, and where it is broken
 */
export async function findViolations(page, rules) {
  // The page's policy lets no inline script in; the debugger may run one all the same.
  await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run(runOnly ? { runOnly } : {});
    return violations.map(
      (/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => node.html).join(' | ')}`,
    );
  }, rules);
}
