/**
 * Uploads that are coming in: few of one address at a time, so that nobody takes the place of others, and each no slower
 * than a phone on a slow link.
 */
import { ipKeyGenerator } from 'express-rate-limit';
import { BusyError } from './limit-at-once.js';
import { TooManyError } from './limit-rate.js';
import { whenOver } from './when-over.js';

/**
 * @import { RequestHandler } from 'express'
 * @import { IncomingMessage } from 'node:http'
 */

/** Of an IPv6 address: a customer has at least so much of the net. */
const NETWORK_BITS = 64;

/** It came in too slowly. */
export class TooSlowError extends Error {
  status = 408;

  constructor() {
    super('The upload was too slow and has been ended; try again over a faster connection');
  }
}

/**
 * @typedef {object} UploadLimits
 * @property {number} addressCount that may upload at a time
 * @property {number} perAddress uploads of one of them
 * @property {number} graceMs for all that is not sending: the first packets, a moment without a link
 * @property {number} bytesPerSecond that an upload has to reach beside that
 */

/**
 * When an upload of which so much has come must be whole, or have brought more.
 *
 * @param {number} bytes
 * @param {Pick<UploadLimits, 'graceMs' | 'bytesPerSecond'>} limits
 * @returns {number} ms from its beginning
 * @example dueMs(100_000, { graceMs: 15_000, bytesPerSecond: 20_000 }) // 20000
 */
export function dueMs(bytes, { graceMs, bytesPerSecond }) {
  return graceMs + (bytes / bytesPerSecond) * 1000;
}

/**
 * @param {UploadLimits & { onTooSlow: (req: import('express').Request, res: import('express').Response) => void }} options
 *   `onTooSlow` answers; what else came of the request ends with its connection
 * @returns {RequestHandler} passes on a TooManyError to an address that has its share, a BusyError where as many others
 *   have theirs
 */
export function limitUploads({ addressCount, perAddress, onTooSlow, ...pace }) {
  /** @type {Map<string, number>} how many are under way */
  const counts = new Map();

  /** @param {string} address @returns {Error | undefined} */
  const refuse = (address) => {
    const count = counts.get(address);
    if (count === undefined) return counts.size < addressCount ? undefined : new BusyError();
    if (count < perAddress) return undefined;
    return new TooManyError(`This address has ${count} uploads under way; wait until one of them is done`);
  };
  /** @param {string} address */
  const release = (address) => {
    const left = (counts.get(address) ?? 0) - 1;
    if (left > 0) counts.set(address, left);
    else counts.delete(address);
  };

  return (req, res, next) => {
    // Its close would not be told again.
    if (res.closed) return;
    const address = networkOf(req.ip);
    const error = refuse(address);
    if (error) {
      next(error);
      return;
    }
    counts.set(address, (counts.get(address) ?? 0) + 1);
    const stopWatch = watchPace(req, pace, () => onTooSlow(req, res));
    whenOver(req, res, () => {
      stopWatch();
      release(address);
    });
    next();
  };
}

/** @param {string | undefined} ip absent where its connection is gone already */
function networkOf(ip) {
  return ip === undefined ? '' : ipKeyGenerator(ip, NETWORK_BITS);
}

/**
 * Counts what comes over the connection, as the body itself is read elsewhere, and only when it is wanted.
 *
 * @param {IncomingMessage} req
 * @param {Pick<UploadLimits, 'graceMs' | 'bytesPerSecond'>} pace
 * @param {() => void} onTooSlow
 * @returns {() => void} ends it
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
