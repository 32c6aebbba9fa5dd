/**
 * Messages per second of the page's loop, against a loop written by hand, in the same page of a real browser and with
 * the same server. As both share all processes, each pair is a block of its own.
 */
import { withOwnServer } from '../cli/program/own-server.js';
import { launchBrowser } from '../test/support/browser.js';
import { JQUERY, loadSource } from '../test/support/source-in-page.js';
import { runBare, runOurs } from './page-loops.js';
import { measurePairs } from './pairs.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Comparison } from './pairs.js'
 */

/** A page that takes longer than this for one loop is closed, which ends the bench. */
const LOOP_LIMIT_MS = 30_000;
/** Until the browser has compiled both loops: some 10 of 50 AJAX messages. Never more than what is measured then. */
const WARM_UP_PAIRS = 12;

/** What the loops in the page import. */
const MODULES = [
  'core/net/echo/index.js',
  'core/experiment/run.js',
  'core/experiments/classic/measure.js',
  'core/base/statistics/summary.js',
  'public/js/ui/progress.js',
  JQUERY,
];

/** By transport: what it is compared with, on which page, and iterations enough for about 0.1 s. */
const LOOPS = {
  ajax: { name: "AJAX: the page's loop / bare jQuery", path: '/ajaxtest', iterations: 50 },
  xhr: { name: "XHR: the page's loop / bare XMLHttpRequest", path: '/ajaxtest', iterations: 50 },
  sockjs: { name: "SockJS: the page's loop / bare sockjs-client", path: '/socktest', iterations: 400 },
  websocket: { name: "WebSocket: the page's loop / bare WebSocket", path: '/socktest', iterations: 400 },
};

/** @type {Comparison[]} */
export const loopComparisons = Object.entries(LOOPS).map(([transportName, { name, path, iterations }]) => ({
  group: 'loop',
  name,
  unit: 'messages/s',
  limit: { atLeast: 0.95 },
  measure: (options) =>
    withPage(path, async (page) => {
      const loop = { source: await loadSource(page, MODULES), transportName, iterations };
      const ours = () => limited(page, page.evaluate(runOurs, loop));
      const baseline = () => limited(page, page.evaluate(runBare, loop));
      await measurePairs({ pairCount: Math.min(WARM_UP_PAIRS, options.pairCount), ours, baseline });
      const pairs = await measurePairs({ ...options, ours, baseline });
      return pairs.map((pair) => [pair]);
    }),
}));

/**
 * @template T
 * @param {string} path
 * @param {(page: Page) => Promise<T>} use
 */
function withPage(path, use) {
  return withOwnServer(async (origin) => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(origin + path);
      return await use(page);
    } finally {
      await browser.close();
    }
  });
}

/** @param {Page} page @param {Promise<number>} loop */
async function limited(page, loop) {
  const timer = setTimeout(() => page.close(), LOOP_LIMIT_MS);
  try {
    return await loop;
  } finally {
    clearTimeout(timer);
  }
}
