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
import { createSse } from './endpoints/sse.js';
import { createWs } from './endpoints/ws.js';
import { createXhr } from './endpoints/xhr.js';
import { closeGently } from './close-gently.js';
import { createGate } from './gate.js';
import { LIMITS } from './limits.js';
import { createMetrics } from './metrics.js';
import { createArchive } from './saved-runs/archive.js';
import { createDocumentThread } from './saved-runs/document-thread.js';
import { createSite } from './site.js';
import { pathOf } from './url.js';

/**
 * @typedef {object} App
 * @property {import('node:http').Server} server at the port that all workers share; not listening yet
 * @property {import('node:http').Server | undefined} ownServer at this worker's own port; absent where it is the only one
 * @property {() => Promise<void>} drain stops taking in, tells every session (1001), lets answers finish, ends what is
 *   left after the limit
 */

/** @typedef {(answer: () => void) => void} PutOff calls it, now or later */

/**
 * @param {object} options
 * @param {import('./config.js').Config} options.config
 * @param {import('pino').Logger} options.log
 * @param {import('./store/index.js').Store} options.store opened and migrated; whoever opened it closes it after the drain
 * @param {Partial<import('./limits.js').Limits>} [options.limits] others than the usual ones
 * @param {PutOff} [options.putOff] puts off the answers of `/ajaxecho` and SockJS; for tests with a known truth
 * @returns {Promise<App>}
 */
export async function createApp({ config, log, store, limits: otherLimits, putOff }) {
  const limits = { ...LIMITS, ...otherLimits };
  const { allowedOrigins } = config;
  const assets = await loadAssets();
  const metrics = createMetrics({ worker: config.server.worker });
  const gate = createGate({ allowedOrigins, limits, metrics });
  const echo = createEcho({ step: 1, server: config.server });
  const countDown = createEcho({ step: -1, server: config.server });
  const ws = createWs({ countDown, gate, limits, metrics });
  const sockjs = createSockjs({
    echo,
    gate,
    limits,
    allowedOrigins,
    sockjsUrl: assets.url('vendor/sockjs.js'),
    metrics,
    workers: config.workers,
    log,
    putOff,
  });
  const sse = createSse({ echo, gate, limits, metrics, workers: config.workers, log });
  let draining = false;
  const documents = createDocumentThread();
  const archive = createArchive({ store });
  const isReady = () => !draining;
  const site = createSite({ config, assets, gate, limits, metrics, store, archive, documents, isReady, log });

  const ajaxecho = createAjaxecho({ echo, metrics });

  /** @type {Map<string, import('./gate.js').Endpoint>} */
  const endpoints = new Map([
    ['/ajaxecho', putOff ? putOffAnswers(ajaxecho, putOff) : ajaxecho],
    ['/xhr', createXhr({ countDown, metrics })],
    ['/ws', ws],
  ]);
  /** @param {import('node:http').IncomingMessage} req */
  const endpointOf = (req) => {
    const path = pathOf(req);
    return endpoints.get(path) ?? sockjs.endpointAt(path) ?? sse.endpointAt(path);
  };

  /** @type {import('node:http').RequestListener} */
  const onRequest = (req, res) => {
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
  };
  const openServer = () =>
    createHttpServer(limits)
      .on('request', onRequest)
      .on('upgrade', (req, socket, head) => gate.admitUpgrade(req, socket, head, endpointOf(req)));

  const server = openServer();
  const ownServer = config.workers && openServer();

  return {
    server,
    ownServer,
    async drain() {
      draining = true;
      gate.drain();
      sockjs.closeAll();
      sse.closeAll();
      ws.closeAll();
      await Promise.all([server, ownServer].map((one) => one && closeGently(one, limits)));
      await documents.close();
    },
  };
}

/**
 * @param {import('./gate.js').Endpoint} endpoint
 * @param {PutOff} putOff
 * @returns {import('./gate.js').Endpoint}
 */
function putOffAnswers(endpoint, putOff) {
  return { ...endpoint, answer: (req, res, body) => putOff(() => endpoint.answer(req, res, body)) };
}

/** @param {import('./limits.js').Limits} limits */
function createHttpServer(limits) {
  const server = createServer({
    noDelay: true,
    keepAliveTimeout: limits.keepAliveMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.timeoutLookMs,
  });
  server.maxConnections = limits.connectionCount;
  return server;
}
