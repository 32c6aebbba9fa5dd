/**
 * @import { Browser, BrowserContextOptions, Page } from 'playwright-core'
 * @import { Driven } from './page-uses.js'
 */

/**
 * A tab in a context of its own: nothing cached, no connection open.
 *
 * @param {Browser} browser
 * @param {string} url
 * @param {BrowserContextOptions} [options]
 */
export async function openTab(browser, url, options) {
  const context = await browser.newContext(options);
  const tab = drive(await context.newPage());
  await tab.page.goto(url);
  return { ...tab, close: () => context.close() };
}

/** @param {Page} page @returns {Driven} */
export function driven(page) {
  const first = (/** @type {string} */ selector) => page.locator(selector).filter({ visible: true }).first();
  return {
    open: (url) => page.goto(url),
    evaluate: (script) => page.evaluate(script),
    click: (selector) => first(selector).click(),
    fill: (selector, text) => first(selector).fill(text),
    waitFor: (selector) => first(selector).waitFor(),
  };
}

/** What a test may listen to in a tab; Playwright itself listens to more. */
const EVENTS = /** @type {const} */ (['console', 'pageerror', 'request', 'websocket']);

/**
 * One tab for a file's tests, one after the other: a page that is loaded once more takes a quarter of what the first one
 * in a new tab does. Each visit ends what the one before has left running, and takes away its routes and listeners; what
 * the browser keeps is what stays: cached files, connections.
 *
 * @param {Browser} browser
 * @param {BrowserContextOptions} [options]
 */
export async function openReusedTab(browser, options) {
  const page = await browser.newPage(options);
  return {
    /**
     * @param {string} url
     * @returns {Promise<Awaited<ReturnType<typeof openTab>>>}
     */
    async visit(url) {
      for (const name of EVENTS) page.removeAllListeners(name);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      const tab = drive(page);
      await page.goto(url);
      return { ...tab, close: async () => {} };
    },
  };
}

/** A button that measures goes on with the time that it takes. @param {string} name */
const nameOf = (name) => new RegExp(`^${name.replace(/[^\w ]/g, '\\$&')}(, .*)?$`);

/**
 * A page driven as its visitor would, with an ear on its console.
 *
 * @param {Page} page
 */
function drive(page) {
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));

  return {
    page,
    /** What the console complained of: must be nothing where nothing is broken on purpose. */
    complaints,
    /** @param {string} name of the button */
    press: (name) => page.getByRole('button', { name: nameOf(name) }).click(),
    /** Opens what the page folds. @param {string} selector of one or more */
    unfold: (selector) =>
      page.locator(selector).evaluateAll((all) => all.forEach((one) => one.setAttribute('open', ''))),
    /** Stop, in the page itself: a pointer would come late, as the driver hears of each request before. */
    stop: () => page.locator('#cancel').evaluate((/** @type {HTMLElement} */ button) => button.click()),
    log: () => page.locator('#log').innerText(),
    /** The cells of the fine clock's table. */
    rows: () =>
      page
        .locator('#details-rows tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent)))),
    /** Waits until so many runs have ended and another can be started. */
    async idleAfter(/** @type {number} */ runCount) {
      await page
        .locator('#details-rows tbody tr')
        .nth(runCount - 1)
        // Folded.
        .waitFor({ state: 'attached' });
      await page.locator('#start-controls:enabled').waitFor();
    },
  };
}
