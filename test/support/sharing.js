/**
 * Drives pages as visitors do who share runs and look at shared ones.
 */
import { useBrowserSite } from './browser-site.js';
import { createShootout, postSubmission } from './submissions.js';

/**
 * @import { BrowserContextOptions } from 'playwright-core'
 * @import { Tab } from './browser-site.js'
 * @typedef {ReturnType<typeof drive>} Visitor
 */

export const RUN = '/?transports=ajax,sockjs&blocks=6&iterations=5&warmup=0&seed=1&autostart=1';
/** This run takes the least time before it can be shared. */
export const SHORTEST = '/countdown?iterations=1&kind=websocket&autostart=1';
/** This text must not become HTML. */
export const EVIL = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';
export const PERMALINK = /^https?:\/\/[^/]+\/results\/[\w-]{16}(\?rtt=\d+)?$/;
/** This context is a tab's own: its list of runs is empty, and nothing is cached. */
export const FRESH = {};
/** This context may copy, and read what was copied. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const RUN_LIMIT_MS = 60_000;

/** @param {Tab} tab */
export function drive(tab) {
  const { page } = tab;
  page.setDefaultTimeout(RUN_LIMIT_MS);
  /** @param {string} selector */
  const text = (selector) => page.locator(selector).innerText();
  /** @param {string} label */
  const field = (label) => page.locator('#save-words').getByLabel(label, { exact: true });
  const openShare = async () => {
    if (!(await page.locator('#share[open]').isVisible())) await page.locator('#save-button').click();
  };
  /** Opens where label, place and note are: the popover of a run that can be shared, or the form of a shared one. */
  const openWords = async () => {
    const form = page.locator('#describe-words');
    if ((await form.count()) > 0) await form.evaluate((fold) => fold.setAttribute('open', ''));
    else await openShare();
  };
  const save = async () => {
    await openShare();
    await tab.press('Share and copy link');
  };
  /** Reads a text, folded or not. @param {string} selector */
  const content = async (selector) => String(await page.locator(selector).textContent());
  return {
    ...tab,
    text,
    field,
    openShare,
    openWords,
    content,
    /** Waits for a run's end. */
    async offered() {
      await page.locator('#save').waitFor();
      await page.locator('#start-controls:enabled').waitFor({ state: 'attached' });
    },
    save,
    /** Saves what is offered. @returns {Promise<{ permalink: string, deleteLink: string }>} */
    async saved() {
      await save();
      await page.locator('#save-done').waitFor();
      const deleteLink = await page.locator('#save-delete-links a').evaluate((link) => /** @type {any} */ (link).href);
      return { permalink: await text('#save-permalink'), deleteLink };
    },
    /** Reads all that is shown of a shootout. */
    shown: async () => ({
      headline: await text('#verdict-headline'),
      detail: await text('#verdict-detail'),
      measured: await text('#measured'),
      bars: await text('#candidates'),
      rows: await content('#rows'),
      breakdown: await content('#breakdown-table'),
      setUps: await content('#set-ups'),
      trust: await content('#trust-facts'),
      charts: await page.locator('#result figure [role=img]').evaluateAll((all) => all.map((one) => one.ariaLabel)),
    }),
    history: () => page.locator('#history-runs li').allInnerTexts(),
  };
}

/**
 * Fetches a saved run as the server has it.
 *
 * @param {string} permalink
 */
export const runAt = async (permalink) =>
  (await fetch(permalink.replace('/results/', '/api/results/').replace(/\?.*/, ''))).json();

/** Opens the site for the tests of a file: to be called where `before` and `after` may be. */
export function useSharing() {
  const site = useBrowserSite();
  return {
    site,
    /**
     * @param {string} path
     * @param {(visitor: Visitor) => Promise<unknown>} use
     * @param {BrowserContextOptions} [context]
     */
    withTab: (path, use, context = FRESH) => site.withTab(path, (tab) => use(drive(tab)), { context }),
    /** Saves a run that was never measured. @param {object} [words] */
    post: async (words = {}) => (await postSubmission(site.origin, { document: createShootout(), ...words })).answer,
    /** @param {string} url */
    pathOf: (url) => url.replace(site.origin, ''),
  };
}
