/**
 * One server: the echo endpoints on node:http itself, behind the gate, and Express for everything else. SockJS answers
 * beneath Express, so AJAX must, too, or the site would measure Express.
 */
import { createServer } from 'node:http';
import { answerError } from './http/answer.js';
import { loadAssets } from './assets/index.js';
import { createEcho } from './echo/echo.js';
import { createAjaxecho } from './endpoints/ajaxecho.js';
import { createJob } from './endpoints/job.js';
import { createPayload } from './endpoints/payload.js';
import { createPayloadWs } from './endpoints/payload-ws.js';
import { createSockjs } from './endpoints/sockjs.js';
import { createSockjsJobs } from './endpoints/sockjs-jobs.js';
import { createSockjsPayload } from './endpoints/sockjs-payload.js';
import { createSse } from './endpoints/sse.js';
import { createWs } from './endpoints/ws.js';
import { createWsJob } from './endpoints/ws-job.js';
import { createWsJobs } from './endpoints/ws-jobs.js';
import { createXhr } from './endpoints/xhr.js';
import { bytesReadSince } from './http/bytes-read.js';
import { closeGently } from './http/close-gently.js';
import { loadExample } from './example.js';
import { createGate } from './http/gate.js';
import { ignoreUpgrade, isUnknownUpgrade } from './http/ignore-upgrade.js';
import { createAlarms } from './jobs/alarms.js';
import { createJobs } from './jobs/jobs.js';
import { LIMITS } from './http/limits.js';
import { createMetrics } from './telemetry/metrics.js';
import { createRelayMark } from './cluster/relay-mark.js';
import { createArchive } from './saved-runs/archive.js';
import { createDocumentThread } from './saved-runs/document-thread.js';
import { isOfTraffic } from './routes/traffic.js';
import { createAnswers } from './payload/answers.js';
import { createBytesInFlight } from './payload/bytes-in-flight.js';
import { createContentPool } from './payload/content-pool.js';
import { createSite } from './site.js';
import { createTraffic } from './telemetry/traffic.js';
import { pathOf } from './http/url.js';

/**
 * @import { IncomingMessage, RequestListener, Server } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Logger } from 'pino'
 * @import { Config } from './config.js'
 * @import { Endpoint } from './http/gate.js'
 * @import { Limits } from './http/limits.js'
 * @import { Store } from './store/index.js'
 */

/**
 * @typedef {object} App
 * @property {Server} server at the port that all workers share; not listening yet
 * @property {Server | undefined} ownServer at this worker's own port; absent where it is the only one
 * @property {() => Promise<void>} drain stops taking in, tells every session (1001), lets answers finish, ends what is
 *   left after the limit
 */

/** @typedef {(answer: () => void) => void} PutOff calls it, now or later */

/**
 * @param {object} options
 * @param {Config} options.config
 * @param {Logger} options.log
 * @param {Store} options.store opened and migrated; whoever opened it closes it after the drain
 * @param {Partial<Limits>} [options.limits] others than the usual ones
 * @param {() => Date} [options.clock] by which runs are saved
 * @param {PutOff} [options.putOff] puts off the answers of `/ajaxecho` and SockJS; for tests with a known truth
 * @returns {Promise<App>}
 */
export async function createApp({ config, log, store, limits: otherLimits, clock, putOff }) {
  const limits = { ...LIMITS, ...otherLimits };
  const { allowedOrigins } = config;
  const [assets, example] = await Promise.all([loadAssets(), loadExample()]);
  const metrics = createMetrics({ worker: config.server.worker });
  const gate = createGate({ allowedOrigins, limits, metrics, log });
  const echo = createEcho({ step: 1, server: config.server });
  const countDown = createEcho({ step: -1, server: config.server });
  const ws = createWs({ countDown, gate, limits, metrics });
  const jobSecret = await readJobSecret(config, store);
  const relayMark = createRelayMark({ secret: jobSecret, workers: config.workers });
  const sockjsOptions = {
    gate,
    limits,
    allowedOrigins,
    sockjsUrl: assets.url('vendor/sockjs.js'),
    workers: config.workers,
    relayMark,
    log,
  };
  const sockjs = createSockjs({
    ...sockjsOptions,
    prefix: '/echo',
    nameOf: (protocol) => `sockjs ${protocol}`,
    converse: ({ transport, say }) => ({
      onMessage(message) {
        const { body, code } = echo.fromText(message);
        metrics.echoAnswered(transport, code);
        say(body);
      },
    }),
    putOff,
  });
  const sse = createSse({ echo, gate, limits, metrics, workers: config.workers, relayMark, log });
  const traffic = createTraffic({ limits, countSocketEchoes: metrics.socketEchoCount });
  const jobs = createJobs({ secret: jobSecret });
  const alarms = createAlarms({ limit: limits.waitingJobCount });
  const jobOptions = { jobs, alarms, gate, limits, metrics, traffic };
  const job = createJob(jobOptions);
  const wsJob = createWsJob(jobOptions);
  const wsJobs = createWsJobs(jobOptions);
  const sockjsJobs = createSockjsJobs({ ...sockjsOptions, ...jobOptions });
  const content = createContentPool(limits.payloadBytes);
  const inFlight = createBytesInFlight(limits.payloadBytesInFlight);
  metrics.watchPayload(inFlight.totalBytes);
  const answers = createAnswers({ content, mostBytes: limits.payloadBytes });
  const payload = createPayload({ content, inFlight, gate, limits, metrics, traffic });
  const payloadWs = createPayloadWs({ answers, inFlight, gate, limits, metrics, traffic });
  const sockjsPayload = createSockjsPayload({ ...sockjsOptions, answers, inFlight, metrics, traffic });
  let draining = false;
  const documents = createDocumentThread({ clock });
  const archive = createArchive({ store, clock });
  const isReady = () => !draining;
  const site = createSite({
    config,
    assets,
    example,
    gate,
    limits,
    metrics,
    traffic,
    store,
    archive,
    documents,
    isReady,
    log,
  });

  const ajaxecho = createAjaxecho({ echo, metrics });

  /** @type {Map<string, Endpoint>} */
  const endpoints = new Map([
    ['/ajaxecho', putOff ? putOffAnswers(ajaxecho, putOff) : ajaxecho],
    ['/xhr', createXhr({ countDown, metrics })],
    ['/ws', ws],
    ['/ws/job', wsJob],
    ['/ws/jobs', wsJobs],
    ['/payload/up', payload.up],
    ['/payload/down', payload.down],
    ['/payload/echo', payload.echo],
    ...payloadWs.endpoints,
  ]);
  /** @param {IncomingMessage} req */
  const endpointOf = (req) => {
    const path = pathOf(req);
    return (
      endpoints.get(path) ??
      sockjs.endpointAt(path) ??
      sse.endpointAt(path) ??
      job.endpointAt(path) ??
      sockjsJobs.endpointAt(path) ??
      sockjsPayload.endpointAt(path)
    );
  };

  /** @type {RequestListener} */
  const onRequest = (req, res) => {
    if (draining) res.setHeader('Connection', 'close');
    const endpoint = endpointOf(req);
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
      else answerError(res, 500, 'internal', 'The fault is ours; it has been logged');
    }
  };
  const openServer = () => {
    const opened = createHttpServer(limits).on('request', onRequest);
    return opened.on('upgrade', (req, socket, head) => {
      const endpoint = endpointOf(req);
      if (isUnknownUpgrade(req) && !endpoint?.upgrade) {
        ignoreUpgrade(opened, req, /** @type {Socket} */ (socket), head);
        return;
      }
      traffic.requestServed();
      gate.admitUpgrade(req, socket, head, endpoint);
    });
  };

  const server = openServer();
  const ownServer = config.workers && openServer();

  return {
    server,
    ownServer,
    async drain() {
      draining = true;
      gate.drain();
      for (const endpoint of [sockjs, sse, ws, job, wsJob, wsJobs, sockjsJobs, payloadWs, sockjsPayload])
        endpoint.closeAll();
      await Promise.all([server, ownServer].map((one) => one && closeGently(one, limits)));
      await documents.close();
    },
  };
}

/**
 * @param {Config} config
 * @param {Store} store
 * @returns {Promise<Uint8Array>} the same for all who are to know each other's jobs
 */
async function readJobSecret({ jobs: { secret } }, store) {
  return secret === undefined ? store.getSecret('jobs') : Buffer.from(secret);
}

/**
 * Keeps a page, or a saved run, out of what is booked for the next request on its connection.
 *
 * @param {IncomingMessage} req
 */
function leaveOutBytes(req) {
  const { headers, socket } = req;
  bytesReadSince(socket);
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (hasBody) req.once('end', () => bytesReadSince(socket));
}

/**
 * @param {Endpoint} endpoint
 * @param {PutOff} putOff
 * @returns {Endpoint}
 */
function putOffAnswers(endpoint, putOff) {
  return { ...endpoint, answer: (...args) => putOff(() => endpoint.answer(...args)) };
}

/** @param {Limits} limits */
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
