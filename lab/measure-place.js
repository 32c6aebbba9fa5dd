/**
 * Both classic pages over one link: a table of the 2012 post.
 */
import { formatClassic } from '../core/experiments/classic/measure.js';
import { runClassicPage } from './classic-page.js';
import { withFarSite } from './far-site.js';

/**
 * @import { ClassicResult } from '../core/experiments/classic/index.js'
 * @import { Conditions, Link, Ping } from './link.js'
 */

const PAGES = /** @type {const} */ ([
  { transport: 'ajax', path: '/ajaxtest' },
  { transport: 'sockjs', path: '/socktest' },
]);
const PING_COUNT = 10;

/**
 * @typedef {object} Place
 * @property {Conditions} conditions as they were asked for
 * @property {Link['kind']} kind of the link
 * @property {Ping & { count: number }} ping measured before the runs
 * @property {string} browserVersion
 * @property {Record<'ajax' | 'sockjs', ClassicResult>} pages
 */

/**
 * @param {Conditions} conditions
 * @param {object} options
 * @param {number[]} options.iterations
 * @param {AbortSignal} options.signal ends it early; everything is taken down all the same
 * @param {(words: string) => void} options.say tells how far it is
 * @returns {Promise<Place>}
 */
export function measurePlace(conditions, { iterations, signal, say }) {
  signal.throwIfAborted();
  return withFarSite(conditions, async ({ link, browser, origin }) => {
    signal.throwIfAborted();
    const ping = { count: PING_COUNT, ...(await link.ping({ count: PING_COUNT })) };
    const pages = /** @type {Place['pages']} */ ({});
    for (const { transport, path } of PAGES) {
      signal.throwIfAborted();
      const least = formatLeast(conditions, iterations);
      say(`${conditions.rttMs} ms: ${path} with ${iterations.join(', ')} iterations${least}`);
      pages[transport] = await runClassicPage({ browser, url: origin + path, iterations, signal });
      for (const run of pages[transport].runs) say(`  ${formatClassic(run)}`);
    }
    return { conditions, kind: link.kind, ping, browserVersion: browser.version(), pages };
  });
}

/** @param {Conditions} conditions @param {number[]} iterations */
function formatLeast({ rttMs, jitterMs = 0 }, iterations) {
  const messageCount = iterations.reduce((sum, count) => sum + count, 0);
  const seconds = Math.round((messageCount * (rttMs - jitterMs)) / 1000);
  return seconds > 0 ? `, at least ${seconds} s` : '';
}
