/**
 * One server: the echo endpoints on node:http itself, behind the gate, and Express for everything else. SockJS answers
 * beneath Express, so AJAX must, too, or the site would measure Express.
 */
import { setFlagsFromString } from 'node:v8';
import { loadAssets } from './assets.js';
import { createAjaxecho, createEcho, createXhr } from './endpoints/echo.js';
import { createJob } from './endpoints/job.js';
import { createSockjsJobs, createWsJob, createWsJobs } from './endpoints/job-sockets.js';
import { createAlarms, createJobs } from './endpoints/jobs.js';
import { createPayload, createAnswers, createContentPool } from './endpoints/payload.js';
import { createPayloadWs, createSockjsPayload } from './endpoints/payload-sockets.js';
import { createReach } from './endpoints/reach.js';
import { createSockjs } from './endpoints/sockjs.js';
import { createSse } from './endpoints/sse.js';
import { createWs } from './endpoints/web-sockets.js';
import { loadExample } from './example.js';
import { createBytesInFlight } from './http/body.js';
import { onFailure } from './http/boundary.js';
import { Gate } from './http/gate.js';
import { LIMITS } from './http/limits.js';
import { closeGently } from './http/node-server.js';
import { openHttpServer } from './http-server.js';
import { createArchive } from './saved-runs/archive.js';
import { createDocumentThread } from './saved-runs/document-thread.js';
import { createSite } from './site.js';
import { createTurnQueue, FRAME_WORK } from './sockets/frames.js';
import { Metrics } from './telemetry/metrics.js';
import { createTraffic } from './telemetry/traffic.js';
import { createRelayMark, createVisitorOf } from './workers.js';

/**
 * @import { CommonParts, EndpointParts, Parts } from './parts.js'
 * @import { Endpoint } from './http/gate.js'
 * @import { Server } from 'node:http'
 * @import { SessionOptions } from './sockets/sockjs-sessions.js'
 *
 * @typedef {(answer: () => void) => void} PutOff calls it, now or later
 */

/**
 * @param {Pick<Parts, 'config' | 'log' | 'store' | 'putOff'> & { limits?: Partial<Parts['limits']>, clock?: () => Date }} options
 *   `store`: opened and migrated; whoever opened it closes it after the drain; `limits`: others than the usual ones; `clock`:
 *   by which runs are saved; `putOff`: puts off the answers of `/ajaxecho` and SockJS, for tests with a known truth
 * @returns {Promise<{ server: Server, ownServer?: Server, drain(): Promise<void> }>} `server`: at the port that all workers
 *   share, not listening yet; `ownServer`: at this worker's own port; `drain` stops taking in, tells every session (1001),
 *   lets answers finish, ends what is left after the limit
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
  const relayMark = createRelayMark({ secret, workers });
  const visitorOf = createVisitorOf({ relayMark, trustProxy: config.trustProxy });
  const gate = new Gate({ allowedOrigins: config.allowedOrigins, isReady, limits, metrics, log, turns, visitorOf });
  const traffic = createTraffic({ limits, visitorOf, countSocketEchoes: () => metrics.socketEchoCount() });
  const common = { gate, isReady, limits, metrics, traffic, turns, relayMark, visitorOf, log };
  const sockjsUrl = assets.url('vendor/sockjs.js');
  const { endpointAt, closeAll } = createEndpoints({ ...common, config, jobSecret: secret, putOff, sockjsUrl });
  const documents = createDocumentThread({ clock });
  const archive = createArchive({ store, clock });
  const site = createSite({ ...common, config, assets, example, store, archive, documents });
  const stopReporting = onFailure((error) => {
    metrics.refused('internal');
    log.error({ err: error }, 'a listener failed; its connection was closed');
  });

  const openServer = () => openHttpServer({ ...common, endpointAt, site });
  const server = openServer();
  const ownServer = workers && openServer();
  return {
    server,
    ownServer,
    async drain() {
      isDraining = true;
      closeAll();
      await Promise.all([server, ownServer].map((one) => one && closeGently(one, limits)));
      await documents.close();
      stopReporting();
    },
  };
}

/** @param {CommonParts & Pick<Parts, 'config' | 'putOff' | 'sockjsUrl'> & { jobSecret: Uint8Array }} options */
function createEndpoints({ config, jobSecret, putOff, ...common }) {
  const { limits, metrics } = common;
  const { allowedOrigins, server: whoami, workers } = config;
  const echo = createEcho({ step: 1, server: whoami });
  const countDown = createEcho({ step: -1, server: whoami });
  const content = createContentPool(limits.payloadBytes);
  const inFlight = createBytesInFlight(limits.payloadBytesInFlight);
  metrics.watchPayload(inFlight.totalBytes);
  const parts = {
    ...common,
    allowedOrigins,
    workers,
    jobs: createJobs({ secret: jobSecret, pollCostMs: config.jobs.pollCostMs }),
    alarms: createAlarms({ limit: limits.waitingJobCount }),
    content,
    inFlight,
    answers: createAnswers({ content, mostBytes: limits.payloadBytes }),
  };

  const ajaxecho = createAjaxecho({ echo, metrics });
  const payload = createPayload(parts);
  const reach = createReach(parts);
  /** @type {Map<string, Endpoint>} */
  const byPath = new Map([
    ['/ajaxecho', putOff ? { ...ajaxecho, answer: (...args) => putOff(() => ajaxecho.answer(...args)) } : ajaxecho],
    ['/xhr', createXhr({ countDown, metrics })],
    ['/ws', createWs({ ...parts, countDown })],
    ['/ws/job', createWsJob(parts)],
    ['/ws/jobs', createWsJobs(parts)],
    ['/payload/up', payload.up],
    ['/payload/down', payload.down],
    ['/payload/echo', payload.echo],
    ['/payload/ws/up', createPayloadWs(parts, 'up')],
    ['/payload/ws/down', createPayloadWs(parts, 'down')],
    ['/payload/ws/echo', createPayloadWs(parts, 'echo')],
    ...reach.endpoints,
  ]);
  const below = [
    createSockjsEcho({ ...parts, echo, putOff, prefix: '/echo', name: 'sockjs' }),
    createSse({ ...parts, echo }),
    createJob(parts),
    createSockjsJobs(parts),
    createSockjsPayload(parts),
    createSockjsEcho({ ...parts, echo, putOff, prefix: '/echo2012', name: 'sockjs 2012', sendsValues: true }),
  ];

  return {
    /** @param {string} path @returns {Endpoint | undefined} */
    endpointAt(path) {
      let found = byPath.get(path);
      for (let i = 0; !found && i < below.length; i++) found = below[i].endpointAt(path);
      return found;
    },

    /** Tells every session that this worker goes away. */
    closeAll() {
      for (const endpoint of [...below, ...byPath.values(), reach]) endpoint.closeAll?.();
    },
  };
}

/**
 * @param {EndpointParts & Pick<Parts, 'echo' | 'putOff'> & Pick<SessionOptions, 'prefix' | 'sendsValues'> & { name: string
 *   }} parts `name`: what its transports are counted as begins with it
 */
function createSockjsEcho({ echo, name, ...parts }) {
  const { metrics } = parts;
  return createSockjs({
    ...parts,
    nameOf: (protocol) => `${name} ${protocol}`,
    converse: ({ transport, say }) => ({
      onMessage(message) {
        const { body, code } = echo.fromText(message);
        metrics.echoAnswered(transport, code);
        say(body);
      },
    }),
  });
}
