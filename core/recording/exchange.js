/** A request and its answer, as a HAR file has them: checked once, here, as anybody may have written the file. */
import { visible } from '../base/foreign-text.js';
import { readAddress } from './address.js';
import { findLibrary } from './library.js';

/**
 * @import { Address } from './address.js'
 *
 * @typedef {object} Exchange
 * @property {number} atMs when the request left, in ms since 1970
 * @property {number} endMs when the answer had come
 * @property {string} method
 * @property {Address} address
 * @property {string} [operation] the name of a GraphQL operation, which is the address of a kind
 * @property {'document' | 'data' | 'file' | 'preflight' | 'event-stream' | 'websocket'} kind `data`: what a script may have asked for
 * @property {boolean} isByScript does the file say that fetch or XHR sent it?
 * @property {number} status 0 where no answer came
 * @property {number} headBytes of the request and its answer
 * @property {number} bodyBytes of the request and its answer, as sent
 * @property {boolean} isHeadCompressed over HTTP/2 and 3, where the file has the head as it was before
 * @property {string} [sent] the body of the request
 * @property {string} [body] of the answer, as saved
 * @property {number} [size] of the answer's body, decoded
 * @property {string} [etag]
 * @property {string} httpVersion
 * @property {boolean} hasCredentials a cookie, or an authorization
 * @property {boolean} isFromCache did it leave at all?
 * @property {number} [connectMs] of its connection, without TLS; absent where it was open
 * @property {number} [waitMs] from the request to the first byte of the answer
 * @property {string} [library]
 * @property {readonly { isSent: boolean, size: number }[]} [messages] of a WebSocket or an event stream, where the file has them
 */

const MAX_HEADERS = 200;
const MAX_MESSAGES = 100_000;
/** A day: no answer takes longer, and no sum of times overflows. */
const MAX_MS = 86_400_000;
const [MIN_DATE_MS, MAX_DATE_MS] = [Date.UTC(1995, 0), Date.UTC(2200, 0)];

const FILES = ['image', 'font', 'stylesheet', 'script', 'media', 'manifest', 'texttrack', 'ping', 'other'];
const SCRIPTED = ['xhr', 'fetch'];
const FILE_TYPE = /^(?:image|font|audio|video)\/|^text\/css|javascript|^application\/(?:font|wasm|pdf|manifest)/;
/** What players load piece by piece, whoever asks for it. */
const MEDIA_TYPE = /^(?:audio|video)\/|^application\/(?:vnd\.apple\.mpegurl|x-mpegurl|dash\+xml)/i;
const NO_BYTES = { headBytes: 0, bodyBytes: 0, isHeadCompressed: false };
/** What Safari says of an answer that it did not ask for. */
const SAFARI_CACHE = /^(?:Memory|Disk) Cache$/;
const METHOD = /^[A-Z]{1,16}$/;

/**
 * @param {any} entry as parsed @param {(problem: string) => void} complain
 * @returns {Exchange | undefined} absent where it cannot be used
 */
export function readExchange(entry, complain) {
  const request = entry?.request ?? {};
  const response = entry?.response ?? {};
  const url = textOf(request.url);
  const address = readAddress(url);
  if (!address || !/^(?:https?|wss?):/.test(url)) {
    // Pages have images and frames within themselves.
    if (!/^(?:data|blob|about|chrome-extension|moz-extension|file):/.test(url))
      complain('Expected a request with an address of http or https, got another: it is left out.');
    return undefined;
  }
  const atMs = Date.parse(textOf(entry.startedDateTime));
  if (!(atMs >= MIN_DATE_MS && atMs <= MAX_DATE_MS)) {
    complain('Expected the date of a request in ISO 8601, got another text or none: it is left out.');
    return undefined;
  }
  const ms = timeOf(entry, complain);
  const method = METHOD.test(textOf(request.method)) ? request.method : 'GET';
  const heads = { request: headersOf(request), response: headersOf(response) };
  const status = numberOf(response.status) ?? 0;
  const kind = kindOf({ entry, url, method, status, mimeType: textOf(response.content?.mimeType) });
  const sent = sentOf(request);
  const isFromCache = (Boolean(entry._fromCache) || SAFARI_CACHE.test(textOf(entry._fetchType))) && status !== 304;
  return {
    atMs,
    endMs: atMs + ms,
    method,
    address,
    operation: operationOf(sent),
    kind,
    isByScript: SCRIPTED.includes(entry._resourceType) || (kind === 'data' && !('_resourceType' in entry)),
    // Its head came, and its body did not; the body of a connection that lasts has no end.
    status: response._error && !isLasting(kind) ? 0 : status,
    ...(isFromCache ? NO_BYTES : bytesOf({ request, response, heads, sent })),
    sent,
    body: bodyOf(response),
    size: numberOf(response.content?.size),
    etag: heads.response.get('etag'),
    httpVersion: versionOf(response.httpVersion) || versionOf(request.httpVersion),
    hasCredentials: heads.request.has('cookie') || heads.request.has('authorization'),
    isFromCache,
    ...timingsOf(entry.timings),
    library: findLibrary(entry._initiator, heads.request, url),
    messages: messagesOf(entry),
  };
}

/** @param {Exchange['kind']} kind @returns {boolean} is it a connection that stays open? */
export const isLasting = (kind) => kind === 'event-stream' || kind === 'websocket';

/** @param {unknown} value @returns {string} empty for anything else */
const textOf = (value) => (typeof value === 'string' ? value : '');

/** @param {unknown} value @returns {number | undefined} absent where it is below 0, which is “not known” in this format */
const numberOf = (value) =>
  typeof value === 'number' && value >= 0 && value < Number.MAX_SAFE_INTEGER ? value : undefined;

/** @param {any} entry @param {(problem: string) => void} complain @returns {number} ms */
function timeOf({ time }, complain) {
  const ms = typeof time === 'number' || typeof time === 'string' ? Number(time) : NaN;
  if (ms >= 0 && ms <= MAX_MS) return ms;
  complain(
    `Expected the time of a request in milliseconds, got ${ms < 0 ? 'a negative one' : 'none'}: it counts as 0.`,
  );
  return 0;
}

/** @param {any} message a request or an answer @returns {Map<string, string>} by names in lower case */
function headersOf({ headers }) {
  const list = Array.isArray(headers) ? headers.slice(0, MAX_HEADERS) : [];
  return new Map(list.map((one) => [textOf(one?.name).toLowerCase(), textOf(one?.value)]));
}

/** @param {{ entry: any, url: string, method: string, status: number, mimeType: string }} asked @returns {Exchange['kind']} */
function kindOf({ entry: { _resourceType: type = '' }, url, method, status, mimeType }) {
  if (type === 'websocket' || /^wss?:/.test(url) || status === 101) return 'websocket';
  if (type === 'eventsource' || mimeType.startsWith('text/event-stream')) return 'event-stream';
  if (type === 'preflight' || method === 'OPTIONS') return 'preflight';
  if (MEDIA_TYPE.test(mimeType)) return 'file';
  if (SCRIPTED.includes(type)) return 'data';
  if (type === 'document') return 'document';
  if (FILES.includes(type) && type !== 'other') return 'file';
  // Firefox and Safari do not say: a page itself is HTML, but so may be what it asks for.
  return FILE_TYPE.test(mimeType) ? 'file' : 'data';
}

/** @param {any} request @returns {string | undefined} */
function sentOf({ postData }) {
  return typeof postData?.text === 'string' && postData.text !== '' ? postData.text : undefined;
}

/** A longer name is not one. */
const OPERATION = /"operationName":\s?"([A-Za-z_]{1,40})"/;
const OPERATION_WITHIN = 20_000;

/** @param {string} [sent] @returns {string | undefined} */
const operationOf = (sent) => (sent ? OPERATION.exec(sent.slice(0, OPERATION_WITHIN))?.[1] : undefined);

/** @param {any} response @returns {string | undefined} absent where the file was saved without it */
function bodyOf({ content, status }) {
  if (typeof content?.text === 'string') return content.encoding === 'base64' ? decode(content.text) : content.text;
  return status === 204 || content?.size === 0 ? '' : undefined;
}

/** @param {string} base64 @returns {string} its bytes as characters; the same text where it is none */
function decode(base64) {
  try {
    return atob(base64);
  } catch {
    return base64;
  }
}

/** @param {unknown} version @returns {string} such as 'HTTP/2' */
function versionOf(version) {
  const name = visible(textOf(version).slice(0, 20)).toUpperCase();
  if (/^(?:H2|HTTP\/2(?:\.0)?)$/.test(name)) return 'HTTP/2';
  if (/^(?:H3|HTTP\/3(?:\.0)?|H3-\d{2})$/.test(name)) return 'HTTP/3';
  return name.startsWith('HTTP/1') ? name : '';
}

/** @param {ReadonlyMap<string, string>} headers @returns {number} of a head, with its first line, in HTTP/1.1 */
function plainHeadBytes(headers) {
  let bytes = 20;
  for (const [name, value] of headers) bytes += name.length + value.length + 4;
  return bytes;
}

/**
 * @param {{ request: any, response: any, heads: { request: Map<string, string>, response: Map<string, string> }, sent?: string }} given
 * @returns {Pick<Exchange, 'headBytes' | 'bodyBytes' | 'isHeadCompressed'>}
 */
function bytesOf({ request, response, heads, sent = '' }) {
  const requestHead = numberOf(request.headersSize) || plainHeadBytes(heads.request) + textOf(request.url).length;
  const transferred = numberOf(response._transferSize);
  const body = responseBodyBytes(response, heads.response, transferred);
  const plain = numberOf(response.headersSize) || plainHeadBytes(heads.response);
  // What was transferred is the answer's head and body, as they were on the wire.
  const responseHead = transferred ? Math.max(0, transferred - body) : plain;
  return {
    headBytes: requestHead + responseHead,
    bodyBytes: (numberOf(request.bodySize) ?? sent.length) + body,
    isHeadCompressed: !(numberOf(request.headersSize) ?? 0) && /2|3/.test(versionOf(response.httpVersion)),
  };
}

/**
 * @param {any} response @param {ReadonlyMap<string, string>} headers @param {number} [transferred] @returns {number} as sent
 */
function responseBodyBytes({ status, bodySize, headersSize, content }, headers, transferred) {
  if (status === 304 || status === 204) return 0;
  const decoded = numberOf(content?.size) ?? 0;
  // Firefox counts the head as a part of the body, and the content as it was sent.
  if (transferred === undefined && headersSize > 0 && bodySize === headersSize + decoded) return decoded;
  const known = numberOf(bodySize) ?? numberOf(Number(headers.get('content-length') ?? NaN));
  if (known !== undefined) return known;
  const saved = numberOf(content?.compression);
  if (saved !== undefined) return Math.max(0, decoded - saved);
  if (!headers.has('content-encoding') || !transferred) return decoded;
  return Math.max(0, transferred - Math.min(transferred, plainHeadBytes(headers)));
}

/** @param {any} timings @returns {Pick<Exchange, 'connectMs' | 'waitMs'>} */
function timingsOf(timings) {
  const [connect, ssl, wait] = [timings?.connect, timings?.ssl, timings?.wait].map(numberOf);
  // A connection's time has that of TLS in it: https://w3c.github.io/web-performance/specs/HAR/Overview.html
  return { connectMs: connect ? Math.max(0, connect - (ssl ?? 0)) : undefined, waitMs: wait };
}

/** @param {any} entry @returns {Exchange['messages']} */
function messagesOf({ _webSocketMessages: frames, _eventSourceMessages: events }) {
  const list = Array.isArray(frames) ? frames : events;
  if (!Array.isArray(list)) return undefined;
  return list.slice(0, MAX_MESSAGES).map((one) => ({ isSent: one?.type === 'send', size: textOf(one?.data).length }));
}
