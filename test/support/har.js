/** HAR files of pages that there are not, with the fields that Chrome saves. */
import { createRandom } from '../../core/base/random.js';

export const START_MS = Date.UTC(2026, 10, 29, 9);

/**
 * @typedef {object} Answer
 * @property {string} [url]
 * @property {number} [atMs] since the recording began
 * @property {number} [ms] until the answer had come
 * @property {string} [method]
 * @property {number} [status]
 * @property {string} [body] absent: saved without it
 * @property {number} [size]
 * @property {string} [sent]
 * @property {string} [mimeType]
 * @property {string} [type] of the resource
 * @property {Record<string, string>} [headers] of the answer
 * @property {Record<string, string>} [requestHeaders]
 * @property {string} [httpVersion]
 * @property {number} [connectMs]
 * @property {object} [more] fields of the entry
 */

const listOf = (/** @type {Record<string, string>} */ headers) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** @param {Answer} [answer] @returns {any} an entry */
export function entryOf({
  url = 'https://shop.example/orders',
  atMs = 0,
  ms = 100,
  method = 'GET',
  status = 200,
  body,
  size = body?.length ?? 100,
  sent,
  mimeType = 'application/json',
  type = 'xhr',
  headers = {},
  requestHeaders = { Cookie: 'session' },
  httpVersion = 'http/1.1',
  connectMs = -1,
  more,
} = {}) {
  const isPlain = httpVersion === 'http/1.1';
  return {
    startedDateTime: new Date(START_MS + atMs).toISOString(),
    time: ms,
    request: {
      method,
      url,
      httpVersion,
      headers: listOf(requestHeaders),
      headersSize: isPlain ? 500 : -1,
      bodySize: sent?.length ?? 0,
      ...(sent !== undefined && { postData: { mimeType: 'application/json', text: sent } }),
    },
    response: {
      status,
      httpVersion,
      headers: listOf(headers),
      content: { size, mimeType, ...(body !== undefined && { text: body }) },
      headersSize: isPlain ? 300 : -1,
      bodySize: isPlain ? size : -1,
      _transferSize: isPlain ? 300 + size : 60 + size,
    },
    timings: { blocked: 1, dns: -1, connect: connectMs, ssl: -1, send: 0, wait: Math.max(0, ms - 2), receive: 1 },
    _resourceType: type,
    ...more,
  };
}

/**
 * @typedef {object} Polling
 * @property {(i: number) => Answer} answer the i-th, without its time
 * @property {number} count
 * @property {number} everyMs
 * @property {'timer' | 'pause'} [by]
 * @property {number} [fromMs]
 * @property {number} [jitterMs] at most so much is added to each interval
 * @property {(i: number) => number} [intervalOf] instead of `everyMs`
 */

/** @param {Polling} polling @returns {any[]} entries, whose answers take 50 to 250 ms where they do not say how long */
export function pollEntries({ answer, count, everyMs, by = 'timer', fromMs = 0, jitterMs = 0, intervalOf }) {
  const random = createRandom(count + everyMs);
  let atMs = fromMs;
  return Array.from({ length: count }, (_, i) => {
    const { ms = Math.round(50 + 200 * random()), ...own } = answer(i);
    const entry = entryOf({ ...own, ms, atMs });
    atMs += (intervalOf?.(i) ?? everyMs) + jitterMs * random() + (by === 'pause' ? ms : 0);
    return entry;
  });
}

/** @param {readonly any[]} entries @param {object} [log] @returns {string} a file */
export const harOf = (entries, log) =>
  JSON.stringify({
    log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries, ...log },
  });
