/**
 * One server: the echo endpoints on node:http itself, behind the gate, and Express for everything else. SockJS answers
 * beneath Express, so AJAX must, too, or the site would measure Express.
 */
import { createServer } from 'node:http';
import { answerError } from './answer.js';
import { loadAssets } from './assets.js';
import { createEcho } from './echo.js';
import { createAjaxecho } from './endpoints/ajaxecho.js';
import { createSockjs } from './endpoints/sockjs.js';
import { createWs } from './endpoints/ws.js';
import { createXhr } from './endpoints/xhr.js';
import { createGate } from './gate.js';
import { LIMITS } from './limits.js';
import { createSite } from './site.js';
import { pathOf } from './url.js';

const SWEEP_MS = 100;

/**
 * @typedef {object} App
 * @property {import('node:http').Server} server not listening yet
 * @property {() => Promise<void>} drain stops taking in, tells every session (1001), lets answers finish, ends what is
 *   left after the limit
 */

/**
 * @param {object} options
 * @param {import('./config.js').Config} options.config
 * @param {import('pino').Logger} options.log
 * @param {Partial<import('./limits.js').Limits>} [options.limits] others than the usual ones
 * @returns {Promise<App>}
 */
export async function createApp({ config, log, limits: otherLimits }) {
  const limits = { ...LIMITS, ...otherLimits };
  const { allowedOrigins } = config;
  const assets = await loadAssets();
  const gate = createGate({ allowedOrigins, limits });
  const echo = createEcho({ step: 1, server: config.server });
  const countDown = createEcho({ step: -1, server: config.server });
  const ws = createWs({ countDown, gate, limits });
  const sockjs = createSockjs({ echo, gate, limits, allowedOrigins, sockjsUrl: assets.url('vendor/sockjs.js'), log });
  const site = createSite({ config, assets, log });

  /** @type {Map<string, import('./gate.js').Endpoint>} */
  const endpoints = new Map([
    ['/ajaxecho', createAjaxecho({ echo })],
    ['/xhr', createXhr({ countDown })],
    ['/ws', ws],
  ]);
  /** @param {import('node:http').IncomingMessage} req */
  const endpointOf = (req) => {
    const path = pathOf(req);
    return endpoints.get(path) ?? sockjs.endpointAt(path);
  };

  const server = createServer({
    noDelay: true,
    keepAliveTimeout: limits.keepAliveMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.timeoutLookMs,
  });
  server.maxConnections = limits.connectionCount;
  let draining = false;

  server.on('request', (req, res) => {
    if (draining) res.setHeader('Connection', 'close');
    const endpoint = endpointOf(req);
    if (!endpoint) {
      site(req, res);
      return;
    }
    try {
      gate.admit(req, res, endpoint);
    } catch (error) {
      log.error({ err: error, path: pathOf(req) }, 'endpoint failed');
      if (res.headersSent) res.destroy();
      else answerError(res, 500, 'internal', 'The fault is ours; it has been logged');
    }
  });
  server.on('upgrade', (req, socket, head) => gate.admitUpgrade(req, socket, head, endpointOf(req)));

  return {
    server,
    async drain() {
      draining = true;
      gate.drain();
      const closed = new Promise((resolve) => server.close(resolve));
      // A connection whose answer ends from now on stays open for the next request, which is not to come.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      sockjs.closeAll(1001, 'Server is going away');
      ws.closeAll(1001, 'Server is going away');
      await settledWithin(closed, limits.drainMs);
      clearInterval(sweep);
      server.closeAllConnections();
    },
  };
}

/**
 * @param {Promise<unknown>} promise
 * @param {number} limitMs
 */
async function settledWithin(promise, limitMs) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([promise, limit]);
  clearTimeout(timer);
}
