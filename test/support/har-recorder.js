/**
 * Records a page's requests in Chromium, and writes the file that its developer tools would save: the same events, the same fields.
 * https://source.chromium.org/chromium/chromium/src/+/main:third_party/devtools-frontend/src/front_end/models/har/Log.ts
 */

import { setTimeout as wait } from 'node:timers/promises';

/**
 * @import { CDPSession, Page } from 'playwright-core'
 * @typedef {object} Seen a request, as the events tell it
 * @property {string} id
 * @property {any} sent
 * @property {any} [sentMore]
 * @property {any} [received]
 * @property {any} [receivedMore]
 * @property {number} [endS]
 * @property {number} [encodedBytes] of the whole answer
 * @property {number} decodedBytes
 * @property {string} [failure]
 * @property {boolean} [isFromMemory]
 * @property {Promise<string | undefined>} [body]
 * @property {any[]} messages
 */

/** Longer than any answer of the tests' servers. */
const SETTLE_MS = 1500;
/** What browsers leave out of a file unless they are asked to keep it. */
const CREDENTIALS = ['cookie', 'authorization', 'set-cookie'];

/**
 * @param {Page} page in Chromium @param {() => Promise<unknown>} act what the page does meanwhile
 * @returns {Promise<{ entries: any[] }>} to be saved by {@link saveHar}
 */
export async function recordHar(page, act) {
  const session = await page.context().newCDPSession(page);
  const seen = listenTo(session);
  await session.send('Network.enable');
  await act();
  await settle(seen);
  const entries = await Promise.all([...seen.values()].map(entryOf));
  await session.detach();
  return { entries };
}

/** Waits for answers that are under way; connections that last have none. @param {ReadonlyMap<string, Seen>} seen */
async function settle(seen) {
  const endMs = performance.now() + SETTLE_MS;
  while (performance.now() < endMs && [...seen.values()].some(({ endS }) => endS === undefined)) await wait(20);
}

/**
 * @param {{ entries: any[] }} recorded @param {{ withBodies?: boolean, isSanitised?: boolean }} [options] as the developer tools ask
 * @returns {string} the file
 */
export function saveHar({ entries }, { withBodies = true, isSanitised = false } = {}) {
  const kept = entries.map(({ request, response, ...entry }) => {
    const { text, ...content } = response.content;
    return {
      ...entry,
      request: isSanitised ? withoutCredentials(request) : request,
      response: {
        ...(isSanitised ? withoutCredentials(response) : response),
        content: withBodies && text !== undefined ? { ...content, text } : content,
      },
    };
  });
  const log = { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries: kept };
  return JSON.stringify({ log }, null, 2);
}

/** @param {any} message */
const withoutCredentials = ({ headers, ...message }) => ({
  ...message,
  cookies: [],
  headers: headers.filter((/** @type {{ name: string }} */ { name }) => !CREDENTIALS.includes(name.toLowerCase())),
});

/** @param {CDPSession} session @returns {Map<string, Seen>} filled as events come */
function listenTo(session) {
  /** @type {Map<string, Seen>} */
  const seen = new Map();
  // What is told beside a request may come before it.
  /** @type {Map<string, Partial<Seen>>} */
  const early = new Map();
  /** @param {string} id @param {Partial<Seen>} more */
  const add = (id, more) => {
    const one = seen.get(id);
    if (one) Object.assign(one, more);
    else early.set(id, { ...early.get(id), ...more });
  };
  session.on('Network.requestWillBeSent', (sent) => {
    const id = sent.requestId;
    seen.set(id, { id, sent, decodedBytes: 0, messages: [], ...early.get(id) });
  });
  session.on('Network.requestWillBeSentExtraInfo', (sentMore) => add(sentMore.requestId, { sentMore }));
  session.on('Network.responseReceived', (received) => add(received.requestId, { received }));
  session.on('Network.responseReceivedExtraInfo', (receivedMore) => add(receivedMore.requestId, { receivedMore }));
  session.on('Network.requestServedFromCache', ({ requestId }) => add(requestId, { isFromMemory: true }));
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const one = seen.get(requestId);
    if (one) one.decodedBytes += dataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const body = session.send('Network.getResponseBody', { requestId }).then(
      ({ body: text }) => text,
      () => undefined,
    );
    add(requestId, { endS: timestamp, encodedBytes: encodedDataLength, body });
  });
  session.on('Network.loadingFailed', ({ requestId, timestamp, errorText }) =>
    add(requestId, { endS: timestamp, failure: errorText }),
  );
  listenToSockets(session, seen);
  return seen;
}

/** @param {CDPSession} session @param {Map<string, Seen>} seen */
function listenToSockets(session, seen) {
  session.on('Network.webSocketCreated', ({ requestId: id, url, initiator }) => {
    const sent = {
      request: { url, method: 'GET', headers: {} },
      initiator,
      type: 'WebSocket',
      timestamp: 0,
      wallTime: 0,
    };
    seen.set(id, { id, sent, decodedBytes: 0, messages: [] });
  });
  session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, timestamp, wallTime, request }) => {
    const one = seen.get(requestId);
    if (one)
      Object.assign(one.sent, { timestamp, wallTime, request: { ...one.sent.request, headers: request.headers } });
  });
  session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, timestamp, response }) => {
    const one = seen.get(requestId);
    if (one) Object.assign(one, { received: { response: { ...response, mimeType: '' } }, endS: timestamp });
  });
  for (const [event, type] of /** @type {const} */ ([
    ['Network.webSocketFrameSent', 'send'],
    ['Network.webSocketFrameReceived', 'receive'],
  ])) {
    session.on(event, ({ requestId, timestamp, response: { opcode, payloadData } }) => {
      seen.get(requestId)?.messages.push({ type, time: timestamp, opcode, data: payloadData });
    });
  }
}

/** @param {Record<string, string>} [headers] @returns {{ name: string, value: string }[]} */
const listOf = (headers = {}) => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** @param {Seen} one @returns {Promise<any>} */
async function entryOf({ sent, sentMore, received, receivedMore, endS, failure, isFromMemory, messages, ...one }) {
  const { request, initiator, type = 'Other', timestamp, wallTime } = sent;
  const response = received?.response;
  const isSocket = type === 'WebSocket';
  const timings = timingsOf({ response, startS: timestamp, endS: endS ?? timestamp });
  const time = Object.entries(timings).reduce((sum, [name, ms]) => sum + (name === 'ssl' ? 0 : Math.max(0, ms)), 0);
  const isFromCache = isFromMemory || response?.fromDiskCache;
  const status = receivedMore?.statusCode ?? response?.status ?? 0;
  const headText = receivedMore?.headersText ?? response?.headersText;
  const httpVersion = response?.protocol ?? '';
  return {
    ...(isFromCache && status !== 304 && { _fromCache: isFromMemory ? 'memory' : 'disk' }),
    _initiator: initiator,
    _priority: request.initialPriority ?? null,
    _resourceType: isSocket ? 'websocket' : type.toLowerCase(),
    ...(isSocket && { _webSocketMessages: messages }),
    cache: {},
    connection: String(response?.remotePort ?? ''),
    request: {
      method: request.method,
      url: request.url,
      httpVersion,
      headers: listOf(sentMore?.headers ?? request.headers),
      queryString: [],
      cookies: [],
      headersSize: httpVersion === 'http/1.1' ? headBytesOf(request, sentMore?.headers) : -1,
      bodySize: request.postData?.length ?? 0,
      ...(request.postData !== undefined && { postData: { mimeType: '', text: request.postData } }),
    },
    response: {
      status,
      statusText: response?.statusText ?? '',
      httpVersion,
      headers: listOf(receivedMore?.headers ?? response?.headers),
      cookies: [],
      content: { size: one.decodedBytes, mimeType: response?.mimeType ?? 'x-unknown', text: await one.body },
      redirectURL: '',
      headersSize: headText?.length ?? -1,
      bodySize: bodySizeOf({ isFromCache, status, headText, encodedBytes: one.encodedBytes }),
      _transferSize: one.encodedBytes ?? 0,
      _error: failure ?? null,
    },
    serverIPAddress: response?.remoteIPAddress ?? '',
    startedDateTime: new Date(1000 * wallTime).toJSON(),
    time,
    timings,
  };
}

/** @param {{ method: string, url: string, headers: Record<string, string> }} request @param {Record<string, string>} [sent] @returns {number} */
function headBytesOf({ method, url, headers }, sent = headers) {
  const { pathname, search } = new URL(url);
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    ...listOf(sent).map(({ name, value }) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`.length;
}

/** @param {{ isFromCache?: boolean, status: number, headText?: string, encodedBytes?: number }} answer @returns {number} -1: not known */
function bodySizeOf({ isFromCache, status, headText, encodedBytes = 0 }) {
  if (isFromCache || status === 304) return 0;
  return headText === undefined ? -1 : Math.max(0, encodedBytes - headText.length);
}

/** @param {{ response?: any, startS: number, endS: number }} request @returns {Record<string, number>} ms, -1 where there was none */
function timingsOf({ response, startS, endS }) {
  const { timing } = response ?? {};
  if (!timing) return { blocked: -1, dns: -1, ssl: -1, connect: -1, send: 0, wait: 0, receive: 1000 * (endS - startS) };
  const span = (/** @type {number} */ from, /** @type {number} */ to) => (from < 0 ? -1 : to - from);
  const begin = [timing.dnsStart, timing.connectStart, timing.sendStart].find((ms) => ms >= 0) ?? 0;
  return {
    blocked: Math.max(0, 1000 * (timing.requestTime - startS) + begin),
    dns: span(timing.dnsStart, timing.dnsEnd),
    connect: span(timing.connectStart, timing.connectEnd),
    ssl: span(timing.sslStart, timing.sslEnd),
    send: timing.sendEnd - timing.sendStart,
    wait: timing.receiveHeadersEnd - timing.sendEnd,
    receive: Math.max(0, 1000 * (endS - timing.requestTime) - timing.receiveHeadersEnd),
  };
}
