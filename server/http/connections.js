/**
 * Watches the connections of a server. One address may have a share of them. What is written to a connection and not
 * sent takes memory, so it has a deadline, and a budget: beyond it, those lose their connections that leave most unread.
 * Nothing of that is done per request, as it would be measured.
 */
import { guard } from './boundary.js';
import { RefusalError } from './exchange.js';
import { dueMs } from './limit-requests.js';
import { answerUnderWay } from './node-server.js';
import { networkOf, Pool } from './pool.js';

/**
 * @import { Server } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Logger } from 'pino'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Limits } from './limits.js'
 * @typedef {Pick<Socket, 'bytesWritten' | 'destroy' | 'remoteAddress' | 'writableLength'>} Connection
 * @typedef {{ sinceMs: number, sentBytes: number, dueBytes: number }} Behind `dueBytes`: what must have been sent by the deadline of
 *   what was unsent at `sinceMs`; `sentBytes`: what had been sent by then
 */

const LOOK_MS = 1000;

/**
 * @param {Server} server @param {{ limits: Limits, log: Logger, metrics: Metrics, isBehindProxy: boolean }} parts
 *   `isBehindProxy`: all connections are a proxy's, which shares them out itself
 */
export function watchConnections(server, { isBehindProxy, limits, log, metrics }) {
  const places = new Pool({ limit: limits.connectionCount, noun: 'connections' });
  const unread = new UnreadAnswers(limits);
  /** @param {string} code @param {string} reason */
  const report = (code, reason) => {
    metrics.refused(code);
    log.warn({ code, reason }, 'connection closed');
  };
  /** @param {Socket} socket */
  const watch = (socket) => {
    // It comes once more after a request for another protocol, which is ignored.
    if (unread.has(socket)) return;
    unread.add(socket);
    const forget = guard(socket, () => unread.delete(socket));
    socket.once('close', forget);
    if (isBehindProxy) return;
    try {
      const leave = guard(socket, places.take(readAddress(socket)));
      socket.once('close', leave);
    } catch (error) {
      socket.destroy();
      if (!(error instanceof RefusalError)) throw error;
      report(error.code, error.message);
    }
  };
  const timer = setInterval(() => unread.look(performance.now(), report), LOOK_MS).unref();
  server.on('connection', (socket) => guard(socket, watch)(socket));
  server.once('close', () => clearInterval(timer));
}

/**
 * Reads an address that Node.js forgets again: a connection that was reset is known by having none (see site.js).
 * @param {Socket & { _peername?: object }} socket `_peername` is Node's own
 */
function readAddress(socket) {
  const address = socket.remoteAddress ?? '';
  socket._peername = undefined;
  return address;
}

/** The answers that are written, but not sent, as their clients do not read. */
export class UnreadAnswers {
  #limits;
  /** @type {Map<Connection, Behind | undefined>} by connection; undefined while all is sent */
  #connections = new Map();

  /** @param {{ allUnsentBytes: number, answerMs: number, answerBytesPerSecond: number }} limits */
  constructor(limits) {
    this.#limits = limits;
  }

  /** @param {Connection} connection */
  has(connection) {
    return this.#connections.has(connection);
  }

  /** @param {Connection} connection */
  add(connection) {
    this.#connections.set(connection, undefined);
  }

  /** @param {Connection} connection */
  delete(connection) {
    this.#connections.delete(connection);
  }

  /**
   * Ends what is over its time or beyond the budget.
   * @param {number} nowMs @param {(code: string, reason: string) => void} report gets why, of each
   */
  look(nowMs, report) {
    const behind = [];
    for (const [connection, before] of this.#connections) {
      const unsentBytes = unsentBytesOf(connection);
      if (unsentBytes === 0) {
        if (before) this.#connections.set(connection, undefined);
      } else if (this.#isOverdue(connection, before, nowMs)) {
        connection.destroy();
        report('too-slow', 'The client did not read its answer');
      } else behind.push({ connection, unsentBytes, network: networkOf(connection.remoteAddress ?? '') });
    }
    for (const { connection } of beyondBudget(behind, this.#limits.allUnsentBytes)) {
      connection.destroy();
      report('busy', 'Too many bytes of answers are unread');
    }
  }

  /** @param {Connection} connection @param {Behind | undefined} before @param {number} nowMs */
  #isOverdue(connection, before, nowMs) {
    const { answerMs: graceMs, answerBytesPerSecond: bytesPerSecond } = this.#limits;
    const unsentBytes = unsentBytesOf(connection);
    const sentBytes = connection.bytesWritten - connection.writableLength;
    if (!before || sentBytes >= before.sentBytes + before.dueBytes) {
      this.#connections.set(connection, { sinceMs: nowMs, sentBytes, dueBytes: unsentBytes });
      return false;
    }
    return nowMs - before.sinceMs > dueMs(before.dueBytes, { graceMs, bytesPerSecond });
  }
}

/** An answer may hold its own back, too: that of a feed which is silent. @param {Connection} connection */
const unsentBytesOf = (connection) => answerUnderWay(connection)?.writableLength ?? connection.writableLength;

/**
 * Chooses the connections that must go: those of the network that leaves most unread, the largest first.
 * @template {{ unsentBytes: number, network: string }} T @param {readonly T[]} behind @param {number} limitBytes @returns {T[]}
 */
function beyondBudget(behind, limitBytes) {
  /** @type {Map<string, number>} */
  const totals = new Map();
  let excessBytes = -limitBytes;
  for (const { network, unsentBytes } of behind) {
    totals.set(network, (totals.get(network) ?? 0) + unsentBytes);
    excessBytes += unsentBytes;
  }
  if (excessBytes <= 0) return [];
  const totalOf = (/** @type {T} */ { network }) => Number(totals.get(network));
  const order = behind.toSorted((a, b) => totalOf(b) - totalOf(a) || b.unsentBytes - a.unsentBytes);
  return order.filter(({ unsentBytes }) => {
    if (excessBytes <= 0) return false;
    excessBytes -= unsentBytes;
    return true;
  });
}
