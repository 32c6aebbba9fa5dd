/**
 * Messages per second of the page's loop, against a loop written by hand, in the same page of a real browser and with
 * the same server. As both share all processes, each pair is a block of its own.
 */
import { launchBrowser } from '../test/support/browser.js';
import { JQUERY, loadSource } from '../test/support/source-in-page.js';
import { runBareAjax, runBareSocket, runBareXhr, runOurs } from './page-loops.js';
import { measurePairs } from './pairs.js';
import { startServer } from './server-process.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Comparison } from './comparison.js'
 * @import { Block } from './pairs.js'
 */

/** A page that takes longer than this for one loop is closed, which ends the bench. */
const LOOP_LIMIT_MS = 30_000;
/** Until the browser has compiled both loops: some 10 of 50 AJAX messages. */
const WARM_UP_PAIRS = 12;

/** What the loops in the page import. */
const MODULES = [
  'core/net/echo/index.js',
  'core/experiment/run.js',
  'core/experiments/classic/measure.js',
  'core/base/statistics/summary.js',
  'public/js/ui/run/progress-bar.js',
  JQUERY,
];

const COMMON = { group: 'loop', unit: 'messages/s', limit: { atLeast: 0.95 } };

/** @type {Comparison[]} */
export const loopComparisons = [
  {
    ...COMMON,
    name: "AJAX: the page's loop / bare jQuery",
    measure: (options) =>
      measureLoops({ path: '/ajaxtest', transportName: 'ajax', bare: runBareAjax, iterations: 50, ...options }),
  },
  {
    ...COMMON,
    name: "XHR: the page's loop / bare XMLHttpRequest",
    measure: (options) =>
      measureLoops({ path: '/ajaxtest', transportName: 'xhr', bare: runBareXhr, iterations: 50, ...options }),
  },
  {
    ...COMMON,
    name: "SockJS: the page's loop / bare sockjs-client",
    measure: (options) =>
      measureLoops({ path: '/socktest', transportName: 'sockjs', bare: runBareSocket, iterations: 400, ...options }),
  },
  {
    ...COMMON,
    name: "WebSocket: the page's loop / bare WebSocket",
    measure: (options) =>
      measureLoops({
        path: '/socktest',
        transportName: 'websocket',
        bare: runBareSocket,
        iterations: 400,
        ...options,
      }),
  },
];

/**
 * @param {object} options
 * @param {string} options.path of the page
 * @param {string} options.transportName
 * @param {(options: { source: string, transportName: string, iterations: number }) => Promise<number>} options.bare
 * @param {number} options.iterations of one loop: about 0.1 s
 * @param {number} options.pairCount
 * @param {() => void} options.onPair
 * @returns {Promise<Block[]>}
 */
async function measureLoops({ path, transportName, bare, iterations, pairCount, onPair }) {
  const server = await startServer('ours');
  try {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.port}${path}`);
      const options = { source: await loadSource(page, MODULES), transportName, iterations };
      const ours = () => limited(page, page.evaluate(runOurs, options));
      const baseline = () => limited(page, page.evaluate(bare, options));
      await measurePairs({ pairCount: WARM_UP_PAIRS, ours, baseline });
      const pairs = await measurePairs({ pairCount, ours, baseline, onPair });
      return pairs.map((pair) => [pair]);
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

/**
 * @param {Page} page
 * @param {Promise<number>} loop
 */
async function limited(page, loop) {
  const timer = setTimeout(() => page.close(), LOOP_LIMIT_MS);
  try {
    return await loop;
  } finally {
    clearTimeout(timer);
  }
}
