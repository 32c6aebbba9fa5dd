/** Creates users of jobs, each with its own connections, as each would have its own browser. */
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createParser } from 'eventsource-parser';
import { WebSocket } from 'ws';
import { abortable } from '../../core/base/async.js';
import { parseJson } from '../../core/base/foreign-text.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { ABNORMAL, CLOSED, CONNECTING, OPEN } from '../../core/net/channel/channel.js';
import { eventStream } from '../../core/net/channel/event-stream.js';
import { kinds, openSocket } from '../../core/net/channel/index.js';
import { webSocket } from '../../core/net/channel/web-socket.js';
import { createHttp1Sender, createHttp2Sender } from './http-senders.js';
import { loadLibrary } from './transports.js';

/**
 * @import { Socket } from '../../core/net/channel/channel.js'
 * @import { JobAnswer, JobClient } from '../../core/net/delivery/index.js'
 * @import { Sender, SentRequest } from './http-senders.js'
 */

/** A connection counts as a file, too. */
const TOO_MANY_FILES = 'this program may open no more files and connections: raise its limit (ulimit -n)';
const TLS_LIMIT_MS = 10_000;

/**
 * Loads what the clients need, and asks an https server which protocol it speaks.
 * @param {string} baseUrl of the site @param {readonly string[]} packages by which they are notified
 * @returns {Promise<() => JobClient>} makes a client of one more user
 * @throws {Error} if an https server cannot be connected to
 */
export async function createJobClients(baseUrl, packages) {
  const isHttp2 = baseUrl.startsWith('https:') && (await negotiate(baseUrl)) === 'h2';
  const createSender = isHttp2 ? createHttp2Sender : createHttp1Sender;
  const entries = packages.map(async (name) => [name, await loadLibrary(name)]);
  const libraries = Object.fromEntries(await Promise.all(entries));
  return () => createJobClient({ baseUrl, libraries, sender: sendBelow(baseUrl, createSender) });
}

/** @param {string} baseUrl @param {(origin: string) => Sender} createSender @returns {Sender} of requests to the site's paths */
function sendBelow(baseUrl, createSender) {
  const { origin, pathname } = new URL(baseUrl);
  const sender = createSender(origin);
  const basePath = pathname.replace(/\/$/, '');
  return { ...sender, send: ({ path, ...request }) => sender.send({ ...request, path: basePath + path }) };
}

/** @param {string} url @returns the server's choice of HTTP/1.1 and HTTP/2 */
async function negotiate(url) {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connectTls({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['h2', 'http/1.1'],
    timeout: TLS_LIMIT_MS,
  });
  socket.once('timeout', () => socket.destroy(new Error(`no TLS within ${TLS_LIMIT_MS} ms`)));
  try {
    await once(socket, 'secureConnect');
    return socket.alpnProtocol;
  } finally {
    socket.destroy();
  }
}

/** @param {{ baseUrl: string, libraries: Record<string, any>, sender: Sender }} options @returns {JobClient} */
function createJobClient({ baseUrl, libraries, sender }) {
  return {
    request: (method, path, { signal } = {}) =>
      // The sender may tell of an abort late: a request that still waits for a connection has to get one first.
      abortable(signal, (resolve, reject) => {
        const controller = new AbortController();
        ask(sender, { method, path, signal: controller.signal }).then(resolve, (error) => reject(toClosed(error)));
        return () => controller.abort();
      }),
    openSocket(kind, path) {
      if (kind === eventStream.name) return openEvents(sender, path);
      const url = `${baseUrl}${path}`;
      if (kind === webSocket.name) return openToldSocket(url);
      return openSocket(kind, url, { library: libraries[kinds[kind].library] });
    },
    protocol: () => sender.protocol(),
    close: () => sender.close(),
  };
}

/** @param {Sender} sender @param {SentRequest} request @returns {Promise<JobAnswer>} */
async function ask(sender, request) {
  const { status, text } = await sender.send(request);
  return { status, answer: parseJson(await text()) };
}

/** @param {Sender} sender @param {string} path @returns {Socket} which only receives */
function openEvents(sender, path) {
  const controller = new AbortController();
  const { signal } = controller;
  /** @type {any} */
  const events = { readyState: CONNECTING, close: () => controller.abort() };
  /** @returns why it ended */
  const read = async () => {
    const { status, body } = await sender.send({
      method: 'GET',
      path,
      headers: { accept: 'text/event-stream' },
      signal,
    });
    if (status !== 200) {
      body.resume();
      return `The server answered ${status}.`;
    }
    events.readyState = OPEN;
    events.onopen?.();
    const parser = createParser({ onEvent: ({ data }) => events.onmessage?.({ data }) });
    const decoder = new TextDecoder();
    for await (const bytes of body) parser.feed(decoder.decode(bytes, { stream: true }));
    return 'The stream of events ended.';
  };
  const ended = read().catch((error) => toClosed(error).message);
  ended.then((reason) => {
    events.readyState = CLOSED;
    if (!signal.aborted) events.onclose?.({ code: undefined, reason });
  });
  return events;
}

/**
 * Begins to connect. @param {string} url http(s)
 * @param {{ onError?: (error: Error) => void, perMessageDeflate?: boolean }} [options] `onError` gets the error if it
 *   cannot be opened
 * @returns {any} a WebSocket as a page has it, with what the package adds
 */
export function openNodeWebSocket(url, { onError = () => {}, ...options } = {}) {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), options);
  // The caller that closes it before it is open may no longer listen, and an unhandled error event would end the
  // program.
  socket.on('error', onError);
  return socket;
}

/** @param {string} url @returns {any} a WebSocket as a page has it, which also reports why it cannot be opened */
function openToldSocket(url) {
  let wasOpen = false;
  const socket = openNodeWebSocket(url, {
    onError(error) {
      if (wasOpen) return;
      const { onclose } = socket;
      socket.onclose = socket.onerror = null;
      onclose?.call(socket, { code: ABNORMAL, reason: reasonOf(error) });
    },
  });
  socket.once('open', () => (wasOpen = true));
  return socket;
}

/** @param {Error} error */
const toClosed = (error) => new ExchangeError('closed', `The connection was closed: ${reasonOf(error)}`);

/** @param {Error & { code?: string, errors?: Error[], cause?: any }} error */
function reasonOf({ message, code, errors = [], cause }) {
  if ([code, cause?.code].includes('EMFILE')) return TOO_MANY_FILES;
  return message || errors[0]?.message || String(code);
}
