/**
 * Two tabs of one browser that are to measure at the same time: in a real Chromium, against a real server.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useBrowserSite } from '../support/browser-site.js';
import { SHORTEST } from '../support/home.js';
import { downloadRun } from '../support/download.js';

/** @import { Page } from 'playwright-core' */

const WAITING = 'Another tab of this browser is measuring. Waiting…';
// Lasts for minutes and leaves the machine idle, so that a slow second tab still finds it measuring.
const LONG = '/fixedrate?transports=ajax&rate=10&messages=2000&blocks=3&autostart=1';
const SHORT = `/${SHORTEST}&autostart=1`;
const RUN_LIMIT_MS = 30_000;

const site = useBrowserSite();

const withoutLocks = () => Reflect.deleteProperty(Navigator.prototype, 'locks');

/** Waits for words of its progress. @param {Page} page @param {string | RegExp} hasText */
const saying = (page, hasText) =>
  page.locator('#progress-text', { hasText }).waitFor({ state: 'attached', timeout: RUN_LIMIT_MS });

/** @param {Page} page */
const answered = (page) => page.locator('#verdict-headline:not(:empty)').waitFor({ timeout: RUN_LIMIT_MS });

/** Stops in the page itself: a pointer may come late. @param {Page} page */
const stop = (page) => page.locator('#cancel').evaluate((/** @type {HTMLElement} */ button) => button.click());

/** @param {Page} page @returns {Promise<any>} the document that it offers */
async function download(page) {
  return JSON.parse(await downloadRun(page));
}

/**
 * Opens a tab that measures for long, and a second one that is to measure.
 *
 * @param {(tabs: { first: Page, second: Page }) => Promise<unknown>} use
 * @param {() => void} [init] runs in each page before its own scripts
 */
const withTwoTabs = (use, init) =>
  site.withTab(
    'about:blank',
    async ({ page: first }) => {
      if (init) await first.context().addInitScript(init);
      await first.goto(site.origin + LONG);
      await saying(first, /\d+ of 2000/);
      const second = await first.context().newPage();
      await second.goto(site.origin + SHORT);
      await use({ first, second });
    },
    { context: {}, origin: '' },
  );

describe('a second tab that is to measure', () => {
  it('waits until the first one has ended, and then measures', () =>
    withTwoTabs(async ({ first, second }) => {
      await saying(second, WAITING);
      await stop(first);
      await answered(second);
      for (const page of [first, second]) assert.equal((await download(page)).environment.hasOtherTab, undefined);
    }));

  it('measures once the first one is closed', () =>
    withTwoTabs(async ({ first, second }) => {
      await saying(second, WAITING);
      await first.close();
      await answered(second);
    }));

  it('need not wait after Stop, and can wait again', () =>
    withTwoTabs(async ({ first, second }) => {
      await saying(second, WAITING);
      await stop(second);
      await second.locator('#start:enabled').waitFor();
      await second.getByRole('button', { name: /^Measure/ }).click();
      await saying(second, WAITING);
      await stop(first);
      await answered(second);
    }));

  it('measures at once where there are no locks, and both runs say so', () =>
    withTwoTabs(async ({ first, second }) => {
      await answered(second);
      assert.equal((await download(second)).environment.hasOtherTab, true);
      assert.match(String(await second.locator('#trust-facts dt:text-is("Other tabs") + dd').textContent()), /^⚠ /);
      await stop(first);
      await saying(first, 'Ended early');
      assert.equal((await download(first)).environment.hasOtherTab, true);
    }, withoutLocks));
});
