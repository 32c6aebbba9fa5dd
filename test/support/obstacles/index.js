/**
 * What stands between a visitor and a server, for tests of what names it: real proxies, on this machine alone.
 */
import { firstMessageOnly, textOnly } from './frames.js';
import { joinFiltered, joinPlainly, joinUntilReset, withHttpProxy } from './http-proxy.js';
import { BUFFERING, HTTP2, NO_UPGRADE, shortTimeout, withNginxObstacle } from './nginx.js';

/**
 * @typedef {{ origin: string, certificate?: Buffer, certificatePath?: string }} Path `certificate`: of one over TLS, which
 *   nobody else vouches for
 * @typedef {(serverPort: number, use: (path: Path) => Promise<unknown>, options: { cutMs: number }) => Promise<unknown>} Stand
 */

/** Between the answer 101 and the reset. */
export const RESET_MS = 300;
const CUT_MS = 1000;

/** @satisfies {Record<string, Stand>} */
const OBSTACLES = {
  /** For comparison. */
  none: (port, use) => withHttpProxy(port, joinPlainly, use),
  /** nginx without the Upgrade headers: a server sees a plain GET. */
  'no-upgrade': (port, use) => withNginxObstacle(port, NO_UPGRADE, use),
  /** nginx with proxy_buffering, whatever the server asks for: a stream arrives in batches, or at its end. */
  buffering: (port, use) => withNginxObstacle(port, BUFFERING, use),
  /** nginx with a short proxy_read_timeout: what is silent for `cutMs` is cut. */
  'idle-cut': (port, use, { cutMs }) => withNginxObstacle(port, shortTimeout(cutMs), use),
  /** The answer is 101, and soon after comes a reset. */
  reset: (port, use) => withHttpProxy(port, joinUntilReset(RESET_MS), use),
  /** Messages of text pass, binary ones do not. */
  'no-binary': (port, use) => withHttpProxy(port, joinFiltered(textOnly, { passesEnds: true }), use),
  /** The first message of each end passes, then nothing, not even that the other has gone. */
  swallow: (port, use) => withHttpProxy(port, joinFiltered(firstMessageOnly, { passesEnds: false }), use),
  /** nginx with TLS and HTTP/2, over which it takes no WebSocket: clients open a connection with HTTP/1.1 for it. */
  http2: (port, use) => withNginxObstacle(port, HTTP2, use),
};

/** @typedef {keyof typeof OBSTACLES} ObstacleName */

export const OBSTACLE_NAMES = /** @type {ObstacleName[]} */ (Object.keys(OBSTACLES));

/**
 * @param {ObstacleName} name
 * @param {number} serverPort of a server on this machine
 * @param {(path: Path) => Promise<unknown>} use
 * @param {{ cutMs?: number }} [options]
 */
export async function withObstacle(name, serverPort, use, { cutMs = CUT_MS } = {}) {
  await OBSTACLES[name](serverPort, use, { cutMs });
}
