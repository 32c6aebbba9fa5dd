/** The Express half: pages, assets, and all else that is not timed. */
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express from 'express';
import { pinoHttp } from 'pino-http';
import { createGather } from './workers.js';
import { limitRate } from './http/limit-requests.js';
import { createPublicOrigin } from './http/addresses.js';
import { securityHeaders } from './http/security-headers.js';
import { assetRoutes } from './routes/assets.js';
import { healthRoutes } from './routes/health.js';
import { metricsRoutes } from './routes/metrics.js';
import { pageRoutes } from './routes/pages.js';
import { resultListRoutes } from './routes/result-lists.js';
import { resultPageRoutes } from './routes/result-page.js';
import { resultsApiRoutes } from './routes/results-api.js';
import { statusRoutes } from './routes/status.js';
import { trafficRoutes } from './routes/traffic.js';
import { FORM_LIMITS } from './saved-runs/submission.js';
import { StoreError } from './store/index.js';

/**
 * @import { ErrorRequestHandler, Express, Request, Response } from 'express'
 * @import { Logger } from 'pino'
 * @import { Options } from 'pino-http'
 * @import { Parts } from './parts.js'
 */

/**
 * @typedef {'archive' | 'assets' | 'config' | 'documents' | 'example' | 'gate' | 'isReady' | 'limits' | 'log' | 'metrics' |
 *   'store' | 'traffic'} SitePart
 * @typedef {Pick<Parts, SitePart>} SiteParts
 */

const MINUTE_MS = 60_000;

/**
 * One line per request, without personal data: no address, no headers.
 *
 * @type {Options}
 */
const REQUEST_LINE = {
  serializers: {
    req: ({ method, url }) => ({ method, url }),
    res: ({ statusCode }) => ({ status: statusCode }),
  },
  customSuccessMessage: () => 'request',
};

/** @param {SiteParts} parts @returns {Express} */
export function createSite(parts) {
  const { config, assets, limits, metrics, log } = parts;
  const site = openExpress(parts);
  const gather = createGather({ workers: config.workers, log });
  const reads = limitRate({ windowMs: MINUTE_MS, limit: limits.readsPerMinute });
  const originOf = createPublicOrigin(config.publicUrl);

  site.use(pinoHttp({ logger: log, ...REQUEST_LINE }));
  site.use((_req, res, next) => {
    res.on('finish', () => metrics.requestAnswered(res.statusCode));
    next();
  });
  site.use(securityHeaders(config.otherServers));
  site.use(compression());
  site.use(healthRoutes(parts));
  site.use(metricsRoutes({ config, gather, metrics }));
  site.use(statusRoutes({ ...parts, gather }));
  site.use(trafficRoutes({ ...parts, gather }));
  site.use(assetRoutes({ assets }));
  site.use(resultsApiRoutes({ ...parts, reads, version: config.server.version }));
  site.use(resultPageRoutes({ ...parts, originOf, reads }));
  site.use(resultListRoutes({ ...parts, originOf, reads }));
  site.use(pageRoutes());

  site.use((_req, res) => renderError(res, 404, 'Not found', 'There is no page at this address.'));
  site.use(createErrorPage(log));
  return site;
}

/** @param {SiteParts} parts */
function openExpress({ config, assets, example }) {
  const site = express();
  site.disable('x-powered-by');
  site.enable('view cache');
  site.set('trust proxy', config.trustProxy);
  site.set('views', fileURLToPath(new URL('../views', import.meta.url)));
  site.set('view engine', 'ejs');
  // If the error page itself fails, visitors must not see a stack trace.
  site.set('env', 'production');
  const { server, sourceUrl, otherServers } = config;
  Object.assign(site.locals, { assets, server, sourceUrl, formLimits: FORM_LIMITS, otherServers, example });
  return site;
}

/** @param {Logger} log @returns {ErrorRequestHandler} */
function createErrorPage(log) {
  return (error, req, res, next) => {
    if (res.headersSent) {
      next(error);
    } else if (error instanceof StoreError) {
      log.error({ err: error, path: req.path }, 'the store cannot be used');
      renderError(
        res,
        503,
        'Results are unavailable',
        'This server cannot read its shared runs. Try again later.',
        again(req),
      );
    } else if (error.status === 429) {
      renderError(
        res,
        429,
        'Too many requests',
        'Your address sent too many requests. Try again in a minute.',
        again(req),
      );
    } else if (error.status >= 400 && error.status < 500) {
      renderError(res, error.status, 'Bad request', 'The server cannot read this address. Check the link.');
    } else {
      log.error({ err: error, path: req.path }, 'request failed');
      renderError(res, 500, 'Server error', 'The server failed, and logged the error. Try again.', again(req));
    }
  };
}

/** @param {Request} req @returns {Link | undefined} to the same page; absent where a link cannot repeat the request */
const again = ({ method, originalUrl }) =>
  method === 'GET' && /^\/(?!\/)/.test(originalUrl) ? { href: originalUrl, text: 'Try again' } : undefined;

/** @typedef {{ href: string, text: string }} Link */

/**
 * One sentence and one action.
 *
 * @param {Response} res @param {number} status @param {string} title @param {string} message
 * @param {Link} [link]
 */
function renderError(res, status, title, message, link = { href: '/', text: 'Home page' }) {
  res.status(status).render('error', { title, message, link });
}
