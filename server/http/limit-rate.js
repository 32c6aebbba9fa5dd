import { rateLimit } from 'express-rate-limit';

/** @import { RequestHandler } from 'express' */

/** Somebody asks too often; each part of the site answers it in its own form. */
export class TooManyError extends Error {
  status = 429;

  /** @param {string} [message] */
  constructor(message = 'Too many requests from this address; try again later') {
    super(message);
  }
}

/**
 * Where several routes are given the same handler, it is one limit for all of them.
 *
 * @param {object} options
 * @param {number} options.windowMs
 * @param {number} options.limit of one address, in that time
 * @returns {RequestHandler} passes on a TooManyError to whoever asks for more
 */
export function limitRate({ windowMs, limit }) {
  return rateLimit({
    windowMs,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_req, _res, next) => next(new TooManyError()),
  });
}
