/** All endpoints of one worker by their paths, and the list of these. */
import { createBytesInFlight } from '../http/body.js';
import { pathOf } from '../http/exchange.js';
import { createAjaxecho, createEcho, createXhr } from './echo.js';
import { createJob } from './job.js';
import { createSocketioJobs, createSockjsJobs, createWsJob, createWsJobs } from './job-sockets.js';
import { createAlarms } from './alarms.js';
import { createFeed } from './feed.js';
import { createFeedSockets } from './feed-sockets.js';
import { createFeeds } from './feeds.js';
import { createJobs } from './jobs.js';
import { createPayload, createAnswers, createContentPool } from './payload.js';
import { createPayloadWs, createSocketioPayload, createSockjsPayload } from './payload-sockets.js';
import { createReach } from './reach.js';
import { createSockjs } from './sockjs.js';
import { createSocketioEcho } from './socketio.js';
import { createSse } from './sse.js';
import { createWs, createWsEcho } from './web-sockets.js';

/**
 * @import { DelayAnswer } from '../app.js'
 * @import { Config } from '../config.js'
 * @import { CommonParts, EndpointParts } from '../parts.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { ServedPath } from '../paths.js'
 * @import { Echo } from './echo.js'
 *
 * @typedef {{ pattern: string, methods?: readonly string[], isRequest?: boolean }} Example of a valid request: `pattern` as in
 *   ServedPath; `methods` where the endpoint checks them itself; `isRequest`: no WebSocket is opened by it, though one may be at
 *   its path
 * @typedef {object} EndpointsBelow those whose paths are more than a list can hold
 * @property {(path: string) => Endpoint | undefined} endpointAt
 * @property {readonly [Example, ...Example[]]} examples of each kind of path that it knows
 * @property {() => void} [closeAll] tells all their sessions that this worker goes away
 */

/**
 * @typedef {CommonParts & { config: Config, delayAnswer?: DelayAnswer, sockjsUrl: string, jobSecret: Uint8Array }} Options
 * @param {Options} options
 */
export function createEndpoints(options) {
  const { byPath, below, others } = createTable(createParts(options), options);

  /** @param {string} path @returns {Endpoint | undefined} */
  const endpointAt = (path) => {
    let found = byPath.get(path);
    for (let i = 0; !found && i < below.length; i++) found = below[i].endpointAt(path);
    return found;
  };

  /** @type {Example[]} */
  const examples = [
    ...[...byPath].map(([path, { query }]) => ({ pattern: query === undefined ? path : `${path}?${query}` })),
    ...below.flatMap((endpoint) => endpoint.examples),
  ];

  return {
    endpointAt,
    paths: examples.map((example) => pathOfExample(example, endpointAt)),

    /** Tells every session that this worker goes away. */
    closeAll() {
      for (const endpoint of [...below, ...byPath.values(), ...others]) endpoint.closeAll?.();
    },
  };
}

/** Creates what several endpoints share. @param {Options} options @returns {EndpointParts} */
function createParts({ config, jobSecret, delayAnswer: _, ...common }) {
  const { limits, metrics } = common;
  const content = createContentPool(limits.payloadBytes);
  const inFlight = createBytesInFlight(limits.payloadBytesInFlight);
  const alarms = createAlarms({ limit: limits.waitingJobCount });
  metrics.watchPayload(inFlight.totalBytes);
  metrics.watchWaits(alarms.waitingCount);
  return {
    ...common,
    allowedOrigins: config.allowedOrigins,
    workers: config.workers,
    jobs: createJobs({ secret: jobSecret, pollCostMs: config.jobs.pollCostMs }),
    alarms,
    feeds: createFeeds({ secret: jobSecret }),
    content,
    inFlight,
    answers: createAnswers({ content, maxBytes: limits.payloadBytes }),
  };
}

/** @param {EndpointParts} parts @param {{ config: Config, delayAnswer?: DelayAnswer }} options */
function createTable(parts, { config, delayAnswer }) {
  const { metrics } = parts;
  const echo = createEcho({ step: 1, server: config.server });
  const countDown = createEcho({ step: -1, server: config.server });
  const ajaxecho = createAjaxecho({ echo, metrics });
  const payload = createPayload(parts);
  const reach = createReach(parts);
  const feed = createFeedSockets(parts);
  /** @type {Map<string, Endpoint>} */
  const byPath = new Map([
    [
      '/ajaxecho',
      delayAnswer ? { ...ajaxecho, answer: (...args) => delayAnswer(() => ajaxecho.answer(...args)) } : ajaxecho,
    ],
    ['/xhr', createXhr({ countDown, metrics })],
    ['/ws', createWs({ ...parts, countDown })],
    ['/ws/echo', createWsEcho({ ...parts, echo, delayAnswer })],
    ['/ws/job', createWsJob(parts)],
    ['/ws/jobs', createWsJobs(parts)],
    ['/ws/feed', feed.ws],
    ['/payload/up', payload.up],
    ['/payload/down', payload.down],
    ['/payload/echo', payload.echo],
    ['/payload/ws/up', createPayloadWs(parts, 'up')],
    ['/payload/ws/down', createPayloadWs(parts, 'down')],
    ['/payload/ws/echo', createPayloadWs(parts, 'echo')],
    ...reach.endpoints,
  ]);
  /** @type {EndpointsBelow[]} */
  const below = [
    createSockjsEcho({ ...parts, echo, delayAnswer, prefix: '/echo', name: 'sockjs' }),
    createSse({ ...parts, echo }),
    createSocketioEcho({ ...parts, echo, delayAnswer }),
    createJob(parts),
    createSockjsJobs(parts),
    createSocketioJobs(parts),
    createFeed(parts),
    feed.sockjs,
    feed.socketio,
    feed.recoverable,
    createSockjsPayload(parts),
    createSocketioPayload(parts),
    createSockjsEcho({ ...parts, echo, delayAnswer, prefix: '/echo2012', name: 'sockjs 2012', sendsValues: true }),
  ];
  return { byPath, below, others: [reach, feed] };
}

/** @param {Example} example @param {(path: string) => Endpoint | undefined} endpointAt @returns {ServedPath} */
function pathOfExample({ pattern, methods, isRequest }, endpointAt) {
  const endpoint = endpointAt(pathOf({ url: pattern }));
  if (!endpoint) throw new Error(`${pattern}: expected the path of an endpoint`);
  const socketLimits = isRequest ? undefined : endpoint.upgrade?.limits;
  return { pattern, methods: methods ?? endpoint.methods ?? ['GET'], socketLimits };
}

/**
 * @param {EndpointParts & { echo: Echo, delayAnswer?: DelayAnswer, prefix: string, sendsValues?: boolean, name: string }} parts
 *   `name`: what its transports are counted as begins with it
 */
function createSockjsEcho({ echo, name, ...parts }) {
  const { metrics } = parts;
  return createSockjs({
    ...parts,
    rawLimits: parts.limits,
    nameOf: (protocol) => `${name} ${protocol}`,
    converse: ({ transport, say }) => ({
      onMessage(message) {
        const { body, code } = echo.fromText(message);
        metrics.socketEchoAnswered(transport, code);
        say(body);
      },
    }),
  });
}
