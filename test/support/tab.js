/**
 * A tab on a classic page, driven as its visitor would, with an ear on its console.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openTab(browser, url, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);

  return {
    page,
    /** What the console complained of: must be nothing where nothing is broken on purpose. */
    complaints,
    /** @param {string} name of the button */
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    log: () => page.locator('#log').innerText(),
    /** The cells of the fine clock's table. */
    rows: () =>
      page
        .locator('#details-rows tr')
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent)))),
    /** Waits until so many runs have ended and another can be started. */
    async idleAfter(/** @type {number} */ runCount) {
      await page
        .locator('#details-rows tr')
        .nth(runCount - 1)
        .waitFor();
      await page.locator('#start-controls:enabled').waitFor();
    },
    close: () => context.close(),
  };
}
