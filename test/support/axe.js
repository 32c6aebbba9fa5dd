import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that look at styles, which each engine and each scheme computes anew. */
export const COLOR_RULES = Object.freeze(['color-contrast', 'link-in-text-block']);

/** @typedef {{ evaluate: (script: string) => Promise<any> }} Scripted a page that runs an expression */

/**
 * @param {Scripted} page
 * @param {{ only?: readonly string[], except?: readonly string[] }} [rules] absent: all
 * @returns {Promise<string[]>} what keeps some people from using it: the rule, and where it is broken
 */
export async function findViolations(page, rules = {}) {
  // The page's policy lets no inline script in; the debugger may run one all the same. It stays as long as the document.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(`void (() => {${AXE}\n})()`);
  return page.evaluate(`(${runAxe})(${JSON.stringify(rules)})`);
}

/** Runs in the page. @param {{ only?: string[], except?: string[] }} rules */
async function runAxe({ only, except = [] }) {
  // What fades in would be hard to read on the way.
  for (const animation of globalThis.document.getAnimations()) animation.cancel();
  // Of what is right it would look for a selector of each element.
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const options = { resultTypes: ['violations'], rules, ...(only && { runOnly: only }) };
  const { violations } = await /** @type {any} */ (globalThis).axe.run(options);
  return violations.map(
    (/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => node.html).join(' | ')}`,
  );
}

/**
 * @param {Scripted} page
 * @returns {Promise<number>} by how many px it is wider than the screen; at most 0 where it is not
 */
export function overflowOf(page) {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
