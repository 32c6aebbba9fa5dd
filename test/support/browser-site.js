/**
 * The site in a browser, for the tests of a file: those of its worker (shared-site.js), else its own.
 */
import { after, before } from 'node:test';
import { launchBrowser } from './browser.js';
import { openDoor } from './door.js';
import { openReusedTab, openTab } from './tab.js';

/**
 * @import { Browser, BrowserContextOptions } from 'playwright-core'
 */

/**
 * @typedef {Awaited<ReturnType<typeof openTab>>} Tab
 * @typedef {Awaited<ReturnType<typeof openDoor>>} Door
 *
 * @typedef {object} Visit
 * @property {string} [origin] of another server
 * @property {BrowserContextOptions} [context] for a tab of its own, in which nothing is cached
 */

/**
 * Loads the server only where a file starts one: loading takes more than half a second.
 *
 * @type {typeof import('./server.js').openServer}
 */
const openServer = async (options) => (await import('./server.js')).openServer(options);

/** To be called where `before` and `after` may be; what it gives is there from the first test on. */
export function useBrowserSite() {
  /** @type {Browser} */
  let browser;
  /** @type {{ origin: string, close?: () => Promise<void> }} */
  let server;
  /** @type {Awaited<ReturnType<typeof openReusedTab>>} */
  let reused;
  before(async () => {
    const shared = process.env.TEST_SITE;
    [browser, server] = await Promise.all([launchBrowser(), shared ? { origin: shared } : openServer()]);
    reused = await openReusedTab(browser);
  });
  after(async () => {
    await browser?.close();
    await server?.close?.();
  });

  /** @param {string} path @param {Visit} [visit] */
  const open = (path, { origin = server.origin, context } = {}) => {
    const isOrdinary = origin === server.origin && !context;
    return isOrdinary ? reused.visit(origin + path) : openTab(browser, origin + path, context);
  };

  return {
    get origin() {
      return server.origin;
    },
    /**
     * A tab that has loaded a page; the same one for all that ask for nothing else, so it is the test's until the next.
     *
     * @type {(path: string, visit?: Visit) => Promise<Tab>}
     */
    openTab: open,
    /**
     * @param {string} path
     * @param {(tab: Tab) => Promise<unknown>} use
     * @param {Visit} [visit]
     */
    async withTab(path, use, visit) {
      const tab = await open(path, visit);
      try {
        await use(tab);
      } finally {
        await tab.close();
      }
    },
    /**
     * A door to the site.
     *
     * @param {(door: Door) => Promise<unknown>} use
     * @param {Parameters<typeof openDoor>[1]} [options]
     */
    async withDoor(use, options) {
      const door = await openDoor(server.origin, options);
      try {
        await use(door);
      } finally {
        await door.shut();
      }
    },
  };
}
