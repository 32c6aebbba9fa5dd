/**
 * Creates the transports that can be measured without a browser. Libraries are loaded on demand: that takes longer than
 * everything else before a run.
 */
import { transportRowsOf } from '../../core/experiment/plan/packages.js';
import { createTransport, transports } from '../../core/net/echo/index.js';
import { isPackage } from '../../core/net/libraries.js';
import { namesOf } from '../../core/net/rows.js';
import { createTransfer, transfers } from '../../core/net/transfer/index.js';
import http from 'node:http';
import https from 'node:https';
import { subscribe } from 'node:diagnostics_channel';

/**
 * @import { Fields } from '../../core/experiment/plan/fields.js'
 * @import { Transport } from '../../core/net/echo/index.js'
 * @import { TransferMethod } from '../../core/net/transfer/index.js'
 */

/**
 * What stands here for the APIs of browsers; Node.js has no others.
 * @type {Readonly<Record<string, () => Promise<any>>>}
 */
const BUILT_IN = Object.freeze({
  fetch: async () => globalThis.fetch,
  WebSocket: async () => (await import('ws')).WebSocket,
});

/** @param {{ library: string, needsDocument?: boolean }} row */
const isForNode = ({ library, needsDocument }) => !needsDocument && (isPackage(library) || library in BUILT_IN);

/**
 * Loads a library, or returns what Node.js has built in.
 * @param {string} library that a row names @returns {Promise<any>}
 */
export const loadLibrary = async (library) =>
  isPackage(library) ? (await import(library)).default : BUILT_IN[library]();

export const NODE_TRANSPORTS = namesOf(transports, isForNode);

/**
 * @param {{ fields: Fields }} experiment @returns {readonly string[]} those that its plan may have here
 */
export const nodeTransportsOf = (experiment) => namesOf(transportRowsOf(experiment), isForNode);

/**
 * Creates transports by name.
 * @param {string} baseUrl @param {readonly string[]} names @returns {Promise<Record<string, Transport>>}
 */
export const createTransports = (baseUrl, names) =>
  createAll(names, transports, ({ name, endpoint }, means) =>
    createTransport(name, { ...means, url: `${baseUrl}${endpoint}` }),
  );

/**
 * Creates transfer methods by name.
 * @param {string} baseUrl @param {readonly string[]} names @returns {Promise<Record<string, TransferMethod>>}
 */
export const createTransfers = (baseUrl, names) =>
  createAll(names, transfers, ({ name }, means) =>
    createTransfer(name, { ...means, baseUrl, now: () => performance.now() }),
  );

/**
 * @template {{ library: string }} R @template T @param {readonly string[]} names @param {Readonly<Record<string, R>>}
 *   table
 * @param {(row: R, means: { library: any, performance: any }) => T} create @returns {Promise<Record<string, T>>}
 */
async function createAll(names, table, create) {
  const timing = shareRequestTiming();
  const entries = names.map(async (name) => {
    const row = table[name];
    return [name, create(row, { library: await loadLibrary(row.library), performance: timing })];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** @type {http.AgentOptions} */
const AS_BY_DEFAULT = { keepAlive: true, scheduling: 'lifo', timeout: 5000 };

/**
 * Lets this process, and the programs that it starts, use no proxy: fetch, the libraries' requests, and Chromium. Node.js can take
 * a proxy from its environment for requests (NODE_USE_ENV_PROXY, --use-env-proxy), but not for WebSockets: what is compared would
 * take two paths.
 */
export function connectDirectly() {
  process.env.NO_PROXY = process.env.no_proxy = '*';
  // These read the environment when Node.js started: https://nodejs.org/api/http.html#httpglobalagent
  http.globalAgent = new http.Agent(AS_BY_DEFAULT);
  https.globalAgent = new https.Agent(AS_BY_DEFAULT);
}

/** The request line as it is sent: `GET /path HTTP/1.1`. */
const REQUEST_LINE = /^\S+ \S+ (HTTP\/[\d.]+)/;

/**
 * @typedef {{ name: string, nextHopProtocol: string, connectStart: number, connectEnd: number, contentEncoding?: string }} Entry
 *   `name`: the request's URL; `nextHopProtocol`: empty if it is not known; `connectEnd`: equal to the start if the connection was
 *   reused
 * @typedef {{ clearResourceTimings: () => void, getEntriesByType: () => Entry[] }} RequestTiming a part of `performance` in browsers
 */

/**
 * Records all requests of fetch in this process from now on, with the names of Resource Timing, which Node's own `performance` does
 * not report. The client beneath fetch does, on its diagnostics channels:
 * https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
 * The times are those of the whole connection, including the name lookup and TLS. The work within a timed part is one short list
 * entry per request.
 * @returns {RequestTiming}
 */
export function createRequestTiming(now = () => performance.now()) {
  /** @type {Entry[]} */
  let entries = [];
  /** @type {Map<string, number>} by host, when the last connection to it was begun */
  const startedAtMs = new Map();
  /**
   * @type {WeakMap<object, { connectStart: number, connectEnd: number }>} of connections that no request has used yet
   */
  const fresh = new WeakMap();
  /** @type {WeakMap<object, Entry>} by request */
  const sent = new WeakMap();

  listen('client:beforeConnect', ({ connectParams }) => startedAtMs.set(connectParams.host, now()));
  listen('client:connected', ({ connectParams, socket }) => {
    const connectEnd = now();
    fresh.set(socket, { connectStart: startedAtMs.get(connectParams.host) ?? connectEnd, connectEnd });
  });
  listen('client:sendHeaders', ({ request, headers, socket }) => {
    const sentAtMs = now();
    const entry = {
      name: `${request.origin}${request.path}`,
      nextHopProtocol: REQUEST_LINE.exec(headers)?.[1].toLowerCase() ?? '',
      ...(fresh.get(socket) ?? { connectStart: sentAtMs, connectEnd: sentAtMs }),
    };
    entries.push(entry);
    sent.set(request, entry);
    fresh.delete(socket);
  });
  listen('request:headers', ({ request, response }) => {
    const contentEncoding = readEncoding(response.headers);
    if (contentEncoding) Object.assign(sent.get(request) ?? {}, { contentEncoding });
  });

  return {
    clearResourceTimings() {
      entries = [];
    },
    getEntriesByType: () => entries,
  };
}

/** @type {RequestTiming | undefined} */
let shared;

/** Returns the program's only recorder, as each keeps all requests of fetch. */
const shareRequestTiming = () => (shared ??= createRequestTiming());

/** @param {string} event @param {(message: any) => void} onMessage */
const listen = (event, onMessage) => subscribe(`undici:${event}`, onMessage);

const ENCODING = 'content-encoding';

/** @param {readonly Buffer[]} headers names and values in turn @returns {string | undefined} */
function readEncoding(headers) {
  const at = headers.findIndex(
    (name, i) => i % 2 === 0 && name.length === ENCODING.length && String(name).toLowerCase() === ENCODING,
  );
  return at < 0 ? undefined : String(headers[at + 1]);
}
