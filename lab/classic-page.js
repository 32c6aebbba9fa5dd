/**
 * The runs of a classic page, as its own link starts them and its own download tells them.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as waitMs } from 'node:timers/promises';
import { RunError } from '../cli/program/program.js';
import { abortable } from '../core/base/abortable.js';
import { fromDocument } from '../core/experiments/classic/export.js';

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { ClassicResult } from '../core/experiments/classic/export.js'
 */

/** Each look is a moment in which the page is not measuring; the page's own progress takes four a second. */
const LOOK_MS = 1000;

const LOAD_LIMIT_MS = 60_000;

/** The page ends its runs itself with the first message that takes longer. */
const MESSAGE_LIMIT_MS = 10_000;

/**
 * @param {object} options
 * @param {Browser} options.browser
 * @param {string} options.url of the page
 * @param {number[]} options.iterations of each run
 * @param {AbortSignal} options.signal
 * @returns {Promise<ClassicResult>}
 * @throws {RunError} where the page comes to no end
 */
export async function runClassicPage({ browser, url, iterations, signal }) {
  const context = await browser.newContext();
  try {
    context.setDefaultTimeout(LOAD_LIMIT_MS);
    const page = await context.newPage();
    const link = `${url}?iterations=${iterations.join(',')}&autostart=1`;
    return await abortable(signal, (resolve, reject) => {
      takeResult(page, { link, limitMs: limitOf(iterations) }).then(resolve, reject);
    });
  } finally {
    await context.close();
  }
}

/** @param {number[]} iterations */
function limitOf(iterations) {
  return iterations.reduce((sum, count) => sum + count * MESSAGE_LIMIT_MS, LOAD_LIMIT_MS);
}

/** @param {Page} page @param {{ link: string, limitMs: number }} options */
async function takeResult(page, { link, limitMs }) {
  await page.goto(link);
  const startedAtMs = performance.now();
  const button = page.getByRole('button', { name: 'Download JSON' });
  // It is there only when all runs have ended.
  while (!(await button.isVisible())) {
    if (performance.now() - startedAtMs > limitMs) throw new RunError(`${link}: expected an end within ${limitMs} ms`);
    await waitMs(LOOK_MS);
  }
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return fromDocument(JSON.parse(await readFile(await download.path(), 'utf8')));
}
