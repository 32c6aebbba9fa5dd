/**
 * The Express half: pages, assets, everything that is not timed.
 */
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express from 'express';
import { pinoHttp } from 'pino-http';
import { createGather } from './cluster/gather.js';
import { limitRate, TooManyError } from './http/limit-rate.js';
import { createPublicOrigin } from './http/public-origin.js';
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
 * @import { ErrorRequestHandler, Express } from 'express'
 * @import { Logger } from 'pino'
 * @import { Options } from 'pino-http'
 * @import { Assets } from './assets/index.js'
 * @import { Config } from './config.js'
 * @import { Example } from './example.js'
 * @import { Gate } from './http/gate.js'
 * @import { Limits } from './http/limits.js'
 * @import { Archive } from './saved-runs/archive.js'
 * @import { DocumentThread } from './saved-runs/document-thread.js'
 * @import { Store } from './store/index.js'
 * @import { Metrics } from './telemetry/metrics.js'
 * @import { Traffic } from './telemetry/traffic.js'
 */

const MINUTE_MS = 60_000;

/**
 * One line a request, with what one looks for, and nothing that is personal: no address, no headers.
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

/**
 * @param {object} options
 * @param {Config} options.config
 * @param {Assets} options.assets
 * @param {Example} options.example
 * @param {Gate} options.gate for what those may read who may measure
 * @param {Limits} options.limits
 * @param {Metrics} options.metrics
 * @param {Traffic} options.traffic
 * @param {Store} options.store
 * @param {Archive} options.archive
 * @param {DocumentThread} options.documents
 * @param {() => boolean} options.isReady false as soon as this worker drains
 * @param {Logger} options.log
 * @returns {Express}
 */
export function createSite({
  config,
  assets,
  example,
  gate,
  limits,
  metrics,
  traffic,
  store,
  archive,
  documents,
  isReady,
  log,
}) {
  const gather = createGather({ workers: config.workers, log });
  const reads = limitRate({ windowMs: MINUTE_MS, limit: limits.readsPerMinute });
  const originOf = createPublicOrigin(config.publicUrl);
  const site = express();
  site.disable('x-powered-by');
  site.enable('view cache');
  site.set('trust proxy', config.trustProxy);
  site.set('views', fileURLToPath(new URL('../views', import.meta.url)));
  site.set('view engine', 'ejs');
  // Should even the error page fail, no visitor is to read a stack trace.
  site.set('env', 'production');
  site.locals.assets = assets;
  site.locals.server = config.server;
  site.locals.sourceUrl = config.sourceUrl;
  site.locals.formLimits = FORM_LIMITS;
  site.locals.otherServers = config.otherServers;
  site.locals.example = example;

  site.use(pinoHttp({ logger: log, ...REQUEST_LINE }));
  site.use((_req, res, next) => {
    res.on('finish', () => metrics.requestAnswered(res.statusCode));
    next();
  });
  site.use(securityHeaders(config.otherServers));
  site.use(compression());
  site.use(healthRoutes({ isReady, store, limits, log }));
  site.use(metricsRoutes({ config, gather, metrics }));
  site.use(statusRoutes({ config, gate, gather, metrics }));
  site.use(trafficRoutes({ config, gate, gather, limits, traffic }));
  site.use(assetRoutes({ assets }));
  site.use(resultsApiRoutes({ archive, documents, limits, reads, version: config.server.version, log }));
  site.use(resultPageRoutes({ archive, originOf, reads }));
  site.use(resultListRoutes({ archive, originOf, reads }));
  site.use(pageRoutes());

  site.use((_req, res) => {
    res.status(404).render('error', { title: 'Not found', message: 'There is no page at this address.' });
  });
  site.use(
    /** @type {ErrorRequestHandler} */
    (error, req, res, next) => {
      if (res.headersSent) {
        next(error);
        return;
      }
      if (error instanceof TooManyError) {
        res.status(error.status).render('error', {
          title: 'Too many requests',
          message: 'This address has asked for very many pages; try again in a minute.',
        });
        return;
      }
      if (error instanceof StoreError) {
        log.error({ err: error, path: req.path }, 'the store cannot be used');
        res.status(503).render('error', {
          title: 'Saved runs cannot be shown',
          message: 'This server cannot read saved runs at the moment. Try again later.',
        });
        return;
      }
      const status = error.status >= 400 && error.status < 500 ? error.status : 500;
      if (status === 500) log.error({ err: error, path: req.path }, 'request failed');
      res.status(status).render('error', {
        title: status === 500 ? 'Something broke' : 'Bad request',
        message: status === 500 ? 'The fault is ours; it has been logged.' : 'The server could not read that request.',
      });
    },
  );
  return site;
}
