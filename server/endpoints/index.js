/** All endpoints of one worker by their paths, and the list of these. */
import { kinds } from '../../core/net/channel/index.js';
import { adapters, countedAs } from '../channel/index.js';
import { createBytesInFlight } from '../http/body.js';
import { pathOf } from '../http/exchange.js';
import { Pool } from '../http/pool.js';
import {
  createAjaxecho,
  createCountDownProtocol,
  createEcho,
  createEcho2012Protocol,
  createEchoProtocol,
  createXhr,
} from './echo.js';
import { createJob } from './job.js';
import { createJobProtocol, createJobsProtocol } from './job-channel.js';
import { createAlarms } from './alarms.js';
import { createFeed } from './feed.js';
import { createFeedProtocol } from './feed-channel.js';
import { createFeeds } from './feeds.js';
import { createJobs } from './jobs.js';
import { createPayload, createAnswers, createContentPool, DIRECTIONS } from './payload.js';
import { createDirectedPayloadProtocol, createPayloadProtocol, DIRECTED } from './payload-channel.js';
import { createStream } from './stream.js';
import { createStreamProtocol } from './stream-channel.js';
import { createStreams } from './streams.js';
import { createReach } from './reach.js';

/**
 * @import { DelayAnswer } from '../app.js'
 * @import { Config } from '../config.js'
 * @import { CommonParts, EndpointParts } from '../parts.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { ServedPath } from '../paths.js'
 * @import { Protocol as ProtocolName } from '../../core/net/channel/index.js'
 * @import { Protocol, ProtocolOverOne } from '../channel/index.js'
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
    streams: createStreams({ secret: jobSecret }),
    streamPace: new Pool({ limit: limits.streamPiecesPerSecond, noun: 'pieces of streams per second' }),
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
  const feeds = createFeedProtocol(parts);
  const echoes = createEchoProtocol({ ...parts, echo, delayAnswer });
  /** @type {Map<string, Endpoint>} */
  const byPath = new Map([
    [
      '/ajaxecho',
      delayAnswer ? { ...ajaxecho, answer: (...args) => delayAnswer(() => ajaxecho.answer(...args)) } : ajaxecho,
    ],
    ['/xhr', createXhr({ countDown, metrics })],
    ['/payload/up', payload.up],
    ['/payload/down', payload.down],
    ['/payload/echo', payload.echo],
    ...reach.endpoints,
  ]);
  /** @type {EndpointsBelow[]} */
  const below = [
    ...overKinds(parts, 'echo', echoes),
    createJob(parts),
    ...overKinds(parts, 'jobs', createJobsProtocol(parts), BY_REQUESTS),
    overOne(parts, createJobProtocol(parts)),
    createFeed(parts),
    ...overKinds(parts, 'feed', feeds.protocol, BY_REQUESTS).map(feeds.withStalls),
    feeds.withStalls(overOne(parts, feeds.recoverable)),
    createStream(parts),
    ...overKinds(parts, 'stream', createStreamProtocol(parts), BY_REQUESTS),
    ...overKinds(parts, 'payload', createPayloadProtocol(parts), DIRECTED),
    ...DIRECTIONS.map((direction) => overOne(parts, createDirectedPayloadProtocol(parts, direction))),
    overOne(parts, createCountDownProtocol({ ...parts, countDown })),
    overOne(parts, createEcho2012Protocol(echoes)),
  ];
  return { byPath, below, others: [reach, feeds] };
}

/** What those that send nothing bring was asked for by requests: HTTP's endpoints have it. */
const BY_REQUESTS = Object.values(kinds).flatMap(({ name, sendsNothing }) => (sendsNothing ? [name] : []));

/**
 * Lets clients speak a protocol over each kind that has a path for it.
 * @param {EndpointParts} parts @param {ProtocolName} name @param {Protocol} protocol @param {readonly string[]} [others] kinds that
 *   have other endpoints for it @returns {EndpointsBelow[]}
 */
function overKinds(parts, name, protocol, others = []) {
  return Object.entries(adapters).flatMap(([kind, accept]) => {
    const path = kinds[kind].paths[name];
    if (path === undefined || others.includes(kind)) return [];
    return [accept(parts, protocol, { path, name: countedAs(name, kind) })];
  });
}

/** Lets clients speak a protocol over its only kind. @param {EndpointParts} parts @param {ProtocolOverOne} protocol */
const overOne = (parts, { only: { kind, ...own }, ...protocol }) => adapters[kind](parts, protocol, own);

/** @param {Example} example @param {(path: string) => Endpoint | undefined} endpointAt @returns {ServedPath} */
function pathOfExample({ pattern, methods, isRequest }, endpointAt) {
  const endpoint = endpointAt(pathOf({ url: pattern }));
  if (!endpoint) throw new Error(`${pattern}: expected the path of an endpoint`);
  const socketLimits = isRequest ? undefined : endpoint.upgrade?.limits;
  return { pattern, methods: methods ?? endpoint.methods ?? ['GET'], socketLimits };
}
