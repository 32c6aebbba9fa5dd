/**
 * One server: the echo endpoints on node:http itself, behind the gate, and Express for everything else. SockJS answers
 * beneath Express, so AJAX must, too, or the site would measure Express.
 */
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { loadAssets } from './assets.js';
import { createEndpoints } from './endpoints/index.js';
import { loadExample } from './example.js';
import { answerError, bytesReadSince, hasBody, pathOf } from './http/exchange.js';
import { Gate } from './http/gate.js';
import { LIMITS } from './http/limits.js';
import { closeGently, ignoreUpgrade, isUnknownUpgrade, whenAnswered } from './http/node-server.js';
import { pathsOf } from './paths.js';
import { isOfTraffic } from './routes/status.js';
import { createArchive } from './saved-runs/archive.js';
import { createDocumentThread } from './saved-runs/document-thread.js';
import { createSite } from './site.js';
import { createTurnQueue, FRAME_WORK } from './sockets/frames.js';
import { Metrics } from './telemetry/metrics.js';
import { createTraffic } from './telemetry/traffic.js';
import { createRelayMark } from './workers.js';

/**
 * @import { CommonParts, Parts } from './parts.js'
 * @import { Endpoint } from './http/gate.js'
 * @import { Socket } from 'node:net'
 * @import { IncomingMessage as Request, RequestListener, Server } from 'node:http'
 * @import { ServedPath } from './paths.js'
 *
 * @typedef {(answer: () => void) => void} PutOff calls it, now or later
 */

/**
 * @param {Pick<Parts, 'config' | 'log' | 'store' | 'putOff'> & { limits?: Partial<Parts['limits']>, clock?: () => Date }} options
 *   `store`: opened and migrated; whoever opened it closes it after the drain; `limits`: others than the usual ones; `clock`:
 *   by which runs are saved; `putOff`: puts off the answers of `/ajaxecho` and SockJS, for tests with a known truth
 * @returns {Promise<{ server: Server, ownServer?: Server, paths: readonly ServedPath[], drain(): Promise<void> }>} `server`:
 *   at the port that all workers share, not listening yet; `ownServer`: at this worker's own port; `paths`: all that are
 *   answered; `drain` stops taking in, tells every session (1001), lets answers finish, ends what is left after the limit
 */
export async function createApp({ config, log, store, limits: otherLimits, clock, putOff }) {
  // When many objects of a kind survive the start, V8 may allocate all further ones among those that last, where each keeps
  // its request alive for long: of 24 processes on Node 20, 7 spent 1.5 to 1.8 times the CPU on an echo.
  setFlagsFromString('--no-allocation-site-pretenuring');
  const { workers } = config;
  const limits = { ...LIMITS, ...otherLimits };
  const { secret: given } = config.jobs;
  // The same for all who are to know each other's jobs.
  const readSecret = given === undefined ? store.getSecret('jobs') : Buffer.from(given);
  const [assets, example, secret] = await Promise.all([loadAssets(), loadExample(), readSecret]);
  const metrics = new Metrics({ worker: config.server.worker });
  let isDraining = false;
  const isReady = () => !isDraining;
  const turns = createTurnQueue(limits.allFramesPerTurn * FRAME_WORK);
  const gate = new Gate({ allowedOrigins: config.allowedOrigins, isReady, limits, metrics, log, turns });
  const traffic = createTraffic({ limits, countSocketEchoes: () => metrics.socketEchoCount() });
  const relayMark = createRelayMark({ secret, workers });
  const common = { gate, isReady, limits, metrics, traffic, turns, relayMark, log };
  const sockjsUrl = assets.url('vendor/sockjs.js');
  const { endpointAt, closeAll, paths } = createEndpoints({ ...common, config, jobSecret: secret, putOff, sockjsUrl });
  const documents = createDocumentThread({ clock });
  const archive = createArchive({ store, clock });
  const site = createSite({ ...common, config, assets, example, store, archive, documents });

  const openServer = () => openHttpServer({ ...common, endpointAt, site });
  const server = openServer();
  const ownServer = workers && openServer();
  return {
    server,
    ownServer,
    paths: [...paths, ...pathsOf(site.router)],
    async drain() {
      isDraining = true;
      closeAll();
      await Promise.all([server, ownServer].map((one) => one && closeGently(one, limits)));
      await documents.close();
    },
  };
}

/**
 * @typedef {CommonParts & { endpointAt(path: string): Endpoint | undefined, site: RequestListener }} Listener the site
 *   answers all that is at no endpoint
 */

/** @param {Listener} parts */
function openHttpServer(parts) {
  const { endpointAt, gate, limits, traffic } = parts;
  const server = createServer({
    noDelay: true,
    keepAliveTimeout: limits.keepAliveMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.timeoutLookMs,
  });
  server.maxConnections = limits.connectionCount;
  const onRequest = createRequestListener(parts);
  server.on('request', onRequest);
  server.on('checkContinue', (req, res) => {
    // Where other answers come first, Node.js would put it between the head and the body of this one. None must be sent.
    if (res.socket) res.writeContinue();
    onRequest(req, res);
  });
  server.on('upgrade', (req, duplex, head) => {
    const socket = /** @type {Socket} */ (duplex);
    const endpoint = endpointAt(pathOf(req));
    whenAnswered(socket, head, (allHead) => {
      if (isUnknownUpgrade(req) && !endpoint?.upgrade) {
        ignoreUpgrade(server, req, socket, allHead);
      } else {
        traffic.requestServed();
        gate.admitUpgrade(req, socket, allHead, endpoint);
      }
    });
  });
  return server;
}

/** @param {Listener} parts @returns {RequestListener} */
function createRequestListener({ endpointAt, gate, isReady, log, relayMark, site, traffic }) {
  return (req, res) => {
    if (!isReady()) res.setHeader('Connection', 'close');
    const endpoint = endpointAt(pathOf(req));
    if (!endpoint) {
      leaveOutBytes(req);
      if (!isOfTraffic(req)) traffic.requestServed();
      site(req, res);
      return;
    }
    // Whatever another worker hands on, that worker has counted.
    if (!relayMark.isOn(req)) traffic.requestServed();
    try {
      gate.admit(req, res, endpoint);
    } catch (error) {
      log.error({ err: error, path: pathOf(req) }, 'endpoint failed');
      if (res.headersSent) res.destroy();
      else answerError(res, 500, 'internal', 'Internal server error; it is logged');
    }
  };
}

/** Keeps a page, or a saved run, out of what is booked for the connection's next request. @param {Request} req */
function leaveOutBytes(req) {
  const { socket } = req;
  bytesReadSince(socket);
  if (hasBody(req)) req.once('end', () => bytesReadSince(socket));
}
