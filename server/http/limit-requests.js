/** Limits how many requests are served: per address and time, and at once. */
import { rateLimit } from 'express-rate-limit';
import onHeaders from 'on-headers';
import { guard } from './boundary.js';
import { RefusalError, whenOver } from './exchange.js';
import { NETWORK_BITS, networkOf, Pool } from './pool.js';

/**
 * @import { Request, RequestHandler, Response } from 'express'
 * @typedef {{ graceMs: number, bytesPerSecond: number }} Pace of an upload, at least: that of a phone on a slow link; `graceMs`:
 *   for all that is not sending, such as the first packets
 */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** The most that one read is said to cost. */
const MOST_READ_MS = 500;

/** The error for an address that sent too many requests, also by nginx. */
export const TOO_MANY = {
  code: 'too-many',
  message: 'Your IP address sent too many requests. Try again later',
  status: 429,
};

const tooMany = () => new RefusalError(TOO_MANY.code, TOO_MANY.message, TOO_MANY.status);

/**
 * Limits the rate of requests; routes with the same handler share one limit. Passes on 'too-many'.
 * @param {{ windowMs: number, limit: number }} options the limit is of one address (IPv6: network), in that time
 * @returns {RequestHandler}
 */
export function limitRate(options) {
  const handler = /** @type {RequestHandler} */ ((_req, _res, next) => next(tooMany()));
  return rateLimit({
    ...options,
    ipv6Subnet: NETWORK_BITS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler,
    // The site itself finds the visitor, and Express trusts no proxy.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  });
}

/** Counts what reads cost each address: the time that making their answers took, in each minute. */
export class TimeBudget {
  #limitMs;
  #now;
  /** @type {Map<string, number>} by network, in this minute */
  #spentMs = new Map();
  #startedAtMs = 0;

  /** @param {number} limitMs of one network, in each minute @param {() => number} [now] ms */
  constructor(limitMs, now = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#now = now;
  }

  /**
   * Begins to make an answer.
   * @param {string} address @returns {() => void} when it is made; may be called again @throws {RefusalError} with nothing left
   */
  begin(address) {
    const network = networkOf(address);
    const begunAtMs = this.#now();
    if (begunAtMs - this.#startedAtMs >= MINUTE_MS) {
      this.#startedAtMs = begunAtMs;
      this.#spentMs.clear();
    }
    if (this.#spentOf(network) >= this.#limitMs) throw tooMany();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      // For longer, it waited: for a database, or for a thread that is others' turn.
      const spentMs = Math.min(this.#now() - begunAtMs, MOST_READ_MS);
      this.#spentMs.set(network, this.#spentOf(network) + spentMs);
    };
  }

  /** @param {string} network */
  #spentOf(network) {
    return this.#spentMs.get(network) ?? 0;
  }
}

/** Limits what making answers may cost an address; those that share the budget count together. @param {TimeBudget} budget @returns {RequestHandler} */
export const limitTime = (budget) => (req, res, next) => {
  // A request without an address has lost its connection.
  onHeaders(res, budget.begin(req.ip ?? ''));
  next();
};

/**
 * Lets requests through. Each has a place from its headers to the last byte of its answer. Passes on 'busy' if there is
 * no room, and 'too-many' to an address that has its share.
 * @param {{ count: number, noun: string }} options the number of places, and what they are
 * @param {(req: Request, res: Response) => () => void} begin gives what ends it @returns {RequestHandler}
 */
const whileUnderWay = ({ count, noun }, begin) => {
  const places = new Pool({ limit: count, noun });
  return (req, res, next) => {
    if (res.closed) return;
    // A request without an address has lost its connection.
    whenOver(req, res, places.take(req.ip ?? ''));
    whenOver(req, res, begin(req, res));
    next();
  };
};

/**
 * @param {{ count: number, noun: string, limitMs?: number }} options `count`: requests that may be under way; one that
 *   takes longer than `limitMs` loses its connection @returns {RequestHandler}
 */
export const limitAtOnce = ({ limitMs, ...places }) =>
  whileUnderWay(places, ({ socket }) => {
    const destroy = guard(socket, () => socket.destroy());
    const timer = limitMs === undefined ? undefined : setTimeout(destroy, limitMs);
    return () => clearTimeout(timer);
  });

/**
 * Returns the time, from the start of an upload, at which it must be complete or have sent more bytes.
 * @param {number} bytes @param {Pace} pace
 * @example dueMs(100_000, { graceMs: 15_000, bytesPerSecond: 20_000 }) // 20000
 */
export function dueMs(bytes, { graceMs, bytesPerSecond }) {
  return graceMs + (bytes / bytesPerSecond) * 1000;
}

/**
 * @param {Pace & { count: number, onTooSlow(req: Request, res: Response): void }} options `count`: uploads at a time;
 *   `onTooSlow` answers, and ends the connection @returns {RequestHandler}
 */
export const limitUploads = ({ count, onTooSlow, ...pace }) =>
  whileUnderWay({ count, noun: 'uploads in progress' }, (req, res) => watchPace(req, pace, () => onTooSlow(req, res)));

/**
 * Counts the bytes of the connection, as the body itself is read elsewhere, and only on demand.
 * @param {Request} req @param {Pace} pace @param {() => void} onTooSlow @returns {() => void} ends it
 */
function watchPace(req, pace, onTooSlow) {
  const { socket } = req;
  const bytesBefore = socket.bytesRead;
  const begunAtMs = performance.now();
  /** @type {NodeJS.Timeout} */
  let timer;
  const look = guard(socket, () => {
    const leftMs = dueMs(socket.bytesRead - bytesBefore, pace) - (performance.now() - begunAtMs);
    if (leftMs > 0) timer = setTimeout(look, leftMs);
    else onTooSlow();
  });
  timer = setTimeout(look, pace.graceMs);
  const stop = guard(socket, () => clearTimeout(timer));
  req.once('end', stop);
  return stop;
}
