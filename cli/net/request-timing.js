/**
 * What Node's fetch does with connections, in the words of Resource Timing: Node's own `performance` does not tell. The
 * client beneath fetch does, on its diagnostics channels: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
 * Their times are those of the whole connection, the name's lookup and TLS included. What runs within a timed part is one
 * short list entry a request.
 */
import { subscribe } from 'node:diagnostics_channel';

/** As it stands on the wire: `GET /path HTTP/1.1`. */
const REQUEST_LINE = /^\S+ \S+ (HTTP\/[\d.]+)/;

/**
 * @typedef {{ name: string, nextHopProtocol: string, connectStart: number, connectEnd: number }} Entry `name`: the request's
 *   URL; `nextHopProtocol`: empty where it is not known; `connectEnd`: the start again where the connection had been open
 */

/** Listens from now on, to all that fetch does in this process. */
export function createRequestTiming(now = () => performance.now()) {
  /** @type {Entry[]} */
  let entries = [];
  /** @type {Map<string, number>} by host, when the last connection to it was begun */
  const startedAtMs = new Map();
  /** @type {WeakMap<object, { connectStart: number, connectEnd: number }>} of connections that no request has used yet */
  const fresh = new WeakMap();

  listen('beforeConnect', ({ connectParams }) => startedAtMs.set(connectParams.host, now()));
  listen('connected', ({ connectParams, socket }) => {
    const connectEnd = now();
    fresh.set(socket, { connectStart: startedAtMs.get(connectParams.host) ?? connectEnd, connectEnd });
  });
  listen('sendHeaders', ({ request, headers, socket }) => {
    const sentAtMs = now();
    entries.push({
      name: `${request.origin}${request.path}`,
      nextHopProtocol: REQUEST_LINE.exec(headers)?.[1].toLowerCase() ?? '',
      ...(fresh.get(socket) ?? { connectStart: sentAtMs, connectEnd: sentAtMs }),
    });
    fresh.delete(socket);
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

/** The program's: each one keeps all that fetch does. */
export const shareRequestTiming = () => (shared ??= createRequestTiming());

/** @param {string} event @param {(message: any) => void} onMessage */
const listen = (event, onMessage) => subscribe(`undici:client:${event}`, onMessage);
