/**
 * Several workers behind one port. A SockJS fallback takes several requests, and the operating system may give each to
 * another worker; so a session has an owner, which every worker can compute, without a registry or shared memory. A
 * worker that gets a request relays it to the owner, and relays the answer back as it arrives.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createAddressCheck, findVisitor, LOOPBACK } from './http/addresses.js';

/**
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { Logger } from 'pino'
 *
 * @typedef {{ index: number, count: number, firstPort: number }} Workers `index`: which of them this is, from 0; `count`: how
 *   many share the port; `firstPort`: the own port of worker 0; each next one has the next
 * @typedef {(path: string, headers?: Record<string, string>) => Promise<any[]>} Gather returns the answers of the other
 *   workers, each asked at its own port, all at once; undefined for one that did not answer, which has been logged
 * @typedef {{ headers: Request['headers'], socket: Request['socket'] }} Asked a request, or what is known of one
 * @typedef {(req: Asked) => string} VisitorOf returns the visitor's address
 * @typedef {{ headers: Record<string, string>, isOn: (req: Asked) => boolean }} RelayMark `headers`: of what is relayed
 */

const isLoopback = createAddressCheck(LOOPBACK);

/** The code and reason with which a worker that exits closes its sessions. (RFC 6455, section 7.4.1) */
export const GOING_AWAY = { code: 1001, reason: 'Server is going away' };

const GATHER_LIMIT_MS = 2000;
const RELAY_HEADER = 'x-sockshootout-relayed';
/** The header with the address of the visitor whose request is relayed. */
export const VISITOR_HEADER = 'x-sockshootout-visitor';

/**
 * Returns the worker that owns a session.
 * @param {string} sessionId @param {number} count @returns {number} from 0 to count - 1
 */
export const ownerOf = (sessionId, count) => crc32(sessionId) % count;

/**
 * Returns the port on the loopback interface where only one worker listens.
 * @param {Workers} workers @param {number} [index]
 */
export const ownPortOf = ({ index: own, firstPort }, index = own) => firstPort + index;

/**
 * Checks whether a request was sent to this very worker, by another worker or by a proxy.
 * @param {Asked} req @param {Workers} workers
 */
export const isAtOwnPort = ({ socket }, workers) => socket.localPort === ownPortOf(workers);

/**
 * Checks whether another worker asks for itself; a proxy says for whom it asks.
 * @param {Request} req @param {Workers} workers
 */
export function isFromWorker(req, workers) {
  const isForItself = req.headers['x-forwarded-for'] === undefined;
  return isAtOwnPort(req, workers) && isForItself && isLoopback(req.socket.remoteAddress ?? '');
}

/**
 * Creates the mark on requests that one worker relays to another, which must not count them again. Only the workers
 * know the secret that it is made from: a proxy, which also uses a worker's own port, forwards what visitors send.
 * @param {{ secret: Uint8Array, workers?: Workers }} options the secret is the same for all workers of a machine
 * @returns {RelayMark}
 */
export function createRelayMark({ secret, workers }) {
  const mark = createHmac('sha256', secret).update(RELAY_HEADER).digest('base64url');
  const bytes = Buffer.from(mark);
  return {
    headers: { [RELAY_HEADER]: mark },
    isOn(req) {
      if (!workers) return false;
      const given = req.headers[RELAY_HEADER];
      if (given === undefined || !isAtOwnPort(req, workers)) return false;
      const givenBytes = Buffer.from(String(given));
      return givenBytes.length === bytes.length && timingSafeEqual(givenBytes, bytes);
    },
  };
}

/**
 * Finds the visitor of a request. A relayed one names its visitor; otherwise all of them would come from this machine.
 * @param {{ relayMark: RelayMark, trustProxy: number }} options `trustProxy`: the number of
 *   trusted proxies @returns {VisitorOf}
 */
export const createVisitorOf =
  ({ relayMark, trustProxy }) =>
  (req) =>
    relayMark.isOn(req) ? String(req.headers[VISITOR_HEADER] ?? '') : findVisitor(req, trustProxy).address;

/** Creates what asks the other workers. @param {{ log: Logger, workers?: Workers }} parts @returns {Gather} */
export function createGather({ workers, log }) {
  const ports = workers ? Array.from({ length: workers.count }, (_, index) => ownPortOf(workers, index)) : [];
  const others = ports.filter((_, index) => index !== workers?.index);
  return (path, headers) => {
    /** @param {number} port */
    const ask = async (port) => {
      try {
        const signal = AbortSignal.timeout(GATHER_LIMIT_MS);
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal });
        if (!response.ok) throw new Error(`status ${response.status}`);
        return await response.json();
      } catch (error) {
        log.warn({ err: error, port, path }, 'a worker did not answer');
        return undefined;
      }
    };
    return Promise.all(others.map(ask));
  };
}

/**
 * Shares one call among all who ask while the previous one runs: there is never more than one at a time. Nobody gets
 * the result of a call that began before they asked.
 * @template T @param {() => Promise<T>} call @returns {() => Promise<T>}
 */
export function shareCalls(call) {
  /** @type {Promise<unknown>} */
  let current = Promise.resolve();
  /** @type {Promise<T> | undefined} it has not begun yet */
  let next;
  const begin = () => {
    next = undefined;
    return (current = call());
  };
  return () => (next ??= current.then(begin, begin));
}

/**
 * Shares one call among all who ask within a time, whether it is still running or done.
 * @template T @param {() => Promise<T>} call @returns {() => Promise<T>}
 * @param {{ keptMs: number, now?: () => number }} options `keptMs`: from the beginning of the call; by then it has to be done
 */
export function shareResult(call, { keptMs, now = () => performance.now() }) {
  /** @type {{ result: Promise<T>, begunAtMs: number } | undefined} */
  let last;
  return () => {
    if (last === undefined || now() - last.begunAtMs >= keptMs) last = { begunAtMs: now(), result: call() };
    return last.result;
  };
}
