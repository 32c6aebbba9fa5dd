/**
 * Uploads that are coming in: few of one address at a time, so that nobody takes the place of others, and each no slower
 * than a phone on a slow link.
 */
import { ipKeyGenerator } from 'express-rate-limit';
import { busy, tooMany } from './limit-requests.js';
import { whenOver } from './when-over.js';

/**
 * @import { RequestHandler } from 'express'
 * @import { IncomingMessage } from 'node:http'
 */

/** Of an IPv6 address: a customer has at least so much of the net. */
const NETWORK_BITS = 64;

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
 * @returns {RequestHandler} passes on 'too-many' to an address that has its share, 'busy' where as many others have theirs
 */
export function limitUploads({ addressCount, perAddress, onTooSlow, ...pace }) {
  /** @type {Map<string, number>} how many are under way */
  const counts = new Map();

  /** @param {string} address */
  const refuse = (address) => {
    const count = counts.get(address);
    if (count === undefined) return counts.size < addressCount ? undefined : busy();
    if (count < perAddress) return undefined;
    return tooMany(`This address has ${count} uploads under way; wait until one of them is done`);
  };
  /** @param {string} address @param {number} change */
  const changeCount = (address, change) => {
    const count = (counts.get(address) ?? 0) + change;
    if (count > 0) counts.set(address, count);
    else counts.delete(address);
  };

  return (req, res, next) => {
    // Its close event does not fire again.
    if (res.closed) return;
    // Without one its connection is gone already.
    const address = req.ip === undefined ? '' : ipKeyGenerator(req.ip, NETWORK_BITS);
    const error = refuse(address);
    if (error) {
      next(error);
      return;
    }
    changeCount(address, 1);
    const stopWatch = watchPace(req, pace, () => onTooSlow(req, res));
    whenOver(req, res, () => {
      stopWatch();
      changeCount(address, -1);
    });
    next();
  };
}

/**
 * Counts what comes over the connection, as the body itself is read elsewhere, and only when it is wanted.
 *
 * @type {(req: IncomingMessage, pace: Pick<UploadLimits, 'graceMs' | 'bytesPerSecond'>, onTooSlow: () => void) => () => void}
 *   gives what ends it
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
