/** How much is served: of one address in a time, of all at once, and of uploads that are coming in. */
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RefusalError, whenOver } from './exchange.js';

/**
 * @import { Request, RequestHandler, Response } from 'express'
 * @typedef {{ graceMs: number, bytesPerSecond: number }} Pace an upload may be no slower than a phone on a slow link:
 *   `graceMs` for all that is not sending (the first packets, a moment without a link), `bytesPerSecond` beside that
 */

/** Of an IPv6 address: a customer has at least so much of the net. */
const NETWORK_BITS = 64;

/** @param {string} [message] */
const tooMany = (message = 'Your address sent too many requests. Try again later') =>
  new RefusalError('too-many', message, 429);

const busy = () => new RefusalError('busy', 'The server is busy. Try again in a moment', 503);

/** @param {string} address @returns {string} an IPv4 address as it is; the network of an IPv6 one */
const networkOf = (address) => ipKeyGenerator(address, NETWORK_BITS);

/**
 * Few of one address at a time, so that nobody takes the place of others.
 * @param {number} most @param {(count: number) => string} messageOf says that an address has so many
 */
export function createShares(most, messageOf) {
  /** @type {Map<string, number>} by address, or IPv6 network */
  const counts = new Map();
  const countOf = (/** @type {string} */ network) => counts.get(network) ?? 0;
  return {
    /** May it be one of so many addresses? @param {string} address @param {number} addressCount */
    isAmong: (address, addressCount) => counts.size < addressCount || countOf(networkOf(address)) > 0,

    /** @param {string} address @returns {() => void} leaves the place that was taken @throws {RefusalError} 'too-many' */
    take(address) {
      const network = networkOf(address);
      const count = countOf(network);
      if (count >= most) throw tooMany(messageOf(count));
      counts.set(network, count + 1);
      return () => {
        const leftCount = countOf(network) - 1;
        if (leftCount > 0) counts.set(network, leftCount);
        else counts.delete(network);
      };
    },
  };
}

/**
 * Where several routes are given the same handler, it is one limit for all of them. Passes on 'too-many'.
 * @param {{ windowMs: number, limit: number }} options the limit is of one address (IPv6: network), in that time
 * @returns {RequestHandler}
 */
export function limitRate(options) {
  const handler = /** @type {RequestHandler} */ ((_req, _res, next) => next(tooMany()));
  const limit = rateLimit({
    ...options,
    ipv6Subnet: NETWORK_BITS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler,
  });
  // Without an address its connection is gone already, and nobody reads an answer.
  return (req, res, next) => (req.ip === undefined ? undefined : limit(req, res, next));
}

/**
 * Lets requests through, and counts each until its answer is over. @returns {RequestHandler}
 * @param {(req: Request, res: Response) => () => void} take begins, and gives what ends it; throws a RefusalError
 */
const whileUnderWay = (take) => (req, res, next) => {
  if (res.closed) return;
  whenOver(req, res, take(req, res));
  next();
};

/**
 * Passes on 'busy' where there is no room, 'too-many' to an address that has its share. @returns {RequestHandler}
 * @param {{ count: number, perAddress?: number, limitMs?: number }} options the count is of requests that may be under way,
 *   from their headers to the last byte of their answers; one that takes longer than the limit loses its connection
 */
export function limitAtOnce({ count, perAddress = count, limitMs }) {
  const shares = createShares(
    perAddress,
    (own) => `Your address is reading ${own} documents. Try again when one has been sent`,
  );
  let takenCount = 0;
  return whileUnderWay(({ ip, socket }) => {
    if (takenCount >= count) throw busy();
    const leave = shares.take(ip ?? '');
    takenCount++;
    const timer = limitMs === undefined ? undefined : setTimeout(() => socket.destroy(), limitMs);
    return () => {
      takenCount--;
      leave();
      clearTimeout(timer);
    };
  });
}

/**
 * When an upload of which so much has come must be whole, or have brought more: ms from its beginning.
 * @param {number} bytes @param {Pace} pace
 * @example dueMs(100_000, { graceMs: 15_000, bytesPerSecond: 20_000 }) // 20000
 */
export function dueMs(bytes, { graceMs, bytesPerSecond }) {
  return graceMs + (bytes / bytesPerSecond) * 1000;
}

/**
 * Few of one address at a time, so that nobody takes the place of others. Passes on 'too-many' to an address that has its
 * share, 'busy' where as many others have theirs.
 * @param {Pace & { addressCount: number, perAddress: number, onTooSlow(req: Request, res: Response): void }} options so many
 *   addresses at a time, and uploads of each; `onTooSlow` answers, and ends the connection @returns {RequestHandler}
 */
export function limitUploads({ addressCount, perAddress, onTooSlow, ...pace }) {
  const shares = createShares(
    perAddress,
    (count) => `Your address has ${count} uploads in progress. Try again when one is done`,
  );
  return whileUnderWay((req, res) => {
    // Without one its connection is gone already.
    const address = req.ip ?? '';
    if (!shares.isAmong(address, addressCount)) throw busy();
    const leave = shares.take(address);
    const stopWatch = watchPace(req, pace, () => onTooSlow(req, res));
    return () => {
      stopWatch();
      leave();
    };
  });
}

/**
 * Counts what comes over the connection, as the body itself is read elsewhere, and only when it is wanted.
 * @param {Request} req @param {Pace} pace @param {() => void} onTooSlow @returns {() => void} ends it
 */
function watchPace(req, pace, onTooSlow) {
  const { socket } = req;
  const bytesBefore = socket.bytesRead;
  const begunAtMs = performance.now();
  /** @type {NodeJS.Timeout} */
  let timer;
  const look = () => {
    const leftMs = dueMs(socket.bytesRead - bytesBefore, pace) - (performance.now() - begunAtMs);
    if (leftMs > 0) timer = setTimeout(look, leftMs);
    else onTooSlow();
  };
  timer = setTimeout(look, pace.graceMs);
  const stop = () => clearTimeout(timer);
  req.once('end', stop);
  return stop;
}
