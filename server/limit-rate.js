import { rateLimit } from 'express-rate-limit';

/**
 * @param {object} options
 * @param {number} options.windowMs
 * @param {number} options.limit of one address, in that time
 * @param {import('express').RequestHandler} options.refuse answers whoever asks for more
 * @returns {import('express').RequestHandler}
 */
export function limitRate({ windowMs, limit, refuse }) {
  return rateLimit({
    windowMs,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (req, res, next) => refuse(req, res, next),
  });
}
