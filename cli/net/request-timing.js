/**
 * Records the connections of Node's fetch with the names of Resource Timing, which Node's own `performance` does not
 * report. The client beneath fetch does, on its diagnostics channels:
 * https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
 * The times are those of the whole connection, including the name lookup and TLS. The work within a timed part is one
 * short list entry per request.
 */
import { subscribe } from 'node:diagnostics_channel';

/** The request line as it is sent: `GET /path HTTP/1.1`. */
const REQUEST_LINE = /^\S+ \S+ (HTTP\/[\d.]+)/;

/**
 * @typedef {{ name: string, nextHopProtocol: string, connectStart: number, connectEnd: number, contentEncoding?: string
 *   }} Entry `name`: the
 *   request's URL; `nextHopProtocol`: empty if it is not known; `connectEnd`: equal to the start if the connection was
 *   reused
 */

/** Records all requests of fetch in this process from now on. */
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

/** @type {ReturnType<typeof createRequestTiming> | undefined} */
let shared;

/** Returns the program's only recorder, as each keeps all requests of fetch. */
export const shareRequestTiming = () => (shared ??= createRequestTiming());

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
