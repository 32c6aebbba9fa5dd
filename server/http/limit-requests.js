/**
 * How many requests are served: of one address in a time, and of all at once. Each part of the site answers in its own form.
 */
import { rateLimit } from 'express-rate-limit';
import { RefusalError } from './answer.js';
import { whenOver } from './when-over.js';

/** @import { RequestHandler } from 'express' */

/** @param {string} [message] */
export function tooMany(message = 'Your address sent too many requests. Try again later') {
  return new RefusalError('too-many', message, 429);
}

/** There is no room for one more just now. */
export function busy() {
  const message = 'The server is busy. Try again in a moment';
  return new RefusalError('busy', message, 503);
}

/**
 * Where several routes are given the same handler, it is one limit for all of them.
 *
 * @param {{ windowMs: number, limit: number }} options the limit is of one address, in that time
 * @returns {RequestHandler} passes on a RefusalError, 'too-many', to whoever asks for more
 */
export function limitRate({ windowMs, limit }) {
  return rateLimit({
    windowMs,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_req, _res, next) => next(tooMany()),
  });
}

/**
 * @param {{ count: number, limitMs?: number }} options the count is of requests that may be under way, from their headers to
 *   the last byte of their answers; one that takes longer than the limit loses its connection
 * @returns {RequestHandler} passes on a RefusalError, 'busy', where there is no room
 */
export function limitAtOnce({ count, limitMs }) {
  let takenCount = 0;
  return (req, res, next) => {
    // Its close event does not fire again.
    if (res.closed) return;
    if (takenCount >= count) {
      next(busy());
      return;
    }
    takenCount++;
    const { socket } = req;
    const timer = limitMs === undefined ? undefined : setTimeout(() => socket.destroy(), limitMs);
    whenOver(req, res, () => {
      takenCount--;
      clearTimeout(timer);
    });
    next();
  };
}
